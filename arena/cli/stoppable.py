"""Runs asynchronous work that Ctrl-C and SIGTERM may stop at any moment, and lets it clean up behind itself.

An exception out of a signal handler would end whichever task happens to run, and leave the others waiting for it for
ever; here the work itself is cancelled.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from arena.cli.failure import Stopped

T = TypeVar("T")
STATUSES = {signal.SIGINT: 130, signal.SIGTERM: 143}


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result. Raises Stopped when a signal came, once the work has cleaned up; further signals change nothing."""
    before = {number: signal.getsignal(number) for number in STATUSES}
    came: list[int] = []

    async def stoppable() -> T:
        task = asyncio.current_task()
        assert task is not None, "runs as a task"

        def stop(status: int) -> None:
            if not came:
                task.cancel()
            came.append(status)

        for number, status in STATUSES.items():
            asyncio.get_running_loop().add_signal_handler(number, stop, status)
        return await work

    try:
        result = asyncio.run(stoppable())
    except asyncio.CancelledError:
        if not came:
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise Stopped(came[0])
    return result
