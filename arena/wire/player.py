"""The remote player: one seat of one game, reached over a bot's session."""

from __future__ import annotations

import asyncio
import json

from arena_bot.v1 import arena_pb2 as pb

from arena.core import options
from arena.match.player import Answer, GameInfo, PlayerGone, Turn
from arena.record.results import GameResult, Verdict
from arena.wire.session import Session
from arena.wire.views import ENCODERS, Encoder

VERDICTS = {
    Verdict.FINISHED: pb.VERDICT_FINISHED,
    Verdict.FORFEIT: pb.VERDICT_FORFEIT,
    Verdict.VOID: pb.VERDICT_VOID,
}


class RemotePlayer:
    """Adapter of the player port to one game on a session."""

    def __init__(self, session: Session, family: str) -> None:
        self._session = session
        self._encode: Encoder = ENCODERS[family]
        self._game = session.open_game()
        self._seat = -1

    def start(self, info: GameInfo) -> None:
        """Send GameStart, in one frame with whatever follows at once."""
        self._seat = info.seat
        session = self._session
        if session.gone is not None:
            return
        message = session.event().game_start
        message.game = self._game
        message.ruleset = info.game.id
        for name, value in options.to_data(info.game.ruleset).items():
            message.options[name] = json.dumps(value, separators=(",", ":"))
        message.seat = info.seat
        message.seats = info.game.seats
        partners = [seat for seat in info.game.sides[info.game.side_of(info.seat)] if seat != info.seat]
        if partners:
            message.partner = partners[0]
        if info.clock is not None:
            message.clock.bank_ms, message.clock.increment_ms, message.clock.cap_ms = info.clock
        message.seed = info.seed

    def choose(self, turn: Turn) -> asyncio.Future[Answer]:
        """Ask the bot; the future may bring PlayerGone or BadAnswer."""
        return self._session.ask(self._game, turn, self._encode)

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Tell the bot that the default move was played; no more than code and sentence."""
        if self._session.gone is None:
            message = self._session.event().rejected
            message.game = self._game
            message.turn = turn.number
            message.reason = f"{code}: {reason}"

    def late_turns(self) -> frozenset[int]:
        """Turns whose replies came after their deadlines."""
        return self._session.late_turns(self._game)

    def ended(self, result: GameResult) -> None:
        """Send GameOver and forget the game."""
        if self._session.gone is None:
            message = self._session.event().game_over
            message.game = self._game
            message.verdict = VERDICTS[result.verdict]
            message.scores.extend(int(score) for score in result.scores)
            message.ranks.extend(result.ranks)
            if result.forfeits:
                message.forfeit_seat, message.reason = result.forfeits[0]
            elif result.reason:
                message.reason = result.reason
        self._session.close_game(self._game)


class AbsentPlayer:
    """A seat whose bot could not be started or was given up on: it forfeits at its first turn."""

    def __init__(self, gone: PlayerGone) -> None:
        self._gone = gone

    def start(self, info: GameInfo) -> None:
        """Nobody is there to be told."""

    async def choose(self, turn: Turn) -> Answer:
        """Raises PlayerGone, always."""
        raise self._gone

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Nobody is there to be told."""

    def late_turns(self) -> frozenset[int]:
        """None."""
        return frozenset()

    def ended(self, result: GameResult) -> None:
        """Nobody is there to be told."""
