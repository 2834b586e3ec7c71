"""What was done with rights of one's own: who, what, to what, why, when, and whether it was undone since.

Entries are never changed, except that an undone one says when. Targets name people by number only, "person 3", so that
nothing here gives the name of somebody who was removed.
"""

from __future__ import annotations

import json
import os
import pwd
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select, update

from arena.core.options import canonical_json
from arena.store.codec import storable
from arena.store.database import Database
from arena.store.site_tables import AuditTable
from arena.store.store import utc_now
from arena.store.tournaments import insert_new

COMMAND_LINE = "command line"
"""Where what is typed on the host itself is done."""
MAX_REASON = 500


def typed_by() -> str:
    """Who does what is typed on the host itself: "command line (ada)", the name that the system has for the user of
    this process, else the user's number."""
    number = os.geteuid()
    try:
        return f"{COMMAND_LINE} ({pwd.getpwuid(number).pw_name})"
    except KeyError:
        return f"{COMMAND_LINE} ({number})"


class Entry(NamedTuple):
    """One thing that was done."""

    id: int
    at: datetime
    person: int | None
    who: str
    action: str
    target: str
    reason: str
    data: Mapping[str, Any]  # Any: JSON
    """What is needed to undo it, and to understand it."""
    undone: datetime | None


class Audit:
    """The log of a store."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def note(
        self,
        person: int | None,
        who: str,
        action: str,
        target: str,
        reason: str = "",
        data: Mapping[str, Any] | None = None,  # Any: JSON
    ) -> int:
        """Add an entry; its number."""
        with self._database.write() as connection:
            number: int = connection.execute(
                insert_new(connection, AuditTable)
                .values(
                    at=self._now(),
                    person_id=person,
                    who=storable(who)[:64],
                    action=action[:32],
                    target=storable(target)[:128],
                    reason=storable(reason)[:MAX_REASON],
                    data=canonical_json(data or {}),
                )
                .returning(AuditTable.id)
            ).scalar_one()
        return number

    def entries(
        self, *, limit: int | None = 500, target: str | None = None, actions: Sequence[str] = ()
    ) -> list[Entry]:
        """The newest entries, the last one first; of one target or of all, of some actions or of all."""
        query = select(*_COLUMNS).order_by(AuditTable.id.desc())
        if target is not None:
            query = query.where(AuditTable.target == target)
        if actions:
            query = query.where(AuditTable.action.in_(actions))
        with self._database.read() as connection:
            return [_entry(row) for row in connection.execute(query.limit(limit) if limit else query)]

    def entry(self, number: int) -> Entry | None:
        """One entry."""
        with self._database.read() as connection:
            row = connection.execute(select(*_COLUMNS).where(AuditTable.id == number)).one_or_none()
        return _entry(row) if row is not None else None

    def undo(self, number: int) -> bool:
        """Note that an entry is undone; False when it was already."""
        once = update(AuditTable).where(AuditTable.id == number, AuditTable.undone.is_(None))
        with self._database.write() as connection:
            return bool(connection.execute(once.values(undone=self._now())).rowcount)


_COLUMNS = (
    AuditTable.id, AuditTable.at, AuditTable.person_id, AuditTable.who, AuditTable.action, AuditTable.target,
    AuditTable.reason, AuditTable.data, AuditTable.undone,
)  # fmt: skip


def _entry(row: Any) -> Entry:  # Any: the type of a Row counts its columns, and not alike in all versions
    *first, data, undone = list(row)
    values: list[Any] = [*first, json.loads(data), undone]
    return Entry(*values)
