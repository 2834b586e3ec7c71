"""What a trick comes to: pure functions of its cards in order of play and its pitcher.

Knows nothing of seats: the winner is a place in the trick, 0 for the leader.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.core.cards import Card, rank_of, suit_of
from arena.games.crow.ruleset import PITCHER_POINTS, THIRST

FIRST_THIRST = THIRST << 4
"""Cards from this number on are thirst, those below are stones."""
ALL_THIRST = frozenset(range(FIRST_THIRST, FIRST_THIRST + 16))


class Taken(NamedTuple):
    """The outcome of one trick."""

    place: int
    """Place of the winner in the order of play."""
    points: int
    """What the winner scores, the pitcher included."""


def counted(trick: Collection[Card], pitcher: int) -> int:
    """The sum of the ranks of all stones, of any colour, that are no higher than the pitcher."""
    return sum([rank_of(card) for card in trick if card < FIRST_THIRST and rank_of(card) <= pitcher])


def is_full(trick: Collection[Card], pitcher: int) -> bool:
    """Whether the counted stones fill the pitcher."""
    return counted(trick, pitcher) >= pitcher


def led_by_thirst(trick: Sequence[Card]) -> bool:
    """Whether the first card of the trick is thirst."""
    return trick[0] >= FIRST_THIRST


def winning_card(trick: Sequence[Card], pitcher: int) -> Card:
    """The card that takes a trick.

    Led by a stone: the highest of its colour over a full pitcher, else the lowest. Led by thirst: the highest thirst.
    """
    led = suit_of(trick[0])
    followers = [card for card in trick if card >> 4 == led]
    if led == THIRST or is_full(trick, pitcher):
        return max(followers)
    return min(followers)


def taken_cards(trick: Sequence[Card]) -> list[Card]:
    """The cards that score for the winner: all of them, of a trick led by thirst only the thirst cards."""
    if led_by_thirst(trick):
        return [card for card in trick if card >= FIRST_THIRST]
    return list(trick)


def takes_pitcher(trick: Sequence[Card], pitcher: int) -> bool:
    """Whether the pitcher goes to the winner: a stone was led and the pitcher is not full."""
    return not led_by_thirst(trick) and not is_full(trick, pitcher)


def outcome(trick: Sequence[Card], pitcher: int, points: Sequence[int]) -> Taken:
    """Who takes a complete trick and what it scores; `points` by card number."""
    place = trick.index(winning_card(trick, pitcher))
    score = sum([points[card] for card in taken_cards(trick)])
    return Taken(place, score + PITCHER_POINTS if takes_pitcher(trick, pitcher) else score)


def points_of(card: Card, card_points: str) -> int:
    """What a card scores; `card_points` as in the ruleset."""
    worth = {"face": rank_of(card), "flat": 1, "inverse": 12 - rank_of(card)}[card_points]
    return -worth if card >= FIRST_THIRST else worth


def thirst_broken(earlier: Collection[Card]) -> bool:
    """Whether thirst is among the cards of the earlier tricks of this round."""
    return not ALL_THIRST.isdisjoint(earlier)


def leads(hand: Sequence[Card], earlier: Collection[Card], thirst_lead: str) -> Sequence[Card]:
    """The cards that may be led; `earlier` are the cards of this round's tricks so far."""
    if hand[0] >= FIRST_THIRST:
        return hand
    allowed = thirst_broken(earlier) if thirst_lead == "broken" else bool(earlier)
    return hand if allowed else [card for card in hand if card < FIRST_THIRST]


def answers(hand: Sequence[Card], led: int, void_play: str) -> Sequence[Card]:
    """The cards that may be played to a trick whose first card is of the suit `led`; `hand` is ascending."""
    following = [card for card in hand if card >> 4 == led]
    if following:
        return following
    if void_play == "must_thirst":
        return [card for card in hand if card >= FIRST_THIRST] or hand
    return hand
