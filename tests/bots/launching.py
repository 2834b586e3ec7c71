"""Launchers that start small programs of Python in the place of bots."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil

from arena.bots.launcher import BotProcess, Exit, Launcher

DEADLINE_S = 60
PYTHON = (sys.executable, "-I", "-c")


def scene(work: Callable[[Launcher], Awaitable[Any]]) -> Any:
    """Run with a launcher and close it; no process is left."""

    async def main() -> Any:
        launcher = await Launcher.open()
        try:
            async with asyncio.timeout(DEADLINE_S):
                return await work(launcher)
        finally:
            await launcher.close()

    try:
        return asyncio.run(main())
    finally:
        assert psutil.Process().children(recursive=True) == []


async def start(launcher: Launcher, code: str, log: Path | None = None, **variables: str) -> BotProcess:
    return await launcher.start((*PYTHON, code), Path("/"), variables, log)


def run(code: str, log: Path | None = None, **variables: str) -> Exit:
    """A bot from start to end."""

    async def work(launcher: Launcher) -> Exit:
        return await (await start(launcher, code, log, **variables)).exit

    ending: Exit = scene(work)
    return ending
