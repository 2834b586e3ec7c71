"""How far the blocks of one round are, and which faults there were, for pages: a page of them at a time."""

from __future__ import annotations

import json
from typing import NamedTuple

from sqlalchemy import ColumnElement, func, select

from arena.store import codec
from arena.store.database import Database
from arena.store.models import FaultTable, GameTable, VoidTable
from arena.store.values import FaultInfo


class BlockGames(NamedTuple):
    """The stored games of one block."""

    games: int
    bots: tuple[str, ...]
    """Who sits at the table in one of them, by seat."""


def games_of_round(database: Database, tournament_id: int, number: int) -> int:
    """How many games of a round are stored."""
    with database.read() as connection:
        query = select(func.count()).where(GameTable.tournament_id == tournament_id, GameTable.round == number)
        return int(connection.execute(query).scalar_one())


def tables_of_round(database: Database, tournament_id: int, number: int) -> list[int]:
    """The tables of a round with a stored game, ascending."""
    with database.read() as connection:
        query = (
            select(GameTable.table)
            .where(GameTable.tournament_id == tournament_id, GameTable.round == number)
            .distinct()
            .order_by(GameTable.table)
        )
        return [int(row[0]) for row in connection.execute(query)]


def blocks_of_round(
    database: Database, tournament_id: int, number: int, tables: tuple[int, int], boards: tuple[int, int] | None = None
) -> dict[tuple[int, int], BlockGames]:
    """By (table, board): the stored games of a round at the tables, and on the boards if they are given, from the first
    to the last of two, both included."""
    within = [GameTable.board.between(*boards)] if boards is not None else []
    with database.read() as connection:
        query = (
            select(GameTable.table, GameTable.board, func.count(), func.min(GameTable.bots))
            .where(
                GameTable.tournament_id == tournament_id,
                GameTable.round == number,
                GameTable.table.between(*tables),
                *within,
            )
            .group_by(GameTable.table, GameTable.board)
        )
        return {(row[0], row[1]): BlockGames(row[2], tuple(json.loads(row[3]))) for row in connection.execute(query)}


def voids_of_round(database: Database, tournament_id: int, number: int) -> dict[tuple[int, int], list[str]]:
    """By (table, board): why it was void, in order of attempts."""
    table = VoidTable
    with database.read() as connection:
        query = (
            select(table.table, table.board, table.reason)
            .where(table.tournament_id == tournament_id, table.round == number)
            .order_by(table.attempt, table.seating)
        )
        found: dict[tuple[int, int], list[str]] = {}
        for at, board, reason in connection.execute(query):
            found.setdefault((at, board), []).append(reason)
        return found


def count_faults(database: Database, tournament_id: int, bot: str = "", code: str = "") -> int:
    """How many faults there are, of one bot and of one code or of all."""
    with database.read() as connection:
        query = (
            select(func.count())
            .join_from(FaultTable, GameTable, GameTable.id == FaultTable.game_id)
            .where(*_wanted(tournament_id, bot, code))
        )
        return int(connection.execute(query).scalar_one())


def faults_page(
    database: Database, tournament_id: int, bot: str, code: str, *, skip: int, most: int
) -> list[FaultInfo]:
    """Faults of one bot and of one code or of all, those of the games that were stored last first."""
    query = (
        select(*codec.FAULT_INFO_COLUMNS)
        .join_from(FaultTable, GameTable, GameTable.id == FaultTable.game_id)
        .where(*_wanted(tournament_id, bot, code))
        .order_by(FaultTable.game_id.desc(), FaultTable.number)
        .offset(skip)
        .limit(most)
    )
    with database.read() as connection:
        return [codec.fault_info_of(row) for row in connection.execute(query)]


def _wanted(tournament_id: int, bot: str, code: str) -> list[ColumnElement[bool]]:
    """Conditions that let a database begin with the faults, which are few, and not with the games."""
    wanted: list[ColumnElement[bool]] = [GameTable.tournament_id + 0 == tournament_id]
    wanted += [FaultTable.bot == bot] if bot else []
    wanted += [FaultTable.code == code] if code else []
    return wanted
