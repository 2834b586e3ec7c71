"""A slot whose bot is on its author's machine: a line of the door, and another one if the bot comes back in time.

A view is all that a bot needs to go on, so that a bot that lost its connection is told of its games again, with the
turn that waits and what is left of its clock, which never stood still. Its games on a new connection count from 1.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import replace

from arena.bots.manifest import Bot
from arena.match.player import Answer, GameInfo, PlayerGone, Turn
from arena.record.results import GameResult
from arena.wire.door import MOST_GAMES, Door
from arena.wire.line import Line
from arena.wire.player import RemotePlayer
from arena.wire.session import Session


class RemoteSlot:
    """One place of a line-up that a remote bot takes, on one connection at a time."""

    def __init__(self, bot: Bot, door: Door, wait_s: float, reconnect_s: float, most_games: int = MOST_GAMES) -> None:
        """`wait_s`: for its first connection; `reconnect_s`: how long a lost one may be away, 0: not at all.
        `most_games`: at once, whatever its hello says."""
        self.bot = bot
        self._door = door
        self._wait_s = wait_s
        self._reconnect_s = reconnect_s
        self._most_games = most_games
        self._lock = asyncio.Lock()
        self._line: Line | None = None
        self._absent = f"{bot.name}-absent-{secrets.token_hex(4)}"
        """Names, as if it were an exit, that the bot did not come: it counts once, however many games that costs."""
        self._due_at: float | None = None
        """Until when its first connection is waited for; later ones are taken if they are there."""

    async def session(self) -> Session:
        """The session of the bot's connection, or of the next one if it may still come. Raises PlayerGone."""
        async with self._lock:
            line, now = self._line, asyncio.get_running_loop().time()
            if line is None:
                self._due_at = self._due_at if self._due_at is not None else now + self._wait_s
                missing = f"{self.bot.name} did not dial in within {self._wait_s:g} s"
                gone = PlayerGone(missing, code="NO_HELLO", process=self._absent)
                self._line = await self._next(self._due_at - now, gone)
            elif line.session.gone is not None:
                gone = line.session.gone.again()
                if gone.code != "DISCONNECT" or line.revoked or not self._reconnect_s:
                    raise gone
                self._line = await self._next((line.lost_at or now) + self._reconnect_s - now, gone)
            assert self._line is not None, "there is one, or PlayerGone was raised"
            return self._line.session

    async def _next(self, within_s: float, gone: PlayerGone) -> Line:
        """The bot's next connection. Raises `gone` when none comes in time."""
        try:
            async with asyncio.timeout(max(0.0, within_s)):
                line = await self._door.take(self.bot.name)
        except TimeoutError:
            raise gone from None
        line.session.process = f"{self.bot.name}-{secrets.token_hex(4)}"
        return line

    async def concurrent_games(self) -> int:
        """How many games the bot plays at once, as its hello says; waits for it."""
        try:
            return min((await self.session()).concurrent_games, self._most_games)
        except PlayerGone:
            return min(self.bot.concurrent_games, self._most_games)

    async def player(self, family: str) -> ReturningPlayer:
        """A player for one game. Raises PlayerGone."""
        return ReturningPlayer(self, await self.session(), family)

    async def close(self) -> None:
        """Let go of the connection, which stays: another slot may take it. The door says goodbye."""
        async with self._lock:
            if self._line is not None:
                await self._door.release(self._line)
                self._line = None


class ReturningPlayer:
    """The player port of one game over a slot's connections, one after the other."""

    def __init__(self, slot: RemoteSlot, session: Session, family: str) -> None:
        self._slot = slot
        self._family = family
        self._session = session
        self._player = RemotePlayer(session, family)
        self._info: GameInfo | None = None
        self._late: frozenset[int] = frozenset()

    def start(self, info: GameInfo) -> None:
        """Send GameStart."""
        self._info = info
        self._player.start(info)

    async def choose(self, turn: Turn) -> Answer:
        """Ask the bot, over a new connection again with what is left of its time. Raises PlayerGone or BadAnswer."""
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        while True:
            if self._session.gone is not None:
                await self._return()
            try:
                return await self._player.choose(_left(turn, (loop.time() - asked_at) * 1000))
            except PlayerGone:
                if self._session.gone is None:
                    raise

    async def _return(self) -> None:
        """Go on over the slot's next connection. Raises PlayerGone when there is none in time."""
        session = await self._slot.session()
        if session is not self._session:
            assert self._info is not None, "start() comes first"
            self._late |= self._player.late_turns()
            self._session = session
            self._player = RemotePlayer(session, self._family)
            self._player.start(self._info)

    def rejected(self, turn: Turn, code: str, reason: str) -> None:
        """Tell the bot if it is there."""
        self._player.rejected(turn, code, reason)

    def late_turns(self) -> frozenset[int]:
        """Turns whose replies came after their deadlines, on any connection."""
        return self._late | self._player.late_turns()

    def ended(self, result: GameResult) -> None:
        """Send GameOver if the bot is there."""
        self._player.ended(result)


def _left(turn: Turn, spent_ms: float) -> Turn:
    """The turn with what is left of its time."""
    if turn.limit_ms is None or turn.bank_ms is None:
        return turn
    return replace(turn, limit_ms=max(1.0, turn.limit_ms - spent_ms), bank_ms=max(1.0, turn.bank_ms - spent_ms))
