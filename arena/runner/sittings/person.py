"""A person as a player: a turn waits for an answer that comes from a page, once, whatever is sent twice.

An answer names its turn, so that one sent again after a reload finds the turn gone and changes nothing. Who does not
answer for long is played for by the default moves from then on. Knows no page.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable
from typing import NamedTuple

from arena.core.errors import ArenaError, IllegalMove, MalformedMove
from arena.core.game import AnyGame, check_legal
from arena.core.moves import Move
from arena.match.clock import Clock, SeatClock
from arena.match.player import Answer, GameInfo, Turn
from arena.record.results import GameResult

AWAY_S = 600.0
"""How long a person may think when there is no clock."""


class Patience(NamedTuple):
    """How long a person may think in all at one table, so that others get one: like a clock that is never seen by who
    answers within `turn_s` as a rule. The time of bots, and that in line, does not count."""

    bank_s: float
    turn_s: float
    """What every turn adds."""
    most_s: float
    """The whole table, whatever its turns add up to."""

    def left_s(self, turns: int, thought_s: float) -> float:
        """What is left at the person's turn number `turns`, counted from 1, after so much thinking."""
        return max(0.0, min(self.bank_s + self.turn_s * turns, self.most_s) - thought_s)


PATIENCE = Patience(1800.0, 60.0, 4 * 3600.0)
MISSED = 3
"""So many turns in a row that ran out of the chosen clock mean that nobody is there."""


class Taken(enum.Enum):
    """What became of an answer."""

    PLAYED = "played"
    STALE = "stale"
    """The turn was answered otherwise, or is not there yet: nothing was done."""
    AGAIN = "again"
    """The turn was answered with just this: it was sent once more, and nothing was done."""


class Refused(ArenaError):
    """An answer that is no legal move; the turn still waits."""

    code = "ILLEGAL"


class HumanPlayer:
    """Adapter of the player port to a person. All methods are called in the loop of the game."""

    def __init__(
        self,
        away_s: float = AWAY_S,
        clock: Clock | None = None,
        changed: Callable[[], None] = lambda: None,
        patience: Patience = PATIENCE,
    ) -> None:
        """`clock`: the person's own; `changed` is called when a turn begins to wait."""
        self.away = ""
        """Why the default moves are played from now on; empty while somebody is there."""
        self._away_s = away_s
        self._clock = SeatClock.new(clock) if clock is not None else None
        self._changed = changed
        self._game: AnyGame | None = None
        self._turn: Turn | None = None
        self._answer: asyncio.Future[Move] | None = None
        self._until = 0.0
        self._now: Callable[[], float] = lambda: 0.0
        self._next: tuple[int, Move] | None = None
        self._taken: tuple[int, str, str] | None = None
        """The answer that was played last."""
        self._missed = 0
        self._patience = patience
        self._turns = 0
        self._thought_s = 0.0

    def start(self, info: GameInfo) -> None:
        """The game begins."""
        self._game = info.game

    @property
    def waiting(self) -> int | None:
        """The number of the turn that waits for an answer."""
        return self._turn.number if self._turn is not None else None

    def left_s(self) -> float | None:
        """Seconds until the default move is played for the turn that waits. Any thread may ask."""
        if self._turn is None:
            return None
        return max(0.0, self._until - self._now())

    async def choose(self, turn: Turn) -> Answer:
        """The person's move, or the default move when nobody answers."""
        loop = asyncio.get_running_loop()
        self._now = loop.time
        began = loop.time()
        planned, self._next = self._next, None
        if planned is not None and planned[0] == turn.number and turn.legal.allows(planned[1]):
            return Answer(planned[1], loop.time())
        if self.away:
            return self._default(turn)
        self._turns += 1
        in_all_s = self._patience.left_s(self._turns, self._thought_s)
        limit_s = min(self._away_s, in_all_s, *(() if self._clock is None else (self._clock.limit_ms() / 1000,)))
        self._until = began + limit_s
        self._turn, self._answer = turn, loop.create_future()
        self._changed()
        try:
            await asyncio.wait({self._answer}, timeout=limit_s)
            if self._answer.done() and not self.away:
                self._missed = 0
                return Answer(self._answer.result(), loop.time())
            if not self.away:
                self._miss(turn, limit_s, in_all_s)
            return self._default(turn)
        finally:
            self._thought_s += loop.time() - began
            if self._clock is not None:
                self._clock.spend((loop.time() - began) * 1000)
            self._turn = self._answer = None

    def _miss(self, turn: Turn, limit_s: float, in_all_s: float) -> None:
        """A turn ran out of time."""
        self._missed += 1
        if limit_s >= in_all_s:
            self.away = f"the time for all moves of one table was over at turn {turn.number}"
        elif self._clock is None or limit_s >= self._away_s:
            self.away = f"nobody answered for {_in_words(limit_s)} at turn {turn.number}"
        elif self._missed >= MISSED:
            self.away = f"{MISSED} turns in a row ran out of time, the last was turn {turn.number}"

    def _default(self, turn: Turn) -> Answer:
        assert self._game is not None, "a game has begun"
        why = self.away or "out of time"
        return Answer(self._game.default_move(turn.view), asyncio.get_running_loop().time(), f"default move: {why}")

    def answer(self, number: int, text: str, then: str = "") -> Taken:
        """Answer turn `number` with a move; `then` is the answer to the turn after it, if that is the same seat's.

        Raises Refused for what is no legal move; nothing is done then, and the turn still waits.
        """
        turn, waiting, game = self._turn, self._answer, self._game
        if turn is None or waiting is None or game is None or waiting.done() or turn.number != number:
            return Taken.AGAIN if self._taken == (number, text, then) else Taken.STALE
        try:
            move = game.notation.parse(text)
            check_legal(game.notation, turn.legal, move)
            self._next = (number + 1, game.notation.parse(then)) if then else None
        except (IllegalMove, MalformedMove) as error:
            raise Refused(error.message, where=f"turn {number}", saw=repr(text), fix=error.fix) from None
        waiting.set_result(move)
        self._taken = (number, text, then)
        return Taken.PLAYED

    def leave(self, why: str) -> None:
        """The person goes: the default moves are played from now on, at this turn too."""
        self.away = self.away or why
        if self._answer is not None and self._turn is not None and not self._answer.done():
            assert self._game is not None, "a game has begun"
            self._answer.set_result(self._game.default_move(self._turn.view))

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Only legal moves are answered: never called."""

    def late_turns(self) -> frozenset[int]:
        """None: who is late is played for."""
        return frozenset()

    def ended(self, result: GameResult) -> None:
        """The page tells it."""


def _in_words(seconds: float) -> str:
    return f"{seconds / 60:g} min" if seconds >= 60 else f"{seconds:g} s"
