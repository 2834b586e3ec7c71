"""The Rook family: CrowsNest, Tournament, Partnership, 1-High Partnership, The Red 1, Buckeye.

Four seats, two partnerships, an auction for the nest and the trump colour, then tricks for counters.
"""

from __future__ import annotations

from functools import partial

from arena.core.game import Variant
from arena.games.rook.game import RookGame
from arena.games.rook.variants import ROWS, Row, Values, build_ruleset


def make(row: Row, options: Values) -> RookGame:
    """The game of a row with some options changed. Raises ConfigError."""
    return RookGame(row.id, row.title, build_ruleset(row, options))


VARIANTS: tuple[Variant, ...] = tuple(
    Variant(row.id, row.title, "rook", row.summary, partial(make, row)) for row in ROWS
)
