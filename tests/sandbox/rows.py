"""Plays one hostile bot against honest ones in boxes, beside an honest game, and sees to it that nothing is left.

A row of the tests is a plan of the faulty bot (tests/bots_faulty/main.py), what it costs, and how soon. It is played on
three boards: an honest one, the one on which the bot misbehaves, and another honest one, if it lives to see it.
"""

from __future__ import annotations

import asyncio
import functools
import os
import secrets
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
from runner import bouts
from runner.bouts import Heard, Outcome, faulty, house, lasting, nothing_left, task

from arena import games
from arena.bots.launcher import BotProcess, Exit, Launcher
from arena.bots.sandbox import cgroups
from arena.bots.sandbox.box import Box
from arena.bots.sandbox.means import Means
from arena.bots.sandbox.selftest import find_means
from arena.match.clock import Clock
from arena.record.results import Fault, FaultClass, Verdict
from arena.runner.bout import BoutTask, Listener, play_bout
from arena.store.values import StoredGame

GAME = games.make("crow_and_pitcher", {"rounds": 1, "players": 3})
BOARD = 2
"""On which the bot misbehaves."""
SEAT = 0
SLACK = 5.0
"""How much later than promised is still no failure, on a busy machine."""
LIMIT_S = 90.0
HELD = "/proc/{}/fd"


@functools.cache
def best() -> Means:
    """How this host keeps bots apart."""
    means = asyncio.run(find_means())
    assert means.boxed, "this host cannot keep bots apart"
    return means


class Watching(Launcher):
    """A launcher that remembers the boxes it was asked for."""

    started: list[tuple[Box, BotProcess]]

    async def start_box(self, box: Box, log: Path | None) -> BotProcess:
        process = await super().start_box(box, log)
        self.__dict__.setdefault("started", []).append((box, process))
        return process

    def exits(self, mark: str) -> list[Exit]:
        """How the processes ended whose command holds a word."""
        return [process.exit.result() for box, process in self.started if mark in " ".join(box.command)]


@dataclass(frozen=True)
class Played:
    """What came of a row."""

    outcome: Outcome
    beside: list[StoredGame]
    exits: list[Exit]
    """Of the hostile bot's processes; none without a sandbox."""
    raw: dict[str, bytes]
    """The logs, by name."""
    took_s: float

    @property
    def found(self) -> list[str]:
        """What the hostile bot says it could do."""
        return [item for heard in self.hostile for line in heard.of("found") for item in line["items"]]

    @property
    def tried(self) -> int:
        """How many attempts came to their end."""
        return sum(len(heard.of("found")) for heard in self.hostile)

    @property
    def hostile(self) -> list[Heard]:
        return [heard for heard in self.outcome.heard if heard.bot == "hostile"]

    def forfeits(self, board: int = BOARD) -> tuple[tuple[int, str], ...]:
        return self.outcome.board(board).result.forfeits

    def faults(self, board: int = BOARD) -> tuple[Fault, ...]:
        return self.outcome.board(board).result.faults


@dataclass(frozen=True)
class Row:
    """One way to misbehave."""

    plan: Mapping[str, Any]
    code: str = ""
    """Of the forfeit on BOARD; empty: nothing happens to the game."""
    within_s: float = 1.0
    """From the turn to the fault."""
    told: Mapping[str, Any] = field(default_factory=dict)
    clock: Clock = bouts.PATIENT
    start_limit_s: float = 30.0
    boards: int = 3
    folder: Path | None = None
    """Where another folder than the faulty bot's is the bot."""
    also: str = ""
    """Another code that is right where the machine is busy."""


def row(what: str, code: str = "", within_s: float = 1.0, **others: Any) -> Row:
    """A bot that does something in its second game."""
    return Row({str(BOARD): [what if what.isidentifier() else f"do:{what}", 1]}, code, within_s, **others)


def play(row: Row, means: Means | None = None, beside: bool = True, game: Any = GAME) -> Played:
    """Play a row. Whatever is left afterwards fails the test."""
    means = best() if means is None else means
    mark = secrets.token_hex(8)
    hostile = faulty({**row.plan, "told": {**row.told, "mark": mark, "boxed": means.boxed}}, name="hostile")
    if row.folder is not None:
        hostile = replace(hostile, folder=row.folder)
    lineup = [("hostile", hostile), ("first", faulty(name="first")), ("second", faulty(name="second"))]
    bots = dict(lineup[: len(game.sides)])
    others: dict[str, Any] = {"clock": row.clock, "start_limit_s": row.start_limit_s}
    return play_task(task(bots, row.boards, game=game, **others), mark, means, beside)


def play_task(
    bout: BoutTask,
    mark: str,
    means: Means | None = None,
    beside: bool = True,
    then: Callable[[StoredGame], object] = lambda _game: None,
) -> Played:
    """Play a bout of which some command holds a mark, and an honest one beside it; `then` is told of its games."""
    means = best() if means is None else means
    with nothing_left() as folder:
        folder.chmod(0o711)  # the launcher puts its stage here, so that it is seen when it leaves it
        logs = folder / "logs"
        logs.mkdir()
        began = time.monotonic()
        outcome_games, beside_games, exits = asyncio.run(_play(bout, mark, means, logs, beside, then))
        took_s = time.monotonic() - began
        raw = {file.name: file.read_bytes() for file in logs.iterdir()}
        heard = [bouts.heard_in(file) for file in sorted(logs.iterdir())]
        shutil.rmtree(logs)
    outcome = Outcome(games.make(bout.game, bout.options), outcome_games, heard)
    return Played(outcome, beside_games, exits, raw, took_s)


