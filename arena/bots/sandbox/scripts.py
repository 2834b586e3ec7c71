"""Runs a small Python script in a box and waits for its end: what the self-test consists of."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from arena.bots.folders import work_folder
from arena.bots.launcher import BotProcess, Exit, Launcher, variables_for
from arena.bots.sandbox import runtimes
from arena.bots.sandbox.box import BOT_FOLDER, HOME, Bind, Box
from arena.bots.sandbox.limits import Limits

LIMIT_S = 10.0
"""No script may take longer."""


def script_box(folder: Path, script: str, argument: str, limits: Limits) -> Box:
    """A box that runs a Python script of a folder with one argument."""
    variables = {"HOME": HOME, "TMPDIR": HOME, "PATH": runtimes.PATH, "PYTHONDONTWRITEBYTECODE": "1"}
    binds = [Bind(str(folder), BOT_FOLDER)]
    if not runtimes.below_usr(sys.base_prefix):
        binds.append(Bind(sys.base_prefix, sys.base_prefix))
    return Box((runtimes.python(), "-I", script, argument), variables, tuple(binds), limits=limits)


async def run_script(
    launcher: Launcher,
    source: str,
    argument: str,
    limits: Limits,
    *,
    seconds: float = LIMIT_S,
    log: Path | None = None,
) -> Exit:
    """Run a script in a box and wait for its end; it is killed when it takes too long. `log`: for all its output."""
    async with started(launcher, source, argument, limits, log) as process:
        return await _end_of(process, seconds)


@asynccontextmanager
async def started(
    launcher: Launcher, source: str, argument: str, limits: Limits, log: Path | None = None
) -> AsyncIterator[BotProcess]:
    """A script that runs in a box while the block runs."""
    with work_folder() as folder:
        (folder / "script.py").write_text(source)
        process = await launcher.start_box(script_box(folder, "script.py", argument, limits), log)
        try:
            yield process
        finally:
            process.kill()
            await asyncio.shield(process.exit)


async def run_unboxed(launcher: Launcher, source: str, argument: str, *, log: Path | None = None) -> Exit:
    """Run a script as a bot is run without any sandbox, and wait for its end."""
    with work_folder() as folder:
        (folder / "script.py").write_text(source)
        variables = {**variables_for("", ""), "TMPDIR": str(folder)}
        command = (sys.executable, "-I", "script.py", argument)
        return await _end_of(await launcher.start(command, folder, variables, log), LIMIT_S)


async def _end_of(process: BotProcess, seconds: float) -> Exit:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await process.ended_or_lost()
    process.kill()
    return await process.exit
