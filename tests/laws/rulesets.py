"""The rulesets every law is tried on: each id as it comes, each option at least once, and tiny ones. Short matches."""

from __future__ import annotations

from typing import Any

from arena import games
from arena.core.game import AnyGame

ROOK_SHORT = {"max_hands": 2}

FULL: dict[str, tuple[str, dict[str, Any]]] = {
    "crowsnest": ("crowsnest", ROOK_SHORT),
    "crowsnest-without-rook": ("crowsnest", {**ROOK_SHORT, "rook": False}),
    "crowsnest-zero": ("crowsnest", {**ROOK_SHORT, "all_pass": "zero"}),
    "tournament": ("tournament", ROOK_SHORT),
    "tournament-without-rook": ("tournament", {**ROOK_SHORT, "rook": False}),
    "partnership": ("partnership", ROOK_SHORT),
    "one_high": ("one_high", ROOK_SHORT),
    "red_one": ("red_one", ROOK_SHORT),
    "buckeye": ("buckeye", ROOK_SHORT),
    "buckeye-low-target": ("buckeye", {"target": 60, "max_hands": 3, "rook_rank": "lowest", "made": "bid"}),
    "crow": ("crow_and_pitcher", {"rounds": 2}),
    "crow-of-three": ("crow_and_pitcher", {"rounds": 2, "players": 3}),
    "crow-after-first-trick": ("crow_and_pitcher", {"rounds": 1, "thirst_lead": "after_first_trick"}),
    "crow-must-thirst": ("crow_and_pitcher", {"rounds": 1, "void_play": "must_thirst", "card_points": "inverse"}),
    "crow-flat": (
        "crow_and_pitcher",
        {"rounds": 1, "players": 3, "card_points": "flat", "pitchers": {"6": 9, "13": 9}},
    ),
    "goat": ("goat", {"max_deals": 2}),
    "goat-before-trick": ("goat", {"max_deals": 2, "molodka": "before_trick"}),
    "goat-off": ("goat", {"max_deals": 3, "molodka": "off", "target": 3}),
}
"""Name -> id and options."""

ROOK_TINY = {
    "ranks": [13, 14],
    "hand": 2,
    "nest": 1,
    "lowest_bid": 10,
    "highest_bid": 20,
    "bid_step": 10,
    "max_hands": 1,
}

TINY: dict[str, tuple[str, dict[str, Any]]] = {
    "crowsnest-tiny": ("crowsnest", {**ROOK_TINY, "all_pass": "zero"}),
    "tournament-tiny": ("tournament", {**ROOK_TINY, "all_pass": "zero"}),
    "partnership-tiny": (
        "partnership",
        {**ROOK_TINY, "hand": 2, "nest": 0, "all_pass": "zero", "points": {"13": 10, "14": 20}},
    ),
    "one_high-tiny": ("one_high", {**ROOK_TINY, "ranks": [14, 1], "all_pass": "zero"}),
    "red_one-tiny": ("red_one", {**ROOK_TINY, "nest": 2, "all_pass": "zero", "highest_bid": 10}),
    "buckeye-two-hands": (
        "buckeye",
        {**ROOK_TINY, "ranks": [1], "hand": 1, "nest": 1, "highest_bid": 10, "max_hands": 2, "all_pass": "zero"},
    ),
    "crow-tiny": ("crow_and_pitcher", {"rounds": 1, "ranks": [2, 5, 10]}),
    "crow-of-three-tiny": ("crow_and_pitcher", {"rounds": 1, "players": 3, "ranks": [3, 6, 9]}),
    "crow-two-rounds": ("crow_and_pitcher", {"rounds": 2, "ranks": [4, 8], "thirst_lead": "after_first_trick"}),
    "goat-tiny": ("goat", {"max_deals": 1, "ranks": [6, 13, 14], "hand": 2}),
    "goat-before-trick-tiny": ("goat", {"max_deals": 1, "ranks": [6, 14], "hand": 1, "molodka": "before_trick"}),
    "goat-two-deals": ("goat", {"max_deals": 2, "ranks": [11, 13], "hand": 1, "molodka": "off"}),
}
"""Small enough that every match on a board can be played."""


def game_of(name: str) -> AnyGame:
    """The game of a row of the tables above."""
    variant, options = {**FULL, **TINY}[name]
    return games.make(variant, options)
