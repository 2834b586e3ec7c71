"""The crew: local worker processes that play bouts, are replaced when they die, and stop softly or at once.

Knows tasks and reports; what to play and where results go is its caller's business. A bout whose worker died is given
out again without the games that had arrived, three times at most.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.bots.folders import WorkFolder, make_folder
from arena.bots.launcher import LAUNCHER_LOST
from arena.bots.sandbox.means import NONE, Means
from arena.core.errors import ArenaFault
from arena.runner import pipes
from arena.runner.bout import BoutTask
from arena.runner.means import MEANS
from arena.store.values import StoredGame

MAX_TRIES = 3
"""A bout that fails is given out so often while not one game of it arrives; then its games are reported missing."""
MAX_LOST = 10
"""The same where workers are lost from outside: they may be killed as often as one likes."""
MESSAGES = "--messages"
"""To a worker: write every message to and from bots on stderr."""
MAX_NAME = 64
"""Characters of a worker's name."""
NOT_STARTED, WAS_LOST = "a worker did not start", "a worker was lost"
LOST = frozenset({NOT_STARTED, WAS_LOST, LAUNCHER_LOST})
HOPELESS = frozenset({"DISK_FULL", "NO_TEMP"})
"""Faults of the arena that would meet every worker: the run ends with them, and another one goes on."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A bout that could not be played to its end, and why."""

    task: BoutTask
    error: str


@dataclass(eq=False, slots=True)
class LocalWorker:
    """One worker process and what it is playing."""

    process: asyncio.subprocess.Process
    folder: WorkFolder
    """Holds its temporary files, so that they go also when it was killed."""
    task: BoutTask | None = None
    tries: int = 0
    running: int = 0
    arrived: set[tuple[int, int]] = field(default_factory=set)
    ready: bool = False


@dataclass(slots=True)
class Stop:
    """How a run is told to stop; set from signal handlers."""

    soft: asyncio.Event = field(default_factory=asyncio.Event)
    hard: asyncio.Event = field(default_factory=asyncio.Event)

    def press(self) -> None:
        """Ctrl-C: the first is soft, the second hard, further ones change nothing."""
        (self.hard if self.soft.is_set() else self.soft).set()


