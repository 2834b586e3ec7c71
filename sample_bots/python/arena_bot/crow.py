"""The Crow and the Pitcher: what cards are worth and who takes a trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arena_bot.cards import Card

THIRST = 3
PACK: tuple[Card, ...] = tuple(suit << 4 | rank for suit in range(4) for rank in range(2, 11))
PITCHER_POINTS = -5


class Taken(NamedTuple):
    """What a trick comes to."""

    place: int
    """Which card takes the trick, 0 for the led one."""
    points: int
    """What it scores for its seat."""
    full: bool
    """Whether the pitcher was full; True in a trick led with thirst, which takes no pitcher."""


def points_of(options: Mapping[str, Any]) -> list[int]:  # Any: JSON values
    """What a card scores for the seat that takes it, by card; thirst is below 0."""
    points = [0] * 64
    for card in PACK:
        match options.get("card_points", "face"):
            case "flat":
                worth = 1
            case "inverse":
                worth = 12 - (card & 15)
            case _:
                worth = card & 15
        points[card] = -worth if card >> 4 == THIRST else worth
    return points


def filled(cards: Sequence[Card], pitcher: int) -> int:
    """The sum of the stones that count: of any colour, of a rank not above the pitcher."""
    return sum([card & 15 for card in cards if card < 48 and card & 15 <= pitcher])


def take(cards: Sequence[Card], pitcher: int, points: Sequence[int]) -> Taken:
    """Who takes a trick of these cards, the led one first, and what it scores."""
    led = cards[0] >> 4
    of_suit = [card for card in cards if card >> 4 == led]
    if led == THIRST:
        return Taken(cards.index(max(of_suit)), sum([points[card] for card in of_suit]), True)
    total = sum([points[card] for card in cards])
    if filled(cards, pitcher) >= pitcher:
        return Taken(cards.index(max(of_suit)), total, True)
    return Taken(cards.index(min(of_suit)), total + PITCHER_POINTS, False)
