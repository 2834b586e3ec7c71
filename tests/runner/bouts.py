"""Plays small bouts with real bot processes and reads what the bots were told."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena import games
from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot, find_bot, read_bot
from arena.core import chance, options
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.record import transcript
from arena.record.results import Bout
from arena.runner.bout import BoutTask, Listener, play_bout
from arena.store.values import StoredGame

FOLDER = Path(__file__).parents[1] / "bots_faulty"
SECRET = bytes(range(32))
GAME = games.make("crowsnest", {"max_hands": 1})
PATIENT = Clock(bank_ms=120_000, increment_ms=0, cap_ms=30_000)
"""Nobody is ever late by it, however busy the machine is."""
DEADLINE_S = 120
"""No bout of a test takes longer."""


def faulty(plan: Mapping[str, Any] | None = None, at_once: int = 1, name: str = "faulty") -> Bot:
    """The faulty bot with a plan (see its module); honest without one."""
    command = ("python3", "main.py", json.dumps(plan or {}))
    return replace(read_bot(FOLDER), name=name, command=command, concurrent_games=at_once)


def witness(at_once: int = 1, name: str = "witness") -> Bot:
    """An honest bot that prints what it is told."""
    return faulty(at_once=at_once, name=name)


def house(name: str, at_once: int = 64) -> Bot:
    return replace(find_bot(name), concurrent_games=at_once)


def task(bots: Mapping[str, Bot], boards: int = 3, seatings: int = 1, game: AnyGame = GAME, **others: Any) -> BoutTask:
    """A bout of a few boards between bots, in order of their places."""
    sides = len(game.sides)
    names = tuple(bots)
    order = tuple(range(sides))
    return BoutTask(
        bout=Bout(1, 1, names, tuple(range(1, boards + 1)), (order,) * boards, seatings),
        game=game.id,
        options=options.to_data(game.ruleset),
        secret=SECRET,
        bots=bots,
        **{"clock": PATIENT, **others},
    )


@dataclass(frozen=True)
class Heard:
    """What one process printed."""

    bot: str
    seating: int
    copy: int
    start: int
    lines: list[dict[str, Any]]

    def of(self, what: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["what"] == what]


@dataclass(frozen=True)
class Outcome:
    """A bout that was played."""

    game: AnyGame
    games: list[StoredGame]
    heard: list[Heard]

    def board(self, number: int, seating: int = 0) -> StoredGame:
        [game] = [game for game in self.games if game.key[1] == number and game.key[3] == seating]
        return game

    def started(self, board: int, seating: int = 0) -> dict[int, tuple[Heard, dict[str, Any]]]:
        """By seat: who got the GameStart of a board, and what it said. A board is known by its seeds."""
        seed = chance.board_seed(SECRET, self.game.id, self.game.describe(), board)
        found = {}
        for heard in self.heard:
            for line in heard.of("start"):
                fields = line["fields"]
                seat = fields.get("seat", 0)
                if heard.seating == seating and fields["seed"] == chance.bot_seed(seed, seat):
                    assert seat not in found, "two processes were told of one seat"
                    found[seat] = heard, fields
        return found

    def told(self, board: int, seating: int = 0) -> dict[int, dict[str, Any]]:
        """By seat: the final message of a board, of seats that got one."""
        return {
            seat: line
            for seat, (heard, fields) in self.started(board, seating).items()
            for line in heard.of("over")
            if line["game"] == fields["game"]
        }


def play(bout: BoutTask, listen: Callable[[list[StoredGame]], Listener] | None = None) -> Outcome:
    """Play a bout in this process and see to it that nothing is left."""
    with nothing_left() as folder:
        logs = folder / "logs"
        logs.mkdir()
        played: list[StoredGame] = []
        listener = listen(played) if listen is not None else Listener(played.append)
        asyncio.run(_play(replace(bout, logs=str(logs)), listener))
        heard = [heard_in(file) for file in sorted(logs.iterdir())]
        shutil.rmtree(logs)
    return Outcome(games.make(bout.game, bout.options), sorted(played, key=lambda game: game.key), heard)


async def _play(bout: BoutTask, listener: Listener) -> None:
    launcher = await Launcher.open()
    try:
        async with asyncio.timeout(DEADLINE_S):
            await play_bout(bout, launcher, listener)
    finally:
        await launcher.close()


@contextmanager
def nothing_left(*, files: bool = True) -> Iterator[Path]:
    """A temporary folder that is empty at the end; no process and no descriptor is left, either."""
    before = descriptors()
    folder = Path(tempfile.mkdtemp(prefix="t-"))
    old, tempfile.tempdir = tempfile.tempdir, str(folder)
    patch = pytest.MonkeyPatch()
    patch.setenv("TMPDIR", str(folder))
    try:
        yield folder
        left_files = list(folder.rglob("*")) if files else []
        assert left_files == [], "temporary files are left"
    finally:
        tempfile.tempdir = old
        patch.undo()
        left = psutil.Process().children(recursive=True)
        said = [_told(process) for process in left]
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=5)  # so that the next test is not blamed for them
        shutil.rmtree(folder, ignore_errors=True)
    assert said == [], "processes are left"
    left_open = Counter(descriptors()) - Counter(before)  # what others left behind may go meanwhile
    assert not left_open, "descriptors are left"


def _told(process: psutil.Process) -> str:
    """Which process it is, for who reads that it was left."""
    with suppress(psutil.Error):
        return f"{process.status()}: {' '.join(process.cmdline()) or process.name()}"
    return "gone meanwhile"


def descriptors() -> list[str]:
    """What this process holds open, files and sockets by name; gRPC's own wake-ups do not count."""
    held = []
    for number in os.listdir("/proc/self/fd"):
        try:
            held.append(os.readlink(f"/proc/self/fd/{number}"))
        except OSError:
            continue  # the listing's own
    return sorted(name for name in held if not name.startswith(("anon_inode", "/dev", "pipe", "socket")))


def heard_in(file: Path) -> Heard:
    bot, _round, _table, seating, copy, start = file.stem.rsplit("-", 5)
    lines = []
    for line in file.read_text(errors="replace").splitlines():
        if line.startswith("{"):
            lines.append(json.loads(line))
    return Heard(bot, int(seating[1:]) - 1, int(copy), int(start), lines)


def lasting(game: StoredGame) -> Any:
    """A game without times and process ids: what must be the same bit for bit."""
    data = json.loads(transcript.to_json(transcript.from_data(game.result.transcript)))
    for timed in [*data["moves"], *data["faults"]]:
        timed.pop("elapsed_ms")
        if note := timed.pop("note", ""):
            timed["hand"] = json.loads(note)["hand"]
    return game.key, game.bots, replace(game.result, transcript={}, faults=()), data
