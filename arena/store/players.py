"""Who played the games, on an open connection: workers and how much each did."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from arena.store.models import GameTable


def games_by_worker(connection: Connection, tournament_id: int) -> dict[str, int]:
    """Worker -> games that count; "" for those of which nobody noted who played them."""
    query = (
        select(GameTable.worker, func.count())
        .where(GameTable.tournament_id == tournament_id)
        .group_by(GameTable.worker)
    )
    return dict(sorted((worker, games) for worker, games in connection.execute(query)))
