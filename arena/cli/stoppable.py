"""Runs asynchronous work that Ctrl-C and SIGTERM may stop at any moment, and lets it clean up behind itself.

An exception out of a signal handler would end whichever task happens to run, and leave the others waiting for it for
ever; here the work itself is cancelled.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from arena.cli.failure import Stopped

T = TypeVar("T")
STATUSES = {signal.SIGINT: 130, signal.SIGTERM: 143}


@contextmanager
def noted() -> Iterator[list[int]]:
    """The statuses of signals that come while the block runs and no loop listens; handlers are as before afterwards.

    An exception out of the making of a loop would leave half of one, and work that nobody awaits.
    """
    before = {number: signal.getsignal(number) for number in STATUSES}
    came: list[int] = []
    try:
        for number in STATUSES:
            signal.signal(number, lambda number, _frame: came.append(STATUSES[signal.Signals(number)]))
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result. Raises Stopped when a signal came, once the work has cleaned up; further signals change nothing."""

    async def stoppable(came: list[int]) -> T:
        task = asyncio.current_task()
        assert task is not None, "runs as a task"

        def stop(status: int) -> None:
            if not came:
                task.cancel()
            came.append(status)

        for number, status in STATUSES.items():
            asyncio.get_running_loop().add_signal_handler(number, stop, status)
        if came:
            raise asyncio.CancelledError
        return await work

    with noted() as came:
        try:
            result = asyncio.run(stoppable(came))
        except asyncio.CancelledError:
            if not came:
                raise
        finally:
            work.close()  # nobody awaits it when a signal came before
    if came:
        raise Stopped(came[0])
    return result