class Crew:
    """`size` workers playing the tasks of an iterator."""

    def __init__(self, size: int, stop: Stop, means: Means = NONE, *, messages: bool = False) -> None:
        """`messages`: whether workers write every message to and from bots on stderr."""
        self.size = size
        self.means = means
        self.messages = messages
        self.stop = stop
        self.workers: list[LocalWorker] = []
        self._again: deque[tuple[BoutTask, int]] = deque()
        self._events: asyncio.Queue[StoredGame | Missing | None] = asyncio.Queue(maxsize=1000)
        self._tasks: Iterator[BoutTask | None] = iter(())
        self._changed = asyncio.Event()
        self._open = 0

    @property
    def running(self) -> int:
        """Games running now, as last reported."""
        return sum(worker.running for worker in self.workers)

    @property
    def idle(self) -> bool:
        """Whether no further event waits to be taken."""
        return self._events.empty()

    def put_again(self, task: BoutTask) -> None:
        """Give a task out again, before new ones (a void block). In time until the next event is asked for."""
        self._again.append((task, 0))
        self._changed.set()

    async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
        """Play all tasks; yields games as they end. Ends early when told to stop.

        A None among the tasks: there is none now, but there may be more once what is being played has ended.
        """
        self._tasks = tasks
        keepers = [asyncio.create_task(self._keep()) for _ in range(self.size)]
        ender = asyncio.create_task(self._end_after(keepers))
        try:
            while (event := await self._events.get()) is not None:
                yield event
                self._open -= 1
                self._changed.set()
            for keeper in keepers:
                keeper.result()
        finally:
            for keeper in [*keepers, ender]:
                keeper.cancel()
            await asyncio.gather(*keepers, ender, return_exceptions=True)
            await asyncio.gather(*(self._end(worker) for worker in self.workers))

    async def _end_after(self, keepers: list[asyncio.Task[None]]) -> None:
        await asyncio.wait(keepers)
        await self._events.put(None)

    async def _report(self, event: StoredGame | Missing) -> None:
        """Hand on an event. It is open until the caller asks for the next, since it may bring a task back."""
        self._open += 1
        await self._events.put(event)

    def _next(self) -> tuple[BoutTask, int] | None:
        if self.stop.soft.is_set():
            return None
        if self._again:
            return self._again.popleft()
        task = next(self._tasks, None)
        return (task, 0) if task is not None else None

    async def _keep(self) -> None:
        """Keep one worker busy, with a new process whenever one dies."""
        worker: LocalWorker | None = None
        while True:
            given = self._next()
            if given is None:
                busy = self._open > 0 or any(other.task is not None for other in self.workers)
                if not busy or self.stop.soft.is_set():
                    self._changed.set()
                    return
                # Another worker's bout, or a game that was just reported, may yet come back; wait for a change.
                self._changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await self._changed.wait()
                continue
            task, tries = given
            if worker is None:
                worker = await self._begin()
            worker.task, worker.tries, worker.arrived = task, tries + 1, set()
            error = await self._bout(worker, task)
            worker.task, worker.running = None, 0
            if error:
                await self._end(worker)
                self.workers.remove(worker)
                rest = replace(task, skip=task.skip | worker.arrived)
                if self.stop.soft.is_set():
                    pass
                elif not worker.arrived and worker.tries >= (MAX_LOST if error in LOST else MAX_TRIES):
                    await self._report(Missing(rest, error))
                else:
                    self._again.append((rest, 0 if worker.arrived else worker.tries))
                worker = None
            self._changed.set()

    async def _begin(self) -> LocalWorker:
        folder = make_folder()
        try:
            (Path(folder.path) / MEANS).write_text(json.dumps(self.means.to_data()))
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "arena.runner.worker",
                folder.path,
                *([MESSAGES] if self.messages else []),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=2**24,
                start_new_session=True,
                pass_fds=(folder.handle,),
            )
        except BaseException:
            folder.remove()
            raise
        worker = LocalWorker(process, folder)
        self.workers.append(worker)
        return worker

    async def _bout(self, worker: LocalWorker, task: BoutTask) -> str:
        """Play one bout on a worker; empty, or why the worker has to be replaced."""
        stdin, stdout = worker.process.stdin, worker.process.stdout
        assert stdin is not None, "stdin is a pipe"
        assert stdout is not None, "stdout is a pipe"
        finisher = asyncio.create_task(self._tell_to_finish(stdin))
        killer = asyncio.create_task(self._kill_when_told(worker))
        try:
            if not worker.ready:
                match await pipes.read(stdout):
                    case pipes.Ready():
                        worker.ready = True
                    case pipes.Failed(_, ArenaFault() as fault) if fault.code != LAUNCHER_LOST:
                        raise fault
                    case _:
                        return NOT_STARTED
            stdin.write(pipes.pack(pipes.Play(task)))
            while True:
                match await pipes.read(stdout):
                    case pipes.Ended(game):
                        worker.arrived.add((game.key.board, game.key.seating))
                        await self._report(replace(game, worker=self._name_of(worker)))
                    case pipes.Began(running):
                        worker.running = running
                    case pipes.Ready():
                        return ""
                    case pipes.Failed(_, ArenaFault() as fault) if fault.code in HOPELESS:
                        raise fault
                    case pipes.Failed(_, ArenaFault(code="LAUNCHER_LOST")):
                        return LAUNCHER_LOST
                    case pipes.Failed(error):
                        return str(error)
                    case _:
                        return WAS_LOST
        except (BrokenPipeError, ConnectionResetError):
            return WAS_LOST
        finally:
            finisher.cancel()
            killer.cancel()

    def _name_of(self, worker: LocalWorker) -> str:
        """Who played, as it is stored with a game."""
        host, pid = socket.gethostname(), f":{worker.process.pid}"
        return f"{host[: MAX_NAME - len(pid)]}{pid}"

    async def _tell_to_finish(self, stdin: asyncio.StreamWriter) -> None:
        await self.stop.soft.wait()
        stdin.write(pipes.pack(pipes.Finish()))

    async def _kill_when_told(self, worker: LocalWorker) -> None:
        await self.stop.hard.wait()
        with suppress(ProcessLookupError):  # it has ended by itself meanwhile
            worker.process.kill()

    async def _end(self, worker: LocalWorker) -> None:
        """End a worker: at once when told to, else by closing its orders."""
        process = worker.process
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(0.2 if self.stop.hard.is_set() else 5):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        worker.folder.remove()


async def collect(crew: Crew, tasks: Iterator[BoutTask]) -> list[StoredGame]:
    """All games of a few tasks, for small uses. Raises ArenaFault when any is missing."""
    games: list[StoredGame] = []
    async for event in crew.play(tasks):
        if isinstance(event, Missing):
            raise ArenaFault(f"a bout could not be played: {event.error}")
        games.append(event)
    return games
