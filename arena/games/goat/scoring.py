"""What cards and deals are worth. Knows no play."""

from __future__ import annotations

from collections.abc import Iterable

from arena.core.cards import Card, rank_of

POINTS_BY_RANK = {10: 2, 11: 3, 12: 4, 13: 10, 14: 11}
"""J 2, Q 3, K 4, ten 10, ace 11; the others nothing."""
POINTS = tuple(POINTS_BY_RANK.get(rank_of(card), 0) for card in range(64))
"""By card number."""

CLOSE, FAR, NO_TRICK = 2, 4, 6
"""Defeat points of a losing team."""


def points_of(cards: Iterable[Card]) -> int:
    """The points of some cards together."""
    return sum([POINTS[card] for card in cards])


def default_key(card: Card) -> tuple[int, int, int]:
    """The order in which a silent seat gives cards away: points, rank, suit."""
    return POINTS[card], rank_of(card), card


def defeat_points(points: tuple[int, int], tricks: tuple[int, int]) -> tuple[int, int]:
    """Defeat points by team from the card points and tricks by team.

    With the whole pack (120 points): none at 60-60; the losing team gets 2 with 31 to 59, 4 with 30 or less and a
    trick, 6 without a trick. A smaller pack has the same limits at a half and a quarter of its points.
    """
    if points[0] == points[1]:
        return 0, 0
    loser = 0 if points[0] < points[1] else 1
    if not tricks[loser]:
        given = NO_TRICK
    elif 4 * points[loser] <= sum(points):
        given = FAR
    else:
        given = CLOSE
    return (given, 0) if loser == 0 else (0, given)
