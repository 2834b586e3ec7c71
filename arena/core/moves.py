"""Moves of all games: one small immutable shape, its text, and the set of legal ones.

Text forms, the same in transcripts, logs, the command line and pages:

    R10   ROOK   bid 80   pass   trump green   discard B5 G10   lead 6S 9S   beat 7H 10S   drop 6C   molodka

Cards of a set stand in the order of their numbers, so that equal moves have equal texts.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import NamedTuple

from arena.core.cards import Card, CardNames
from arena.core.errors import MalformedMove


class Kind(enum.Enum):
    """What a move does. The value is the first word of the move's text (a play is written as its card alone)."""

    PLAY = "play"
    BID = "bid"
    PASS = "pass"
    TRUMP = "trump"
    DISCARD = "discard"
    LEAD = "lead"
    BEAT = "beat"
    DROP = "drop"
    MOLODKA = "molodka"


SET_KINDS = frozenset({Kind.DISCARD, Kind.LEAD, Kind.BEAT, Kind.DROP})


class Move(NamedTuple):
    """One decision of one seat. Build it with the functions below, which keep cards in order."""

    kind: Kind
    cards: tuple[Card, ...] = ()
    """PLAY: one card. DISCARD, LEAD, BEAT, DROP: a set in ascending order of the card numbers. Else empty."""
    number: int = 0
    """BID: the points bid. TRUMP: the suit number. Else 0."""


PASS = Move(Kind.PASS)
MOLODKA = Move(Kind.MOLODKA)


def play(card: Card) -> Move:
    """Play one card to a trick."""
    return Move(Kind.PLAY, (card,))


def bid(points: int) -> Move:
    """Bid a number of points."""
    return Move(Kind.BID, (), points)


def trump(suit: int) -> Move:
    """Name a suit trump."""
    return Move(Kind.TRUMP, (), suit)


def of_set(kind: Kind, cards: Iterable[Card]) -> Move:
    """A move of several cards (discard, lead, beat, drop), cards put in order."""
    return Move(kind, tuple(sorted(cards)))


class LegalList(NamedTuple):
    """The legal moves one by one, in an order that the position fixes."""

    moves: tuple[Move, ...]

    def allows(self, move: Move) -> bool:
        """Whether the move is legal."""
        return move in self.moves

    def total(self) -> int:
        """How many moves are legal."""
        return len(self.moves)


class Choose(NamedTuple):
    """Any `size` different cards of `cards`, as a move of `kind`: used where a list would be long."""

    kind: Kind
    size: int
    cards: tuple[Card, ...]
    """In ascending order of the card numbers."""

    def allows(self, move: Move) -> bool:
        """Whether the move is legal."""
        kind, chosen, number = move
        return (
            kind is self.kind
            and number == 0
            and len(chosen) == self.size
            and all(left < right for left, right in pairwise(chosen))
            and set(chosen) <= set(self.cards)
        )

    def total(self) -> int:
        """How many moves are legal."""
        return comb(len(self.cards), self.size)


Legal = LegalList | Choose


@dataclass(frozen=True)
class Notation:
    """Move to text and back, for one game's cards."""

    names: CardNames

    def text(self, move: Move) -> str:
        """The one text form of a move."""
        match move.kind:
            case Kind.PLAY:
                return self.names.texts[move.cards[0]]
            case Kind.PASS | Kind.MOLODKA:
                return str(move.kind.value)
            case Kind.BID:
                return f"bid {move.number}"
            case Kind.TRUMP:
                return f"trump {self.names.suits[move.number]}"
            case Kind.DISCARD | Kind.LEAD | Kind.BEAT | Kind.DROP:
                return f"{move.kind.value} {self.names.join(move.cards)}"

    def parse(self, text: str) -> Move:
        """The move with this text. Raises MalformedMove for anything that `text` would not have written."""
        words = text.split(" ")
        match words:
            case ["pass"]:
                return PASS
            case ["molodka"]:
                return MOLODKA
            case ["bid", points] if points.isascii() and points.isdigit() and str(int(points[:9])) == points:
                return bid(int(points))
            case ["trump", suit]:
                return trump(self.names.suit(suit))
            case ["discard" | "lead" | "beat" | "drop" as kind, *cards] if cards:
                chosen = tuple(self.names.parse(card) for card in cards)
                if any(left >= right for left, right in pairwise(chosen)):
                    raise MalformedMove(f"{text!r}: cards must be different and in the order of their numbers")
                return Move(Kind(kind), chosen)
            case [card]:
                return play(self.names.parse(card))
            case _:
                raise MalformedMove(f"{text!r} is no move", fix="moves are written like R10, bid 80, pass, lead 6S 9S")

    def legal_data(self, legal: Legal) -> list[str] | dict[str, object]:
        """Legal moves for JSON: a list of texts, or {"choose": 5, "from": [...], "kind": "discard"}."""
        match legal:
            case LegalList(moves):
                return [self.text(move) for move in moves]
            case Choose(kind, size, cards):
                return {"choose": size, "from": self.names.list(cards), "kind": kind.value}
