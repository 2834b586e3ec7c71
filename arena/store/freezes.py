"""Until when bots may be sent for an event, and when each registered version was sent.

A freeze belongs to the name of an event, or of a series of events, which need not have begun. Knows nothing of who
plays because of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, func, select, update

from arena.store.database import Database
from arena.store.models import RegisteredTable
from arena.store.reading import fetched
from arena.store.site_tables import FreezeTable, SubmissionTable
from arena.store.submissions import Status
from arena.store.tournaments import insert_new

Version = tuple[str, int]
"""A bot's name and the number of a version."""


class Freezes:
    """The freezes of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, datetime]:
        """By name of the event, in order of time."""
        query = select(FreezeTable.event, FreezeTable.at)
        with self._database.read() as connection:
            rows = sorted(fetched(connection, query), key=lambda row: (row[1], row[0]))
        return dict(rows)

    def of(self, *names: str) -> datetime | None:
        """The freeze of the first of these names that has one: an event, then the series that it is a part of."""
        known = self.all()
        return next((known[name] for name in names if name in known), None)

    def set(self, event: str, at: datetime | None) -> datetime | None:
        """Set the freeze of an event, move it, or with None take it away; what it was before."""
        before = self.of(event)
        with self._database.write() as connection:
            if at is None:
                connection.execute(delete(FreezeTable).where(FreezeTable.event == event))
            else:
                connection.execute(insert_new(connection, FreezeTable).values(event=event, at=at))
                connection.execute(update(FreezeTable).where(FreezeTable.event == event).values(at=at))
        return before

    def sent(self) -> Mapping[Version, datetime]:
        """When each registered version was sent: the moment when its first upload was whole; of one that was added
        from a terminal, or before that, the moment when it was added."""
        table, came = RegisteredTable, SubmissionTable
        accepted = select(came.bot, came.number, func.min(came.created)).where(came.state == Status.ACCEPTED.value)
        with self._database.read() as connection:
            found = {
                (name, number): added
                for name, number, added in fetched(connection, select(table.name, table.number, table.added))
            }
            for name, number, created in fetched(connection, accepted.group_by(came.bot, came.number)):
                if (name, number) in found:
                    found[name, number] = min(found[name, number], _time(created))
        return found


def _time(value: datetime | str) -> datetime:
    """A time out of a function of the database, which may have lost its type."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value
