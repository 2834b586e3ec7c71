"""Notices when the arena itself was short of time: its loop stood still, or the host took the processors away.

One heart a loop. Nobody can say whose time a deadline was that passed meanwhile, so that no bot may be blamed for it;
whether that voids a game is the referee's decision. Knows time, and the host only by a function that reads it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple

BEAT_S = 0.05
LATE_S = 0.25
"""The loop was late when a beat came so much after its time."""
REMEMBERED = 1000
SAMPLE_S = 0.2
"""How often the host is read, and the shortest time over which stolen time is judged."""
STOLEN_SHARE = 0.2
"""More than this share of a processor's time, taken away by the host's own host, is overload."""

Evidence = dict[str, Any]  # Any: JSON
"""What shows that the arena was at fault: its own clocks and the counters of its host, nothing that a bot said."""


class Reading(NamedTuple):
    """The host's counters at one moment."""

    stolen_s: tuple[float, ...]
    """By processor: seconds in which it had work, and the machine below ran something else. Ever growing."""
    load: tuple[float, ...] = ()
    """Tasks that want to run, over 1, 5 and 15 minutes; told, never judged: bots can raise it."""
    waited_s: float | None = None
    """Seconds in which some task waited for a processor, where the host counts them; told, never judged."""


class Heartbeat:
    """Beats while the block runs: `async with Heartbeat(read) as heart`. `read` gives the host's counters."""

    def __init__(self, read: Callable[[], Reading | None] = lambda: None) -> None:
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + BEAT_S
        self._pauses: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)
        self._read = read
        self._readings: deque[tuple[float, Reading]] = deque(maxlen=REMEMBERED)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Heartbeat:
        self._due = self._loop.time() + BEAT_S
        self._sample(self._loop.time())
        self._task = asyncio.create_task(self._beat())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        assert self._task is not None, "entered before"
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(max(0.0, self._due - self._loop.time()))
            now = self._loop.time()
            if now - self._due > LATE_S:
                self._pauses.append((self._due, now))
            self._due = now + BEAT_S
            if not self._readings or now - self._readings[-1][0] >= SAMPLE_S:
                self._sample(now)

    def _sample(self, now: float) -> None:
        reading = self._read()
        if reading is not None:
            self._readings.append((now, reading))

    def overload_since(self, began: float) -> Evidence | None:
        """What shows that the arena was short of time since `began` (seconds of the loop's clock); None: it was not.

        Either the loop stood still for more than 250 ms at any time since, or does so now; or a processor lost more
        than a fifth of that time, or of the last 200 ms if it was shorter, to the machine that the host runs on.
        """
        now = self._loop.time()
        lag_s = max([end - start for start, end in self._pauses if end > began] + [now - self._due])
        stolen, evidence = self._host_since(began, now)
        if lag_s > LATE_S:
            return {"cause": "loop", "lag_ms": round(lag_s * 1000), **evidence}
        if stolen > STOLEN_SHARE:
            return {"cause": "steal", "lag_ms": max(0, round(lag_s * 1000)), **evidence}
        return None

    def host_since(self, began: float) -> Evidence:
        """How busy the host was since `began`, for the record."""
        return self._host_since(began, self._loop.time())[1]

    def _host_since(self, began: float, now: float) -> tuple[float, Evidence]:
        """(the largest share of a processor's time that was stolen, all that is known)."""
        reading = self._read()
        if reading is None or not self._readings:
            return 0.0, {}
        first = min(began, now - SAMPLE_S)
        then, before = next(
            ((time, each) for time, each in reversed(self._readings) if time <= first), self._readings[0]
        )
        elapsed = now - then
        if elapsed < SAMPLE_S or len(before.stolen_s) != len(reading.stolen_s):
            return 0.0, {}
        taken = max((after - old for old, after in zip(before.stolen_s, reading.stolen_s, strict=True)), default=0.0)
        share = taken / elapsed
        evidence: Evidence = {"over_ms": round(elapsed * 1000), "steal_percent": round(share * 100, 1)}
        if reading.load:
            evidence["load"] = [round(each, 2) for each in reading.load]
        if reading.waited_s is not None and before.waited_s is not None:
            evidence["waited_percent"] = round((reading.waited_s - before.waited_s) / elapsed * 100, 1)
        return share, evidence
