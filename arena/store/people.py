"""Who may sign in, and the links by which they do so once. Knows nothing of browsers: see `sessions`.

A link is 128 random bits as text and is shown once; only its SHA-256 is stored. A name is unique without case among all
people, also those whose rights were revoked: what they own goes by it.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select, update

from arena.core.errors import ArenaError
from arena.store.accounts import MAX_NAME, RESERVED, folded
from arena.store.database import Database
from arena.store.site_tables import LinkTable, PersonTable, SessionTable, UploadTokenTable
from arena.store.store import utc_now
from arena.store.tokens import hash_of
from arena.store.tournaments import insert_new

AUTHOR, ORGANISER = "author", "organiser"
ROLES = (AUTHOR, ORGANISER)
LINK_DAYS = timedelta(days=7)
LINK_BYTES = 16


class BadPerson(ArenaError):
    """Nobody can be called that, or somebody is already."""

    code = "BAD_PERSON"


class Person(NamedTuple):
    """Somebody who may sign in, or might once."""

    id: int
    name: str
    role: str
    """AUTHOR or ORGANISER."""
    student: str
    """What the organiser knows the person by, for the results of a class; for organisers only."""
    created: datetime
    revoked: datetime | None
    """Since when the person may not sign in any more."""

    @property
    def is_organiser(self) -> bool:
        """Whether it may do what organisers may."""
        return self.role == ORGANISER and self.revoked is None


class Link(NamedTuple):
    """What is known of a link; its text is not."""

    id: int
    person: Person
    expires: datetime
    used: datetime | None

    def state(self, now: datetime) -> str:
        """valid, used, expired or revoked."""
        if self.used is not None:
            return "used"
        if self.person.revoked is not None:
            return "revoked"
        return "expired" if self.expires <= now else "valid"


class People:
    """The people of a store."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def add(self, name: str, role: str = AUTHOR, student: str = "") -> Person:
        """Somebody new. Raises BadPerson for a name that is none or is taken; ValueError for another role."""
        if role not in ROLES:
            raise ValueError(f"{role!r} is no role: {', '.join(ROLES)}")
        name, student = checked_name(name), checked_student(student)
        with self._database.write() as connection:
            number = connection.execute(
                insert_new(connection, PersonTable)
                .values(name=name, folded=folded(name), role=role, student=student, created=self._now())
                .returning(PersonTable.id)
            ).scalar()
            if number is None:
                raise BadPerson(
                    f"there is a person {name!r} already",
                    saw=name,
                    fix="make that one a new link, or add something that tells the two apart",
                )
            [person] = _load(connection, PersonTable.id == number)
        return person

    def all(self) -> list[Person]:
        """Everybody, oldest first; who was removed is not among them."""
        with self._database.read() as connection:
            return [each for each in _load(connection) if not each.name.startswith(RESERVED)]

    def person(self, number: int) -> Person | None:
        """The person of a number."""
        with self._database.read() as connection:
            return next(iter(_load(connection, PersonTable.id == number)), None)

    def named(self, name: str) -> Person | None:
        """The person of a name, whatever its case."""
        with self._database.read() as connection:
            return next(iter(_load(connection, PersonTable.folded == folded(name))), None)

    def change(self, number: int, *, role: str | None = None, student: str | None = None) -> None:
        """Give a person another role or student id."""
        values = {**({"role": role} if role in ROLES else {})}
        if student is not None:
            values["student"] = checked_student(student)
        if values:
            with self._database.write() as connection:
                connection.execute(update(PersonTable).where(PersonTable.id == number).values(**values))

    def revoke(self, number: int) -> None:
        """Take all rights of a person back: links, sessions and upload tokens end. What it owns stays its own."""
        now = self._now()
        with self._database.write() as connection:
            connection.execute(update(PersonTable).where(PersonTable.id == number).values(revoked=now))
            _end_all(connection, number, now)

    def restore(self, number: int) -> None:
        """Let a person sign in again, by a new link."""
        with self._database.write() as connection:
            connection.execute(update(PersonTable).where(PersonTable.id == number).values(revoked=None))

    # Links

    def link(self, number: int, holds: timedelta = LINK_DAYS) -> str:
        """The text of a new link for a person, which nobody can find out again."""
        text = secrets.token_urlsafe(LINK_BYTES)
        now = self._now()
        with self._database.write() as connection:
            connection.execute(
                insert_new(connection, LinkTable).values(
                    person_id=number, hash=hash_of(text), created=now, expires=now + holds
                )
            )
        return text

    def linked(self, text: str) -> Link | None:
        """What a link with this text is; it is not used up. One look at an index of hashes, whatever the text."""
        with self._database.read() as connection:
            return _link(connection, text)

    def use(self, text: str) -> Link | None:
        """Use a link up: the valid link as it was before, or None. Of two who use it at once one gets it."""
        now = self._now()
        with self._database.write() as connection:
            found = _link(connection, text)
            if found is None or found.state(now) != "valid":
                return None
            taken = update(LinkTable).where(LinkTable.id == found.id, LinkTable.used.is_(None)).values(used=now)
            return found if connection.execute(taken).rowcount == 1 else None


def checked_name(name: str) -> str:
    """A person's name as it is kept. Raises BadPerson."""
    text = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 1 <= len(text) <= MAX_NAME or not text.isprintable() or len(folded(text)) >= MAX_NAME:
        raise BadPerson(
            f"nobody can be called {name[:MAX_NAME]!r}",
            saw=repr(name[:MAX_NAME]),
            fix=f"1 to {MAX_NAME} characters that can be printed",
        )
    if folded(text).startswith(RESERVED):
        raise BadPerson(f"no name begins with {RESERVED!r}", saw=text, fix="that is what stands for people who left")
    return text


def checked_student(student: str) -> str:
    """A student id as it is kept. Raises BadPerson."""
    text = " ".join(student.split())
    if len(text) > MAX_NAME or not text.isprintable():
        raise BadPerson(f"{student[:MAX_NAME]!r} is no student id", fix=f"at most {MAX_NAME} printable characters")
    return text


def _end_all(connection: Connection, number: int, now: datetime) -> None:
    connection.execute(delete(SessionTable).where(SessionTable.person_id == number))
    links = update(LinkTable).where(LinkTable.person_id == number, LinkTable.used.is_(None))
    connection.execute(links.values(used=now))
    tokens = update(UploadTokenTable).where(UploadTokenTable.person_id == number, UploadTokenTable.revoked.is_(None))
    connection.execute(tokens.values(revoked=now))


PERSON_COLUMNS = (
    PersonTable.id, PersonTable.name, PersonTable.role, PersonTable.student, PersonTable.created, PersonTable.revoked,
)  # fmt: skip
"""In the order of `Person`."""


def _load(connection: Connection, *where: Any) -> list[Person]:  # Any: SQLAlchemy's conditions
    query = select(*PERSON_COLUMNS).where(*where).order_by(PersonTable.id)
    return [Person(*row) for row in connection.execute(query)]


def _link(connection: Connection, text: str) -> Link | None:
    query = (
        select(LinkTable.id, LinkTable.expires, LinkTable.used, *PERSON_COLUMNS)
        .join(PersonTable, PersonTable.id == LinkTable.person_id)
        .where(LinkTable.hash == hash_of(text))
    )
    row = connection.execute(query).one_or_none()
    return Link(row[0], Person(*row[3:]), row[1], row[2]) if row is not None else None
