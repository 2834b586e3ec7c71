"""Voids, on an open connection: attempts at games that counted for nobody, with what shows why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from arena.record.results import GameKey
from arena.store import codec
from arena.store.models import FaultTable, GameTable, TranscriptTable, VoidTable
from arena.store.reading import streamed
from arena.store.tournaments import insert_new
from arena.store.values import WITH_ITS_BLOCK, Void, VoidInfo


def add(connection: Connection, tournament_id: int, found: Iterable[Void], now: datetime) -> int:
    """Note attempts; returns how many were new."""
    new = 0
    for void in found:
        new += (
            connection.execute(
                insert_new(connection, VoidTable)
                .values(
                    tournament_id=tournament_id,
                    **void.key._asdict(),
                    attempt=void.attempt,
                    reason=codec.storable(void.reason),
                    bots=codec.text_of(void.bots),
                    evidence=codec.storable(codec.text_of(dict(void.evidence))),
                    at=now,
                )
                .returning(VoidTable.attempt)
            ).scalar()
            is not None
        )
    return new


def void_block(connection: Connection, tournament_id: int, void: Void, now: datetime) -> int:
    """Note a void and turn the stored games of its block into voids of the same attempt; returns how many."""
    block = (
        GameTable.tournament_id == tournament_id,
        GameTable.round == void.key.round,
        GameTable.board == void.key.board,
        GameTable.table == void.key.table,
    )
    stored = connection.execute(select(*codec.INFO_COLUMNS).where(*block)).all()
    ids = [row[0] for row in stored]
    add(
        connection,
        tournament_id,
        [void, *(_taken_out(row, void.attempt, _faults(connection, row[0])) for row in stored)],
        now,
    )
    for table in (FaultTable, TranscriptTable):
        connection.execute(delete(table).where(table.game_id.in_(ids)))
    connection.execute(delete(GameTable).where(GameTable.id.in_(ids)))
    return len(ids)


def _faults(connection: Connection, game_id: int) -> list[tuple[int, str]]:
    query = select(FaultTable.seat, FaultTable.code).where(FaultTable.game_id == game_id).order_by(FaultTable.number)
    return [(seat, code) for seat, code in connection.execute(query)]


def _taken_out(row: Sequence[Any], attempt: int, faults: Sequence[tuple[int, str]]) -> Void:
    """A stored game as a void: what it said remains as evidence. Any: a row of INFO_COLUMNS."""
    info = codec.info_of(row, "", faults)
    result = {"verdict": info.row.verdict.value, "scores": info.row.scores, "faults": faults}
    return Void(info.row.key, attempt, WITH_ITS_BLOCK, info.row.bots, result)


def load(connection: Connection, tournament_id: int) -> Iterator[VoidInfo]:
    """The voids of a tournament in canonical order, then by attempt."""
    order = (VoidTable.round, VoidTable.board, VoidTable.table, VoidTable.seating, VoidTable.attempt)
    query = (
        select(*order, VoidTable.reason, VoidTable.bots, VoidTable.evidence, VoidTable.at)
        .where(VoidTable.tournament_id == tournament_id)
        .order_by(*order)
    )
    for round_, board, table, seating, attempt, reason, bots, evidence, at in streamed(connection, query):
        key = GameKey(round_, board, table, seating)
        yield VoidInfo(Void(key, attempt, reason, tuple(json.loads(bots)), json.loads(evidence)), at)
