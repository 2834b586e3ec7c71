"""Work that signals stop: it cleans up, whatever task was running when they came."""

from __future__ import annotations

import asyncio
import inspect
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from cli.terminal import COMMAND, on_terminal

from arena.cli import stoppable
from arena.cli.failure import Stopped

WORK = """
import asyncio, os, signal, sys
from arena.cli import stoppable
from arena.cli.failure import Stopped

async def spin():
    while True:
        await asyncio.sleep(0)

async def work():
    others = [asyncio.create_task(spin()) for _ in range(3)]
    print("begun", flush=True)
    try:
        await asyncio.gather(*others)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.05)
        print("cleaned up", flush=True)

try:
    stoppable.run(work())
except Stopped as stop:
    print(stop.status, signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
"""


async def answer() -> int:
    return 42


def test_the_result_is_given_and_handlers_are_as_before() -> None:
    before = [signal.getsignal(number) for number in stoppable.STATUSES]
    assert stoppable.run(answer()) == 42
    assert [signal.getsignal(number) for number in stoppable.STATUSES] == before


@pytest.mark.parametrize(("number", "status"), stoppable.STATUSES.items())
def test_the_first_signal_stops_and_others_change_nothing(number: signal.Signals, status: int) -> None:
    process = subprocess.Popen([sys.executable, "-c", WORK], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None, "stdout is a pipe"
    assert process.stdout.readline() == "begun\n"
    process.send_signal(number)
    assert process.communicate(timeout=30)[0] == f"cleaned up\n{status} True\n"


def test_a_signal_while_the_result_is_ready_still_stops() -> None:
    async def late() -> int:
        signal.raise_signal(signal.SIGTERM)
        return 1

    with pytest.raises(Stopped) as stopped:
        stoppable.run(late())
    assert stopped.value.status == 143


def test_a_signal_before_there_is_a_loop_stops_work_that_never_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [signal.getsignal(number) for number in stoppable.STATUSES]
    made = asyncio.new_event_loop

    def interrupted() -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        return made()

    monkeypatch.setattr(asyncio.events, "new_event_loop", interrupted)
    work = answer()
    with pytest.raises(Stopped) as stopped:
        stoppable.run(work)
    assert stopped.value.status == 130
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED
    assert [signal.getsignal(number) for number in stoppable.STATUSES] == before


def test_a_game_that_is_terminated_ends_at_once(tmp_path: Path) -> None:
    words = [*COMMAND, "play", "crowsnest", "basic", "basic", "--n", "500", "--sandbox", "none"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    deadline = time.monotonic() + 60
    while len(psutil.Process(process.pid).children(recursive=True)) < 5:  # the launcher and four bots
        assert time.monotonic() < deadline, "no game begins"
        time.sleep(0.05)
    time.sleep(random.random())
    process.send_signal(signal.SIGTERM)
    _stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr.splitlines()[-1]) == (143, "stopped")
    assert "Traceback" not in stderr


@pytest.mark.parametrize(("more", "speaks"), [({}, False), ({"GRPC_VERBOSITY": "INFO"}, True)])
def test_a_game_that_is_left_ends_without_words_of_the_transport(
    more: dict[str, str], speaks: bool, tmp_path: Path
) -> None:
    ran = on_terminal(
        *("play", "crowsnest", "basic", "random", "--watch"),
        keys=[("turn [3-9] of", b"\x03")],
        folder=tmp_path,
        **more,
    )
    assert ran.status == 130
    assert ran.stderr.endswith("stopped\n")
    assert "Traceback" not in ran.stderr
    assert bool(re.search(r"[EWIF]\d{4} .*\.cc:", ran.stderr)) is speaks
