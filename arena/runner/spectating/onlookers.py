"""Tells those who look on about the games of a bout, without being felt by the games.

A move costs its game one reference in a list. Twice a second the games that have run for a while are told, the oldest
first, until a small part of the time is used up; files are written by a thread. Whatever goes wrong here, the games go
on untold.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from arena import games
from arena.core import chance
from arena.core.game import SeededBoard
from arena.match.referee import MoveRecord
from arena.record.results import GameKey
from arena.runner.bout import BoutTask, Listener
from arena.runner.spectating import telling
from arena.runner.spectating.room import PLAYED, Room
from arena.store.values import StoredGame, public_id

LOG = logging.getLogger("arena.spectating")
PERIOD_S = 0.5
"""Between two looks; a game is told once it has run so long."""
SHARE = 0.02
"""Of the time, at most, for making lines."""
Result = TypeVar("Result")


class Telling:
    """One running game."""

    def __init__(self, public_id: str, names: tuple[str, ...], began: float) -> None:
        self.public_id = public_id
        self.names = names
        self.began = began
        """By the loop's clock."""
        self.moves: deque[tuple[MoveRecord, Any]] = deque()  # Any: the state of whichever game
        """Those that are yet to be told, each with the state after it."""
        self.headed = False

    def move(self, record: MoveRecord, state: Any) -> None:
        """A move was made."""
        self.moves.append((record, state))


class Onlookers:
    """What is told of one bout."""

    def __init__(self, task: BoutTask) -> None:
        self._task = task
        self._game = games.make(task.game, task.options)
        self._telling: dict[GameKey, Telling] = {}
        self._room: Room | None = None
        self._loop = asyncio.get_running_loop()

    def begin(self, key: GameKey, names: tuple[str, ...]) -> Callable[[MoveRecord, Any], None]:
        """A game begins: what is to be called after each of its moves."""
        told = self._telling[key] = Telling(public_id(self._task.event, key), names, self._loop.time())
        return told.move

    def end(self, key: GameKey) -> None:
        """A game is over: nothing more is told of it."""
        told = self._telling.pop(key, None)
        if told is not None and told.headed and self._room is not None:
            self._room.remove(told.public_id)

    async def keep(self) -> None:
        """Tell, until cancelled or until it cannot be done."""
        try:
            while True:
                await asyncio.sleep(PERIOD_S)
                texts = await self._texts()
                if texts:
                    await to_its_end(asyncio.to_thread(self._write, texts))
        except OSError as error:
            LOG.warning("running games cannot be told: %s", error)
            self.close()

    async def _texts(self) -> dict[str, bytes]:
        """New lines by game, as many as the share allows; the referee's loop is let go on after each."""
        left = SHARE * PERIOD_S
        texts: dict[str, bytes] = {}
        for key, told in list(self._telling.items()):
            if self._loop.time() - told.began < PERIOD_S:
                continue
            lines = []
            while left > 0 and key in self._telling and (told.moves or not told.headed):
                began = self._loop.time()
                lines.append(self._next(key, told))
                left -= self._loop.time() - began
                await asyncio.sleep(0)
            if lines and key in self._telling:
                texts[told.public_id] = b"".join(lines)
        return texts

    def _next(self, key: GameKey, told: Telling) -> bytes:
        game = self._game
        if told.headed:
            record, state = told.moves.popleft()
            return telling.position(game, state, record)
        told.headed = True
        task = self._task
        seed = chance.board_seed(task.secret, game.id, game.describe(), task.cards_of(key.board))
        began = datetime.now(UTC) - timedelta(seconds=self._loop.time() - told.began)
        names = told.names
        if Path(task.live).name == PLAYED:
            names = tuple(task.bots[name].name for name in names)
        heading = telling.heading(game, told.public_id, names, task.options, task.attempt, began)
        return heading + telling.position(game, game.start(SeededBoard(seed)))

    def _write(self, texts: dict[str, bytes]) -> None:
        """In a thread. What has ended meanwhile is not told any more."""
        if self._room is None:
            self._room = Room(Path(self._task.live))
        self._room.add(texts)
        running = {each.public_id for each in list(self._telling.values())}
        for each in set(texts) - running:
            self._room.remove(each)

    def close(self) -> None:
        """The bout is over."""
        room, self._room = self._room, None
        if room is not None:
            room.close()


async def to_its_end(thread: Awaitable[Result]) -> Result:
    """Wait for a thread, also when cancelled: a room is not closed while somebody writes in it."""
    working = asyncio.ensure_future(thread)
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait({working})
        raise


@asynccontextmanager
async def looked_on(task: BoutTask, listener: Listener) -> AsyncIterator[Listener]:
    """A listener that hears what another one does, and lets others look on while the block lasts."""
    if not task.live:
        yield listener
        return
    onlookers = Onlookers(task)

    def ended(game: StoredGame) -> None:
        onlookers.end(game.key)
        listener.ended(game)

    def begin(key: GameKey, names: tuple[str, ...]) -> Callable[[MoveRecord, Any], None]:
        moved = onlookers.begin(key, names)
        if listener.watch is None:
            return moved
        watching = listener.watch(key, names)

        def both(record: MoveRecord, state: Any) -> None:
            moved(record, state)
            watching(record, state)

        return both

    telling = asyncio.create_task(onlookers.keep())
    try:
        yield replace(listener, ended=ended, watch=begin)
    finally:
        telling.cancel()
        with suppress(asyncio.CancelledError):
            await telling
        onlookers.close()
