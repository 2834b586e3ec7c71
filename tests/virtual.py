"""An asyncio loop whose clock jumps to the next timer instead of waiting, so that minutes of play take no time."""

from __future__ import annotations

import asyncio
import heapq
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Instant(selectors.SelectSelector):
    """Never waits; tells the loop how long it would have waited."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self.loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("everything waits and no timer is set: this would hang for ever")
        self.loop.jump(timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in virtual time, starting at 1000 s."""

    def __init__(self) -> None:
        self._virtual = 1000.0
        super().__init__(_Instant(self))

    def time(self) -> float:
        return self._virtual

    def jump(self, seconds: float) -> None:
        """Let time pass: exactly to the next timer where the loop asked to wait for it."""
        if seconds > 0:
            scheduled = [timer.when() for timer in self._scheduled if not timer.cancelled()]  # type: ignore[attr-defined]
            next_timer = heapq.nsmallest(1, scheduled)
            self._virtual = max(self._virtual, next_timer[0]) if next_timer else self._virtual + seconds


def run_virtual(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()
