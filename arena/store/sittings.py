"""Games outside of all tournaments: who dealt them, who sits where, how they ended. They count for nobody.

A sitting has a person in one seat or, with `parent`, bots alone on the cards of another sitting. Only the hash of the
key to a seat is kept. Knows no game and no process.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    RowMapping,
    case,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from arena.store.codec import packed, storable, text_of, unpacked
from arena.store.database import Database
from arena.store.models import UtcTime
from arena.store.site_tables import SittingTable
from arena.store.store import utc_now

PREFIX = "play-"
"""What the public id of every sitting begins with."""
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
LENGTH = 12
RUNNING, FINISHED, VOID, LEFT, REMOVED = "running", "finished", "void", "left", "removed"
"""States: being played or waited for; played to its end; counts for nothing; ended without the person; over, and
nothing is kept of it but this."""
PAGE = 500


class Sitting(NamedTuple):
    """One sitting as it is stored, without its transcript."""

    public_id: str
    parent: str | None
    game: str
    ruleset: Mapping[str, Any]  # Any: JSON
    """Every field."""
    secret: bytes
    """Fixes the cards."""
    bots: tuple[str, ...]
    """References by seat; empty for the person's."""
    seat: int | None
    """The person's."""
    person_id: int | None
    key_hash: str
    settings: Mapping[str, Any]  # Any: JSON
    state: str
    reason: str
    created: datetime
    finished: datetime | None

    def opens(self, key: str) -> bool:
        """Whether a key is that of the person's seat."""
        return bool(self.key_hash) and secrets.compare_digest(self.key_hash, hash_of(key))


class Sittings:
    """The sittings of a store."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    def add(
        self,
        public_id: str,
        *,
        game: str,
        ruleset: Mapping[str, Any],  # Any: JSON
        secret: bytes,
        bots: Sequence[str],
        seat: int | None = None,
        key: str = "",
        person_id: int | None = None,
        parent: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Sitting:
        """Write down a sitting that begins now; of the key only its hash."""
        sitting = Sitting(
            public_id,
            parent,
            game,
            ruleset,
            secret,
            tuple(bots),
            seat,
            person_id,
            hash_of(key) if key else "",
            settings or {},
            RUNNING,
            "",
            self._now(),
            None,
        )
        row = sitting._asdict() | {
            "ruleset": text_of(dict(ruleset)),
            "bots": text_of(list(bots)),
            "settings": text_of(dict(sitting.settings)),
        }
        with self._database.write() as connection:
            connection.execute(insert(SittingTable).values(row))
        return sitting

    def end(self, public_id: str, state: str, reason: str = "", transcript: Mapping[str, Any] | None = None) -> None:
        """Write down how a sitting ended. Any: JSON."""
        values = {
            "state": state,
            "reason": storable(reason),
            "finished": self._now(),
            "transcript": packed(transcript) if transcript is not None else None,
        }
        with self._database.write() as connection:
            connection.execute(update(SittingTable).where(SittingTable.public_id == public_id).values(values))

    def interrupted(self, reason: str) -> int:
        """Make void what is written down as running though nothing runs; how many there were."""
        values = {"state": VOID, "reason": reason, "finished": self._now()}
        with self._database.write() as connection:
            done = connection.execute(update(SittingTable).where(SittingTable.state == RUNNING).values(values))
        return done.rowcount

    def remove_old(self, before: datetime, before_of_people: datetime, most: int, reason: str) -> int:
        """Remove what ended before a time, `before_of_people` for people who were signed in, and then what is more than
        `most`: the oldest, those of others first. How many went, those on their cards not counted.

        Of what goes the id stays, and the reason. Nothing goes while a game on its cards is played.
        """
        with self._database.write() as connection:
            ids = list(connection.execute(_old(before, before_of_people)).scalars())
            going = set(ids)
            kept = [each for each in connection.execute(_longest_kept_first()).scalars() if each not in going]
            ids += kept[most:]
            for start in range(0, len(ids), PAGE):
                page = ids[start : start + PAGE]
                gone = or_(SittingTable.public_id.in_(page), SittingTable.parent.in_(page))
                connection.execute(update(SittingTable).where(gone).values(**NOTHING, reason=storable(reason)))
        return len(ids)

    def find(self, public_id: str) -> Sitting | None:
        """The sitting of an id."""
        with self._database.read() as connection:
            row = connection.execute(_query().where(SittingTable.public_id == public_id)).mappings().first()
        return _sitting(row) if row is not None else None

    def children(self, parent: str) -> list[Sitting]:
        """The sittings of bots on the cards of another one, oldest first."""
        with self._database.read() as connection:
            rows = list(connection.execute(_query().where(SittingTable.parent == parent)).mappings())
        return [_sitting(row) for row in rows]

    def transcript(self, public_id: str) -> dict[str, Any] | None:
        """How a sitting was played, as data; None where nothing was kept. Any: JSON."""
        wanted = select(SittingTable.transcript).where(SittingTable.public_id == public_id)
        with self._database.read() as connection:
            data = connection.execute(wanted).scalar_one_or_none()
            return unpacked(data) if data is not None else None

    def dealt_since(self, since: datetime) -> int:
        """How many sittings began after a time."""
        wanted = select(func.count()).select_from(SittingTable).where(SittingTable.created > since)
        with self._database.read() as connection:
            return int(connection.execute(wanted).scalar_one())


NOTHING = {
    "state": REMOVED,
    "ruleset": "{}",
    "secret": b"",
    "bots": "[]",
    "seat": None,
    "person_id": None,
    "key_hash": "",
    "settings": "{}",
    "transcript": None,
}
"""What is written over a sitting that goes."""


def _over() -> list[ColumnElement[bool]]:
    """What may go: sittings of people that are over, with nothing running on their cards."""
    on_cards = SittingTable.__table__.alias("on_cards")
    running = exists().where(on_cards.c.parent == SittingTable.public_id, on_cards.c.state == RUNNING)
    return [SittingTable.parent.is_(None), SittingTable.state.not_in((RUNNING, REMOVED)), ~running]


def _old(before: datetime, before_of_people: datetime) -> Any:  # Any: see _query
    own = case((SittingTable.person_id.is_(None), literal(before, UtcTime)), else_=literal(before_of_people, UtcTime))
    return select(SittingTable.public_id).where(*_over(), SittingTable.finished < own)


def _longest_kept_first() -> Any:  # Any: see _query
    """In the order in which they would go, backwards."""
    others = case((SittingTable.person_id.is_(None), 1), else_=0)
    newest = SittingTable.finished.desc(), SittingTable.id.desc()
    return select(SittingTable.public_id).where(*_over()).order_by(others, *newest)


def new_id() -> str:
    """An id that nobody can guess."""
    return PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_key() -> str:
    """A key to a seat: 128 random bits."""
    return secrets.token_urlsafe(16)


def hash_of(key: str) -> str:
    """Under what a key is kept."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _query() -> Any:  # Any: the type of a Select counts its columns
    return select(*(getattr(SittingTable, name) for name in Sitting._fields)).order_by(SittingTable.id)


def _sitting(row: RowMapping) -> Sitting:
    texts = {name: json.loads(row[name]) for name in ("ruleset", "bots", "settings")}
    return Sitting(**{**row, **texts, "bots": tuple(texts["bots"])})
