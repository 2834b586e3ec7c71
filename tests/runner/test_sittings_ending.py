"""What ends with a game of a person, also when the server stops at that moment."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from arena.runner.sittings import sitting
from arena.runner.slot import Slot


class Slow:
    """A bot that takes a moment to end."""

    def __init__(self) -> None:
        self.closing, self.may = asyncio.Event(), asyncio.Event()
        self.closed = False

    async def close(self) -> None:
        """Say that it has begun; end when it may."""
        self.closing.set()
        await self.may.wait()
        self.closed = True


def test_bots_are_ended_to_the_end_when_the_server_stops_meanwhile() -> None:
    async def course() -> bool:
        slow = Slow()
        task = asyncio.create_task(sitting._close({0: cast(Slot, slow)}))
        await slow.closing.wait()
        task.cancel()
        await asyncio.sleep(0)
        slow.may.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return slow.closed

    assert asyncio.run(course())
