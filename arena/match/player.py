"""The player port: what the referee needs from whoever sits in a seat, and nothing about how they are reached.

Adapters: `arena.wire.player.RemotePlayer` (a bot process), `InProcessPlayer` and `ScriptedPlayer` here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from arena.core.errors import BotError
from arena.core.game import AnyGame, Seat
from arena.core.moves import Legal, Move
from arena.match.clock import Clock
from arena.record.results import GameResult


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a seat is told when its game starts."""

    game: AnyGame
    seat: Seat
    clock: Clock | None
    seed: int
    """64 bits for the bot's own generator."""


@dataclass(slots=True)
class Turn:
    """One decision put to a seat. The limit is None in games without a clock."""

    number: int
    seat: Seat
    view: Any  # Any: the view of whichever game is played
    legal: Legal
    limit_ms: float | None
    bank_ms: float | None


class Answer(NamedTuple):
    """What a seat chose."""

    move: Move
    read_at: float
    """When the answer was read, on the referee's clock, in seconds."""
    note: str = ""


class PlayerGone(BotError):
    """The player cannot answer any more (crashed, exited, disconnected, never started): class F, or Q.

    `process` names the exit, so that it counts once however many games it ended. `attempt`: it was an attempt on
    identity, class Q. `overload`: evidence that the arena was to blame, not the bot; the game is void then.
    """

    def __init__(
        self,
        message: str,
        *,
        where: str = "",
        saw: str = "",
        fix: str = "",
        code: str = "",
        process: str = "",
        attempt: bool = False,
        overload: Mapping[str, Any] | None = None,  # Any: JSON
    ) -> None:
        super().__init__(message, where=where, saw=saw, fix=fix, code=code)
        self.process = process
        self.attempt = attempt
        self.overload = overload

    def again(self) -> PlayerGone:
        """The same, to be raised once more."""
        return PlayerGone(
            self.message, code=self.code, process=self.process, attempt=self.attempt, overload=self.overload
        )


class BadAnswer(BotError):
    """The player answered, but not with a move that can be played: class D."""


class Player(Protocol):
    """One seat of one game."""

    def start(self, info: GameInfo) -> None:
        """The game begins; nothing is awaited from the player yet."""

    def choose(self, turn: Turn) -> Awaitable[Answer]:
        """The seat's move: a coroutine or a future, cancelled at the deadline. Raises PlayerGone or BadAnswer."""
        ...

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """The last answer was not taken; the default move was played."""

    def late_turns(self) -> frozenset[int]:
        """Turns whose answers came after their deadlines."""
        ...

    def ended(self, result: GameResult) -> None:
        """The game is over. Everyone always gets this."""


class InProcessPlayer:
    """A player that is a function of (view, legal), for tests and tools."""

    def __init__(self, choose: Callable[[Any, Legal], Move]) -> None:
        self._choose = choose
        self.result: GameResult | None = None

    def start(self, info: GameInfo) -> None:
        """Nothing to prepare."""

    async def choose(self, turn: Turn) -> Answer:
        """Ask the function."""
        return Answer(self._choose(turn.view, turn.legal), asyncio.get_running_loop().time())

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Functions do not listen."""

    def late_turns(self) -> frozenset[int]:
        """Functions are never late."""
        return frozenset()

    def ended(self, result: GameResult) -> None:
        """Keep the result for whoever asks."""
        self.result = result


class Delay(NamedTuple):
    """A scripted step: think this long, then answer."""

    seconds: float
    move: Move


class ScriptedPlayer:
    """A player that follows a script, one step a turn, and the default move when it is used up.

    A step is a Move, a Delay, None (silence) or an exception to raise.
    """

    def __init__(self, steps: Iterable[Move | Delay | BotError | None] = (), late: Iterable[int] = ()) -> None:
        self._steps = list(steps)
        self._late = frozenset(late)
        self._game: AnyGame | None = None
        self.turns: list[Turn] = []
        self.rejections: list[tuple[int, str]] = []
        self.result: GameResult | None = None

    def start(self, info: GameInfo) -> None:
        """Remember the game for its default moves."""
        self._game = info.game

    async def choose(self, turn: Turn) -> Answer:
        """Play the next step."""
        self.turns.append(turn)
        loop = asyncio.get_running_loop()
        assert self._game is not None, "start() comes first"
        if not self._steps:
            return Answer(self._game.default_move(turn.view), loop.time())
        match self._steps.pop(0):
            case None:
                await loop.create_future()
                raise AssertionError("a silent step never ends by itself")
            case Delay(seconds, move):
                await asyncio.sleep(seconds)
                return Answer(move, loop.time())
            case BotError() as fault:
                raise fault
            case move:
                return Answer(move, loop.time())

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Keep it for the test."""
        self.rejections.append((turn.number, code))

    def late_turns(self) -> frozenset[int]:
        """As scripted."""
        return self._late

    def ended(self, result: GameResult) -> None:
        """Keep the result for the test."""
        self.result = result
