"""The hands as they were dealt, as cards around a table that is seen from above."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from arena.core.game import AnyGame
from arena.games import catalog
from arena.web.boards.tables import OpenBoard
from arena.web.table import cards
from arena.web.table.scene import places_of


class DealtHand(NamedTuple):
    """One hand."""

    mark: str
    """The seat."""
    place: str
    """bottom, left, top or right."""
    dealer: bool
    cards: tuple[Markup | str, ...]


class Dealt(NamedTuple):
    """One deal."""

    hands: tuple[DealtHand, ...]
    extras: tuple[tuple[str, tuple[Markup | str, ...]], ...]
    """(name, cards): nest, stock, trump card; pitchers as pictures of their own."""


class Diagrams(NamedTuple):
    """All deals of a board."""

    name: str
    """The family."""
    deals: tuple[Dealt, ...]


def diagrams_of(game: AnyGame, board: OpenBoard) -> Diagrams:
    """The deals of a board."""
    family = catalog()[game.id].family
    places = places_of(game.seats, 0)
    deals = []
    for deal in board.deals:
        hands = tuple(
            DealtHand(mark, place, seat == deal.dealer, tuple(_card(text, family, game.id) for text in hand))
            for seat, (mark, place, hand) in enumerate(zip(board.marks, places, deal.hands, strict=True))
        )
        extras = tuple((name, tuple(_card(text, family, game.id) for text in texts)) for name, texts in deal.extras)
        deals.append(Dealt(hands, extras))
    return Diagrams(family, tuple(deals))


def _card(text: str, family: str, game: str) -> Markup | str:
    if text.isdecimal():
        return cards.pitcher(int(text))
    return cards.card(text, family, game=game) if text in cards.pack(family) else text
