"""Browsers that are signed in, and tokens with which programs send bots. Only SHA-256 hashes of both are stored.

A session holds for 90 days. Its text is in the browser's cookie; what the browser's forms carry is made of it, so that
nobody who does not have the cookie can know it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, select, update

from arena.core.errors import ArenaError
from arena.store.accounts import MAX_NAME
from arena.store.codec import storable
from arena.store.database import Database
from arena.store.people import PERSON_COLUMNS, Person
from arena.store.site_tables import PersonTable, SessionTable, UploadTokenTable
from arena.store.store import utc_now
from arena.store.tokens import hash_of
from arena.store.tournaments import insert_new

SESSION_DAYS = timedelta(days=90)
SEEN_EVERY = timedelta(minutes=10)
"""How exactly is known when a session or a token was used last: not every page writes."""
UPLOAD_PREFIX = "arenaup_"
"""What every upload token begins with, so that programs that look for secrets know one."""
MAX_TOKENS = 20
"""Valid upload tokens of one person."""
MAX_LABEL = 128


class Session(NamedTuple):
    """One browser that is signed in."""

    id: int
    label: str
    """What the browser calls itself."""
    created: datetime
    expires: datetime
    seen: datetime | None


class UploadToken(NamedTuple):
    """One token with which a program may send bots for its person, and do nothing else."""

    id: int
    name: str
    created: datetime
    seen: datetime | None
    revoked: datetime | None


class Sessions:
    """The sessions and upload tokens of a store."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def begin(self, person: int, label: str) -> str:
        """Sign a browser in: the text of its session, for a cookie."""
        text, now = secrets.token_urlsafe(32), self._now()
        with self._database.write() as connection:
            connection.execute(delete(SessionTable).where(SessionTable.expires <= now))
            connection.execute(
                insert_new(connection, SessionTable).values(
                    person_id=person,
                    hash=hash_of(text),
                    label=storable(label)[:MAX_LABEL],
                    created=now,
                    expires=now + SESSION_DAYS,
                    seen=now,
                )
            )
        return text

    def holder(self, text: str) -> tuple[int, Person] | None:
        """Of a session that holds: its number, and who is signed in with it."""
        table, now = SessionTable, self._now()
        query = (
            select(table.id, table.seen, *PERSON_COLUMNS)
            .join(PersonTable, PersonTable.id == table.person_id)
            .where(table.hash == hash_of(text), table.expires > now, PersonTable.revoked.is_(None))
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        self._saw(table, row[0], row[1], now)
        return row[0], Person(*row[2:])

    def of(self, person: int) -> list[Session]:
        """The sessions of a person that hold, the one used last first."""
        table = SessionTable
        query = select(table.id, table.label, table.created, table.expires, table.seen)
        chosen = query.where(table.person_id == person, table.expires > self._now())
        with self._database.read() as connection:
            return [Session(*row) for row in connection.execute(chosen.order_by(table.seen.desc(), table.id.desc()))]

    def end(self, person: int, number: int) -> bool:
        """End one session of a person; whether there was one."""
        gone = delete(SessionTable).where(SessionTable.person_id == person, SessionTable.id == number)
        with self._database.write() as connection:
            return bool(connection.execute(gone).rowcount)

    # Upload tokens

    def issue(self, person: int, name: str) -> tuple[UploadToken, str]:
        """A new upload token and its text, which nobody can find out again. Raises ArenaError QUOTA for too many."""
        text, now = UPLOAD_PREFIX + secrets.token_urlsafe(32), self._now()
        label = storable(" ".join(name.split()))[:MAX_NAME] or "token"
        with self._database.write() as connection:
            mine = select(UploadTokenTable.id).where(UploadTokenTable.person_id == person)
            if len(connection.execute(mine.where(UploadTokenTable.revoked.is_(None))).all()) >= MAX_TOKENS:
                raise ArenaError(f"nobody has more than {MAX_TOKENS} upload tokens", fix="revoke one", code="QUOTA")
            number = connection.execute(
                insert_new(connection, UploadTokenTable)
                .values(person_id=person, name=label, hash=hash_of(text), created=now)
                .returning(UploadTokenTable.id)
            ).scalar_one()
        return UploadToken(number, label, now, None, None), text

    def tokens(self, person: int) -> list[UploadToken]:
        """The upload tokens of a person, oldest first."""
        table = UploadTokenTable
        query = select(table.id, table.name, table.created, table.seen, table.revoked)
        with self._database.read() as connection:
            return [
                UploadToken(*row)
                for row in connection.execute(query.where(table.person_id == person).order_by(table.id))
            ]

    def revoke_token(self, person: int, number: int) -> bool:
        """Revoke an upload token of a person; whether it held until now."""
        table = UploadTokenTable
        ended = update(table).where(table.person_id == person, table.id == number, table.revoked.is_(None))
        with self._database.write() as connection:
            return bool(connection.execute(ended.values(revoked=self._now())).rowcount)

    def uploader(self, text: str) -> Person | None:
        """Whose valid upload token has this text; that it was used is noted."""
        table = UploadTokenTable
        query = (
            select(table.id, table.seen, *PERSON_COLUMNS)
            .join(PersonTable, PersonTable.id == table.person_id)
            .where(table.hash == hash_of(text), table.revoked.is_(None), PersonTable.revoked.is_(None))
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        self._saw(table, row[0], row[1], self._now())
        return Person(*row[2:])

    def _saw(
        self, table: type[SessionTable | UploadTokenTable], number: int, before: datetime | None, now: datetime
    ) -> None:
        """Note that it was used, now and then. A store that is busy is no reason to turn somebody away."""
        if before is None or now - before > SEEN_EVERY:
            with suppress(ArenaError), self._database.write() as connection:
                connection.execute(update(table).where(table.id == number).values(seen=now))


def csrf_of(session: str) -> str:
    """What the forms of a session carry: made of its text, which no page shows."""
    return hmac.new(session.encode(), b"arena form", hashlib.sha256).hexdigest()
