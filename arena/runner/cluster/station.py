"""The arena on one Dask worker: states what it can, fetches and builds bots, keeps worker processes and plays orders.

A Dask worker's own process never plays: every slot is a process of its own as on one machine (`arena.runner.worker`),
which ends when the Dask worker does. Games go to the exchange as they finish, and what is told of running ones, too.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import shutil
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from distributed import Worker, get_worker

import arena
from arena.bots.build import built
from arena.bots.manifest import Bot, find_bot, house_names
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.selftest import find_means
from arena.core.errors import ArenaError, ArenaFault, BotError
from arena.runner.bout import BoutTask
from arena.runner.cluster.archives import Archive, held, take
from arena.runner.cluster.order import Order, Outcome, Statement, Wanted, code_of_arena
from arena.runner.cluster.relay import relayed
from arena.runner.crew import MAX_NAME, Crew, LocalWorker, Missing, Stop
from arena.runner.toolchains import TOOLS, toolchains
from arena.store.values import StoredGame

NAME, DATA = "ARENA_WORKER_NAME", "ARENA_WORKER_DATA"
"""Variables of a Dask worker's process: what it is called, and where it keeps bots, builds and logs."""
NOBODY_WAITS = "nobody waits for its games any more"


class Place(Crew):
    """One slot: a worker process that is kept from one bout to the next."""

    def __init__(self, means: Means, name: str) -> None:
        super().__init__(1, Stop(), means)
        self.run = ""
        """For which run it plays."""
        self._name = name
        self._tell: Callable[[StoredGame], Awaitable[None]] | None = None

    async def bout(self, task: BoutTask, tell: Callable[[StoredGame], Awaitable[None]]) -> str:
        """Play a bout; `tell` gets the games. Returns "" or why it broke off. Raises ArenaFault."""
        self._tell = tell
        worker = self.workers[0] if self.workers else await self._begin()
        whole = False
        try:
            error = await self._bout(worker, task)
            whole = not error and not self.stop.soft.is_set()
        finally:
            worker.running = 0
            if not whole:
                await self.close()
        return error

    async def close(self) -> None:
        """End its process."""
        for worker in list(self.workers):
            await self._end(worker)
            self.workers.remove(worker)

    async def _report(self, event: StoredGame | Missing) -> None:
        assert self._tell is not None, "it plays"
        assert isinstance(event, StoredGame), "what is missing is the coordinator's to say"
        await self._tell(event)

    def _name_of(self, worker: LocalWorker) -> str:
        return self._name


