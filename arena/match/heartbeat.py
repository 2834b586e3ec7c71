"""Notices when the referee itself was late: its loop stood still, so that no bot may be blamed for a deadline.

One heart a loop. It knows time only; whether a late loop voids a game is the referee's decision.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from types import TracebackType

BEAT_S = 0.05
LATE_S = 0.25
"""The loop was late when a beat came so much after its time."""
REMEMBERED = 1000


class Heartbeat:
    """Beats while the block runs: `async with Heartbeat() as heart`."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + BEAT_S
        self._pauses: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Heartbeat:
        self._due = self._loop.time() + BEAT_S
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

    def paused_since(self, began: float) -> bool:
        """Whether the loop stood still at any time since `began` (seconds of the loop's clock), or does so now."""
        overdue = self._loop.time() - self._due > LATE_S
        return overdue or any(end > began for _start, end in self._pauses)
