"""C6 on a running tournament: Ctrl-C once and twice, SIGTERM, and going on afterwards."""

import contextlib
import re
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from cli.terminal import COMMAND, SURROUNDINGS, on_terminal, piped
from runner.crews import GONE_S

from arena.core.errors import ConfigError
from arena.store.lock import holder
from arena.store.store import Store

CUP = 'name = "stop"\ngame = "goat"\nbots = ["basic", "random"]\nboards = 40\nunit = "match"\nseed = "test"\n'
RUN = ("tournament", "run", "cup.toml", "--workers", "1")
SOME_GAMES = r"games [1-9]"
"""What the bar shows once the first games are stored."""
pytestmark = pytest.mark.xdist_group("stopping")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The table of the cup, played in one go."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "cup.toml").write_text(CUP)
    ran = piped(*RUN, "-q", folder=folder)
    assert ran.status == 0, ran.stderr
    return piped("ratings", "stop", "--json", folder=folder).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cup.toml").write_text(CUP)
    return tmp_path


def leftovers(folder: Path) -> list[str]:
    """Processes that still have to do with the folder's tournament: workers, launchers and bots started from it."""
    found = []
    for process in psutil.process_iter(["cwd", "cmdline"]):
        if process.info["cwd"] == str(folder) and process.pid != psutil.Process().pid:
            found.append(" ".join(process.info["cmdline"] or ()))
    return found


def left_in_the_end(folder: Path) -> list[str]:
    """The same once those that are on their way out had their time."""
    deadline = time.monotonic() + GONE_S
    while (found := leftovers(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def stored(folder: Path) -> int:
    """How many games are stored, without starting a program; 0 before there is a store."""
    if not (folder / ".arena" / "locks").exists():
        return 0
    with contextlib.suppress(ConfigError), Store.open(folder / ".arena", create=False) as store:
        return sum(store.count(each.id) for each in store.tournaments())
    return 0


def games(folder: Path) -> int:
    return len(piped("replay", "list", "--limit", "0", "--csv", folder=folder).stdout.splitlines()) - 1


def test_c6_ctrl_c_once_finishes_running_games_and_the_same_command_goes_on(folder: Path, undisturbed: str) -> None:
    ran = on_terminal(*RUN, streams=("stderr",), keys=[(SOME_GAMES, b"\x03")], folder=folder)
    assert ran.status == 130
    assert re.search(r"stopping: \d+ games? still running, at most \d+ s \(Ctrl-C again to drop them\)", ran.stderr)
    assert "Traceback" not in ran.stderr
    assert ran.stderr.endswith("arena tournament run cup.toml --workers 1\n")
    assert ran.stderr.rfind("\x1b[?25h") >= ran.stderr.rfind("\x1b[?25l")
    assert left_in_the_end(folder) == []
    stored = games(folder)
    assert 0 < stored < 80
    assert piped(*RUN, "-q", folder=folder).status == 0
    assert piped("ratings", "stop", "--json", folder=folder).stdout == undisturbed


def test_c6_ctrl_c_twice_drops_running_games(folder: Path, undisturbed: str) -> None:
    keys = [(SOME_GAMES, b"\x03"), ("stopping: ", b"\x03"), ("stopping: ", b"\x03")]
    ran = on_terminal(*RUN, streams=("stderr",), keys=keys, folder=folder)
    assert ran.status == 130
    assert "Traceback" not in ran.stderr
    assert games(folder) < 80, "running games were dropped, not finished"
    assert left_in_the_end(folder) == []
    assert piped(*RUN, "-q", folder=folder).status == 0
    assert piped("ratings", "stop", "--json", folder=folder).stdout == undisturbed


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_coordinator_loses_nothing_finished(folder: Path, undisturbed: str, number: signal.Signals) -> None:
    process = subprocess.Popen([*COMMAND, *RUN, "-q"], cwd=folder, env=SURROUNDINGS, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not stored(folder):
        time.sleep(0.02)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == (143 if number is signal.SIGTERM else -9)
    assert "Traceback" not in said
    before = games(folder)
    assert piped(*RUN, "-q", folder=folder).status == 0
    assert games(folder) == 80 >= before
    assert piped("ratings", "stop", "--json", folder=folder).stdout == undisturbed
    assert left_in_the_end(folder) == []


def test_a_second_coordinator_is_refused_with_status_6(folder: Path) -> None:
    first = subprocess.Popen([*COMMAND, *RUN, "-q"], cwd=folder, env=SURROUNDINGS, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    while (who := holder(folder / ".arena", "stop")) is None or not who.pid:  # it signs what it holds
        assert time.monotonic() < deadline
        time.sleep(0.05)
    second = piped(*RUN, folder=folder)
    first.send_signal(signal.SIGINT)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=120)
    assert second.status == 6
    assert f"{first.pid}" in second.stderr
    assert second.error()["code"].startswith("BUSY")


def test_changed_settings_are_refused_by_name(folder: Path) -> None:
    cup = folder / "cup.toml"
    cup.write_text(CUP.replace("boards = 40", "boards = 1"))
    assert piped(*RUN, "-q", folder=folder).status == 0
    cup.write_text(CUP.replace("boards = 40", "boards = 2").replace('"match"', '"deal"'))
    ran = piped(*RUN, folder=folder)
    assert ran.status == 2
    assert "boards" in ran.error()["error"]
    assert "unit" in ran.error()["error"]
    assert ran.error()["code"].startswith("CHANGED")
