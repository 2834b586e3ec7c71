"""Quarantines and their lifting, on an open connection. Who is out is judged elsewhere, from results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, update

from arena.record.results import GameKey
from arena.store import codec, rounds
from arena.store.models import QuarantineTable, TournamentTable
from arena.store.reading import fetched
from arena.store.tournaments import entrants, insert_new
from arena.store.values import DISABLED, Quarantined
from arena.tournament.quarantine import Quarantine

REMOVED = "removed: "
"""How the reason begins of a bot that was removed from the arena: that is never lifted."""


def add(connection: Connection, tournament_id: int, found: Sequence[Quarantine], now: datetime) -> int:
    """Note who is out; returns how many were new."""
    versions = {entrant.name: entrant.version for entrant in entrants(connection, tournament_id)}
    new = 0
    for each in found:
        new += (
            connection.execute(
                insert_new(connection, QuarantineTable)
                .values(
                    tournament_id=tournament_id,
                    bot=each.bot,
                    since_round=each.since_round,
                    version=versions[each.bot],
                    reason=codec.storable(each.reason),
                    games=codec.text_of(each.games),
                    codes=codec.text_of(each.codes),
                    at=now,
                    lift_reason="",
                )
                .returning(QuarantineTable.since_round)
            ).scalar()
            is not None
        )
    return new


def withdraw(connection: Connection, tournament_id: int, found: Sequence[Quarantine], now: datetime) -> None:
    """Note who was removed, for good: also one that is out from the same round on already, or was and was let in."""
    known = load(connection, tournament_id, active=True)
    gone = {each.quarantine.bot for each in known if each.quarantine.reason.startswith(REMOVED)}
    found = [each for each in found if each.bot not in gone]
    add(connection, tournament_id, found, now)
    table = QuarantineTable
    for each in found:
        connection.execute(
            update(table)
            .where(table.tournament_id == tournament_id, table.bot == each.bot, table.since_round == each.since_round)
            .values(reason=codec.storable(each.reason), lifted=None, lift_reason="")
        )


def load(connection: Connection, tournament_id: int | None, *, active: bool) -> list[Quarantined]:
    """The quarantines of a tournament or of all, by tournament, then by round, then by name."""
    table = QuarantineTable
    query = select(
        table.tournament_id,
        table.since_round,
        table.bot,
        TournamentTable.name,
        table.version,
        table.reason,
        table.games,
        table.codes,
        table.at,
        table.lifted,
        table.lift_reason,
    ).join(TournamentTable, TournamentTable.id == table.tournament_id)
    if tournament_id is not None:
        query = query.where(table.tournament_id == tournament_id)
    if active:
        query = query.where(table.lifted.is_(None))
    found = []
    rows = sorted(fetched(connection, query), key=lambda row: row[:3])  # databases sort texts differently
    for _, since, bot, name, version, reason, games, codes, at, lifted, lift_reason in rows:
        keys = tuple(GameKey(*key) for key in json.loads(games))
        why = Quarantine(bot, since, reason, keys, tuple(json.loads(codes)))
        found.append(Quarantined(name, version, why, at, lifted, lift_reason))
    return found


def lift(
    connection: Connection, tournament_id: int, bot: str, reason: str, now: datetime, *, disabled: bool | None = None
) -> Quarantined | None:
    """Lift the quarantines of a bot; None when it is in none, or was removed. `disabled`: only what an organiser
    ordered, or only what its faults brought about."""
    table = QuarantineTable
    found = [each for each in load(connection, tournament_id, active=True) if each.quarantine.bot == bot]
    if any(each.quarantine.reason.startswith(REMOVED) for each in found):
        return None
    found = [each for each in found if disabled in (None, bool(each.disabled))]
    if not found:
        return None
    since = [each.quarantine.since_round for each in found]
    connection.execute(
        update(table)
        .where(table.tournament_id == tournament_id, table.bot == bot, table.lifted.is_(None))
        .where(table.since_round.in_(since))
        .values(lifted=now, lift_reason=reason)
    )
    return found[-1]._replace(lifted=now, lift_reason=reason)


def disable(
    connection: Connection, tournament_id: int, bots: Sequence[str], reason: str, now: datetime
) -> list[Quarantined]:
    """Take bots out of a tournament, by their names there, from the round that is played on; who is out already stays
    as it is. What is new."""
    known = load(connection, tournament_id, active=True)
    out = {each.quarantine.bot for each in known}
    opened = rounds.load(connection, tournament_id)
    since = next((each.number for each in opened if each.closed is None), opened[-1].number + 1 if opened else 1)
    found = [Quarantine(bot, since, f"{DISABLED}{reason}", (), ()) for bot in bots if bot not in out]
    add(connection, tournament_id, found, now)
    table = QuarantineTable
    for each in found:  # one that was lifted in the same round holds again
        same = (table.tournament_id == tournament_id, table.bot == each.bot, table.since_round == since)
        values = {"reason": codec.storable(each.reason), "at": now, "lifted": None, "lift_reason": ""}
        connection.execute(update(table).where(*same).values(**values))
    names = {each.bot for each in found}
    return [each for each in load(connection, tournament_id, active=True) if each.quarantine.bot in names]
