"""The processes of one run of the arena as the kernel shows them: which kind each is, and which are still there.

Knows processes by pid and time of birth, so that a pid that was given away again is nobody's leftover.
"""

from __future__ import annotations

import enum
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

GONE = (psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied)


class Kind(enum.StrEnum):
    """What is killed."""

    COORDINATOR = "coordinator"
    WORKER = "worker"
    LAUNCHER = "launcher"
    SANDBOX = "sandbox"
    """The outermost process of a sandboxed bot: nothing in the sandbox can reach it."""
    BOT = "bot"
    """A bot's own process."""
    ALL = "all"
    """Everything at once, as when the power fails."""


def tree(coordinator: psutil.Process) -> dict[Kind, list[psutil.Process]]:
    """The processes of a run by kind, ALL in order from the coordinator down."""
    found: dict[Kind, list[psutil.Process]] = {kind: [] for kind in Kind}
    kinds = {coordinator.pid: Kind.COORDINATOR}
    with suppress(*GONE):
        for process in [coordinator, *coordinator.children(recursive=True)]:
            with suppress(*GONE):
                kind = kinds[process.pid] = kinds.get(process.pid) or _kind(process, kinds.get(process.ppid()))
                found[kind].append(process)
                found[Kind.ALL].append(process)
    return found


def _kind(process: psutil.Process, parent: Kind | None) -> Kind:
    words = process.cmdline()
    if "arena.runner.worker" in words:
        return Kind.WORKER
    if any("launcher" in word for word in words[:5]):
        return Kind.LAUNCHER
    return Kind.SANDBOX if parent is Kind.LAUNCHER and process.name() == "bwrap" else Kind.BOT


def is_alive(process: psutil.Process) -> bool:
    """Whether it runs; the dead that nobody has asked for yet do not."""
    with suppress(*GONE):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def wait_until_gone(processes: Iterable[psutil.Process], limit_s: float) -> list[str]:
    """What is left of them after `limit_s` seconds at most."""
    deadline = time.monotonic() + limit_s
    left = list(processes)
    while left := [process for process in left if is_alive(process)]:
        if time.monotonic() > deadline:
            return [told(process) for process in left]
        time.sleep(0.02)
    return []


def told(process: psutil.Process) -> str:
    """A process for a message."""
    with suppress(*GONE):
        return f"{process.pid} {' '.join(process.cmdline())[:300]}"
    return str(process.pid)


def of_folder(folder: Path) -> list[psutil.Process]:
    """All processes that have to do with a folder, whoever started them: by command, environment or mounts."""
    wanted = os.fsencode(folder)
    found = []
    for process in psutil.process_iter():
        for name in ("cmdline", "environ", "mountinfo"):
            with suppress(OSError):
                if wanted in Path(f"/proc/{process.pid}/{name}").read_bytes() and process.pid != os.getpid():
                    found.append(process)
                    break
    return [process for process in found if is_alive(process)]
