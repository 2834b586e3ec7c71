"""Random matches for the laws: every position with the deal it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.core.chance import Chance
from arena.core.drivers import random_move
from arena.core.game import AnyGame, Board, SeededBoard
from arena.core.moves import MOLODKA, PASS, Kind, Legal, LegalList, Move

CALM = 3
"""Of four chances to outbid, beat or interrupt, about this many are left alone in calm play."""


class Spot(NamedTuple):
    """A position of a match."""

    state: Any
    seat: int | None
    """To move; None at the end."""
    move: Move | None
    """What was played from here."""
    deal: int
    """Index of its deal."""


def seeded(number: int) -> Board:
    return SeededBoard(number.to_bytes(32, "big"))


def random_match(game: AnyGame, number: int, board: Board | None = None) -> list[Spot]:
    """A match on the board `number`; of odd numbers calm, so that auctions end low and all-pass deals come up."""
    chance = Chance(number.to_bytes(8, "big"), "laws")
    pick = calm_move if number % 2 else random_move
    return list(match(game, board or seeded(number), lambda legal: pick(chance, legal)))


def match(game: AnyGame, board: Board, choose: Any) -> Iterator[Spot]:
    state = game.start(board)
    while (seat := game.to_move(state)) is not None:
        move = choose(game.legal_moves(game.view(state, seat)))
        yield Spot(state, seat, move, len(game.deals(state)) - 1)
        state = game.apply(state, move)
    yield Spot(state, None, None, len(game.deals(state)) - 1)


def calm_move(chance: Chance, legal: Legal) -> Move:
    """Mostly passes, seldom jumps; calls every molodka; leads several cards where it can."""
    if isinstance(legal, LegalList) and len(legal.moves) > 1:
        moves = legal.moves
        if MOLODKA in moves:
            return MOLODKA
        if PASS in moves:
            return PASS if chance.below(4) < CALM else moves[1]
        if moves[0].kind is Kind.LEAD:
            return moves[-1 - chance.below(min(3, len(moves)))]
        if moves[0].kind is Kind.BEAT and chance.below(2):
            return moves[0]
    return random_move(chance, legal)
