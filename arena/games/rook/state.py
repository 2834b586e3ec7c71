"""The values of a Rook match: deals, states, views, results. Nothing here knows a rule.

The fields of `RookView` and `RookResult` are those of the messages in `rook.proto`, in the same order; there the
meaning of each is stated. Absent is -1.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.core.cards import Card
from arena.core.game import Board, Seat

AUCTION, DISCARD, TRUMP, PLAY, OVER = range(1, 6)
"""Phases, by the numbers of the protocol's enum."""
PHASE_WORDS = ("unspecified", "auction", "discard", "trump", "play", "over")
ABSENT = -1

Cards = tuple[Card, ...]
Pair = tuple[int, int]
"""Two numbers by team: seats 0 and 2, seats 1 and 3."""
Hands = tuple[Cards, ...]


class RookDeal(NamedTuple):
    """What one shuffle fixes. Hands (by seat) and nest in ascending order."""

    hands: Hands
    dealer: Seat
    nest: Cards


class RookResult(NamedTuple):
    """The public result of a hand that is over."""

    declarer: int
    bid: int
    captured: Pair


class HandRecord(NamedTuple):
    """What a hand that is over came to."""

    number: int
    redeals: int
    dealer: Seat
    declarer: int
    bid: int
    trump: int
    discard_points: int
    tricks: Pair
    captured: Pair
    gained: Pair


class SoFar(NamedTuple):
    """The part of a match that changes only between hands."""

    board: Board
    deals: tuple[RookDeal, ...]
    number: int
    """Number of the running hand, from 0."""
    redeals: int
    sudden: bool
    """Whether the totals were equal at or above the target: the next hand that parts them decides."""
    scores: Pair
    results: tuple[RookResult, ...]
    records: tuple[HandRecord, ...]


class RookState(NamedTuple):
    """A match at one point. Once it is over, what belongs to a hand is that of the last hand."""

    so_far: SoFar
    phase: int
    turn: int
    """The seat to move, -1 when the match is over."""
    dealer: Seat
    hands: Hands
    bid_seats: tuple[Seat, ...]
    bid_points: tuple[int, ...]
    bid: int
    bidder: int
    discard: Cards
    trump: int
    played: Cards
    leaders: tuple[Seat, ...]
    captured: Pair


class RookView(NamedTuple):
    """All that one seat may know; seat -1 is a spectator."""

    seat: int
    phase: int
    hand_number: int
    redeals: int
    dealer: Seat
    hand: Cards
    bid_seats: tuple[Seat, ...]
    bid_points: tuple[int, ...]
    bid: int
    bidder: int
    nest: Cards
    discard: Cards
    trump: int
    played: Cards
    leaders: tuple[Seat, ...]
    captured: Pair
    scores: Pair
    results: tuple[RookResult, ...]
