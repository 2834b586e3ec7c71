"""Faults of some versions of late: what their owner wants to hear of first."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import func, select

from arena.store.database import Database
from arena.store.models import FaultTable, GameTable


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
