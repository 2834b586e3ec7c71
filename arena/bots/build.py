"""Builds bots whose manifests have build steps, each content once, in a copy of the folder.

The bot's own folder stays as it is. Steps are argv lists, run without a shell, each with a deadline; what they print
is kept. They run in boxes, without the network (arena/bots/sandbox/builds.py); where bots are played without a sandbox
they run with the rights and the environment of whoever builds.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from arena.bots.folders import work_folder
from arena.bots.manifest import Bot
from arena.bots.sandbox.builds import TOO_LONG, Failed, Site, TooDeep, move, tidy
from arena.bots.sandbox.means import NONE, Means
from arena.bots.version import files_of
from arena.core.errors import BotError

BUILD_S = 120.0
"""Seconds that all build steps of a bot may take together."""
DONE = ".built"
"""A file of this suffix beside a built copy says that it is whole."""


def built(bot: Bot, builds: Path, limit_s: float = BUILD_S, means: Means = NONE) -> Bot:
    """The bot with its folder being a built copy below `builds`; the bot itself where nothing is to be built.

    `means`: how its steps are kept apart. Raises BotError BUILD_FAILED with the step, its last line and the log's path,
    ArenaFault when a box cannot be made.
    """
    if not bot.build:
        return bot
    builds.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = builds / bot.version[:32]
    with (builds / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder.with_name(folder.name + DONE)
        if not (done.exists() and folder.is_dir()):
            done.unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            log_of(bot, builds).write_bytes(b"")
            build = _boxed if means.boxed else _bare
            failed = build(bot, folder, limit_s, means)
            if failed is not None:
                raise _failure(bot, failed, log_of(bot, builds))
            done.touch()
    return replace(bot, folder=folder)


def log_of(bot: Bot, builds: Path) -> Path:
    """Where the output of a bot's build steps is kept."""
    return builds / f"{bot.version[:32]}.log"


def copy_bot(bot: Bot, target: Path) -> None:
    """Copy the files that make up a bot, modes included. Raises BotError for what is no file of the folder."""
    for relative, path in files_of(bot.folder, built=bool(bot.build)):
        place = target / relative
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)


def _boxed(bot: Bot, folder: Path, limit_s: float, means: Means) -> Failed | None:
    """Fetch what the lock files name, then run the steps without the network."""
    with work_folder() as place:
        site = Site(bot, means, place, folder.parent / "packages", log_of(bot, folder.parent))
        for client in site.clients:
            if (failed := site.fetch(client)) is not None:
                return failed
        copy_bot(bot, site.copy)
        cache = folder.parent / "caches" / hashlib.sha256(bytes(bot.folder.resolve())).hexdigest()[:32]
        site.take_cache(cache)
        try:
            try:
                failed = site.build(limit_s)
            finally:
                tidy(site.copy)
                tidy(site.scratch)
        except TooDeep as error:
            return Failed(bot.build[-1], str(error))
        if failed is None:
            move(site.copy, folder)
        if failed is not None or bot.folder.name != bot.version:  # a kept copy is built well once
            site.keep_cache(cache)  # also after too long a build, so that the next one gets further
        return failed


def _bare(bot: Bot, folder: Path, limit_s: float, _means: Means) -> Failed | None:
    """Run the steps as whoever builds."""
    deadline = time.monotonic() + limit_s
    copy_bot(bot, folder)
    # Compiled crates are kept for all bots and versions: else each would compile them again, for a minute or more.
    variables = {"CARGO_TARGET_DIR": str(folder.parent / "cargo"), **os.environ}
    with log_of(bot, folder.parent).open("wb") as output:
        for step in bot.build:
            output.write(f"$ {' '.join(step)}\n".encode())
            output.flush()
            problem = _run(step, folder, output.fileno(), deadline - time.monotonic(), variables)
            if problem:
                return Failed(step, problem, boxed=False)
    return None


def _failure(bot: Bot, failed: Failed, log: Path) -> BotError:
    hint = "build steps have no network: packages come from lock files; " if failed.boxed else ""
    if failed.problem == TOO_LONG:
        hint = f"try again{', what is compiled is kept' if failed.boxed else ''}, or build less; "
    return BotError(
        f"{bot.name} cannot be built: {' '.join(failed.step)} {failed.problem}",
        where=str(bot.folder / "bot.toml"),
        saw=_last_line(log),
        fix=f"{hint}run the step by hand in a copy of the folder; all it printed: {log}",
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
        return TOO_LONG
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return f"ended with status {status}" if status else ""


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:500] if lines else "it printed nothing"
