"""Tokens with which bots on machines of their own are let in: who has one, how many slots it has, until when it holds.

A token is 32 random bytes as text and is shown once; only its SHA-256 is stored, by which it is found again. Knows no
connection. Names are unique without case among the tokens that are not revoked.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, select, update

from arena.core.errors import BotError
from arena.store import removals
from arena.store.codec import storable
from arena.store.database import Database, open_database
from arena.store.models import TokenTable
from arena.store.place import Place
from arena.store.store import utc_now
from arena.store.tournaments import insert_new

PREFIX = "arena_"
"""What every token begins with, so that programs that look for secrets know one."""


class Token(NamedTuple):
    """What is known of a token; the token itself is not."""

    id: int
    name: str
    """The bot's."""
    owner: str
    """Whose it is, in words."""
    slots: int
    """How many connections it lets in at once."""
    created: datetime
    expires: datetime | None
    revoked: datetime | None
    seen: datetime | None
    """When it last let somebody in."""

    def state(self, now: datetime) -> str:
        """valid, expired or revoked."""
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and self.expires <= now else "valid"


class Tokens:
    """The tokens of a data folder."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    @classmethod
    def open(cls, place: Place, *, create: bool = True, now: Callable[[], datetime] = utc_now) -> Tokens:
        """Open them in a data folder, a .db file or at a URL, as `Store.open` does."""
        return cls(open_database(place, create=create), now)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def __enter__(self) -> Tokens:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def issue(self, name: str, owner: str, slots: int, expires: datetime | None) -> tuple[Token, str]:
        """A new token and its text, which nobody can find out again. Takes the place of an expired one of that name.

        Raises BotError NAME_TAKEN when there is a valid one, whatever the case of its name; REMOVED when a bot of that
        name was removed.
        """
        text = PREFIX + secrets.token_urlsafe(32)
        now = self._now()
        with self._database.write() as connection:
            removals.refuse(connection, name)
            for known in _load(connection, _query().where(TokenTable.active == name.casefold())):
                if known.state(now) == "valid":
                    raise BotError(
                        f"{known.name} has a token already, number {known.id}",
                        saw=f"issued {known.created:%Y-%m-%d}, not revoked",
                        fix=f"arena token revoke {known.name}  and issue another, or choose another name",
                        code="NAME_TAKEN",
                    )
                _end(connection, known.id, now)
            number = connection.execute(
                insert_new(connection, TokenTable)
                .values(
                    name=name,
                    active=name.casefold(),
                    owner=storable(owner),
                    hash=hash_of(text),
                    slots=slots,
                    created=now,
                    expires=expires,
                )
                .returning(TokenTable.id)
            ).scalar_one()
            [token] = _load(connection, _query().where(TokenTable.id == number))
        return token, text

    def all(self) -> list[Token]:
        """All tokens ever issued, oldest first."""
        with self._database.read() as connection:
            return _load(connection, _query())

    def revoke(self, reference: str) -> Token | None:
        """Revoke the token of a name, whatever its case, or with a number. None when there is none to revoke."""
        with self._database.write() as connection:
            found = _load(connection, _query().where(TokenTable.active == reference.casefold()))
            if not found and reference.isdecimal() and reference.isascii() and len(reference) < 10:
                found = _load(connection, _query().where(TokenTable.id == int(reference), TokenTable.revoked.is_(None)))
            if not found:
                return None
            now = self._now()
            _end(connection, found[0].id, now)
            return found[0]._replace(revoked=now)

    def revoke_number(self, number: int) -> Token | None:
        """Revoke the token with a number. None when there is none to revoke."""
        with self._database.write() as connection:
            found = _load(connection, _query().where(TokenTable.id == number, TokenTable.revoked.is_(None)))
            if not found:
                return None
            now = self._now()
            _end(connection, number, now)
            return found[0]._replace(revoked=now)

    def named(self, name: str) -> Token | None:
        """The valid token of a name, whatever its case."""
        with self._database.read() as connection:
            found = _load(connection, _query().where(TokenTable.active == name.casefold()))
        return next((token for token in found if token.state(self._now()) == "valid"), None)

    def admitted(self, text: str) -> Token | None:
        """The valid token with this text. What is wrong with any other text makes no difference, also not in time:
        it is one look at an index of hashes.
        """
        with self._database.read() as connection:
            found = _load(connection, _query().where(TokenTable.hash == hash_of(text)))
        return next((token for token in found if token.state(self._now()) == "valid"), None)

    def saw(self, number: int) -> None:
        """Note that a token has just let somebody in."""
        with self._database.write() as connection:
            connection.execute(update(TokenTable).where(TokenTable.id == number).values(seen=self._now()))

    def revoked(self, numbers: frozenset[int]) -> frozenset[int]:
        """Those of these tokens that are revoked."""
        with self._database.read() as connection:
            found = _load(connection, _query().where(TokenTable.id.in_(numbers), TokenTable.revoked.is_not(None)))
        return frozenset(token.id for token in found)


def hash_of(text: str) -> str:
    """Under what a token is kept. It is random enough that a plain hash cannot be turned back."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _query() -> Any:  # Any: the type of a Select counts its columns, and not alike in all versions
    table = TokenTable
    columns = (table.id, table.name, table.owner, table.slots, table.created, table.expires, table.revoked, table.seen)
    return select(*columns).order_by(table.id)


def _load(connection: Connection, query: Any) -> list[Token]:
    rows: list[RowMapping] = list(connection.execute(query).mappings())
    return [Token(**row) for row in rows]


def _end(connection: Connection, number: int, now: datetime) -> None:
    connection.execute(update(TokenTable).where(TokenTable.id == number).values(active=None, revoked=now))
