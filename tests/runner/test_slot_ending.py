"""A bot is ended whole, also when whoever ends it is cancelled at that moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest

from arena.bots.launcher import Launcher
from arena.bots.manifest import Bot
from arena.runner.slot import Places, Slot


class Slow(Slot):
    """A bot that takes a moment to end."""

    closed = False

    async def _end(self) -> None:
        self.closing = asyncio.Event()
        self.closing.set()
        await asyncio.sleep(0.01)
        self.closed = True


def test_a_bot_is_ended_whole_though_that_is_cancelled(tmp_path: Path) -> None:
    async def course() -> bool:
        slow = Slow("fox-1", cast(Bot, None), cast(Launcher, None), Places(tmp_path, None), 1.0)
        task = asyncio.create_task(slow.close())
        while not hasattr(slow, "closing"):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return slow.closed

    assert asyncio.run(course())
