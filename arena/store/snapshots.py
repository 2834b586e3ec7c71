"""What pages show of a tournament, computed beforehand and kept: compressed JSON under what it was made of; and the
cheap look that tells whether anything has changed since.

Knows no tables of ratings: data are data. Looking costs the same however many games are stored.
"""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, select

from arena.store.database import Database
from arena.store.models import EntrantTable, GameTable, QuarantineTable, RoundTable, TournamentTable, VoidTable
from arena.store.site_tables import SnapshotTable
from arena.store.tournaments import insert_new

POLL_S = 0.7
"""So long one look serves all who ask."""


class Snapshot(NamedTuple):
    """Something computed of a tournament."""

    version: str
    """What it is made of, see `Watch`."""
    at: datetime
    cost_ms: int
    """How long it took."""
    data: Any  # Any: JSON


class Reading(NamedTuple):
    """A tournament at a glance."""

    version: str
    """Differs whenever anything differs that tables are made of."""
    games: int
    """Stored."""


NOTHING = Reading("", 0)


class Snapshots:
    """The snapshots of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def version(self, tournament_id: int, kind: str) -> str:
        """Under which version a snapshot is kept; empty: there is none."""
        table = SnapshotTable
        with self._database.read() as connection:
            query = select(table.version).where(table.tournament_id == tournament_id, table.kind == kind)
            return str(connection.execute(query).scalar() or "")

    def load(self, tournament_id: int, kind: str) -> Snapshot | None:
        """The snapshot of one kind."""
        table = SnapshotTable
        with self._database.read() as connection:
            query = select(table.version, table.at, table.cost_ms, table.data).where(
                table.tournament_id == tournament_id, table.kind == kind
            )
            row = connection.execute(query).one_or_none()
        return None if row is None else Snapshot(row[0], row[1], row[2], unpacked(row[3]))

    def save(self, tournament_id: int, kinds: Mapping[str, bytes], version: str, at: datetime, cost_ms: int) -> None:
        """Keep snapshots in the place of older ones: kind -> `packed` data. Raises ArenaFault where nothing can be
        written."""
        table = SnapshotTable
        with self._database.write() as connection:
            connection.execute(delete(table).where(table.tournament_id == tournament_id, table.kind.in_(list(kinds))))
            for kind, data in kinds.items():
                connection.execute(
                    insert_new(connection, table).values(
                        tournament_id=tournament_id, kind=kind, version=version, at=at, cost_ms=cost_ms, data=data
                    )
                )


def packed(data: Any) -> bytes:  # Any: JSON
    """Data as they are kept."""
    return zlib.compress(json.dumps(data, separators=(",", ":"), allow_nan=False).encode(), 6)


def unpacked(data: bytes) -> Any:  # Any: JSON
    """Kept data, read. Raises ValueError."""
    try:
        return json.loads(zlib.decompress(data))
    except zlib.error as error:
        raise ValueError(f"a snapshot cannot be unpacked: {error}") from error


class Watch:
    """Looks at all tournaments at once, at most every POLL_S. For any number of threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._looked = -POLL_S
        self._last = -1
        """The highest id of a game that was counted; -1: none were."""
        self._games: dict[int, tuple[int, int]] = {}
        """By tournament: highest id of a game, games."""
        self._voids: dict[int, int] = {}
        self._readings: dict[int, Reading] = {}

    def of(self, tournament_id: int) -> Reading:
        """How a tournament stands, at most POLL_S ago."""
        self.look(at_once=tournament_id not in self._readings)
        return self._readings.get(tournament_id, NOTHING)

    def look(self, *, at_once: bool = False) -> None:
        """Look, unless that was done less than POLL_S ago. The first look counts all games."""
        with self._lock:
            if at_once or time.monotonic() - self._looked >= POLL_S:
                with self._database.read() as connection:
                    self._look(connection)
                self._looked = time.monotonic()

    def _look(self, connection: Connection) -> None:
        last = connection.execute(select(func.max(GameTable.id))).scalar() or 0
        voids = _by_tournament(connection, VoidTable.tournament_id, func.count())
        again = {number for number in {*voids, *self._voids} if voids.get(number) != self._voids.get(number)}
        if self._last < 0 or last < self._last:
            self._games = self._counted(connection)
        else:
            if last > self._last:
                for number, (newest, count) in self._counted(connection, GameTable.id > self._last).items():
                    self._games[number] = newest, self._games.get(number, (0, 0))[1] + count
            for number in again:
                self._games.update(self._counted(connection, GameTable.tournament_id == number) or {number: (0, 0)})
        self._last, self._voids = last, voids
        out = _by_tournament(
            connection, QuarantineTable.tournament_id, func.count(), func.count(QuarantineTable.lifted)
        )
        closed = _by_tournament(connection, RoundTable.tournament_id, func.count(), func.count(RoundTable.closed))
        field = _by_tournament(
            connection, EntrantTable.tournament_id, func.count(), func.count(EntrantTable.until_round)
        )
        states = connection.execute(select(TournamentTable.id, TournamentTable.state))
        self._readings = {
            number: Reading(
                f"{state}-{self._games.get(number, (0, 0))[0]}-{self._games.get(number, (0, 0))[1]}"
                f"-{voids.get(number, 0)}-{out.get(number, 0)}-{closed.get(number, 0)}-{field.get(number, 0)}",
                self._games.get(number, (0, 0))[1],
            )
            for number, state in states
        }

    def _counted(self, connection: Connection, *wanted: Any) -> dict[int, tuple[int, int]]:  # Any: conditions
        table = GameTable
        query = select(table.tournament_id, func.max(table.id), func.count()).where(*wanted)
        return {row[0]: (row[1], row[2]) for row in connection.execute(query.group_by(table.tournament_id))}


def _by_tournament(connection: Connection, column: Any, *counts: Any) -> dict[int, Any]:
    """Tournament -> a count, or "count.count" for several. Any: columns, counts."""
    rows = connection.execute(select(column, *counts).group_by(column))
    return {row[0]: row[1] if len(counts) == 1 else ".".join(map(str, row[1:])) for row in rows}
