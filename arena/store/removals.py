"""Bots and persons that were removed, on an open connection: the registry forgets them, results stay, names stay taken.

Of a person not even the name is kept: its hash says that it was removed, and "removed person 3" stands where it stood.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, update

from arena.core.errors import BotError
from arena.core.options import canonical_json
from arena.store import accounts, codec, quarantines, registry, rounds, tournaments
from arena.store.models import BotTable, GameTable, RegisteredTable, RemovalTable, TokenTable, TournamentTable
from arena.store.tournaments import insert_new
from arena.store.values import Registered, State
from arena.tournament.quarantine import Quarantine

BOT, PERSON = "bot", "person"


class Removal(NamedTuple):
    """What is told of whoever was removed."""

    kind: str
    """BOT or PERSON."""
    name: str
    """Of a person: what stands where the name stood."""
    reason: str
    at: datetime


class Removed(NamedTuple):
    """What one removal changed in the store."""

    removal: Removal
    versions: tuple[Registered, ...] = ()
    """Registered until now: their files are of no more use."""
    events: tuple[str, ...] = ()
    """Tournaments that are not finished, which the bot is out of from now on."""
    tokens: int = 0
    """Tokens that were revoked."""


def find(connection: Connection, kind: str, name: str) -> Removal | None:
    """The removal of a name, whatever its case."""
    table = RemovalTable
    query = select(table.kind, table.name, table.reason, table.at)
    row = connection.execute(query.where(table.kind == kind, table.folded == _folded(kind, name))).one_or_none()
    return Removal(*row) if row is not None else None


def load(connection: Connection) -> list[Removal]:
    """All removals, oldest first."""
    table = RemovalTable
    query = select(table.kind, table.name, table.reason, table.at).order_by(table.id)
    return [Removal(*row) for row in connection.execute(query)]


def refuse(connection: Connection, name: str) -> None:
    """Raises BotError REMOVED for the name of a bot that was removed."""
    found = find(connection, BOT, name)
    if found is not None:
        raise removed_error(found)


def removed_error(removal: Removal) -> BotError:
    """The error for a bot that was removed."""
    return BotError(
        f"{removal.name!r} was removed on {removal.at:%Y-%m-%d}: {removal.reason}",
        saw="a removed name is never given again; its results stay",
        fix="use another name; results: arena ratings, arena replay list --bot " + removal.name,
        code="REMOVED",
    )


def remove_bot(connection: Connection, name: str, reason: str, now: datetime) -> Removed:
    """Remove all versions of a name; what was removed before stays as it was noted.

    It is out of every tournament that is not finished, from the round that is played on, and its token is revoked.
    """
    before = find(connection, BOT, name)
    versions = registry.load(connection, name=name)
    spelled = versions[0].name if versions else name
    if before is None:
        _note(connection, BOT, spelled, reason, now)
    events = _withdraw(connection, name, versions, reason, now)
    connection.execute(delete(RegisteredTable).where(RegisteredTable.folded == name.casefold()))
    ended = update(TokenTable).where(TokenTable.active == name.casefold()).values(active=None, revoked=now)
    tokens = connection.execute(ended).rowcount
    return Removed(before or Removal(BOT, spelled, reason, now), tuple(versions), events, tokens)


def remove_person(connection: Connection, owner: str, reason: str, now: datetime) -> Removed:
    """Put "removed person N" where the name of an owner stands, revoke its tokens, and end its account on the site.

    Its bots stay as they are.
    A name that was removed before keeps its number: what came under it since then goes there too.
    """
    before = find(connection, PERSON, owner)
    count = select(func.count()).where(RemovalTable.kind == PERSON)
    stands = before.name if before is not None else f"removed person {connection.execute(count).scalar_one() + 1}"
    if before is None:
        _note(connection, PERSON, stands, reason, now, folded=_folded(PERSON, owner))
    owned = [token for token, whose in _owners(connection) if whose.casefold() == owner.casefold()]
    valid = update(TokenTable).where(TokenTable.id.in_(owned), TokenTable.revoked.is_(None))
    tokens = connection.execute(valid.values(active=None, revoked=now)).rowcount
    connection.execute(update(TokenTable).where(TokenTable.id.in_(owned)).values(owner=stands))
    versions = [each for each in registry.load(connection) if each.owner.casefold() == owner.casefold()]
    accounts.forget(connection, owner, stands, now)
    _unsign(connection, {each.version for each in versions}, stands)
    _disown(connection, owner, stands)
    for name in {each.name for each in versions}:
        connection.execute(
            update(RegisteredTable).where(RegisteredTable.folded == name.casefold()).values(owner=stands)
        )
    return Removed(before or Removal(PERSON, stands, reason, now), tuple(versions), (), tokens)


def _unsign(connection: Connection, versions: set[str], stands: str) -> None:
    """Put the same where a bot.toml of these versions names an author."""
    for table in (BotTable, RegisteredTable):
        rows = connection.execute(select(table.id, table.manifest).where(table.version.in_(versions))).all()
        for number, text in rows:
            manifest = json.loads(text)
            if "author" in manifest:
                changed = canonical_json({**manifest, "author": stands})
                connection.execute(update(table).where(table.id == number).values(manifest=changed))


def _disown(connection: Connection, owner: str, stands: str) -> None:
    """Put the same where settings of tournaments say who owned a bot; who sits with whom is not changed by it."""
    table = TournamentTable
    for number, text in connection.execute(select(table.id, table.config)).all():
        config = json.loads(text)
        known = config.get("owners") or {}
        new = {bot: stands if whose.casefold() == owner.casefold() else whose for bot, whose in known.items()}
        if new != known:
            changed = canonical_json({**config, "owners": new})
            connection.execute(update(table).where(table.id == number).values(config=changed))


def owns_tokens(connection: Connection, owner: str) -> bool:
    """Whether a token was ever issued for an owner, whatever the case of its name."""
    return any(whose.casefold() == owner.casefold() for _, whose in _owners(connection))


def _owners(connection: Connection) -> list[tuple[int, str]]:
    return [(token, owner) for token, owner in connection.execute(select(TokenTable.id, TokenTable.owner))]


def _folded(kind: str, name: str) -> str:
    """By what a removal is found again: 64 characters at most, and for a person nothing that gives the name away."""
    return name.casefold() if kind == BOT else hashlib.sha256(f"{kind} {name.casefold()}".encode()).hexdigest()


def _note(
    connection: Connection, kind: str, name: str, reason: str, now: datetime, *, folded: str | None = None
) -> None:
    values = {"kind": kind, "name": name, "folded": folded or _folded(kind, name), "at": now}
    connection.execute(insert_new(connection, RemovalTable).values(reason=codec.storable(reason), **values))


def _withdraw(
    connection: Connection, name: str, versions: list[Registered], reason: str, now: datetime
) -> tuple[str, ...]:
    """Take a bot out of the tournaments that are not finished, whatever it is called there; its last round is noted."""
    known = {each.version for each in versions}
    left = []
    for tournament in tournaments.load(connection):
        names = [each.name for each in tournament.entrants if is_bot(each.name, each.source, each.version, name, known)]
        if tournament.state is State.FINISHED or not names:
            continue
        opened = rounds.load(connection, tournament.id)
        if opened:
            since = next((each.number for each in opened if each.closed is None), opened[-1].number + 1)
        else:
            query = select(func.max(GameTable.round)).where(GameTable.tournament_id == tournament.id)
            since = connection.execute(query).scalar() or 1
        found = [Quarantine(each, since, f"{quarantines.REMOVED}{reason}", (), ()) for each in names]
        quarantines.withdraw(connection, tournament.id, found, now)
        tournaments.leave(connection, tournament.id, names, since - 1)
        left.append(tournament.name)
    return tuple(left)


def is_bot(entrant: str, source: str, version: str, name: str, versions: set[str]) -> bool:
    """Whether an entrant is a version of a registered bot: entered as such, or by its name from a folder."""
    entered = source.casefold().startswith(f"registered:{name.casefold()}@")
    return entered or (version in versions and entrant.casefold().startswith(name.casefold()))