async def _play(
    bout: BoutTask, mark: str, means: Means, logs: Path, beside: bool, then: Callable[[StoredGame], object]
) -> tuple[list[StoredGame], list[StoredGame], list[Exit]]:
    launcher = await Watching.open(means)
    assert isinstance(launcher, Watching)
    pid = launcher._process.pid
    try:
        held = [_held(pid), _held(os.getpid())]
        played: list[StoredGame] = []
        also: list[StoredGame] = []

        def ended(game: StoredGame) -> None:
            played.append(game)
            then(game)

        async with asyncio.timeout(LIMIT_S), asyncio.TaskGroup() as both:
            both.create_task(play_bout(replace(bout, logs=str(logs)), launcher, Listener(ended)))
            if beside:
                both.create_task(play_bout(honest_task(), launcher, Listener(also.append)))
        await _until_gone(mark, pid, held)
        exits = launcher.exits(mark) if means.boxed else []
    finally:
        await launcher.close()
    return sorted(played, key=lambda game: game.key), also, exits


def honest_task() -> BoutTask:
    """A bout of house bots, as it is played beside every row."""
    return task({name: replace(house("random"), name=name, concurrent_games=1) for name in "abc"}, 2, game=GAME)


@functools.cache
def honest() -> list[Any]:
    """What the bout beside comes to when it is alone."""

    async def alone() -> list[StoredGame]:
        launcher = await Launcher.open()
        try:
            found: list[StoredGame] = []
            await play_bout(honest_task(), launcher, Listener(found.append))
            return found
        finally:
            await launcher.close()

    return [lasting(game) for game in asyncio.run(alone())]


@functools.cache
def calm(boards: int = 3, game: Any = GAME) -> Outcome:
    """The bout of a row whose bot never misbehaves, without boxes."""
    names = ["hostile", "first", "second"][: len(game.sides)]
    return bouts.play(task({name: faulty(name=name) for name in names}, boards, game=game))


async def _until_gone(mark: str, launcher: int, held: Sequence[int]) -> None:
    """Wait until nothing of the bout is left; fails when something still is after the time that it may take."""
    deadline = time.monotonic() + SLACK
    while problem := left(mark, launcher, held):
        assert time.monotonic() < deadline, problem
        await asyncio.sleep(0.02)


def left(mark: str, launcher: int, held: Sequence[int]) -> str:
    """What is left of a bout while its launcher still runs: processes, groups, descriptors."""
    if found := named(mark):
        return f"processes are left: {found}"
    if found := groups_of(launcher):
        return f"groups are left: {found}"
    now = [_held(launcher), _held(os.getpid())]
    if now[0] > held[0]:
        return f"the launcher holds {now[0]} descriptors, {held[0]} before"
    # gRPC keeps a few for its own waiting, once in a process; test_soak.py looks at many bouts.
    return f"{now[1]} descriptors are held, {held[1]} before" if now[1] > held[1] + 8 else ""


def named(mark: str) -> list[int]:
    """Processes whose command line holds a mark."""
    found = []
    for process in psutil.process_iter():
        try:
            if mark in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


def groups_of(launcher: int) -> list[str]:
    """The control groups that a launcher has made and not removed."""
    mounts = cgroups.find_mounts()
    prefix = cgroups.mark(launcher)
    folders = [*mounts.v1.values(), *([mounts.unified] if mounts.unified is not None else [])]
    return sorted(str(path) for folder in folders for path in folder.glob(f"{prefix}-*"))


def _held(pid: int) -> int:
    return len(os.listdir(HELD.format(pid)))


def check(row: Row, played: Played) -> None:
    """The row's contract: who forfeits by what and when, and that nobody else is touched."""
    stored = played.outcome.board(BOARD)
    assert [lasting(game) for game in played.beside] == honest(), "the game beside it"
    assert lasting(played.outcome.board(1)) == lasting(calm(row.boards).board(1)), "the game before"
    if not row.code:
        assert played.found == []
        assert [game.result.verdict for game in played.outcome.games] == [Verdict.FINISHED] * row.boards
        assert not any(game.result.faults for game in played.outcome.games)
        for board in range(1, row.boards + 1):
            assert lasting(played.outcome.board(board)) == lasting(calm(row.boards).board(board))
        return
    assert stored.result.verdict is Verdict.FORFEIT
    assert stored.result.forfeits in (((SEAT, row.code),), ((SEAT, row.also),)), stored.result.faults
    fault = stored.result.faults[-1]
    assert fault.fault_class is FaultClass.FORFEIT
    assert fault.elapsed_ms < row.within_s * SLACK * 1000
    winners = {seat for seat, rank in enumerate(stored.result.ranks) if seat != SEAT and rank == 0}
    assert winners, "one of the others has won"
    absent = set() if row.code == "TIMEOUT" else {SEAT}
    told = played.outcome.told(BOARD)
    assert set(told) | {SEAT} == set(range(played.outcome.game.seats)), "the others got the final message"
    assert not absent & set(told)
    for message in told.values():
        assert message["scores"] == list(stored.result.scores)
        assert ((message["forfeit"], message["reason"]),) == stored.result.forfeits
