"""The law of secrecy: re-deal what a seat cannot see, and nothing that it gets to know changes.

`check` raises SecrecyBroken with the seat, the position and the field that gave a hidden card away.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from laws.course import Spot, seeded
from laws.redeal import Known, module_of, swapped_move

from arena.core.chance import Chance
from arena.core.game import AnyGame, Board, DealData
from arena.record.keys import view_key


class SecrecyBroken(AssertionError):
    """A seat could tell two worlds apart that it must not."""


class OtherWorld(NamedTuple):
    """A board with the running deal written out; deals before it as they were, deals after it quite others."""

    before: Board
    index: int
    data: DealData
    after: Board

    def deal(self, game: AnyGame, index: int, number: int, redeal: int) -> Any:
        if index == self.index:
            return game.read_deal(self.data)
        return (self.before if index < self.index else self.after).deal(game, index, number, redeal)


def check(game: AnyGame, board: Board, spots: list[Spot], position: int, chance: Chance, cards: AnyGame) -> None:
    """Every viewer at one position that is not the last. `cards` is the game without its views: see planted leaks."""
    index = spots[position].deal
    first = next(at for at, spot in enumerate(spots) if spot.deal == index)
    deal = cards.deal_data(cards.deals(spots[position].state)[index])
    moves = [(spot.seat, spot.move) for spot in spots[first:position] if spot.seat is not None and spot.move]
    public = cards.view_data(cards.view(spots[position].state, None))
    for viewer in (*range(cards.seats), None):
        known = Known(cards, deal, moves, viewer, public)
        module = module_of(cards)
        swap = module.swaps(known, chance)
        world = OtherWorld(board, index, module.other_deal(known, swap, chance), seeded(chance.below(2**32)))
        other = game.start(world)
        for at, spot in enumerate(spots[: position + 1]):
            if at >= first:
                compare(game, spot.state, other, viewer, at)
            if at < position:
                assert spot.move is not None
                move = swapped_move(cards, spot.move, swap) if at >= first else spot.move
                other = game.apply(other, move)


def compare(game: AnyGame, state: Any, other: Any, viewer: int | None, at: int) -> None:
    """The same to the viewer's eyes: whose turn it is, view, view as data, view key, legal moves."""
    who = "spectators" if viewer is None else f"seat {viewer}"
    turn = game.to_move(state)
    if turn != game.to_move(other):
        raise SecrecyBroken(f"{game.id}, turn {at}: the turn itself tells {who} of hidden cards")
    mine, yours = game.view(state, viewer), game.view(other, viewer)
    for field, left, right in zip(mine._fields, mine, yours, strict=True):
        if left != right:
            raise SecrecyBroken(f"{game.id}, turn {at}: {field} tells {who} of hidden cards: {left} or {right}")
    if (game.view_data(mine), view_key(mine)) != (game.view_data(yours), view_key(yours)):
        raise SecrecyBroken(f"{game.id}, turn {at}: equal views of {who} are written differently")
    if turn == viewer and turn is not None and game.legal_moves(mine) != game.legal_moves(yours):
        raise SecrecyBroken(f"{game.id}, turn {at}: legal moves tell {who} of hidden cards")
