"""Runs a tournament: asks the schedule, has the crew play, commits what comes back, and can stop at any moment.

The only writer of results. A game is stored under its key once and never played again, so that running the same
tournament again goes on where it stopped, whatever stopped it. A void takes its whole block along.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from arena.runner.crew import Crew, Missing, Stop
from arena.runner.ledger import Ledger
from arena.runner.plan import Plan, Players, Progress
from arena.runner.rounds import Rounds, again_of, named
from arena.store.store import Store
from arena.store.values import State
from arena.tournament.schedule import keys_of

BATCH = 64
"""Most games committed at once."""
LOOK_AGAIN_S = 5.0
"""Where an open-ended event has too few for a round, it looks again after so long."""


async def run_tournament(
    store: Store,
    plan: Plan,
    workers: int,
    stop: Stop,
    report: Callable[[Progress], None],
    crew: Players | None = None,
) -> Progress:
    """Play what is not stored yet and return how it stands at the end. `crew`: other players than local workers.

    The state becomes finished when the last round is closed, else stopped. Raises ArenaFault from the store; what
    was committed before stays.
    """
    progress = Progress(plan.schedule.totals())
    ledger = Ledger(store, plan.tournament.id, plan.seatings, progress)
    rounds = Rounds(store, plan, ledger, progress)
    tasks = rounds.tasks()
    store.set_state(plan.tournament.id, State.RUNNING)
    report(progress)
    try:
        while True:
            players = crew if crew is not None else Crew(workers, stop, plan.means, messages=plan.messages)
            progress.players = players
            async for event in players.play(tasks):
                if isinstance(event, Missing):
                    plan.decided(f"{named(event.task.bout)}: given up, {event.error}")
                    for key in keys_of(event.task.bout):
                        if (key.board, key.seating) not in event.task.skip:
                            ledger.lose(key, event.task.attempt)
                elif (again := ledger.take(event)) is not None:
                    bout = rounds.bouts[again.round, again.table]
                    attempt = ledger.attempts[again] + 1
                    plan.decided(f"{named(bout)}: board {again.board} again (attempt {attempt}): {event.result.reason}")
                    players.put_again(again_of(plan, bout, [again], attempt))
                ledger.commit(at_least=1 if players.idle else BATCH)
                report(progress)
            closed = rounds.close()
            if progress.complete or (closed and not stop.soft.is_set()):
                next(tasks, None)  # closes a last round that was still being given out; is there a further one?
            if not progress.waiting or stop.soft.is_set():
                break
            progress.players = None
            report(progress)
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S):
                    await stop.soft.wait()
            progress.waiting = False
    finally:
        ledger.commit()
        store.set_state(plan.tournament.id, State.FINISHED if progress.over else State.STOPPED)
    progress.players = None
    report(progress)
    return progress
