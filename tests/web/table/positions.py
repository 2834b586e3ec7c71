"""Positions of random matches and what each viewer may see of them, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from laws.course import Spot, random_match, seeded
from laws.redeal import Known, module_of, swapped_move
from laws.secrecy import OtherWorld

from arena.core.chance import Chance
from arena.core.game import AnyGame
from arena.web.table import Choices, Scene, choices_of, scene_of

NAMES = ("fox", "owl", "<b>&\"'", "heron@12")
Shown = dict[int, Mapping[str, Any]]


def names_of(game: AnyGame) -> tuple[str, ...]:
    return NAMES[: game.seats]


def seen_by(game: AnyGame, state: Any, *seats: int) -> Shown:
    """Views as data of some seats, -1 for spectators."""
    return {seat: game.view_data(game.view(state, None if seat < 0 else seat)) for seat in seats}


def viewpoints(game: AnyGame, state: Any) -> list[tuple[Shown, int]]:
    """Every viewpoint of a position with the seat at the bottom: spectators, each seat, all hands."""
    single = [(seen_by(game, state, seat), seat) for seat in range(game.seats)]
    return [(seen_by(game, state, -1), 0), *single, (seen_by(game, state, *range(game.seats)), 1)]


def scene_at(game: AnyGame, spot: Spot, shown: Shown, bottom: int, choices: Choices | None = None) -> Scene:
    return scene_of(game, shown, bottom=bottom, names=names_of(game), to_move=spot.seat, choices=choices)


def choosing(game: AnyGame, spot: Spot) -> Choices | None:
    """The choices of the seat to move."""
    assert spot.seat is not None
    view = game.view(spot.state, spot.seat)
    return choices_of(game, game.view_data(view), game.notation.legal_data(game.legal_moves(view)))


def find(game: AnyGame, wanted: Any, numbers: range = range(40)) -> Spot:
    """The first position of some random matches whose view of the seat to move is as wanted."""
    for number in numbers:
        for spot in random_match(game, number):
            if spot.seat is not None and wanted(game.view_data(game.view(spot.state, spot.seat))):
                return spot
    raise AssertionError("no such position")


def other_worlds(game: AnyGame, number: int, position: int) -> Iterator[tuple[int, Spot, Any]]:
    """For each viewer of a position, -1 for spectators: the position, and the state in a world in which all cards that
    the viewer has not seen lie elsewhere."""
    board = seeded(number)
    spots = random_match(game, number, board)
    spot = spots[position % (len(spots) - 1)]
    first = next(at for at, other in enumerate(spots) if other.deal == spot.deal)
    before = spots[first : spots.index(spot)]
    moves = [(other.seat, other.move) for other in before if other.seat is not None and other.move is not None]
    deal = game.deal_data(game.deals(spot.state)[spot.deal])
    chance = Chance(number.to_bytes(8, "big"), "elsewhere", position)
    for viewer in (-1, *range(game.seats)):
        known = Known(game, deal, moves, viewer if viewer >= 0 else None, seen_by(game, spot.state, -1)[-1])
        swap = module_of(game).swaps(known, chance)
        data = module_of(game).other_deal(known, swap, chance)
        state = game.start(OtherWorld(board, spot.deal, data, seeded(chance.below(2**32))))
        for at, other in enumerate(spots[: spots.index(spot)]):
            assert other.move is not None
            state = game.apply(state, swapped_move(game, other.move, swap) if at >= first else other.move)
        yield viewer, spot, state
