"""Goat, for two partnerships: its one variant."""

from __future__ import annotations

from collections.abc import Mapping

from arena.core.game import Variant
from arena.games.goat.game import Goat
from arena.games.goat.ruleset import ID, make_ruleset


def _make(options: Mapping[str, object]) -> Goat:
    return Goat(make_ruleset(options))


VARIANTS: tuple[Variant, ...] = (
    Variant(
        ID,
        Goat.title,
        "goat",
        "Two partnerships: lead sets of a suit, beat them or drop cards unseen. Twelve defeat points make a goat.",
        _make,
    ),
)
