"""How a coordinator grows: it runs a tournament whose games are made up at once, and tells its memory as it goes.

`cd tests && python -m scale.growth BLOCKS [FORMAT]` prints for each tenth: games, games a second, resident memory.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from arena.bots.manifest import find_bot
from arena.games import make
from arena.record.results import GameKey, GameResult, Verdict
from arena.runner.bout import BoutTask
from arena.runner.course import pool_of
from arena.runner.crew import Missing, Stop
from arena.runner.plan import Plan
from arena.runner.tournament import run_tournament
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, StoredGame
from arena.tournament.entry import Entry
from arena.tournament.formats import make_schedule

GAME = make("crowsnest").single_deal()
NAMES = ("random", "basic", "cautious", "counter")
CLOCK = {"bank": 10.0, "increment": 0.1, "cap": 5.0}


class MadeUp:
    """`Players` that need no time: the better bot has more points, by what the board gives."""

    running = 0
    idle = False

    def __init__(self) -> None:
        self.again: deque[BoutTask] = deque()

    def put_again(self, task: BoutTask) -> None:
        self.again.append(task)

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        for task in tasks:
            if task is None:
                continue
            bout = task.bout
            for board in bout.boards:
                for seating in range(bout.seatings):
                    if (board, seating) not in task.skip:
                        yield game_of(
                            GameKey(bout.round, board, bout.table, seating),
                            [bout.side(board, seating, s) for s in (0, 1)],
                        )


def game_of(key: GameKey, sides: list[str]) -> StoredGame:
    """A game that the cards and the bots' places in NAMES decide."""
    luck = (key.board * 2654435761) % 97 - 48
    points = [5.0 * NAMES.index(side) + (luck if number == 0 else -luck) for number, side in enumerate(sides)]
    scores = (points[0], points[1], points[0], points[1])
    ranks = tuple(int(each < max(points)) for each in scores)
    transcript = {"moves": [{"seat": seat, "move": "pass"} for seat in range(4)]}
    result = GameResult(Verdict.FINISHED, scores, ranks, (0, 0, 0, 0), (), (), transcript)
    return StoredGame(key, (sides[0], sides[1], sides[0], sides[1]), result, "A", 12)


class Sample(NamedTuple):
    """The coordinator at one moment."""

    games: int
    seconds: float
    resident_mb: float


def run(folder: Path, boards: int, format: str = "round_robin") -> list[Sample]:
    """Run a tournament of `boards` a pairing; a sample for each tenth of its games."""
    samples: list[Sample] = []
    began = time.monotonic()
    with Store.open(folder) as store:
        bots = {name: find_bot(name) for name in NAMES}
        config = {"boards": boards, "board_plan": "shared", "unit": "deal", "clock": CLOCK, "format": format}
        entrants = tuple(Entrant(name, bot.version, f"house:{name}") for name, bot in bots.items())
        ruleset = GAME.describe()
        new = NewTournament("growth", GAME.id, GAME.version, ruleset, config, bytes(32), entrants)
        stored = store.create_tournament(new)
        schedule = make_schedule(format, Entry(NAMES, 2, boards, bytes(32), "shared"))
        plan = Plan(stored, GAME, bots, schedule, None, "generation", None, pool=pool_of(GAME, config, "deal"))
        totals = schedule.totals()

        def report(progress: object) -> None:
            games = progress.games  # type: ignore[attr-defined]
            if games >= (len(samples) + 1) * totals.games // 10:
                memory = psutil.Process(os.getpid()).memory_info().rss / 2**20
                samples.append(Sample(games, time.monotonic() - began, memory))

        asyncio.run(run_tournament(store, plan, 1, Stop(), report, MadeUp()))
    return samples


def main(blocks: int, format: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        pairings = len(NAMES) * (len(NAMES) - 1) // 2
        for games, seconds, resident in run(Path(folder), blocks // pairings, format):
            print(f"{games:9} games  {games / seconds:6.0f} games/s  {resident:6.0f} MB", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "round_robin")
