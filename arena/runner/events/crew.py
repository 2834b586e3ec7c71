"""Plays the bouts of an event with remote bots: one referee in this process, since here is the door they dialled in at.

Bouts run side by side, but no remote bot plays at two tables at once: its connections are those of one table's seats.
Bots of this machine are started as everywhere, in boxes of their own.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace

from arena.bots.launcher import Launcher
from arena.bots.sandbox.means import Means
from arena.core.errors import ArenaFault
from arena.runner.bout import BoutTask, Listener, Remotes, play_bout
from arena.runner.crew import HOPELESS, MAX_NAME, MAX_TRIES, Missing, Stop
from arena.runner.spectating.onlookers import looked_on
from arena.store.values import StoredGame

TABLES = 32
"""Most bouts at once."""


@dataclass(frozen=True, slots=True)
class Over:
    """A bout has come to its end."""

    number: int
    task: BoutTask
    tries: int
    arrived: frozenset[tuple[int, int]]
    error: Exception | None = None


class EventCrew:
    """`Players` for tasks in which remote bots sit."""

    def __init__(
        self, stop: Stop, means: Means, remotes: Remotes, begin: Callable[[], Awaitable[bool]], tables: int = TABLES
    ) -> None:
        """`begin`: awaited before the first task is asked for; False: nothing is to be played."""
        self._stop = stop
        self._means = means
        self._remotes = remotes
        self._begin = begin
        self._tables = tables
        self._tasks: Iterator[BoutTask | None] = iter(())
        self._waiting: deque[tuple[BoutTask, int]] = deque()
        self._playing: dict[int, tuple[asyncio.Task[None], BoutTask]] = {}
        """By number, until its end was taken note of."""
        self._count = 0
        self._games: dict[int, int] = {}
        self._events: asyncio.Queue[StoredGame | Over] = asyncio.Queue()
        self._name = worker_name()

    @property
    def running(self) -> int:
        """Games running now."""
        return sum(self._games.values())

    @property
    def idle(self) -> bool:
        """Whether no further event waits to be taken."""
        return self._events.empty()

    def put_again(self, task: BoutTask) -> None:
        """Give a task out again, before new ones."""
        self._waiting.appendleft((task, 0))

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        """Play all tasks; yields games as they end. Ends early when told to stop. Raises ArenaFault when the arena
        itself cannot go on."""
        if not await self._begin():
            return
        self._tasks = tasks
        killer = asyncio.create_task(self._kill_when_told())
        try:
            while True:
                self._start_what_can()
                if not self._playing and self._events.empty():
                    return
                event = await self._events.get()
                if isinstance(event, StoredGame):
                    yield event
                elif (missing := self._over(event)) is not None:
                    yield missing
        finally:
            killer.cancel()
            playing = [each for each, _ in self._playing.values()]
            for each in playing:
                each.cancel()
            await asyncio.gather(killer, *playing, return_exceptions=True)

    def _start_what_can(self) -> None:
        """Begin bouts while there is room and one in which nobody plays already."""
        while not self._stop.soft.is_set() and len(self._playing) < self._tables:
            found = self._next()
            if found is None:
                return
            task, tries = found
            self._count += 1
            self._playing[self._count] = asyncio.create_task(self._bout(self._count, task, tries + 1)), task

    def _next(self) -> tuple[BoutTask, int] | None:
        busy = {name for _, task in self._playing.values() for name in remote_in(task)}
        for place, (task, _) in enumerate(self._waiting):
            if busy.isdisjoint(remote_in(task)):
                found = self._waiting[place]
                del self._waiting[place]
                return found
        while (task_or_none := next(self._tasks, None)) is not None:
            if busy.isdisjoint(remote_in(task_or_none)):
                return task_or_none, 0
            self._waiting.append((task_or_none, 0))
        return None

    async def _bout(self, number: int, task: BoutTask, tries: int) -> None:
        """Play one bout; whatever goes wrong here is the arena's fault."""
        arrived: set[tuple[int, int]] = set()
        error: Exception | None = None

        def ended(game: StoredGame) -> None:
            arrived.add((game.key.board, game.key.seating))
            self._events.put_nowait(replace(game, worker=self._name))

        def running(games: int) -> None:
            self._games[number] = games

        try:
            launcher = await Launcher.open(self._means)
            try:
                async with looked_on(task, Listener(ended, running, self._stop.soft.is_set)) as listener:
                    await play_bout(task, launcher, listener, self._remotes)
            finally:
                await asyncio.shield(launcher.close())
        except Exception as caught:
            error = caught
        finally:
            self._games.pop(number, None)
            self._events.put_nowait(Over(number, task, tries, frozenset(arrived), error))

    def _over(self, over: Over) -> Missing | None:
        """See to a bout that has ended: what failed is tried again, and given up when it fails again and again."""
        del self._playing[over.number]
        if over.error is None or self._stop.soft.is_set():
            return None
        if isinstance(over.error, ArenaFault) and over.error.code in HOPELESS:
            raise over.error
        rest = replace(over.task, skip=over.task.skip | over.arrived)
        tries = 0 if over.arrived else over.tries
        if tries >= MAX_TRIES:
            return Missing(rest, repr(over.error))
        self._waiting.append((rest, tries))
        return None

    async def _kill_when_told(self) -> None:
        await self._stop.hard.wait()
        for playing, _ in self._playing.values():
            playing.cancel()


def remote_in(task: BoutTask) -> frozenset[str]:
    """The remote bots of a bout."""
    return frozenset(name for name in task.bout.lineup if task.bots[name].remote)


def worker_name() -> str:
    """Who plays, as it is stored with a game: this process."""
    pid = f":{os.getpid()}"
    return f"{socket.gethostname()[: MAX_NAME - len(pid)]}{pid}"
