"""The Crow and the Pitcher, for three or four players: its one variant."""

from __future__ import annotations

from collections.abc import Mapping

from arena.core.game import Variant
from arena.games.crow.game import Crow
from arena.games.crow.ruleset import ID, make_ruleset


def _make(options: Mapping[str, object]) -> Crow:
    return Crow(make_ruleset(options))


VARIANTS: tuple[Variant, ...] = (
    Variant(
        ID,
        Crow.title,
        "crow",
        "Each for itself: take stones over full pitchers, leave the thirst to others. Three rounds.",
        _make,
    ),
)
