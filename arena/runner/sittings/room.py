"""The room where sittings are played: so many tables at once, the others wait in line. Knows no store and no page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from arena.core.errors import ArenaError
from arena.core.game import Seat
from arena.match.clock import Clock
from arena.runner.sittings.doors import Doors
from arena.runner.sittings.person import AWAY_S, PATIENCE, HumanPlayer, Patience
from arena.runner.sittings.sitting import Ending, Plan, Step, play_sitting

LOG = logging.getLogger("arena.sittings")
TABLES = 8
LINE = 16
"""So many may wait for a table."""
READY_S = 300.0
"""So long it may take until all bots of a table are built and started, whatever goes wrong: the table is needed."""
STOPPED = "the server was stopped"
State = Literal["waiting", "starting", "running", "finished", "left", "void"]


class RoomFull(ArenaError):
    """All tables are taken, and so is every place in line."""

    code = "TOO_MANY"


@dataclass(eq=False)
class Seating:
    """One table: what is known of a sitting while this process holds it."""

    plan: Plan
    person: HumanPlayer | None
    key: str = ""
    """Opens the person's seat."""
    state: State = "waiting"
    reason: str = ""
    steps: list[Step] = field(default_factory=list)
    """Every position so far; only added to."""
    ending: Ending | None = None
    task: asyncio.Task[None] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set, and replaced by a new one, at every change."""
    end_seen: bool = False
    """Whether the person's page has been told the end."""

    @property
    def seat(self) -> Seat | None:
        """The person's seat."""
        return self.plan.seat

    @property
    def over(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in ("finished", "left", "void")

    def tell(self) -> None:
        """Wake whoever waits for a change."""
        before, self.changed = self.changed, asyncio.Event()
        before.set()


class Room:
    """Plays sittings in the loop that it is used in."""

    def __init__(
        self,
        ended: Callable[[Seating, State, str], Awaitable[None]],
        *,
        prepare: Callable[[Plan], Awaitable[Plan]],
        tables: int = TABLES,
        line: int = LINE,
        away_s: float = AWAY_S,
        patience: Patience = PATIENCE,
        ready_s: float = READY_S,
        changed: Callable[[Seating], None] = lambda _seating: None,
    ) -> None:
        """`ended` is told how and why every sitting ended, before others are; `prepare` makes the bots of a plan ready;
        `changed` is told of every change of a table."""
        self._ended = ended
        self._prepare = prepare
        self._changed = changed
        self._tables = tables
        self._most = tables + line
        self._away_s = away_s
        self._patience = patience
        self._ready_s = ready_s
        self._doors = Doors(tables)
        self._seatings: dict[str, Seating] = {}

    def open(self, plan: Plan, *, key: str = "", clock: Clock | None = None, holder: str = "") -> Seating:
        """Take a table, or a place in line. `holder`: whose table it is; empty: nobody's who has others. Raises
        RoomFull."""
        if len(self._seatings) >= self._most:
            raise RoomFull(
                "all tables are taken, and the line is full",
                saw=f"{self._tables} tables, {self._most - self._tables} waiting",
                fix="try again in a few minutes",
            )
        person = None
        if plan.seat is not None:
            person = HumanPlayer(self._away_s, clock, lambda: self._tell(seating), self._patience)
        seating = Seating(plan, person, key)
        self._seatings[plan.id] = seating
        seating.task = asyncio.create_task(self._play(seating, holder or plan.id))
        return seating

    def find(self, public_id: str) -> Seating | None:
        """The table of an id while it is held here."""
        return self._seatings.get(public_id)

    @property
    def held(self) -> tuple[Seating, ...]:
        """All tables, oldest first, those in line too."""
        return tuple(self._seatings.values())

    def place(self, seating: Seating) -> int:
        """The place in line, from 1; 0 for who has a table."""
        waiting = [each for each in self._seatings.values() if each.state == "waiting"]
        return waiting.index(seating) + 1 if seating in waiting else 0

    def leave(self, seating: Seating, why: str) -> None:
        """The person goes: the default moves are played from now on, and who is still in line is in it no more."""
        if seating.person is not None:
            seating.person.leave(why)
            if seating.state == "waiting" and seating.task is not None:
                seating.task.cancel()

    async def close(self) -> None:
        """End all games; they are void."""
        tasks = [seating.task for seating in self._seatings.values() if seating.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _tell(self, seating: Seating) -> None:
        seating.tell()
        self._changed(seating)

    async def _play(self, seating: Seating, holder: str) -> None:
        state: State = "void"
        reason = STOPPED
        try:
            async with self._doors.table(holder):
                state, reason = await self._at_table(seating)
        except asyncio.CancelledError:
            away = seating.person.away if seating.person is not None and seating.state == "waiting" else ""
            state, reason = ("left", away) if away else ("void", STOPPED)
        except ArenaError as error:
            reason = error.message
        except Exception as error:
            LOG.exception("sitting %s", seating.plan.id)
            reason = f"the arena failed: {type(error).__name__}"
        finally:
            await self._ended(seating, state, reason)
            seating.state, seating.reason = state, reason
            self._seatings.pop(seating.plan.id, None)
            self._tell(seating)

    async def _at_table(self, seating: Seating) -> tuple[State, str]:
        """Build, start, play; how it ended."""
        person = seating.person
        if person is not None and person.away:
            return "left", person.away
        seating.state = "starting"
        self._tell(seating)

        def seen(step: Step) -> None:
            begun.reschedule(None)
            seating.state = "running"
            seating.steps.append(step)
            self._tell(seating)

        try:
            async with asyncio.timeout(self._ready_s) as begun:
                seating.plan = await self._prepare(seating.plan)
                seating.ending = await play_sitting(seating.plan, person, seen)
        except TimeoutError:
            if not begun.expired():
                raise
            return "void", f"the bots were not ready within {self._ready_s / 60:g} min"
        away = person.away if person is not None else ""
        return ("left", away) if away else ("finished", "")
