"""Nothing is left by a self-test: by several at once, by one that is stopped, nor for long by one that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from sandbox.simulated import command, doctor, groups_of, open_folder

pytestmark = [pytest.mark.xdist_group("sandbox"), pytest.mark.needs("tier A"), pytest.mark.timed]

AT_ONCE = 4
SOON_S = 30.0


@pytest.fixture
def temporary() -> Iterator[Path]:
    """The folder for temporary files of everything started here."""
    with open_folder() as path:
        yield path


def start(temporary: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(words=words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temporary)},
        start_new_session=True,
    )


def wait_for(holds: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + SOON_S
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def below(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def test_nothing_is_left_at_home(temporary: Path) -> None:
    home = temporary / "home"
    home.mkdir()
    said = doctor(words=("--quick",), HOME=str(home), TMPDIR=str(temporary), XDG_CONFIG_HOME="", XDG_CACHE_HOME="")
    assert said.tier == "A"
    assert [path for path in temporary.rglob("*") if path != home] == []


def test_four_at_once_agree_and_leave_nothing(temporary: Path) -> None:
    running = [start(temporary, "--quick") for _ in range(AT_ONCE)]
    said = [process.communicate(timeout=120)[0] for process in running]
    assert [json.loads(text)["data"]["tier"] for text in said] == ["A"] * AT_ONCE
    assert list(temporary.iterdir()) == []
    assert [groups_of(process.pid) for process in running] == [[]] * AT_ONCE


def test_four_commands_look_at_once() -> None:
    text = "import asyncio; from arena.bots.sandbox.selftest import find_means; print(asyncio.run(find_means()).tier)"
    running = [
        subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) for _ in range(AT_ONCE)
    ]
    assert [process.communicate(timeout=120)[0] for process in running] == ["A\n"] * AT_ONCE


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_it_cleans_up_at_any_moment(temporary: Path, number: signal.Signals, status: int) -> None:
    process = start(temporary)
    wait_for(lambda: len(below(process.pid)) > 1, "no box was started")
    boxed = below(process.pid)
    process.send_signal(number)
    _stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == status, stderr
    assert "Traceback" not in stderr
    wait_for(lambda: not any(each.is_running() for each in boxed), "a process runs on")
    wait_for(lambda: not list(temporary.iterdir()), f"left behind: {list(temporary.iterdir())}")
    assert [groups_of(pid) for pid in (process.pid, *(each.pid for each in boxed))] == [[]] * (1 + len(boxed))


@pytest.mark.parametrize("victims", ["doctor", "both"])
def test_what_a_killed_one_leaves_the_next_one_removes(temporary: Path, victims: str) -> None:
    process = start(temporary)
    wait_for(lambda: len(below(process.pid)) > 1, "no box was started")
    launcher = psutil.Process(process.pid).children()[0]
    boxed = below(process.pid)
    if victims == "both":
        launcher.kill()
    process.kill()
    process.communicate()
    wait_for(lambda: not any(each.is_running() for each in boxed), "a process runs on")
    assert doctor(words=("--quick",), TMPDIR=str(temporary)).tier == "A"
    assert list(temporary.iterdir()) == []
    assert groups_of(process.pid) + groups_of(launcher.pid) == []
