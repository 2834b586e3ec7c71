"""Transcripts for the tests of this floor: random play with faults put in, written as the referee would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena import games
from arena.core.chance import Chance, board_seed
from arena.core.drivers import random_move
from arena.core.game import SeededBoard
from arena.record.results import Fault, FaultClass, GameResult, Verdict
from arena.record.settle import settle
from arena.record.transcript import Transcript, played, written

SECRET = b"s" * 32
BOARD = 3


def a_transcript(
    game_id: str,
    options: Mapping[str, Any] | None = None,
    faults: Mapping[int, str] | None = None,
    secret: bytes = SECRET,
) -> Transcript:
    """A game on board 3 of the secret. `faults`: turn -> code; CRASH forfeits, others count, the third one forfeits."""
    faults = faults or {}
    game = games.make(game_id, options or {})
    seed = board_seed(secret, game.id, game.describe(), BOARD)
    chance = Chance(seed, "test moves")
    state = game.start(SeededBoard(seed))
    moves, booked = [], []
    strikes: dict[int, int] = {}
    forfeits: dict[int, str] = {}
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        turn = len(moves)
        code = forfeits.get(seat) or faults.get(turn, "")
        if code and seat not in forfeits:
            strikes[seat] = strikes.get(seat, 0) + 1
            out = code == "CRASH" or strikes[seat] == 3
            booked.append(Fault(seat, code, FaultClass.FORFEIT if out else FaultClass.DECISION, turn, 5000, "why"))
            if out:
                forfeits[seat] = code
        move = game.default_move(view) if code else random_move(chance, game.legal_moves(view))
        moves.append(played(game, seat, move, view, 1.4, code, "my note" if turn == 2 else ""))
        state = game.apply(state, move)
    settled = settle(game, state, forfeits)
    verdict = Verdict.FORFEIT if forfeits else Verdict.FINISHED
    result = GameResult(verdict, *settled, tuple(forfeits.items()), tuple(booked))
    bots = [f"bot{seat % len(game.sides)}" for seat in range(game.seats)]
    return written(game, state, moves, result, public_id="cup-r1-b3", bots=bots)
