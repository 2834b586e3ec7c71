"""Builds bots whose manifests have build steps, each content once, in a copy of the folder.

The bot's own folder stays as it is. Steps are argv lists, run without a shell, each with a deadline; what they print
is kept. They run with the rights and the environment of whoever builds: build only what you trust.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.bots.manifest import Bot
from arena.bots.version import files_of
from arena.core.errors import BotError

BUILD_S = 120.0
"""Seconds that all build steps of a bot may take together."""
DONE = ".arena-built"


def built(bot: Bot, builds: Path, limit_s: float = BUILD_S) -> Bot:
    """The bot with its folder being a built copy below `builds`; the bot itself where nothing is to be built.

    Raises BotError BUILD_FAILED with the step, its last line and the log's path.
    """
    if not bot.build:
        return bot
    builds.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = builds / bot.version[:32]
    with (builds / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)
            copy_bot(bot, folder)
            _run_steps(bot, folder, limit_s)
            (folder / DONE).touch()
    return replace(bot, folder=folder)


def log_of(bot: Bot, builds: Path) -> Path:
    """Where the output of a bot's build steps is kept."""
    return builds / f"{bot.version[:32]}.log"


def copy_bot(bot: Bot, target: Path) -> None:
    """Copy the files that make up a bot, modes included. Raises BotError for what is no file."""
    for relative, path in files_of(bot.folder, built=bool(bot.build)):
        place = target / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def _run_steps(bot: Bot, folder: Path, limit_s: float) -> None:
    log = log_of(bot, folder.parent)
    deadline = time.monotonic() + limit_s
    # Compiled crates are kept for all bots and versions: else each would compile them again, for a minute or more.
    variables = {"CARGO_TARGET_DIR": str(folder.parent / "cargo"), **os.environ}
    with log.open("wb") as output:
        for step in bot.build:
            output.write(f"$ {' '.join(step)}\n".encode())
            output.flush()
            problem = _run(step, folder, output.fileno(), deadline - time.monotonic(), variables)
            if problem:
                raise BotError(
                    f"{bot.name} cannot be built: {' '.join(step)} {problem}",
                    where=str(bot.folder / "bot.toml"),
                    saw=_last_line(log),
                    fix=f"run the step by hand in a copy of the folder; all it printed: {log}",
                    code="BUILD_FAILED",
                )


def _run(step: tuple[str, ...], folder: Path, output: int, seconds: float, variables: Mapping[str, str]) -> str:
    """Run one step; empty, or what went wrong in words."""
    try:
        process = subprocess.Popen(
            step,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    except OSError as error:
        return f"cannot be run: {error.strerror}"
    try:
        status = process.wait(max(0.0, seconds))
    except subprocess.TimeoutExpired:
        return "took too long"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return f"ended with status {status}" if status else ""


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:500] if lines else "it printed nothing"
