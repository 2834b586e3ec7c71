"""Quarantines and their lifting, on an open connection. Who is out is judged elsewhere, from results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, update

from arena.record.results import GameKey
from arena.store import codec
from arena.store.models import QuarantineTable, TournamentTable
from arena.store.reading import fetched
from arena.store.tournaments import entrants, insert_new
from arena.store.values import Quarantined
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


def lift(connection: Connection, tournament_id: int, bot: str, reason: str, now: datetime) -> Quarantined | None:
    """Lift the quarantine of a bot; None when it is not in one, or was removed."""
    table = QuarantineTable
    found = [each for each in load(connection, tournament_id, active=True) if each.quarantine.bot == bot]
    if not found or any(each.quarantine.reason.startswith(REMOVED) for each in found):
        return None
    connection.execute(
        update(table)
        .where(table.tournament_id == tournament_id, table.bot == bot, table.lifted.is_(None))
        .values(lifted=now, lift_reason=reason)
    )
    return found[-1]._replace(lifted=now, lift_reason=reason)
