"""The options of Goat, and the pack they make.

Knows what may be chosen and which choices cannot work together. Knows no rule of play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.cards import Card, CardNames, card
from arena.core.errors import ConfigError
from arena.core.options import build, option

ID = "goat"
SEATS = 4
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = {6: "6", 7: "7", 8: "8", 9: "9", 10: "J", 11: "Q", 12: "K", 13: "10", 14: "A"}
"""Texts by rank number; the numbers give the order, low to high."""

NAMES = CardNames(
    {card(suit, rank): f"{text}{SUITS[suit][0].upper()}" for suit in range(4) for rank, text in RANKS.items()}, SUITS
)
"""6C ... AC, 6D ..., 6H ..., 6S ... AS."""


@dataclass(frozen=True)
class GoatRuleset:
    """Every option of the game; the defaults are the rules as published."""

    molodka: str = option(
        "on_turn",
        "when a full hand of one suit may take the lead: instead of an answer, when asked before the trick, never",
        choices=("on_turn", "before_trick", "off"),
    )
    target: int = option(
        12, "the match ends when a team has this many defeat points; that team loses", low=1, high=1000
    )
    max_deals: int = option(40, "after this many deals the team with fewer defeat points wins", low=1, high=1000)
    ranks: tuple[int, ...] = option(
        tuple(RANKS),
        "the rank numbers in each suit, ascending, within 6 to 14 (J 10, Q 11, K 12, ten 13, A 14); fewer make a tiny"
        " game whose whole tree can be walked",
    )
    hand: int = option(4, "cards in a full hand; a molodka is a full hand of one suit", low=1, high=4)

    @property
    def stock(self) -> int:
        """Cards in the stock after the deal."""
        return SEATS * (len(self.ranks) - self.hand)

    def pack(self) -> list[Card]:
        """All cards in the order of their numbers."""
        return [card(suit, rank) for suit in range(4) for rank in self.ranks]


def make_ruleset(options: Mapping[str, object]) -> GoatRuleset:
    """The ruleset with these options. Raises ConfigError naming the field."""
    ruleset = build(GoatRuleset, options, ruleset=ID)
    ranks = ruleset.ranks
    if list(ranks) != sorted(set(ranks)) or not set(ranks) <= set(RANKS):
        raise _refuse("ranks", list(ranks), f"different rank numbers within {min(RANKS)} to {max(RANKS)}, ascending")
    if len(ranks) <= ruleset.hand:
        raise _refuse(
            "ranks", list(ranks), f"more ranks than hand = {ruleset.hand}: a card of the stock has to show trump"
        )
    return ruleset


def _refuse(field: str, value: object, accepted: str) -> ConfigError:
    return ConfigError(f"{ID} option {field!r} cannot be {value!r}", fix=f"accepted: {accepted}", code="BAD_OPTION")
