"""A bot that is killed forfeits the games it was playing, and only those.

SIGKILL from outside cannot be told from a bot that kills itself when it is losing. So it is the bot's, unless the
outermost process of its sandbox is what was killed, which the bot cannot reach (see test_kills.py).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from crash.event import NAME, Event, Outcome
from crash.processes import GONE, Kind, tree
from crash.small import LIMIT_S

from arena.record.results import FaultClass, GameKey, Verdict
from arena.store.store import Store
from arena.store.values import FullGame

BOARDS = 4
MULE = """
import time
from arena_bot import Bot, run

class Mule(Bot):
    def play(self, turn):
        time.sleep(0.05)
        return turn.cards[0]

run(Mule)
"""
MANIFEST = 'name = "mule"\ngames = ["*"]\ncommand = ["python3", "main.py"]\nconcurrent_games = 1\n'
pytestmark = pytest.mark.xdist_group("crash")


@pytest.fixture
def event() -> Iterator[Event]:
    """A bot that plays one game after the other and takes its time, against a house bot."""
    event = mule_event()
    yield event
    event.close()


def mule_event() -> Event:
    event = Event(bots=("./mule", "basic"), boards=BOARDS, workers=1)
    write_mule(event.folder / "mule")
    return event


def write_mule(folder: Path) -> None:
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "main.py").write_text(MULE)


@pytest.fixture(scope="module")
def undisturbed() -> Iterator[Outcome]:
    event = mule_event()
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    yield event.outcome()
    event.close()


def mules(coordinator: psutil.Process) -> list[psutil.Process]:
    """The bot's own processes, without what keeps them in."""
    found = []
    for process in tree(coordinator)[Kind.BOT]:
        with suppress(*GONE):
            if process.name() != "bwrap" and "main.py" in process.cmdline():
                found.append(process)
    return found


def played(event: Event) -> dict[GameKey, FullGame]:
    found = {}
    with Store.open(event.data, create=False) as store:
        for info in store.games(NAME, limit=None):
            full = store.game(info.public_id)
            assert full is not None
            assert info.row.key not in found
            found[info.row.key] = full
    return found


def test_a_killed_bot_forfeits_its_running_game_and_is_started_once_more(event: Event, undisturbed: Outcome) -> None:
    process = event.start("-q")
    coordinator = psutil.Process(process.pid)
    deadline = time.monotonic() + LIMIT_S
    while not event.keys():
        assert time.monotonic() < deadline
        assert process.poll() is None, event.said()
        time.sleep(0.02)
    before = set(event.keys())
    [victim, *_] = mules(coordinator)
    victim.kill()
    assert process.wait(LIMIT_S) == 0, event.said()
    games = played(event)
    assert len(games) == 2 * BOARDS
    assert before <= set(map(tuple, games))

    forfeits = {key: full.game.result for key, full in games.items() if full.game.result.forfeits}
    [(key, result)] = forfeits.items()
    assert tuple(key) not in before, "a game that was over stays as it was"
    assert result.verdict is Verdict.FORFEIT
    [(seat, code)] = result.forfeits
    assert code == "CRASH"
    assert games[key].info.row.bots[seat] == "mule"
    assert [(fault.code, fault.fault_class) for fault in result.faults] == [("CRASH", FaultClass.FORFEIT)]

    outcome = event.outcome()
    others = set(undisturbed.games) - {tuple(key)}
    assert {other: outcome.games[other] for other in others} == {other: undisturbed.games[other] for other in others}
    starts = [log.stem.rpartition("-")[2] for log in (event.data / "logs" / NAME).glob("mule-*.log")]
    assert sorted(starts) == ["1", "1", "1", "1", "2"], "two processes in each of two generations, and one start more"
    assert event.leftovers() == []