class Station:
    """What the arena keeps on one Dask worker."""

    def __init__(self, worker: Worker) -> None:
        self.name = os.environ.get(NAME) or default_name()
        self.data = Path(os.environ.get(DATA) or Path.home() / ".cache" / "arena-worker")
        self.worker = worker
        with suppress(ValueError):  # only a main thread may say so
            # Ctrl-C reaches the whole foreground group; the coordinator decides what it means.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.stopping: set[str] = set()
        """Runs that begin no more games."""
        self.idle: list[Place] = []
        self.busy: set[Place] = set()
        self._means: Means | None = None
        self._tools: dict[str, bool] = {}
        """Language -> whether all its tools are here."""
        self._surveying = asyncio.Lock()
        self._fetching: dict[str, asyncio.Lock] = {}
        self._ready: dict[tuple[str, str], Path] = {}
        """(version, tier) -> the folder of a bot that was checked and built by this process."""

    async def means(self, shelter: str) -> Means:
        """How bots are kept apart; found out once."""
        if shelter == "none":
            return NONE
        async with self._surveying:
            if self._means is None:
                self._means = await find_means()
        return self._means

    async def state(self, wanted: Wanted) -> Statement:
        """What this worker can."""
        means = await self.means(wanted.shelter)
        async with self._surveying:
            asked = {each: TOOLS[each] for each in wanted.languages if each not in self._tools}
            if asked:
                found = await asyncio.to_thread(toolchains, asked)
                self._tools.update((each.language, not each.missing) for each in found)
        return Statement(
            name=self.name,
            host=socket.gethostname(),
            version=arena.__version__,
            code=code_of_arena(),
            house={name: find_bot(name).version for name in house_names()},
            languages=tuple(each for each in wanted.languages if self._tools[each]),
            programs=tuple(each for each in wanted.programs if shutil.which(each)),
            cores=len(os.sched_getaffinity(0)),
            slots=self.worker.state.nthreads,
            tier=means.tier,
        )

    async def play(self, order: Order) -> Outcome:
        """Play what is missing of an order. Never raises for what is a bot's doing."""
        if order.run in self.stopping:
            return Outcome(self.name)
        scheduler: Any = self.worker.scheduler  # every handler of the scheduler is a method of it
        before = await scheduler.arena_arrived(client=order.client, task=order.key)
        if before is None:
            return Outcome(self.name, error=NOBODY_WAITS)
        reported = {(board, seating) for board, seating in before}
        try:
            means = await self.means(order.shelter)
            here = await self._here(order, means, frozenset(reported))
            place = self._take(means, order.run)
        except (BotError, ArenaFault) as why:
            return Outcome(self.name, frozenset(reported), unfit=why)

        async def tell(game: StoredGame) -> None:
            where = {"board": game.key.board, "seating": game.key.seating}
            waited_for = await scheduler.arena_report(
                client=order.client, task=order.key, game=pickle.dumps(game, protocol=5), **where
            )
            reported.add((game.key.board, game.key.seating))
            if not waited_for:
                place.stop.hard.set()

        unfit: ArenaError | None = None
        error = ""
        try:
            async with relayed(scheduler, order, self.data) as live:
                error = await place.bout(replace(here, live=live), tell)
        except ArenaFault as fault:
            unfit = fault
        finally:
            self._give_back(place)
        if place.stop.soft.is_set() or place.stop.hard.is_set():
            error = ""
        return Outcome(self.name, frozenset(reported), error, unfit)

    def _take(self, means: Means, run: str) -> Place:
        place = next((each for each in self.idle if each.means == means), None)
        if place is None:
            place = Place(means, self.name)
        else:
            self.idle.remove(place)
        place.run = run
        self.busy.add(place)
        return place

    def _give_back(self, place: Place) -> None:
        self.busy.discard(place)
        if place.workers and not place.stop.soft.is_set():
            self.idle.append(place)

    @property
    def running(self) -> int:
        """Games running now."""
        return sum(place.running for place in self.busy)

    async def finish(self, run: str) -> int:
        """Begin no more games of a run; returns how many are still running."""
        self.stopping.add(run)
        for place in self.busy:
            if place.run == run:
                place.stop.soft.set()
        return self.running

    async def drop(self, run: str) -> None:
        """End all that a run still plays here, and what is kept for the next bout."""
        self.stopping.add(run)
        for place in self.busy:
            if place.run == run:
                place.stop.soft.set()
                place.stop.hard.set()
        idle, self.idle = self.idle, []
        await asyncio.gather(*(place.close() for place in idle))

    async def _here(self, order: Order, means: Means, reported: frozenset[tuple[int, int]]) -> BoutTask:
        """The order's bout with the bots as they are on this machine. Raises BotError, ArenaFault."""
        bots = {name: await self._bot(bot, order, means) for name, bot in order.task.bots.items()}
        logs = self.data / "logs" / order.task.event
        try:
            logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError:
            kept = ""
        else:
            kept = str(logs) if order.task.logs and os.access(logs, os.W_OK) else ""
        return replace(order.task, bots=bots, skip=order.task.skip | reported, logs=kept)

    async def _bot(self, bot: Bot, order: Order, means: Means) -> Bot:
        """A bot as it is played here: a house bot's own folder, or a copy that was fetched and built once."""
        if bot.house:
            return replace(bot, folder=find_bot(bot.name).folder)
        async with self._fetching.setdefault(bot.version, asyncio.Lock()):
            ready = self._ready.get((bot.version, means.tier.value))
            if ready is not None and ready.is_dir():
                return replace(bot, folder=ready)
            kept = self.data / "bots"
            place = await asyncio.to_thread(held, bot, kept)
            if place is None:
                digest = order.archives[bot.version]
                data = await cast(Any, self.worker.scheduler).arena_get(client=order.client, digest=digest)
                if data is None:
                    raise ArenaFault(f"the archive of {bot.reference} is not to be had", code="ARCHIVE_DAMAGED")
                place = await asyncio.to_thread(take, bot, Archive(digest, data), kept)
            return await asyncio.to_thread(lambda: built(replace(bot, folder=place), self.data / "builds", means=means))


def default_name() -> str:
    """A worker's name where nobody gave it one: its host and its process."""
    pid = f":{os.getpid()}"
    return f"{socket.gethostname()[: MAX_NAME - len(pid)]}{pid}"


_stations: dict[str, Station] = {}
"""By the Dask worker's id: tests may have several in one process."""


def station(worker: Worker | None = None) -> Station:
    """The station of a Dask worker, of the one that runs the present task if none is named."""
    worker = worker or get_worker()
    if worker.id not in _stations:
        _stations[worker.id] = Station(worker)
        worker.metrics["arena_running"] = lambda each: _stations[each.id].running
    return _stations[worker.id]


async def play(order: Order) -> Outcome:
    """The Dask task of an order."""
    return await station().play(order)


async def survey(wanted: Wanted, dask_worker: Any) -> Statement:  # Any: Worker, given by this name
    """Run on a worker: what it states of itself."""
    return await station(dask_worker).state(wanted)


async def finish(run: str, dask_worker: Any) -> int:
    """Run on all workers: begin no more games of a run."""
    return await station(dask_worker).finish(run)


async def drop(run: str, dask_worker: Any) -> None:
    """Run on all workers: a run is over."""
    await station(dask_worker).drop(run)
