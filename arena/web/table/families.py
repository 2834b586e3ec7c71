"""From a game's views to a scene, and from its legal moves to choices: the entrance for every game alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from arena.core.game import AnyGame, Seat
from arena.games import catalog
from arena.web.table import crow, goat, rook
from arena.web.table.scene import Aside, Choices, Fact, Scene, SeatScene, Trick
from arena.web.table.sight import Sight, View

LegalData = Sequence[str] | Mapping[str, object]
"""Legal moves as `Notation.legal_data` writes them."""


class Table(Protocol):
    """What each family makes of a sight."""

    @property
    def phase(self) -> str:
        """What is going on, in words."""

    def doing(self) -> str:
        """What the seat to move has to do: "to bid"."""

    def header(self) -> tuple[Fact, ...]:
        """Facts of the whole table."""

    def seats(self) -> tuple[SeatScene, ...]:
        """All seats, clockwise from the bottom."""

    def trick(self) -> Trick | None:
        """The trick on the table; None before there is one."""

    def last(self) -> Trick | None:
        """The trick before, if the view still holds it."""

    def asides(self) -> tuple[Aside, ...]:
        """What lies beside the table."""


class Family(NamedTuple):
    """The functions of a family's module."""

    table: Callable[[Sight], Table]
    why_not: Callable[[AnyGame, View, str], str]


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "rook": Family(rook.table, rook.why_not),
        "crow": Family(crow.table, crow.why_not),
        "goat": Family(goat.table, goat.why_not),
    }
)


def family_of(game: AnyGame) -> Family:
    """The family of a game."""
    return FAMILIES[catalog()[game.id].family]


def scene_of(
    game: AnyGame,
    shown: Mapping[Seat, View],
    *,
    bottom: Seat,
    names: Sequence[str],
    to_move: Seat | None,
    choices: Choices | None = None,
    notes: Sequence[str] = (),
) -> Scene:
    """A position as a viewer may see it.

    `shown`: views as data by seat, of those seats that the viewer may look through, -1 for spectators. One seat: its
    own hand is open, others are backs; all seats: an open table; -1 alone: no hand. A hand whose view is not in `shown`
    cannot be in the scene. `bottom`: the seat at the bottom; the next clockwise is at the left, a partner on top.
    `names` by seat. `choices`: what the seat at the bottom may play, for a person at the table. `notes`: lines under
    the header.

    Raises ValueError for views, names or seats that do not fit the game.
    """
    sight = Sight(game, shown, bottom, names, to_move, choices)
    table = family_of(game).table(sight)
    mine = to_move is not None and to_move == bottom and choices is not None
    who = "" if to_move is None else "Your turn" if mine else sight.called(to_move)
    return Scene(
        game=game.id,
        family=sight.family,
        title=game.title,
        bottom=bottom,
        phase=table.phase,
        to_move=to_move,
        status=f"{who} {table.doing()}".strip() if who else "The game is over" if table.phase == "over" else "",
        header=table.header(),
        seats=table.seats(),
        trick=table.trick(),
        last=table.last(),
        asides=table.asides(),
        choosing=choices is not None,
        notes=tuple(notes),
    )


def why_not(game: AnyGame, view: View, legal: LegalData) -> dict[str, str]:
    """Card of the own hand that is part of no legal move -> why, in words of the game: "green was led; you hold G9".

    `view` and `legal` are those of the seat to move, as data.
    """
    playable = _playable(game, legal)
    reason = family_of(game).why_not
    return {text: reason(game, view, text) for text in view["hand"] if text not in playable}


def choices_of(game: AnyGame, view: View, legal: LegalData) -> Choices | None:
    """What the seat to move may do with its cards; None where no legal move has a card (bidding, naming trump)."""
    if not _playable(game, legal):
        return None
    reasons = why_not(game, view, legal)
    return Choices({text: reasons.get(text, "") for text in view["hand"]})


def _playable(game: AnyGame, legal: LegalData) -> set[str]:
    """All cards of the legal moves."""
    if isinstance(legal, Mapping):
        cards = legal["from"]
        assert isinstance(cards, list), f"legal moves without cards to choose from: {legal!r}"
        return {str(text) for text in cards}
    parse, names = game.notation.parse, game.notation.names
    return {names.text(card) for move in legal for card in parse(move).cards}
