"""What a ruleset says about single cards and bids, worked out once: colours, strengths, points, ready-made moves.

This is where the trump order of each game is written. Knows cards and moves, but no state and no view.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.core.cards import Card, Suit
from arena.core.moves import PASS, LegalList, Move, bid, play, trump
from arena.games.rook.ruleset import COLOURS, FIRST_SPECIAL, RED_ONE, ROOK, Ruleset, bids, pack, points_of

ByCard = tuple[int, ...]
"""Indexed by card number; 0 for numbers that are no card."""
SIZE = RED_ONE + 1


class Lookup(NamedTuple):
    """Answers by card, trump and bid."""

    pack: tuple[Card, ...]
    points: ByCard
    order: ByCard
    """Place in the order of default moves, the first to be given away first."""
    plays: tuple[Move, ...]
    """The move that plays a card, by card number."""
    suits: tuple[ByCard, ...]
    """By trump and card: the suit a card belongs to; the Rook and the Red 1 belong to trump."""
    following: tuple[tuple[frozenset[Card], ...], ...]
    """By trump and led suit: the cards that may be played to it by a hand that can follow."""
    strength: tuple[tuple[ByCard, ...], ...]
    """By trump, led suit and card: the highest wins the trick; 0 for a card that cannot win."""
    top_bid: int
    auction: dict[int, LegalList]
    """By standing bid (0: none): the legal moves of the auction."""
    forced: LegalList
    """The lowest bid alone."""
    trumps: LegalList


def build_lookup(ruleset: Ruleset) -> Lookup:
    """All answers for a ruleset that can work."""
    cards = pack(ruleset)
    levels = bids(ruleset)
    bid_moves = tuple(bid(points) for points in levels)
    colours = range(len(COLOURS))
    suits = tuple(_by_card({card: _suit(card, named) for card in cards}) for named in colours)
    return Lookup(
        pack=cards,
        points=_by_card({card: points_of(ruleset, card) for card in cards}),
        order=_by_card({card: place for place, card in enumerate(giving_order(ruleset))}),
        plays=tuple(play(card) for card in range(SIZE)),
        suits=suits,
        following=tuple(
            tuple(frozenset(card for card in cards if _follows(card, led, named)) for led in colours)
            for named in colours
        ),
        strength=tuple(tuple(_strengths(ruleset, led, named) for led in colours) for named in colours),
        top_bid=levels[-1],
        auction={standing: LegalList((PASS, *bid_moves[place:])) for place, standing in enumerate((0, *levels))},
        forced=LegalList(bid_moves[:1]),
        trumps=LegalList(tuple(trump(colour) for colour in colours)),
    )


def giving_order(ruleset: Ruleset) -> list[Card]:
    """The pack in the order of default moves: by (points, rank, colour), the Rook and the Red 1 last."""

    def place(card: Card) -> tuple[int, ...]:
        if card > FIRST_SPECIAL:
            return (1, card)
        return (0, points_of(ruleset, card), ruleset.ranks.index(card & 15), card >> 4)

    return sorted(pack(ruleset), key=place)


def trump_order(ruleset: Ruleset, named: Suit) -> list[Card]:
    """The trumps of a named colour, low to high."""
    order = [named << 4 | rank for rank in ruleset.ranks]
    if ruleset.rook:
        order.insert(0 if ruleset.rook_rank == "lowest" else len(order), ROOK)
    if ruleset.red_one:
        order.append(RED_ONE)
    return order


def _suit(card: Card, named: Suit) -> Suit:
    return named if card > FIRST_SPECIAL else card >> 4


def _follows(card: Card, led: Suit, named: Suit) -> bool:
    """The Rook and the Red 1 may be played at any time, whatever is led."""
    return card > FIRST_SPECIAL or _suit(card, named) == led


def _strengths(ruleset: Ruleset, led: Suit, named: Suit) -> ByCard:
    winning = [] if led == named else [led << 4 | rank for rank in ruleset.ranks]
    winning += trump_order(ruleset, named)
    return _by_card({card: place for place, card in enumerate(winning, 1)})


def _by_card(values: dict[Card, int]) -> ByCard:
    return tuple(values.get(card, 0) for card in range(SIZE))
