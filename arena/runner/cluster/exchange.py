"""A plugin of the scheduler: archives on their way to workers, finished games on their way to the coordinator.

Workers and coordinators dial the scheduler only, so that everything passes through here. A game is handed over when it
is finished and acknowledged; a worker that dies later has not played in vain, and whoever takes over its order asks
what has arrived. What is told of running games waits in a little room of its own, and is refused when that is full.
What belongs to a coordinator goes when its connection does. Knows bytes, not what they mean.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from distributed import Scheduler, SchedulerPlugin

from arena.runner.cluster.order import Piece, Relayed, code_of_arena

NAME = "arena-exchange"
ALLOWED_FAILURES = 100
"""Workers that a task may lose before Dask gives it up; spot machines die often."""
MOST_WAITING = 1000
"""Games that wait for a coordinator before workers have to."""
MOST_TOLD = 8_000_000
"""Bytes about running games that wait for a coordinator."""
ADDED = 200
"""Bytes that a message takes beside its text, and every game in it."""
Place = tuple[int, int]
"""(board, seating)."""


class Desk:
    """What one coordinator has here."""

    def __init__(self) -> None:
        self.archives: dict[str, bytes] = {}
        self.games: deque[tuple[str, bytes]] = deque()
        """(task, game), in the order in which they came."""
        self.arrived: dict[str, set[Place]] = {}
        """By task that is not done."""
        self.changed = asyncio.Event()
        self.told: list[Relayed] = []
        self.told_bytes = 0


class Exchange(SchedulerPlugin):
    """Handlers `arena_*` of the scheduler."""

    idempotent = True
    name = NAME

    def __init__(self) -> None:
        self.desks: dict[str, Desk] = {}

    async def start(self, scheduler: Scheduler) -> None:
        """Add the handlers."""
        scheduler.allowed_failures = max(scheduler.allowed_failures, ALLOWED_FAILURES)
        scheduler.handlers.update(
            arena_open=self.open,
            arena_put=self.put,
            arena_get=self.get,
            arena_report=self.report,
            arena_arrived=self.arrived,
            arena_take=self.take,
            arena_forget=self.forget,
            arena_tell=self.tell,
            arena_told=self.told,
        )

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """Its coordinator is gone."""
        desk = self.desks.pop(client, None)
        if desk is not None:
            desk.changed.set()

    async def open(self, client: str) -> None:
        """A coordinator is there."""
        self.desks.setdefault(client, Desk())

    async def put(self, client: str, digest: str, data: bytes) -> None:
        """Keep an archive for workers."""
        self.desks[client].archives[digest] = data

    async def get(self, client: str, digest: str) -> bytes | None:
        """An archive; None when it is not there."""
        desk = self.desks.get(client)
        return desk.archives.get(digest) if desk is not None else None

    async def report(self, client: str, task: str, board: int, seating: int, game: bytes) -> bool:
        """Hand over a game. False: nobody waits for it any more."""
        while (desk := self.desks.get(client)) is not None:
            if len(desk.games) < MOST_WAITING:
                desk.games.append((task, game))
                desk.arrived.setdefault(task, set()).add((board, seating))
                desk.changed.set()
                return True
            await asyncio.sleep(0.05)
        return False

    async def arrived(self, client: str, task: str) -> list[Place] | None:
        """What of a task has been handed over before; None: nobody waits for it."""
        desk = self.desks.get(client)
        return sorted(desk.arrived.get(task, ())) if desk is not None else None

    async def take(self, client: str, wait_s: float) -> list[tuple[str, bytes]] | None:
        """The games that have come since the last call; waits for one. None: this coordinator is not known here."""
        desk = self.desks.get(client)
        if desk is not None and not desk.games:
            desk.changed.clear()
            try:
                async with asyncio.timeout(wait_s):
                    await desk.changed.wait()
            except TimeoutError:
                return []
        desk = self.desks.get(client)
        if desk is None:
            return None
        games: list[tuple[str, bytes]] = list(desk.games)
        desk.games.clear()
        return games

    async def forget(self, client: str, task: str) -> None:
        """A task is done: nobody will ask what has arrived of it."""
        desk = self.desks.get(client)
        if desk is not None:
            desk.arrived.pop(task, None)

    async def tell(self, client: str, task: str, relay: str, games: Sequence[Piece]) -> bool | None:
        """Hand over what is new of running games. False: there is no room now; None: nobody waits for it."""
        desk = self.desks.get(client)
        if desk is None:
            return None
        size = ADDED + sum(ADDED + len(text) for _public_id, _start, text in games)
        if desk.told_bytes + size > MOST_TOLD:
            return False
        desk.told.append((task, relay, games))
        desk.told_bytes += size
        return True

    async def told(self, client: str) -> list[Relayed]:
        """What was told of running games since the last call."""
        desk = self.desks.get(client)
        if desk is None:
            return []
        told, desk.told, desk.told_bytes = desk.told, [], 0
        return told


def code_there() -> str:
    """Run on the scheduler: the code of the arena there."""
    return code_of_arena()
