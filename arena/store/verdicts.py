"""The store's part about verdicts: faults and how often each version has them, voids with their evidence, quarantines.

A void is the one thing for which a stored game is taken out again: its block counts for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from arena.record.results import Conduct
from arena.store import codec, counting, quarantines, reading, registry, voids
from arena.store.database import Database
from arena.store.values import FaultInfo, Quarantined, Rate, Void, VoidInfo
from arena.tournament.quarantine import Quarantine


class Verdicts:
    """What `Store` knows about faults, voids and quarantines."""

    _database: Database
    _now: Callable[[], datetime]

    # Faults

    def faults(self, tournament_id: int, bot: str | None = None) -> Iterator[FaultInfo]:
        """The faults of a tournament, streamed in canonical order of games."""
        with self._database.read() as connection:
            yield from reading.faults(connection, tournament_id, bot)

    def fault_counts(self, tournament_id: int) -> dict[tuple[str, str], int]:
        """How often each (bot, code) occurred."""
        with self._database.read() as connection:
            return counting.fault_counts(connection, tournament_id)

    def rates(self) -> dict[str, Rate]:
        """Games and faults by code of each version (by content hash) that played, in all tournaments."""
        with self._database.read() as connection:
            return registry.rates(connection)

    def tiers(self, tournament_id: int) -> dict[tuple[str, tuple[str, ...]], int]:
        """How many games were played on each (sandbox tier, competitors by seat)."""
        with self._database.read() as connection:
            return counting.tiers(connection, tournament_id)

    def conduct(self, tournament_id: int, round_: int) -> Iterator[Conduct]:
        """How the bots behaved in the stored games of a round: faults that forfeit, in canonical order."""
        with self._database.read() as connection:
            yield from reading.conduct(connection, tournament_id, round_)

    # Voids

    def add_voids(self, tournament_id: int, found: Iterable[Void]) -> int:
        """Note attempts that counted for nobody; returns how many were new. The same attempt is noted once."""
        with self._database.write() as connection:
            return voids.add(connection, tournament_id, found, self._now())

    def void_block(self, tournament_id: int, void: Void) -> int:
        """Note a game that ended void, and take the stored games of its block out again; returns how many those were.

        They are kept as voids of the same attempt. All or nothing: half a block never counts.
        """
        with self._database.write() as connection:
            return voids.void_block(connection, tournament_id, void, self._now())

    def voids(self, tournament_id: int) -> Iterator[VoidInfo]:
        """The voids of a tournament, streamed in canonical order, then by attempt."""
        with self._database.read() as connection:
            yield from voids.load(connection, tournament_id)

    # Quarantines

    def add_quarantines(self, tournament_id: int, found: Sequence[Quarantine]) -> int:
        """Note who is out; returns how many were new. What is noted already stays as it is, also when it was lifted."""
        with self._database.write() as connection:
            return quarantines.add(connection, tournament_id, found, self._now())

    def quarantines(self, tournament_id: int | None = None, *, active: bool = False) -> list[Quarantined]:
        """The quarantines of a tournament or of all, oldest first; `active`: without those that were lifted."""
        with self._database.read() as connection:
            return quarantines.load(connection, tournament_id, active=active)

    def lift(self, tournament_id: int, bot: str, reason: str, *, disabled: bool | None = None) -> Quarantined | None:
        """Lift a bot's quarantine, with the reason; what it was, None when there is none to lift. `disabled`: only what
        an organiser ordered, or only what its faults brought about."""
        with self._database.write() as connection:
            why = codec.storable(reason)
            return quarantines.lift(connection, tournament_id, bot, why, self._now(), disabled=disabled)

    def disable(self, tournament_id: int, bots: Sequence[str], reason: str) -> list[Quarantined]:
        """Take bots out of a tournament that its faults did not take out, from the round that is played on: what they
        played until then counts. What is new; who is out already stays as it is."""
        with self._database.write() as connection:
            return quarantines.disable(connection, tournament_id, bots, reason, self._now())
