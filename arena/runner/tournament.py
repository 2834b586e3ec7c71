"""Runs a tournament: asks the schedule, has the crew play, commits what comes back, and can stop at any moment.

The only writer of results. A game is stored under its key once and never played again, so that running the same
tournament again goes on where it stopped, whatever stopped it. A void takes its whole block along. Rounds are played
one after the other, since who plays in a round depends on who was taken out by then.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from arena.bots.manifest import Bot
from arena.bots.sandbox.means import NONE, Means
from arena.core import options
from arena.core.game import AnyGame
from arena.match.clock import Clock
from arena.record.results import Bout
from arena.runner.bout import BoutTask
from arena.runner.crew import Crew, Missing, Stop
from arena.runner.ledger import Block, Ledger
from arena.store.store import Store
from arena.store.values import State, StoredGame, Tournament
from arena.tournament.quarantine import Quarantine, Watch, is_left_out
from arena.tournament.schedule import Schedule, Totals, keys_of

BATCH = 64
"""Most games committed at once."""


class Players(Protocol):
    """Who plays the tasks, here or on other machines; `Crew` is one."""

    @property
    def running(self) -> int:
        """Games running now, as last reported."""
        ...

    @property
    def idle(self) -> bool:
        """Whether no further event waits to be taken."""
        ...

    def put_again(self, task: BoutTask) -> None:
        """Give a task out again, before new ones. In time until the next event is asked for."""
        ...

    def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        """Play all tasks; yields games as they end. A None: there is none now, but more once a game has ended."""
        ...


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
    means: Means = NONE
    """How bots are kept apart here; a later run may have others."""


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
    """Games of blocks that were void at every attempt."""
    left_out: int = 0
    """Games of bots that were taken out."""
    out: tuple[Quarantine, ...] = ()
    """Who was taken out so far."""
    lost: int = 0
    """Not played by this run because workers were lost."""
    running: int = 0
    played: int = 0
    """Games of this run."""
    since: float = field(default_factory=time.monotonic)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.games + self.missing + self.left_out >= self.totals.games

    def rate(self) -> float:
        """Games a second in this run."""
        return self.played / max(1e-9, time.monotonic() - self.since)

    def eta_s(self) -> float | None:
        """Seconds to the end at the rate of this run; None before there is one."""
        rate = self.rate()
        left = self.totals.games - self.games - self.missing - self.left_out
        return left / rate if self.played >= 4 and rate > 0 else None


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


def block_again(plan: Plan, bout: Bout, block: Block, attempt: int) -> BoutTask:
    """A block that was void again: all its games, on the same board, by fresh processes."""
    place = bout.boards.index(block.board)
    alone = bout._replace(boards=(block.board,), orders=(bout.orders[place],))
    return replace(task_of(plan, alone, frozenset()), attempt=attempt)


class Rounds:
    """What there is to play, one round after the other: the next one begins when all games of the last are settled."""

    def __init__(self, store: Store, plan: Plan, ledger: Ledger, progress: Progress) -> None:
        self.bouts: dict[tuple[int, int], Bout] = {}
        """The bouts of the round that is played, by round and table."""
        self._store = store
        self._plan = plan
        self._ledger = ledger
        self._progress = progress
        lifted: dict[str, int] = {}
        for each in store.quarantines(plan.tournament.id):
            if each.lifted is not None:
                bot, since = each.quarantine.bot, each.quarantine.since_round
                lifted[bot] = max(lifted.get(bot, 0), since - 1)
        self._watch = Watch(lifted)
        self._given: int = 0
        """The round whose tasks were all given out, until it is closed."""

    def tasks(self) -> Iterator[BoutTask | None]:
        """The tasks in order; None while games of a round are still to be settled before the next begins."""
        for number in range(1, self._plan.schedule.rounds() + 1):
            for bout in self._plan.schedule.round(number):
                if is_left_out(bout, self._watch.out):
                    self._ledger.leave_out(bout)
                    continue
                yield from self._of_bout(bout)
            self._given = number
            while not self.close():
                yield None

    def _of_bout(self, bout: Bout) -> Iterator[BoutTask]:
        ledger, plan = self._ledger, self._plan
        first, again = ledger.expect(bout)
        if first is not None or again:
            self._progress.round = bout.round
            self.bouts[bout.round, bout.table] = bout
        if first is not None:
            yield task_of(plan, bout, first)
        for block in again:
            yield block_again(plan, bout, block, ledger.attempts[block] + 1)

    def close(self) -> bool:
        """Close the round that is played if all its games are settled, and note who is out from now on."""
        if not self._given or self._ledger.waiting:
            return False
        self._ledger.commit()
        known = set(self._watch.out)
        for game in self._store.conduct(self._plan.tournament.id, self._given):
            self._watch.add(game)
        new = [each for bot, each in self._watch.out.items() if bot not in known]
        if new:
            self._store.add_quarantines(self._plan.tournament.id, new)
            self._progress.out = tuple(self._watch.out.values())
        self.bouts.clear()
        self._given = 0
        return True


async def run_tournament(
    store: Store,
    plan: Plan,
    workers: int,
    stop: Stop,
    report: Callable[[Progress], None],
    crew: Players | None = None,
) -> Progress:
    """Play what is not stored yet and return how it stands at the end. `crew`: other players than local workers.

    The state becomes finished when nothing is left, stopped when told to stop. Raises ArenaFault from the store; what
    was committed before stays.
    """
    progress = Progress(plan.schedule.totals())
    ledger = Ledger(store, plan.tournament.id, len(plan.game.sides), progress)
    rounds = Rounds(store, plan, ledger, progress)
    crew = crew if crew is not None else Crew(workers, stop, plan.means)
    store.set_state(plan.tournament.id, State.RUNNING)
    report(progress)
    try:
        async for event in crew.play(rounds.tasks()):
            progress.running = crew.running
            if isinstance(event, Missing):
                for key in keys_of(event.task.bout):
                    if (key.board, key.seating) not in event.task.skip:
                        ledger.lose(key, event.task.attempt)
            elif (again := ledger.take(event)) is not None:
                bout = rounds.bouts[again.round, again.table]
                crew.put_again(block_again(plan, bout, again, ledger.attempts[again] + 1))
            ledger.commit(at_least=1 if crew.idle else BATCH)
            report(progress)
        rounds.close()
    finally:
        ledger.commit()
        store.set_state(plan.tournament.id, State.FINISHED if progress.complete else State.STOPPED)
    progress.running = 0
    report(progress)
    return progress
