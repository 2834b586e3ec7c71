"""A position as it is shown: frozen data between a game's view and any picture of it. Knows no game and no markup.

A scene holds only what its viewer may know. Texts of names come from people and bots: whoever draws them escapes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from arena.core.game import Seat

PLACES = {4: ("bottom", "left", "top", "right"), 3: ("bottom", "left", "right")}
"""Seats at the table -> places on screen, clockwise from the seat at the bottom."""
YOU = "You"
"""The name of a seat that is spoken to."""


class Choices(NamedTuple):
    """What the seat at the bottom may do with its cards: makes its cards buttons."""

    cards: Mapping[str, str]
    """Text of each card of its hand -> "" when it is part of a legal move, else the reason why not."""


@dataclass(frozen=True)
class CardFace:
    """One card that the viewer may see."""

    text: str
    name: str
    """In words: "green 9"."""
    trump: bool = False
    mark: str = ""
    """A word under the card: "nest", "counted", "over 9", "dropped"."""
    legal: bool | None = None
    """Whether it may be played; None where nothing is to be chosen."""
    reason: str = ""
    """Why it may not be played."""
    preview: str = ""
    """What playing it would lead to, as far as the table shows: a line of the Crow's pitcher."""

    @property
    def told(self) -> str:
        """The card in words with all that its picture tells: "green 9, trump, legal"."""
        parts = [self.name]
        parts += ["trump"] if self.trump else []
        parts += [self.mark] if self.mark else []
        if self.legal is not None:
            parts.append("legal" if self.legal else "not legal")
        return ", ".join(parts)


@dataclass(frozen=True)
class Fact:
    """A label and a value of the header or of a seat: ("trump", "green")."""

    label: str
    value: str
    suit: str = ""
    """Suit whose shape stands before the value."""
    sign: str = ""
    """"good" or "bad" for the side it is about, else ""."""


@dataclass(frozen=True)
class SeatScene:
    """One seat at the table."""

    seat: Seat
    place: str
    """"bottom", "left", "top" or "right"."""
    mark: str
    """Its short name: S W N E, or 1 2 3."""
    name: str
    relation: str
    """"you", "partner" or "" as seen from the seat at the bottom."""
    hand: tuple[CardFace, ...] | None
    """None: hidden, only `count` is known."""
    count: int
    """Cards in the hand."""
    facts: tuple[Fact, ...]
    """Tricks, points."""
    calls: tuple[str, ...]
    """What it said, in order: bids and passes."""
    dealer: bool
    to_move: bool
    declarer: bool = False


@dataclass(frozen=True)
class Play:
    """What one seat put down to a trick."""

    seat: Seat
    place: str
    mark: str
    name: str
    did: str
    """"led", "played", "beat", "dropped", "called molodka"."""
    cards: tuple[CardFace, ...]
    backs: int = 0
    """Cards face down that the viewer may not know."""
    wins: bool = False
    """Whether it takes the trick as the trick lies."""
    pairs: tuple[str, ...] = ()
    """By card: which card it beats, "10♠ beats 9♠"."""
    hidden: bool = False
    """Whether the cards lie face down, seen by the viewer all the same."""


@dataclass(frozen=True)
class Trick:
    """The trick on the table, or the last one."""

    plays: tuple[Play, ...]
    complete: bool
    line: str = ""
    """How it stands, in one line."""
    pitcher: int | None = None
    ladder: bool = False
    """Whether cards of a play answer those of the play above, column by column."""
    number: int = 0
    """From 1."""
    note: str = ""


@dataclass(frozen=True)
class Aside:
    """Cards and lines beside the table: the nest, the stock, what was dropped, results so far."""

    heading: str
    cards: tuple[CardFace, ...] = ()
    backs: int = 0
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """One position."""

    game: str
    family: str
    title: str
    bottom: Seat
    phase: str
    """In words: "auction", "play", ..."""
    to_move: Seat | None
    status: str
    """Whose turn it is, in one line."""
    header: tuple[Fact, ...]
    seats: tuple[SeatScene, ...]
    """Clockwise, the seat at the bottom first."""
    trick: Trick | None
    last: Trick | None
    """The trick before, if the view still holds it."""
    asides: tuple[Aside, ...]
    choosing: bool = False
    """Whether the cards at the bottom are buttons."""
    notes: tuple[str, ...] = ()

    def seat_at(self, place: str) -> SeatScene | None:
        """The seat at a place of the screen, None where nobody sits."""
        return next((seat for seat in self.seats if seat.place == place), None)


def places_of(seats: int, bottom: Seat) -> tuple[str, ...]:
    """By seat: its place on screen; the next clockwise after the bottom is at the left."""
    return tuple(PLACES[seats][(seat - bottom) % seats] for seat in range(seats))
