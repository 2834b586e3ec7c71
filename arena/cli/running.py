"""Runs a tournament for a command: progress on stderr, Ctrl-C once and twice, SIGTERM, the closing words.

Knows signals and terminals; what is played and stored is the runner's.
"""

from __future__ import annotations

import asyncio
import signal
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from arena.cli.failure import Stopped, stop_listening
from arena.cli.output import Output
from arena.cli.progress import progress
from arena.cli.stoppable import noted

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime

    from arena.runner.crew import Stop
    from arena.runner.plan import Plan, Players, Progress
    from arena.store.store import Store


TICK_S = 1.0
"""How often progress is shown anew, seconds."""


def run_plan(
    output: Output,
    store: Store,
    plan: Plan,
    workers: int,
    grace_s: float,
    resume: str,
    crew_for: Callable[[Stop], AbstractAsyncContextManager[Players]] | None = None,
    until: datetime | None = None,
) -> Progress:
    """Play a plan until it is done. Raises Stopped when told to stop; what was played is stored then.

    `resume`: the command that goes on. SIGTERM is a first Ctrl-C, and a second one after `grace_s` seconds. `crew_for`:
    who plays instead of local workers, for the time of the run. `until`: when to stop softly, as was wished.
    """
    from dataclasses import replace

    from arena.runner.crew import Stop
    from arena.runner.tournament import run_tournament

    plan = replace(plan, decided=output.decision, messages=output.flags.verbose > 1)
    name = plan.tournament.name
    status = 0

    async def running() -> Progress:
        nonlocal status
        stop = Stop()
        loop = asyncio.get_running_loop()
        latest: list[Progress] = []
        told, waited = 0, False

        def press(code: int) -> None:
            nonlocal status
            status = status or code
            first = not stop.soft.is_set()
            stop.press()
            if first:
                games = latest[-1].running if latest else 0
                most = wall_cap_s(plan)
                limit = f", at most {most:.0f} s" if most is not None else ""
                many = f"{games} game{'' if games == 1 else 's'}"
                output.warning(f"stopping: {many} still running{limit} (Ctrl-C again to drop them)")
                if code == 143:
                    loop.call_later(grace_s, stop.hard.set)

        if until is not None:
            loop.call_later(max(0.0, until.timestamp() - time.time()), stop.soft.set)
        loop.add_signal_handler(signal.SIGINT, press, 130)
        loop.add_signal_handler(signal.SIGTERM, press, 143)
        for code in early:
            press(code)
        try:
            totals = plan.schedule.totals()
            with progress(output, name, totals.blocks if totals.exact else None, "blocks") as shown:

                def report(now: Progress) -> None:
                    nonlocal told, waited
                    for out in now.out[told:]:
                        output.warning(f"quarantined from round {out.since_round} on: {out.bot} ({out.reason})")
                    if now.waiting and not waited:
                        output.warning("waiting: too few bots can play; arena bot add brings one, at once")
                    told, waited = len(now.out), now.waiting
                    latest[:] = [now]
                    shown.update(now.blocks, note_of(now))

                async def tick() -> None:
                    """Show how it stands also while no game ends."""
                    while True:
                        await asyncio.sleep(TICK_S)
                        if latest and not latest[-1].waiting:
                            shown.update(latest[-1].blocks, note_of(latest[-1]))

                async with AsyncExitStack() as stack:
                    stack.callback(asyncio.ensure_future(tick()).cancel)
                    crew = await stack.enter_async_context(crew_for(stop)) if crew_for is not None else None
                    return await run_tournament(store, plan, workers, stop, report, crew)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            loop.remove_signal_handler(signal.SIGTERM)
            if status:
                stop_listening()

    try:
        with noted() as early:
            reached = asyncio.run(running())
    except asyncio.CancelledError:  # told to stop before anybody was there to play
        raise Stopped(status, resume) from None
    finally:
        if status:
            stop_listening()
    if status and not reached.complete:
        planned = f" of {reached.totals.games}" if reached.totals.exact else ""
        output.warning(f"saved: {reached.games}{planned} games, {reached.blocks} blocks complete")
        raise Stopped(status, resume)
    return reached


def note_of(now: Progress) -> str:
    """The words beside the bar: round, voids, games running, speed, time left."""
    exact = now.totals.exact
    parts = [
        f"round {now.round}/{now.totals.rounds}" if exact else f"round {now.round}",
        f"games {now.games}/{now.totals.games}" if exact else f"games {now.games}",
    ]
    if now.voids:
        parts.append(f"void {now.voids}")
    if now.left_out:
        parts.append(f"left out {now.left_out}")
    if now.waiting:
        parts.append("waiting for bots")
    if now.missing:
        parts.append(f"missing {now.missing}")
    parts.append(f"running {now.running}")
    if now.played:
        parts.append(f"{now.rate():.0f} games/s")
    left = now.eta_s()
    if left is not None:
        parts.append(f"ETA {duration(left)}")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Seconds for people: 42 s, 14 min, 3 h 20 min."""
    whole = round(seconds)
    if whole < 90:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def wall_cap_s(plan: Plan) -> float | None:
    """The longest that a running game may still take, seconds; None without a clock."""
    from arena.match.clock import wall_cap_ms

    most = wall_cap_ms(plan.clock, plan.game.seats, plan.game.max_moves, round(plan.start_limit_s * 1000))
    return most / 1000 if most is not None else None
