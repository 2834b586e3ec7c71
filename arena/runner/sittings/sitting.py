"""One game with bots and perhaps a person: starts the bots in their boxes, plays, writes the transcript.

There is no clock that could make a game void: a bot has a few seconds for every move, and who does not answer in them
gets the default move, and after three of those for the rest of the game. Nothing here waits for a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from arena.bots.folders import work_folder
from arena.bots.launcher import LAUNCHER_LOST, Launcher
from arena.bots.manifest import Bot
from arena.core import chance
from arena.core.errors import ArenaFault
from arena.core.game import AnyGame, Seat, SeededBoard
from arena.games import catalog
from arena.match.clock import Clock
from arena.match.player import Answer, BadAnswer, GameInfo, Player, PlayerGone, Turn
from arena.match.referee import MoveRecord, Table, play_game
from arena.record.results import GameResult
from arena.runner.bout import with_transcript
from arena.runner.means import means_kept
from arena.runner.sittings.person import HumanPlayer
from arena.runner.slot import Places, Slot
from arena.wire.player import AbsentPlayer, RemotePlayer

MOVE_S = 5.0
"""How long a bot may think about one move."""
START_S = 30.0
"""How long its start may take: a person waits rather than that a busy machine costs a bot the game."""
BOARD = 1
PERSON = "person"
"""What transcripts call the person."""


@dataclass(frozen=True)
class Plan:
    """A game to be played."""

    id: str
    game: AnyGame
    bots: tuple[Bot | None, ...]
    """By seat, ready to run; None: the person's."""
    secret: bytes = field(repr=False)
    """Fixes the cards; equal secrets give equal cards."""
    move_s: float = MOVE_S
    start_limit_s: float = START_S

    @property
    def seat(self) -> Seat | None:
        """The person's seat."""
        return self.bots.index(None) if None in self.bots else None

    @property
    def board(self) -> SeededBoard:
        """The cards."""
        return SeededBoard(chance.board_seed(self.secret, self.game.id, self.game.describe(), BOARD))


class Step(NamedTuple):
    """A position, and what led to it."""

    state: Any  # Any: the state of whichever game is played
    record: MoveRecord | None
    """None: the cards were dealt."""


class Ending(NamedTuple):
    """How a game ended."""

    result: GameResult
    transcript: Mapping[str, Any]  # Any: JSON


async def play_sitting(plan: Plan, person: HumanPlayer | None, seen: Callable[[Step], None]) -> Ending:
    """Play a game. `seen` is told every position, the first when all bots are ready.

    A bot that does not start, or is lost, forfeits; the others play on. Raises ArenaFault when no bot can be started,
    ConfigError where nothing keeps bots of others apart.
    """
    means = await means_kept([bot for bot in plan.bots if bot is not None])
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(work_folder())
        launcher = await Launcher.open(means)
        stack.push_async_callback(launcher.close)
        slots = {
            seat: Slot(f"{plan.id}-{seat}", bot, launcher, Places(folder, None), plan.start_limit_s)
            for seat, bot in enumerate(plan.bots)
            if bot is not None
        }
        stack.push_async_callback(_close, slots)
        family = catalog()[plan.game.id].family
        players = await asyncio.gather(
            *(_player(slots.get(seat), person, family, plan.move_s) for seat in range(plan.game.seats))
        )
        table = Table(
            game=plan.game,
            board=plan.board,
            players=players,
            seeds=[chance.bot_seed(plan.board.seed, seat) for seat in range(plan.game.seats)],
            clock=None,
            watch=lambda record, state: seen(Step(state, record)),
        )
        seen(Step(plan.game.start(plan.board), None))
        playing = asyncio.create_task(play_game(table))
        lost = asyncio.create_task(launcher.lost.wait())
        try:
            first: list[asyncio.Task[Any]] = [playing, lost]
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                raise ArenaFault(launcher.why_lost, code=LAUNCHER_LOST)
            played = playing.result()
        finally:
            lost.cancel()
            playing.cancel()
            await asyncio.gather(playing, lost, return_exceptions=True)
    bots = [bot.reference if bot is not None else PERSON for bot in plan.bots]
    result = with_transcript(plan.game, played, played.result, plan.id, bots)
    return Ending(result, result.transcript)


async def _close(slots: Mapping[Seat, Slot]) -> None:
    await asyncio.gather(*(slot.close() for slot in slots.values()))


async def _player(slot: Slot | None, person: HumanPlayer | None, family: str, move_s: float) -> Player:
    """The player of a seat."""
    if slot is None:
        assert person is not None, "a seat without a bot has a person"
        return person
    try:
        return Hurried(RemotePlayer(await slot.session(), family), move_s)
    except PlayerGone as gone:
        return AbsentPlayer(gone)


class Hurried:
    """A bot that has so many seconds for every move, at a table without a clock."""

    def __init__(self, player: Player, move_s: float) -> None:
        self._player = player
        self._move_ms = move_s * 1000

    def start(self, info: GameInfo) -> None:
        """The bot is told a clock that comes to the same: the bank never empties."""
        limit = round(self._move_ms)
        self._player.start(replace(info, clock=Clock(100 * limit, limit, limit)))

    async def choose(self, turn: Turn) -> Answer:
        """The bot's move. Raises BadAnswer when its time is over, and what the bot's player raises."""
        asked = replace(turn, limit_ms=self._move_ms, bank_ms=100 * self._move_ms)
        answer = asyncio.ensure_future(self._player.choose(asked))
        try:
            async with asyncio.timeout(self._move_ms / 1000):
                return await answer
        except TimeoutError:
            raise BadAnswer(f"no answer in {self._move_ms:.0f} ms", code="TIMEOUT") from None

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Told to the bot."""
        self._player.rejected(turn, code, reason)

    def late_turns(self) -> frozenset[int]:
        """As the bot's player says."""
        return self._player.late_turns()

    def ended(self, result: GameResult) -> None:
        """Told to the bot."""
        self._player.ended(result)
