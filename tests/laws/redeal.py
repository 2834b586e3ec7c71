"""Re-dealing hidden cards: what the three games have in common.

The cards that a seat has not seen change places among themselves, in the deal and in the moves alike, as if they had
been dealt so. Everything the seat did see stays where it was. The history that comes out need not be one that the rules
would have allowed (a seat may have followed suit no more); that is as well, since no view may depend on it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from arena.core.chance import Chance
from arena.core.game import AnyGame, DealData
from arena.core.moves import Move

Played = list[tuple[int, Move]]
"""The moves of the running deal: seat and move."""


class Known(NamedTuple):
    """What decides how much of a deal a seat has seen."""

    game: AnyGame
    deal: DealData
    moves: Played
    viewer: int | None
    public: Mapping[str, Any]
    """The spectators' view as data."""


class Redeal(Protocol):
    """What each game's module `redeal_<family>` has."""

    def swaps(self, known: Known, chance: Chance) -> dict[str, str]:
        """Hidden card -> the card that takes its place, a permutation of the hidden cards."""

    def other_deal(self, known: Known, swap: Mapping[str, str], chance: Chance) -> dict[str, Any]:
        """The deal with hidden cards swapped and whatever else is hidden changed."""


def module_of(game: AnyGame) -> Redeal:
    """The redeal module of a game."""
    family = type(game).__module__.split(".")[2]
    module: Any = importlib.import_module(f"laws.redeal_{family}")
    return module


def permutation(hidden: Iterable[str], chance: Chance) -> dict[str, str]:
    """The hidden cards in random order."""
    cards = sorted(hidden)
    return dict(zip(cards, chance.shuffled(cards), strict=True))


def swapped(cards: Iterable[str], swap: Mapping[str, str]) -> list[str]:
    """Cards with the hidden ones swapped, places kept."""
    return [swap.get(card, card) for card in cards]


def swapped_hand(game: AnyGame, cards: Iterable[str], swap: Mapping[str, str]) -> list[str]:
    """The same for a hand, put in order again."""
    return sorted(swapped(cards, swap), key=game.notation.names.parse)


def swapped_move(game: AnyGame, move: Move, swap: Mapping[str, str]) -> Move:
    """A move with the hidden cards swapped."""
    names = game.notation.names
    cards = [names.parse(swap.get(names.text(card), names.text(card))) for card in move.cards]
    return move._replace(cards=tuple(sorted(cards)) if len(cards) > 1 else tuple(cards))
