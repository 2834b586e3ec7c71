"""Counts over games and faults, made by the database. Each takes an open connection."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, func, select

from arena.store.models import FaultTable, GameTable, RoundTable
from arena.store.reading import fetched, streamed


def by_bot(rows: Iterable[Any]) -> dict[str, int]:
    """(line-up as JSON, games) counted for each competitor that sits in it, once a game. Any: rows of a query."""
    games: Counter[str] = Counter()
    for bots, count in rows:
        for name in set(json.loads(bots)):
            games[name] += count
    return dict(games)


def fault_counts(connection: Connection, tournament_id: int) -> dict[tuple[str, str], int]:
    """How often each (bot, code) occurred."""
    query = (
        select(FaultTable.bot, FaultTable.code, func.count())
        .join(GameTable, GameTable.id == FaultTable.game_id)
        .where(GameTable.tournament_id + 0 == tournament_id)  # so that it begins with the faults, which are few
        .group_by(FaultTable.bot, FaultTable.code)
    )
    # sorted here and not there: databases differ in how they sort texts
    return {(bot, code): count for bot, code, count in sorted(fetched(connection, query))}


def tiers(connection: Connection, tournament_id: int) -> dict[tuple[str, tuple[str, ...]], int]:
    """How many games were played on each (sandbox tier, competitors by seat)."""
    query = (
        select(GameTable.tier, GameTable.bots, func.count())
        .where(GameTable.tournament_id == tournament_id)
        .group_by(GameTable.bots, GameTable.tier)
    )
    return {(tier, tuple(json.loads(bots))): count for tier, bots, count in sorted(fetched(connection, query))}


def games_by_board(connection: Connection, tournament_id: int) -> Iterator[tuple[int, int]]:
    """(board, stored games) of every board with a game, ascending."""
    query = (
        select(GameTable.board, func.count())
        .where(GameTable.tournament_id == tournament_id)
        .group_by(GameTable.board)
        .order_by(GameTable.board)
    )
    for row in streamed(connection, query):
        yield row[0], row[1]


def boards(
    connection: Connection,
    tournament_id: int,
    *,
    round_: int | None = None,
    board: int | None = None,
    closed: bool = False,
) -> Iterator[int]:
    """The boards with a stored game: of one round, or of the rounds that are closed, or only this one."""
    query = select(GameTable.board).where(GameTable.tournament_id == tournament_id).distinct().order_by(GameTable.board)
    if round_ is not None:
        query = query.where(GameTable.round == round_)
    if board is not None:
        query = query.where(GameTable.board == board)
    if closed:
        query = query.join(
            RoundTable, (RoundTable.tournament_id == GameTable.tournament_id) & (RoundTable.number == GameTable.round)
        ).where(RoundTable.closed.is_not(None))
    for row in streamed(connection, query):
        yield row[0]


def count_blocks(connection: Connection, tournament_id: int, seatings: int) -> int:
    """How many blocks have as many games stored as they have seatings."""
    complete = (
        select(GameTable.round)
        .where(GameTable.tournament_id == tournament_id)
        .group_by(GameTable.round, GameTable.board, GameTable.table)
        .having(func.count() >= seatings)
        .subquery()
    )
    return int(connection.execute(select(func.count()).select_from(complete)).scalar_one())
