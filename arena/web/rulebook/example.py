"""A hand of each game to step through: always the same cards, moves drawn by chance among those that are legal."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from arena import games
from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import AnyGame, SeededBoard

SEED = sha256(b"an example of the rules").digest()


class Moment(NamedTuple):
    """One position of the example."""

    views: dict[int, dict[str, Any]]  # Any: JSON
    """What each seat may know, by seat."""
    to_move: int | None
    last: tuple[int, str, dict[str, Any], dict[str, Any]] | None
    """The move that led here: seat, text, what spectators saw before and after it. None at the beginning."""


@lru_cache(maxsize=16)
def example(game_id: str) -> tuple[AnyGame, tuple[Moment, ...]]:
    """The example of a game, one deal of it. Raises ConfigError for an unknown game."""
    game = games.make(game_id).single_deal()
    board = SeededBoard(SEED)
    state = game.start(board)
    moments = [Moment(_views(game, state), game.to_move(state), None)]
    before = game.view_data(game.view(state, None))
    for step in play_random(game, board, Chance(SEED, "moves")):
        after = game.view_data(game.view(step.state, None))
        last = (step.seat, game.notation.text(step.move), before, after)
        moments.append(Moment(_views(game, step.state), game.to_move(step.state), last))
        before = after
    return game, tuple(moments)


def _views(game: AnyGame, state: Any) -> dict[int, dict[str, Any]]:
    return {seat: game.view_data(game.view(state, seat)) for seat in range(game.seats)}
