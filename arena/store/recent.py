"""Faults of some versions of late, and voids: what owners and organisers want to hear of first."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import func, select

from arena.store.database import Database
from arena.store.models import FaultTable, GameTable, VoidTable


def faults_since(database: Database, versions: Collection[str], since: datetime) -> dict[str, dict[str, int]]:
    """Content hash -> code -> how many faults it had in games stored since then; those without a fault are left out."""
    query = (
        select(FaultTable.version, FaultTable.code, func.count())
        .join(GameTable, GameTable.id == FaultTable.game_id)
        .where(FaultTable.version.in_(versions), GameTable.stored >= since)
        .group_by(FaultTable.version, FaultTable.code)
        .order_by(FaultTable.version, FaultTable.code)
    )
    found: dict[str, dict[str, int]] = {}
    with database.read() as connection:
        for version, code, count in connection.execute(query):
            found.setdefault(version, {})[code] = count
    return found


def void_counts(database: Database) -> dict[int, int]:
    """Tournament's id -> attempts at games that counted for nobody."""
    query = select(VoidTable.tournament_id, func.count()).group_by(VoidTable.tournament_id)
    with database.read() as connection:
        rows = connection.execute(query).all()
    return {row[0]: row[1] for row in rows}
