"""Runs a tournament: asks the schedule, has the crew play, commits what comes back, and can stop at any moment.

The only writer of results. A game is stored under its key once and never played again, so that running the same
tournament again goes on where it stopped, whatever stopped it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.bots.manifest import Bot
from arena.core import options
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.record.results import Bout, GameKey, Verdict
from arena.runner.bout import NOBODY_STARTED, BoutTask
from arena.runner.crew import Crew, Missing, Stop
from arena.store.store import Store
from arena.store.values import State, StoredGame, Tournament, Void
from arena.tournament.schedule import Schedule, Totals, keys_of

MAX_ATTEMPTS = 4
"""A void game is played so often in all; then it is reported missing. One that nobody started for is stored."""
BATCH = 64
"""Most games committed at once."""
BlockKey = tuple[int, int, int]
"""(round, board, table)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A stored tournament with all that is needed to play it."""

    tournament: Tournament
    game: AnyGame
    bots: Mapping[str, Bot]
    """Competitor -> bot version."""
    schedule: Schedule
    clock: Clock | None
    isolation: str
    logs: Path | None
    start_limit_s: float = 10.0


@dataclass(slots=True)
class Progress:
    """How far a run is."""

    totals: Totals
    round: int = 1
    games: int = 0
    """Stored, those of earlier runs included."""
    blocks: int = 0
    voids: int = 0
    missing: int = 0
    """Void at every attempt."""
    lost: int = 0
    """Not played by this run because workers were lost."""
    running: int = 0
    played: int = 0
    """Games of this run."""
    since: float = field(default_factory=time.monotonic)

    def rate(self) -> float:
        """Games a second in this run."""
        return self.played / max(1e-9, time.monotonic() - self.since)

    def eta_s(self) -> float | None:
        """Seconds to the end at the rate of this run; None before there is one."""
        rate = self.rate()
        left = self.totals.games - self.games - self.missing
        return left / rate if self.played >= 4 and rate > 0 else None


class Ledger:
    """Which games are done, counted into blocks; what is given up."""

    def __init__(self, store: Store, plan: Plan, progress: Progress) -> None:
        self.store = store
        self.plan = plan
        self.progress = progress
        self.done: set[GameKey] = set()
        self.attempts: Counter[GameKey] = Counter()
        self.missing: set[GameKey] = set()
        """Void at every attempt: given up for good."""
        self.lost: set[GameKey] = set()
        """Not played because workers were lost; the next run plays them."""
        self._open: Counter[BlockKey] = Counter()
        self._batch: list[StoredGame] = []
        for key in store.keys(plan.tournament.id):
            self._count(key)
        for void in store.voids(plan.tournament.id):
            self.attempts[void.void.key] = max(self.attempts[void.void.key], void.void.attempt)
        progress.voids = sum(self.attempts.values())
        for key, attempts in self.attempts.items():
            if attempts >= MAX_ATTEMPTS:
                self.give_up(key)

    def _count(self, key: GameKey) -> None:
        self.done.add(key)
        self.progress.games += 1
        block = (key.round, key.board, key.table)
        self._open[block] += 1
        if self._open[block] == len(self.plan.game.sides):
            del self._open[block]
            self.progress.blocks += 1

    def left(self, bout: Bout) -> frozenset[tuple[int, int]] | None:
        """What need not be played of a bout, as (board, seating); None when nothing is left to play."""
        keys = list(keys_of(bout))
        skip = frozenset((key.board, key.seating) for key in keys if key in self.done or key in self.missing)
        return None if len(skip) == len(keys) else skip

    def take(self, game: StoredGame) -> GameKey | None:
        """Take a finished game; returns its key when it was void and is to be played again."""
        key = game.key
        if game.result.verdict is Verdict.VOID and game.result.reason != NOBODY_STARTED:
            self.attempts[key] += 1
            self.progress.voids += 1
            self.store.add_voids(self.plan.tournament.id, [Void(key, self.attempts[key], game.result.reason)])
            if self.attempts[key] < MAX_ATTEMPTS:
                return key
            self.give_up(key)
        elif key not in self.done:
            self._count(key)
            self.progress.played += 1
            self._batch.append(replace(game, attempt=self.attempts[key] + 1))
        return None

    def give_up(self, key: GameKey) -> None:
        """Report a game missing, for good."""
        if key not in self.done:
            self.missing.add(key)
            self.progress.missing = len(self.missing)

    def lose(self, key: GameKey) -> None:
        """Report a game that only this run could not play."""
        if key not in self.done:
            self.lost.add(key)
            self.progress.lost = len(self.lost)

    def commit(self, *, at_least: int = 1) -> None:
        """Store what was taken, once it is `at_least` so much."""
        if len(self._batch) >= at_least:
            self.store.add_games(self.plan.tournament.id, self._batch)
            self._batch.clear()


def task_of(plan: Plan, bout: Bout, skip: frozenset[tuple[int, int]]) -> BoutTask:
    """A bout as a worker needs it."""
    return BoutTask(
        bout=bout,
        game=plan.game.id,
        options=options.to_data(plan.game.ruleset),
        secret=plan.tournament.secret,
        bots={name: plan.bots[name] for name in bout.lineup},
        clock=plan.clock,
        isolation=plan.isolation,
        skip=skip,
        logs=str(plan.logs) if plan.logs is not None else "",
        event=plan.tournament.name,
        start_limit_s=plan.start_limit_s,
    )


async def run_tournament(
    store: Store, plan: Plan, workers: int, stop: Stop, report: Callable[[Progress], None]
) -> Progress:
    """Play what is not stored yet and return how it stands at the end.

    The state becomes finished when nothing is left, stopped when told to stop. Raises ArenaFault from the store; what
    was committed before stays.
    """
    progress = Progress(plan.schedule.totals())
    ledger = Ledger(store, plan, progress)
    crew = Crew(workers, stop)
    bouts: dict[tuple[int, int], Bout] = {}

    def tasks() -> Iterator[BoutTask]:
        for number in range(1, plan.schedule.rounds() + 1):
            for bout in plan.schedule.round(number):
                skip = ledger.left(bout)
                if skip is not None:
                    progress.round = number
                    bouts[bout.round, bout.table] = bout
                    yield task_of(plan, bout, skip)

    store.set_state(plan.tournament.id, State.RUNNING)
    report(progress)
    try:
        async for event in crew.play(tasks()):
            progress.running = crew.running
            if isinstance(event, Missing):
                for key in keys_of(event.task.bout):
                    if (key.board, key.seating) not in event.task.skip:
                        ledger.lose(key)
            elif (again := ledger.take(event)) is not None:
                crew.put_again(_one_game(plan, bouts[again.round, again.table], again, ledger.attempts[again] + 1))
            ledger.commit(at_least=1 if crew.idle else BATCH)
            report(progress)
    finally:
        ledger.commit()
        complete = progress.games + progress.missing >= progress.totals.games
        store.set_state(plan.tournament.id, State.FINISHED if complete else State.STOPPED)
    progress.running = 0
    report(progress)
    return progress


def _one_game(plan: Plan, bout: Bout, key: GameKey, attempt: int) -> BoutTask:
    """A void game again, on the same board, by fresh processes."""
    place = bout.boards.index(key.board)
    alone = bout._replace(boards=(key.board,), orders=(bout.orders[place],))
    skip = frozenset((key.board, seating) for seating in range(bout.seatings) if seating != key.seating)
    return replace(task_of(plan, alone, skip), attempt=attempt)
