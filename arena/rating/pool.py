"""What is rated together: a pool. Levels of different pools cannot be compared.

It knows what tells pools apart; nothing of results.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from arena.core.errors import ConfigError
from arena.core.game import AnyGame
from arena.core.options import canonical_json

TableKind = Literal["pairs", "free_for_all", "mixed"]
"""`pairs`: two sides, one bot on all seats of a side, rated one against one. `free_for_all`: every seat for itself.
`mixed`: two sides, partners are different bots, rated two against two."""
KINDS = ("pairs", "free_for_all", "mixed")
Unit = Literal["deal", "match"]
"""What one board is: a single deal, or a whole match."""


@dataclass(frozen=True, slots=True)
class Pool:
    """One ruleset with all its options, one kind of table, one unit, one clock."""

    name: str
    """For people; no part of the pool's identity."""
    game: str
    """The ruleset's id, "crowsnest"."""
    ruleset: str
    """The canonical JSON of the ruleset."""
    kind: TableKind
    unit: Unit
    sides: tuple[tuple[int, ...], ...]
    """The seats of each side."""
    clock: str = ""
    """The clock's text, "10s+0.1"; empty where there is none."""
    remote: bool = False
    """With bots on machines of their own, which remember what they saw and may talk to each other."""
    rotations: int = 0
    """Seatings of a block where they are not as many as sides: mixed partners may sit in all 4. 0: as many."""

    def __post_init__(self) -> None:
        seats = sorted(seat for side in self.sides for seat in side)
        fits = len(self.sides) == 2 if self.kind != "free_for_all" else all(len(side) == 1 for side in self.sides)
        if self.kind == "mixed":
            fits &= all(len(side) == 2 for side in self.sides)
        if self.kind not in KINDS or self.unit not in ("deal", "match"):
            raise ConfigError(
                f"no pool has kind {self.kind!r} and unit {self.unit!r}",
                fix=f"kind: {' | '.join(KINDS)}; unit: deal | match",
            )
        if not fits or len(self.sides) < 2 or seats != list(range(len(seats))):
            raise ConfigError(
                f"sides {self.sides!r} do not make a {self.kind} pool",
                fix="pairs: two sides; free_for_all: one seat a side; mixed: two sides of two seats; every seat "
                "0, 1, ... in exactly one side",
            )
        if self.rotations and (self.kind != "mixed" or self.rotations not in (2, 4)):
            raise ConfigError(f"{self.rotations!r} seatings in a {self.kind} pool", fix="2 or 4, of mixed partners")

    @classmethod
    def of(cls, game: AnyGame, unit: Unit, *, name: str = "", clock: str = "", remote: bool = False) -> Pool:
        """The pool of a game as it is played: two sides make `pairs`, more a `free_for_all`."""
        kind: TableKind = "pairs" if len(game.sides) == 2 else "free_for_all"
        name = name or (f"{game.id} remote" if remote else game.id)
        return cls(name, game.id, game.describe(), kind, unit, game.sides, clock, remote)

    @classmethod
    def mixed(cls, game: AnyGame, unit: Unit, *, seatings: int = 2, clock: str = "") -> Pool:
        """The pool of mixed partners of a game with two sides of two seats. Raises ConfigError for any other."""
        name = f"{game.id} mixed partners 2v2"
        return cls(name, game.id, game.describe(), "mixed", unit, game.sides, clock, rotations=seatings)

    @property
    def seats(self) -> int:
        """Seats at a table."""
        return sum(map(len, self.sides))

    @property
    def seatings(self) -> int:
        """How many games make a block: each side once on every side, or one game where bots are remote."""
        return 1 if self.remote else self.rotations or len(self.sides)

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits that stand for everything but the name."""
        parts = [self.game, self.ruleset, self.kind, self.seats, self.unit, self.clock]
        if self.remote:
            parts.append("remote")
        if self.rotations:
            parts.append(self.rotations)
        return hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:16]
