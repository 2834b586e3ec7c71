"""Rounds of tournaments: opened with their field, closed once all their games are settled. On an open connection."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select, update

from arena.store import codec
from arena.store.models import RoundTable
from arena.store.tournaments import insert_new
from arena.store.values import Round


def opened(
    connection: Connection,
    tournament_id: int,
    number: int,
    field: Sequence[str],
    planned: tuple[int, int],
    now: datetime,
) -> Round:
    """The round as it was first opened: its field is what it was then, whatever is given later.

    `planned`: blocks and games.
    """
    blocks, games = planned
    connection.execute(
        insert_new(connection, RoundTable).values(
            tournament_id=tournament_id,
            number=number,
            field=codec.text_of(list(field)),
            blocks=blocks,
            games=games,
            opened=now,
        )
    )
    return load(connection, tournament_id, number)[0]


def close(connection: Connection, tournament_id: int, number: int, now: datetime) -> None:
    """Note that all games of a round are settled; one that is closed already stays so."""
    table = RoundTable
    connection.execute(
        update(table)
        .where(table.tournament_id == tournament_id, table.number == number, table.closed.is_(None))
        .values(closed=now)
    )


def load(connection: Connection, tournament_id: int, number: int | None = None) -> list[Round]:
    """The rounds that were opened, or one of them, in order."""
    table = RoundTable
    query = (
        select(table.number, table.field, table.blocks, table.games, table.opened, table.closed)
        .where(table.tournament_id == tournament_id)
        .order_by(table.number)
    )
    if number is not None:
        query = query.where(table.number == number)
    return [
        Round(found, tuple(json.loads(field)), blocks, games, begun, closed)
        for found, field, blocks, games, begun, closed in connection.execute(query)
    ]
