"""Plays bouts on the workers of a Dask cluster, with the interface of `arena.runner.crew.Crew`.

Every bout is a Dask task with a key of its own, sent to workers that are fit for it; Dask gives it to another one when
a worker dies. At most two bouts for every slot are out. Games come through the exchange as they finish, what a task
returns is only how it ended; it is consumed and released then. Knows no store and no schedule.
"""

from __future__ import annotations

import asyncio
import pickle
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast
from uuid import uuid4

from distributed import Client, KilledWorker
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError

from arena.runner.bout import BoutTask
from arena.runner.cluster import mirror, station
from arena.runner.cluster.archives import Archive, packed
from arena.runner.cluster.connect import open_exchange
from arena.runner.cluster.fitness import Needs, needs_of
from arena.runner.cluster.given import Given, left_of, lost_scheduler
from arena.runner.cluster.order import Order, Outcome
from arena.runner.cluster.roll import Roll
from arena.runner.crew import LOST, MAX_LOST, MAX_TRIES, WAS_LOST, Missing, Stop
from arena.store.values import StoredGame

BOUTS_FOR_A_SLOT = 2
"""Bouts that are out for every slot: one is played, one waits beside it."""
POLL_S = 5.0
"""How long the exchange is asked to wait for a game."""
TELL_S = 5.0
"""How long workers are waited for when they are told to stop."""


