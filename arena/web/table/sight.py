"""What a viewer sees, as the families read it: views as data, who sits where, what may be chosen. Knows no family."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.games import catalog
from arena.record.text import seat_names
from arena.web.table import cards
from arena.web.table.scene import YOU, CardFace, Choices, Fact, Play, SeatScene, places_of

View = Mapping[str, Any]
"""A view as data, as `Game.view_data` makes it."""
PUBLIC: Seat = -1


class Sight:
    """One position through the eyes of a viewer. Raises ValueError for views or names that do not fit the game."""

    def __init__(
        self,
        game: AnyGame,
        shown: Mapping[Seat, View],
        bottom: Seat,
        names: Sequence[str],
        to_move: Seat | None,
        choices: Choices | None,
    ) -> None:
        if len(names) != game.seats:
            raise ValueError(f"{len(names)} names for the {game.seats} seats of {game.id}")
        if not shown or not set(shown) <= {PUBLIC, *range(game.seats)}:
            raise ValueError(f"views of {sorted(shown)}; {game.id} has seats 0 to {game.seats - 1}, -1 for spectators")
        if not 0 <= bottom < game.seats:
            raise ValueError(f"seat {bottom} cannot be at the bottom of a table of {game.seats}")
        self.game = game
        self.shown = shown
        self.bottom = bottom
        self.names = tuple(names)
        self.to_move = to_move
        self.choices = choices
        self.family = catalog()[game.id].family
        self.marks = seat_names(game.seats)
        self.places = places_of(game.seats, bottom)

    @cached_property
    def eyes(self) -> tuple[Seat, ...]:
        """The seats whose views are shown."""
        return tuple(sorted(seat for seat in self.shown if seat != PUBLIC))

    @cached_property
    def view(self) -> View:
        """The view that public facts are read from: of the only seat, else of spectators, else of the first seat."""
        only = self.eyes[0] if len(self.eyes) == 1 else PUBLIC
        return self.shown.get(only, self.shown[min(self.shown)])

    def own(self, seat: Seat) -> View | None:
        """The view of a seat, None where it is not shown."""
        return self.shown.get(seat)

    def called(self, seat: Seat) -> str:
        """Short name and name: "W fox"; the short name alone where that is its name, "You" for a seat so named."""
        mark, name = self.marks[seat], self.names[seat]
        if name == YOU:
            return YOU
        return mark if name in ("", mark) else f"{mark} {name}"

    def takes(self, seat: Seat, complete: bool) -> str:
        """Who takes a trick: "W fox takes it so far", "You took it"."""
        if complete:
            return f"{self.called(seat)} took it"
        return f"{self.called(seat)} {'take' if self.names[seat] == YOU else 'takes'} it so far"

    def side(self, side: int) -> str:
        """A side by its seats: "S/N"."""
        return "/".join(self.marks[seat] for seat in self.game.sides[side])

    def by_side(self, points: Sequence[int]) -> str:
        """Numbers by side in one line: "S/N 25 · W/E −10"."""
        return " · ".join(f"{self.side(side)} {signed(value)}" for side, value in enumerate(points))

    def face(self, text: str, *, trump: bool = False, mark: str = "") -> CardFace:
        """A card to be seen."""
        return _face(text, self.family, self.game.id, trump, mark)

    def chosen(self, seat: Seat, face: CardFace, preview: str = "") -> CardFace:
        """A card of a hand, with whether it may be played where that seat is choosing."""
        if self.choices is None or seat != self.bottom or face.text not in self.choices.cards:
            return face
        reason = self.choices.cards[face.text]
        return CardFace(face.text, face.name, face.trump, face.mark, not reason, reason, preview if not reason else "")

    def seat(
        self,
        seat: Seat,
        *,
        hand: tuple[CardFace, ...] | None,
        count: int,
        facts: Iterable[Fact],
        calls: Iterable[str] = (),
        declarer: bool = False,
    ) -> SeatScene:
        """A seat at its place."""
        return SeatScene(
            seat=seat,
            place=self.places[seat],
            mark=self.marks[seat],
            name=self.names[seat],
            relation=self._relation(seat),
            hand=hand,
            count=count,
            facts=tuple(facts),
            calls=tuple(calls),
            dealer=seat == self.view["dealer"],
            to_move=seat == self.to_move,
            declarer=declarer,
        )

    def _relation(self, seat: Seat) -> str:
        if seat == self.bottom:
            return "you" if self.choices is not None else ""
        same = self.game.side_of(seat) == self.game.side_of(self.bottom)
        return "partner" if same and self.eyes == (self.bottom,) else ""

    def play(self, seat: Seat, did: str, faces: Iterable[CardFace], **more: Any) -> Play:  # Any: fields of Play
        """What a seat put down."""
        return Play(seat, self.places[seat], self.marks[seat], self.names[seat], did, tuple(faces), **more)

    def clockwise(self) -> Iterable[Seat]:
        """All seats, the one at the bottom first."""
        return [(self.bottom + step) % self.game.seats for step in range(self.game.seats)]


@lru_cache(maxsize=4096)
def _face(text: str, family: str, game: str, trump: bool, mark: str) -> CardFace:
    return CardFace(text, cards.full_name(text, family, game), trump, mark)


def signed(value: int) -> str:
    """A number with a real minus sign."""
    return str(value).replace("-", "−")
