"""Transcripts that were removed to save space, on an open connection: a date stays in their place, and the result.

Knows sizes and times; what may go is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from arena.record.results import GameKey
from arena.store.models import FaultTable, GameTable, TranscriptTable

MARK = b"pruned "
"""How what stands in the place of a transcript begins; a transcript never does (it is compressed)."""
PAGE = 500
ORDER = (GameTable.round, GameTable.board, GameTable.table, GameTable.seating)


class Kept(NamedTuple):
    """A transcript that is still there."""

    game_id: int
    key: GameKey
    bytes: int
    stored: datetime
    faulty: bool
    """Whether the game had a fault."""


def mark(now: datetime) -> bytes:
    """What stands in the place of a transcript that was removed."""
    return MARK + now.astimezone(UTC).isoformat(timespec="seconds").encode()


def removed_at(data: bytes) -> datetime | None:
    """When a transcript was removed; None: it is there. Raises ValueError for a damaged date."""
    return datetime.fromisoformat(data.removeprefix(MARK).decode()) if data.startswith(MARK) else None


def kept(connection: Connection, tournament_id: int) -> Iterator[Kept]:
    """The transcripts of a tournament that are there, in canonical order."""
    size: Any = func.length(TranscriptTable.data)  # Any: a function of the database
    faulty = select(FaultTable.game_id).where(FaultTable.game_id == GameTable.id).exists()
    query: Any = (
        select(GameTable.id, *ORDER, size, GameTable.stored, faulty)
        .join(TranscriptTable, TranscriptTable.game_id == GameTable.id)
        .where(GameTable.tournament_id == tournament_id, size > len(mark(datetime.now(UTC))))
        .order_by(*ORDER)
    )
    for row in connection.execution_options(yield_per=PAGE).execute(query):
        game_id, round_, board, table, seating, count, stored, has_fault = row
        yield Kept(game_id, GameKey(round_, board, table, seating), count, stored, bool(has_fault))


def prune(connection: Connection, game_ids: Collection[int], now: datetime) -> None:
    """Put the date in the place of these transcripts."""
    ids = list(game_ids)
    for start in range(0, len(ids), PAGE):
        page = ids[start : start + PAGE]
        connection.execute(update(TranscriptTable).where(TranscriptTable.game_id.in_(page)).values(data=mark(now)))
