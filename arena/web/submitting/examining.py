"""Runs one examination of a bot in a process of its own, and hears what it says, line by line."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any

from arena.core.errors import ArenaFault
from arena.runner.examine import Order

LAST_WORDS_S = 10.0
LINE = 4 << 20
"""The longest line that is read, in bytes."""
SAID = 2000
"""Characters that are kept of what a broken examination wrote on stderr."""
ENDS = {"same", "checked", "passed", "refused", "fault"}
Data = dict[str, Any]
"""Any: JSON."""


async def examined(order: Order, wall_s: float, hear: Callable[[Data], Awaitable[None]]) -> Data:
    """The line that an examination ended with: see `arena.runner.examine`. `hear`: told of every line, the last one
    too. One that takes longer than `wall_s`, in seconds, is ended, and the bot refused for it."""
    end: Data = {}
    done = 0
    with tempfile.TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "arena.runner.examine"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=said,
            start_new_session=True,
            limit=LINE,
        )
        try:
            async with asyncio.timeout(wall_s):
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
                await process.stdin.drain()
                async for raw in process.stdout:
                    end = json.loads(raw)
                    done += "step" in end
                    await hear(end)
                await process.wait()
        except TimeoutError:
            end = {"refused": too_slow(done, wall_s)}
        except (ValueError, OSError) as error:
            end = {"fault": broken(f"it said what cannot be read: {error}")}
        finally:
            await stopped(process)
        if not end.keys() & ENDS:
            end = {"fault": broken(last_words(said) or f"it ended with status {process.returncode}")}
    return end


async def stopped(process: asyncio.subprocess.Process) -> None:
    """Let a process that still runs clean up, then end all that is left of it."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_S):
                await process.wait()
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.returncode is None:
        await process.wait()


def too_slow(done: int, wall_s: float) -> Data:
    """Why an examination was ended after so many steps."""
    return {
        "error": f"the check took longer than {wall_s / 60:g} min",
        "where": f"step {done + 1}" if done else "unpacking",
        "saw": f"{done} steps done",
        "fix": "let it answer faster, or name fewer games in bot.toml",
        "code": "TIMEOUT",
    }


def broken(saw: str) -> Data:
    """What is told of an examination that broke."""
    return {
        "error": "the check itself broke",
        "where": "the arena",
        "saw": saw,
        "fix": "nothing is yours to mend",
        "code": ArenaFault.code,
    }


def last_words(said: IO[bytes]) -> str:
    """The last line on stderr."""
    size = said.seek(0, os.SEEK_END)
    said.seek(max(0, size - SAID))
    lines = said.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