class ClusterCrew:
    """The workers of a cluster as one crew."""

    def __init__(
        self,
        client: Client,
        stop: Stop,
        *,
        shelter: str = "auto",
        tier_minimum: str = "",
        wait_s: float = 60.0,
        note: Callable[[str], None] = lambda _text: None,
    ) -> None:
        """`client`: asynchronous and connected. `note`: told in words which workers come, go and cannot play.
        `wait_s`: how long a bout waits for a worker that is fit for it. Bots' folders hold their unbuilt files."""
        self.stop = stop
        self.roll = Roll(client, shelter, tier_minimum, note)
        self._client = client
        self._shelter = shelter
        self._wait_s = wait_s
        self._run = uuid4().hex[:12]
        self._count = 0
        self._again: deque[tuple[BoutTask, int]] = deque()
        self._tasks: Iterator[BoutTask | None] = iter(())
        self._events: asyncio.Queue[StoredGame | Missing | BaseException | None] = asyncio.Queue(maxsize=1000)
        self._out: dict[str, Given] = {}
        self._following: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._open = 0
        self._archives: dict[str, Archive] = {}
        self._mirror = mirror.Mirror()
        self._hopeless: set[Needs] = set()
        """Needs for which no worker came in time."""

    @property
    def running(self) -> int:
        """Games running now, as the workers last told the scheduler."""
        return self.roll.running

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

        A None among the tasks: there is none now, but there may be more once what is being played has ended. Raises
        ArenaFault NO_WORKER when no worker comes, CLUSTER_LOST when the scheduler is gone; BotError for a bot that no
        worker can build.
        """
        self._tasks = tasks
        await open_exchange(self._client)
        works = [self._feed(), self._poll(), self.roll.watch(), self._stop_softly(), self._stop_hard()]
        works.append(mirror.keep(self._mirror, self._scheduler, self._client.id, self._out))
        running = [asyncio.create_task(self._guarded(work)) for work in works]
        try:
            while (event := await self._events.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
                self._open -= 1
                self._changed.set()
        finally:
            for each in [*running, *self._following]:
                each.cancel()
            await asyncio.gather(*running, *self._following, return_exceptions=True)
            self._mirror.close()
            await self._tell(station.drop)

    @property
    def _scheduler(self) -> Any:  # Any: every handler of the scheduler is a method of this
        return self._client.scheduler

    async def _guarded(self, work: Any) -> None:  # Any: a coroutine
        """What goes wrong beside the events ends the run."""
        try:
            await work
        except asyncio.CancelledError:
            raise
        except (CommClosedError, OSError) as error:
            await self._events.put(lost_scheduler(error))
        except BaseException as error:
            await self._events.put(error)

    # --- giving out

    def _next(self) -> tuple[BoutTask, int] | None:
        if self._again:
            return self._again.popleft()
        task = next(self._tasks, None)
        return (task, 0) if task is not None else None

    async def _feed(self) -> None:
        """Give bouts out while there are any and workers have room; ends the events when all is done."""
        while not self.stop.soft.is_set():
            if self._following and len(self._following) >= BOUTS_FOR_A_SLOT * self.roll.slots:
                await self._change()
                continue
            given = self._next()
            if given is not None:
                await self._give(*given)
            elif self._following or self._open > 0:
                # A bout may yet come back, or a game that was just reported; wait for a change.
                await self._change()
            else:
                break
        while self._following:
            await self._change()
        await self._events.put(None)

    async def _change(self) -> None:
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                await self._changed.wait()

    async def _give(self, task: BoutTask, tries: int) -> None:
        """Send a bout to those that are fit for it, once there are any."""
        needs = needs_of(task.bots.values())
        self.roll.want(needs)
        since = time.monotonic()
        while not (workers := self.roll.fit(needs)):
            if self.stop.soft.is_set():
                return
            if needs in self._hopeless or time.monotonic() - since > self._wait_s:
                self._hopeless.add(needs)
                if (fault := self.roll.nobody(needs, self._wait_s, others=self._count > 0)) is not None:
                    raise fault
                await self._report(Missing(task, f"no worker is fit for it: {self.roll.reasons(needs)}"))
                return
            await self._change()
        archives = {bot.version: await self._archive(name, task) for name, bot in task.bots.items() if not bot.house}
        self._count += 1
        bout = task.bout
        key = f"arena-{self._run}-r{bout.round}-t{bout.table}-b{bout.boards[0]}-a{task.attempt}-{self._count}"
        order = Order(key, self._run, self._client.id, task, archives, self._shelter, self._mirror.sign(task.live))
        out = self._out[key] = Given(task, key, workers)
        follower = asyncio.create_task(self._guarded(self._follow(order, out, tries)))
        self._following.add(follower)
        follower.add_done_callback(self._followed)

    def _followed(self, follower: asyncio.Task[None]) -> None:
        self._following.discard(follower)
        self._changed.set()

    async def _archive(self, name: str, task: BoutTask) -> str:
        """The digest of a bot's archive, which the exchange has from now on."""
        bot = task.bots[name]
        if bot.version not in self._archives:
            archive = await asyncio.to_thread(packed, bot, bot.folder)
            await self._scheduler.arena_put(client=self._client.id, digest=archive.digest, data=archive.data)
            self._archives[bot.version] = Archive(archive.digest, b"")
        return self._archives[bot.version].digest

    # --- taking back

    async def _follow(self, order: Order, out: Given, tries: int) -> None:
        """See one order to its end: done, given out again, or missing."""
        outcome = await self._outcome(order, out)
        for place in outcome.reported - out.arrived:
            while place not in out.arrived:  # it is on its way
                out.changed.clear()
                await out.changed.wait()
        del self._out[out.key]
        await self._scheduler.arena_forget(client=self._client.id, task=out.key)
        rest = replace(out.task, skip=out.task.skip | out.arrived)
        if self.stop.soft.is_set() or not left_of(rest):
            return
        if outcome.unfit is not None:
            self.roll.rule_out(outcome.worker, needs_of(out.task.bots.values()), outcome.unfit)
            self._again.append((rest, tries))
            return
        tries = 0 if out.arrived else tries + 1
        if tries >= (MAX_LOST if outcome.error in LOST else MAX_TRIES):
            await self._report(Missing(rest, outcome.error))
        else:
            self._again.append((rest, tries))

    async def _outcome(self, order: Order, out: Given) -> Outcome:
        """What Dask says of an order at its end; it is released then."""
        future = self._client.submit(
            station.play, order, key=order.key, workers=list(out.workers), allow_other_workers=False, pure=False
        )
        stranded = asyncio.create_task(self.roll.gone(out.workers))
        done = asyncio.ensure_future(future.result())
        try:
            first: list[asyncio.Future[Any]] = [done, stranded]
            await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                return Outcome("", error=WAS_LOST)
            outcome: Outcome = done.result()
            return outcome
        except (KilledWorker, FutureCancelledError):
            return Outcome("", error=WAS_LOST)
        except (CommClosedError, OSError):
            raise
        except Exception as error:
            return Outcome("", error=f"{type(error).__name__}: {error}")
        finally:
            done.cancel()
            stranded.cancel()
            with suppress(CommClosedError, OSError):
                cast(Any, future).release()

    async def _poll(self) -> None:
        """Take games from the exchange as they come."""
        while True:
            games = await self._scheduler.arena_take(client=self._client.id, wait_s=POLL_S)
            if games is None:
                raise lost_scheduler(None)
            for key, data in games:
                game: StoredGame = pickle.loads(data)
                place = game.key.board, game.key.seating
                await self._report(game)
                if (out := self._out.get(key)) is not None:
                    out.arrived.add(place)
                    out.changed.set()

    async def _report(self, event: StoredGame | Missing) -> None:
        """Hand on an event. It is open until the caller asks for the next, since it may bring a task back."""
        self._open += 1
        await self._events.put(event)

    # --- stopping

    async def _stop_softly(self) -> None:
        """Tell the workers, again and again, since some come late."""
        await self.stop.soft.wait()
        self._changed.set()
        while True:
            await self._tell(station.finish)
            await asyncio.sleep(1)

    async def _stop_hard(self) -> None:
        await self.stop.hard.wait()
        for follower in list(self._following):
            follower.cancel()
        await self._tell(station.drop)
        await self._events.put(None)

    async def _tell(self, what: Callable[..., Any]) -> None:
        """Run something on all workers, as far as they can be reached in time."""
        with suppress(CommClosedError, OSError, TimeoutError, ValueError):
            await asyncio.wait_for(self._client.run(what, self._run, on_error="ignore"), TELL_S)
