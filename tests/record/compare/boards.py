"""Tables of one board for the tests of this folder: house bots in process, with moves put in on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena_bot import Table
from arena_house import BOTS
from bots_python.practice import Practice, game_start

from arena.core.chance import Chance, board_seed, bot_seed
from arena.core.drivers import expand, random_move
from arena.core.game import AnyGame, SeededBoard
from arena.core.moves import Legal, Move
from arena.games import make
from arena.record.compare import Told
from arena.record.results import GameResult, Verdict
from arena.record.settle import settle
from arena.record.transcript import PlayedMove, played, written
from arena.wire.moves import decode_move

SECRET = b"c" * 32
RULESETS: dict[str, dict[str, Any]] = {
    "crowsnest": {},
    "goat": {},
    "crow_and_pitcher": {"players": 4, "rounds": 1},
}
"""One of each family, a board of each in less than a second."""

Override = Callable[[int, int, Any, Legal, Move], Move]
"""(turn, seat, state, legal, what the bot chose) -> what is played."""


def a_game(name: str, **options: Any) -> AnyGame:
    return make(name, {**RULESETS[name], **options}).single_deal()


def kept(_turn: int, _seat: int, _state: Any, _legal: Legal, chosen: Move) -> Move:
    return chosen


def a_table(
    game: AnyGame,
    label: str,
    bots: Sequence[str] = ("basic",) * 4,
    override: Override = kept,
    *,
    board: int = 1,
    change: Callable[[int, PlayedMove], PlayedMove] = lambda _turn, move: move,
) -> Told:
    """One game of house bots by seat on a board. `change`: what is written of a move: its time, its fault, its note."""
    seed = board_seed(SECRET, game.id, game.describe(), board)
    practice = Practice(game)
    tables = [Table(BOTS[bot]) for bot in bots]
    for seat, table in enumerate(tables):
        table.start(game_start(game, 1, seat, bot_seed(seed, seat)))
    state = game.start(SeededBoard(seed))
    moves: list[PlayedMove] = []
    while (seat := game.to_move(state)) is not None:
        message = practice.turn(state, len(moves), 1)
        reply = tables[seat].turn(message)
        chosen = decode_move(reply.move if reply.HasField("move") else message.legal.moves[reply.choice])
        view = game.view(state, seat)
        legal = game.legal_moves(view)
        move = override(len(moves), seat, state, legal, chosen)
        assert legal.allows(move)
        moves.append(change(len(moves), played(game, seat, move, view, 1.0)))
        state = game.apply(state, move)
    return told(game, label, state, moves, bots)


def random_table(game: AnyGame, label: str, *, board: int = 1, mover: str | None = None) -> Told:
    """One game of random moves, others for another label or `mover`."""
    seed = board_seed(SECRET, game.id, game.describe(), board)
    chance = Chance(seed, "moves", mover or label)
    state = game.start(SeededBoard(seed))
    moves: list[PlayedMove] = []
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        move = random_move(chance, game.legal_moves(view))
        moves.append(played(game, seat, move, view, 1.0))
        state = game.apply(state, move)
    return told(game, label, state, moves, ("random",) * game.seats)


def told(game: AnyGame, label: str, state: Any, moves: list[PlayedMove], bots: Sequence[str]) -> Told:
    result = GameResult(Verdict.FINISHED, *settle(game, state, ()), (), ())
    return Told.of(written(game, state, moves, result, public_id=f"cup-{label}", bots=bots), label)


def throwing(*turns: int, thrown: Move | None = None) -> Override:
    """Plays something else at some turns: a certain move, or the last legal one that the bot did not choose."""

    def override(now: int, _seat: int, _state: Any, legal: Legal, chosen: Move) -> Move:
        if now not in turns:
            return chosen
        return thrown or next((move for move in reversed(list(expand(legal))) if move != chosen), chosen)

    return override
