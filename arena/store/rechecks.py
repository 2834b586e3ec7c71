"""Checks of registered versions that an organiser asked for: one a version, the last one.

    waiting   in the queue      checking   looked at now      passed   every step
    failed    a step failed     broken     the arena's own fault: it says nothing about the bot

Knows no files and no checks; who fails is not touched by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import select, update

from arena.core.options import canonical_json
from arena.store.database import Database
from arena.store.reading import fetched
from arena.store.site_tables import RecheckTable
from arena.store.store import utc_now
from arena.store.tournaments import insert_new
from arena.store.values import Registered


class Outcome(StrEnum):
    """How a check stands."""

    WAITING = "waiting"
    CHECKING = "checking"
    PASSED = "passed"
    FAILED = "failed"
    BROKEN = "broken"


class Recheck(NamedTuple):
    """One check."""

    bot: str
    number: int
    event: str
    """For which event it was asked; empty: for all bots."""
    state: Outcome
    report: Mapping[str, Any]  # Any: JSON, steps and error as those of a submission
    asked: datetime
    finished: datetime | None

    @property
    def is_over(self) -> bool:
        """Whether there is a result."""
        return self.state not in (Outcome.WAITING, Outcome.CHECKING)


class Rechecks:
    """The checks of a store."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def ask(self, versions: Iterable[Registered], event: str = "") -> int:
        """Put versions into the queue, which forgets their last result; returns how many. What is being checked now
        is checked once more."""
        table, now, count = RecheckTable, self._now(), 0
        values = {"event": event, "state": Outcome.WAITING.value, "report": "{}", "asked": now, "finished": None}
        with self._database.write() as connection:
            for each in versions:
                key = {"bot": each.name, "number": each.number}
                connection.execute(insert_new(connection, table).values(**key, **values))
                same = (table.bot == each.name, table.number == each.number)
                connection.execute(update(table).where(*same).values(**values))
                count += 1
        return count

    def all(self) -> list[Recheck]:
        """All of them, by name, then number."""
        table = RecheckTable
        columns = (table.bot, table.number, table.event, table.state, table.report, table.asked, table.finished)
        with self._database.read() as connection:
            found = [
                Recheck(bot, number, event, Outcome(state), json.loads(report), asked, finished)
                for bot, number, event, state, report, asked, finished in fetched(connection, select(*columns))
            ]
        return sorted(found, key=lambda each: (each.bot.casefold(), each.number))

    def next(self) -> Recheck | None:
        """The one to do now: who was asked for first."""
        waiting = [each for each in self.all() if each.state is Outcome.WAITING]
        return min(waiting, key=lambda each: each.asked, default=None)

    def start(self, each: Recheck) -> None:
        """Begin with one."""
        self._change(each, state=Outcome.CHECKING.value)

    def back(self) -> None:
        """Put what was being checked into the queue again: the server stopped."""
        table = RecheckTable
        stopped = update(table).where(table.state == Outcome.CHECKING.value)
        with self._database.write() as connection:
            connection.execute(stopped.values(state=Outcome.WAITING.value, report="{}"))

    def progress(self, each: Recheck, report: Mapping[str, Any]) -> None:  # Any: JSON
        """Note what is known by now."""
        self._change(each, report=canonical_json(report))

    def finish(self, each: Recheck, state: Outcome, report: Mapping[str, Any]) -> None:  # Any: JSON
        """Note how it ended."""
        self._change(each, state=state.value, report=canonical_json(report), finished=self._now())

    def _change(self, each: Recheck, **values: Any) -> None:  # Any: of columns
        """Change one, unless it was asked for again meanwhile."""
        table = RecheckTable
        same = (table.bot == each.bot, table.number == each.number, table.asked == each.asked)
        with self._database.write() as connection:
            connection.execute(update(table).where(*same).values(**values))
