"""The six games of the family as rows of data, and how options change a row.

Knows the defaults of each game and nothing of its play; `Ruleset` says what the fields mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from arena.core import options
from arena.games.rook.ruleset import RED_ONE, ROOK, Ruleset, check, counted

Values = Mapping[str, object]

FIVE_TO_14 = tuple(range(5, 15))
SPECIAL_TEXTS = {"ROOK": ROOK, "RED1": RED_ONE}
COUNTERS = {5: 5, 10: 10, 14: 10}


class Row(NamedTuple):
    """One game of the family."""

    id: str
    title: str
    summary: str
    values: Values
    """All fields that differ from those every row shares."""
    without_rook: Values | None = None
    """What else changes by default when `rook` is set to false."""


SHARED: Values = {
    "rook_rank": "lowest",
    "red_one": False,
    "trick_bonus": 0,
    "last_bonus": 0,
    "lowest_bid": 70,
    "bid_step": 5,
    "made": "captured",
    "target": 300,
    "max_hands": 30,
    "all_pass": "redeal",
}

ROWS = (
    Row(
        "crowsnest",
        "CrowsNest",
        "The Crow is the lowest trump; declarers who make it score their bid.",
        {
            "ranks": FIVE_TO_14,
            "rook": True,
            "hand": 9,
            "nest": 5,
            "points": {**COUNTERS, ROOK: 20},
            "highest_bid": 120,
            "made": "bid",
        },
        without_rook={"nest": 4, "highest_bid": 100},
    ),
    Row(
        "tournament",
        "Tournament (Kentucky Discard)",
        "The Rook is the highest trump; declarers who make it score what they captured.",
        {
            "ranks": FIVE_TO_14,
            "rook": True,
            "rook_rank": "highest",
            "hand": 9,
            "nest": 5,
            "points": {**COUNTERS, ROOK: 20},
            "highest_bid": 120,
        },
        without_rook={"nest": 4, "highest_bid": 100},
    ),
    Row(
        "partnership",
        "Partnership",
        "56 cards, no Rook, no nest; 20 points for the most tricks.",
        {
            "ranks": tuple(range(1, 15)),
            "rook": False,
            "hand": 14,
            "nest": 0,
            "points": COUNTERS,
            "trick_bonus": 20,
            "highest_bid": 120,
        },
    ),
    Row(
        "one_high",
        "1-High Partnership",
        "57 cards, the 1 is high, the Rook the lowest trump; 20 points for the last trick.",
        {
            "ranks": (*range(2, 15), 1),
            "rook": True,
            "hand": 14,
            "nest": 1,
            "points": {**COUNTERS, 1: 15, ROOK: 20},
            "last_bonus": 20,
            "highest_bid": 200,
        },
    ),
    Row(
        "red_one",
        "The Red 1",
        "The Red 1 is the highest trump, the Rook the next.",
        {
            "ranks": FIVE_TO_14,
            "rook": True,
            "rook_rank": "highest",
            "red_one": True,
            "hand": 9,
            "nest": 6,
            "points": {**COUNTERS, ROOK: 20, RED_ONE: 30},
            "highest_bid": 150,
        },
    ),
    Row(
        "buckeye",
        "Buckeye",
        "45 cards, the 1 is high and counts 15, the Rook is the highest trump.",
        {
            "ranks": (*FIVE_TO_14, 1),
            "rook": True,
            "rook_rank": "highest",
            "hand": 10,
            "nest": 5,
            "points": {**COUNTERS, 1: 15, ROOK: 20},
            "lowest_bid": 100,
            "highest_bid": 180,
        },
    ),
)


def build_ruleset(row: Row, changes: Values) -> Ruleset:
    """A row with some options changed. Values given win over every default.

    Default counters of cards that the changes took out of the pack are left out. Raises ConfigError for an unknown
    option, a value it does not accept, or a combination that cannot work.
    """
    absent = (row.without_rook or {}) if changes.get("rook") is False else {}
    values = {**SHARED, **row.values, **absent, **changes}
    ruleset = options.build(Ruleset, {**values, "points": _by_number(values["points"])}, ruleset=row.id)
    if "points" not in changes:
        ruleset = replace(ruleset, points=tuple(pair for pair in ruleset.points if pair[0] in counted(ruleset)))
    check(ruleset, row.id)
    return ruleset


def _by_number(points: object) -> object:
    """Counters with the Rook and the Red 1 under their numbers, where they are given by their texts."""
    if not isinstance(points, Mapping):
        return points
    return [(SPECIAL_TEXTS.get(key, key), count) for key, count in points.items()]
