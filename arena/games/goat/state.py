"""The values of the game: a deal, the state of a match, what a seat sees. No rules."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

from arena.core.cards import Card, Suit
from arena.core.game import Board, Seat
from arena.games.goat.ruleset import NAMES, SEATS, SUITS

Hand = tuple[Card, ...]
Pair = tuple[int, int]
"""By team."""
SPECTATORS = SEATS
"""Their place in values that are kept by viewer."""


class Phase(enum.IntEnum):
    """What a seat has to decide; numbers as in the protocol."""

    ASK = 1
    LEAD = 2
    ANSWER = 3
    OVER = 4


class Act(enum.IntEnum):
    """What a seat did; numbers as in the protocol."""

    LEAD = 1
    BEAT = 2
    DROP = 3
    MOLODKA = 4
    DECLINE = 5


class GoatDeal(NamedTuple):
    """What one shuffle fixes."""

    hands: tuple[Hand, ...]
    """By seat, ascending."""
    dealer: Seat
    """Moves clockwise from deal to deal; matters in the first only."""
    stock: tuple[Card, ...]
    """Drawn first first."""
    trump_card: Card
    """The card of the stock that is shown."""


class GoatFacts(NamedTuple):
    """What a finished deal came to."""

    deal: GoatDeal
    points: Pair
    """All card points, by team."""
    tricks: Pair
    defeats: Pair
    molodkas: int
    """Molodkas called."""


class GoatResult(NamedTuple):
    """The public result of a finished deal, as in the message `GoatResult`."""

    points: Pair
    defeats: Pair


class Match(NamedTuple):
    """What does not change within a deal."""

    board: Board
    dealt: tuple[GoatDeal, ...]
    """The deals begun; the last one is being played."""
    finished: tuple[GoatFacts, ...]
    results: tuple[GoatResult, ...]
    """Of the finished deals."""
    defeats: Pair
    """Defeat points of the match."""


class GoatState(NamedTuple):
    """A match between two moves."""

    match: Match
    phase: int
    leader: Seat
    """Of this trick, or due to lead it; when the match is over, who won the last one."""
    turn: Seat
    """The seat to move; when the match is over, of no meaning."""
    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]
    act_seats: tuple[Seat, ...]
    acts: tuple[int, ...]
    act_counts: tuple[int, ...]
    seen: tuple[tuple[Card, ...], ...]
    """By viewer, spectators last: the cards of all acts that the viewer may know."""
    received: tuple[tuple[Card, ...], ...]
    """By seat: its cards of this deal in the order in which it got them."""
    known: tuple[Pair, ...]
    """By viewer, spectators last: points in tricks won, of cards face up and the viewer's own drops."""
    points: Pair
    """All points in tricks won."""
    tricks: Pair
    put: tuple[Hand, ...]
    """By seat: cards put down in this trick."""
    dropped: tuple[Seat, ...]
    """Seats whose cards in this trick lie face down."""
    best: Hand
    """The cards of the last seat that beat, or of the leader."""
    best_seat: Seat


class GoatView(NamedTuple):
    """All that one seat may know; the fields of the message `GoatView`, in its order."""

    seat: int
    """-1 for spectators."""
    phase: int
    deal_number: int
    dealer: Seat
    leader: Seat
    hand: Hand
    """Ascending; empty for spectators."""
    trump: Suit
    trump_card: Card
    stock: int
    act_seats: tuple[Seat, ...]
    acts: tuple[int, ...]
    act_counts: tuple[int, ...]
    act_cards: tuple[Card, ...]
    received: tuple[Card, ...]
    points: Pair
    tricks: Pair
    defeats: Pair
    results: tuple[GoatResult, ...]


def view_data(view: GoatView) -> dict[str, Any]:
    """A view as JSON data: cards as texts, phase, acts and trump as words; `seat` is null for spectators."""
    return {
        "seat": None if view.seat < 0 else view.seat,
        "phase": Phase(view.phase).name.lower(),
        "deal_number": view.deal_number,
        "dealer": view.dealer,
        "leader": view.leader,
        "hand": NAMES.list(view.hand),
        "trump": SUITS[view.trump],
        "trump_card": NAMES.text(view.trump_card),
        "stock": view.stock,
        "act_seats": list(view.act_seats),
        "acts": [Act(act).name.lower() for act in view.acts],
        "act_counts": list(view.act_counts),
        "act_cards": NAMES.list(view.act_cards),
        "received": NAMES.list(view.received),
        "points": list(view.points),
        "tricks": list(view.tricks),
        "defeats": list(view.defeats),
        "results": [{"points": list(result.points), "defeats": list(result.defeats)} for result in view.results],
    }
