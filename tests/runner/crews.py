"""Processes of a crew, seen from outside: which there are, and that they are gone in time."""

from __future__ import annotations

import time

import psutil

TICK_S = 0.02
GONE_S = 30.0
"""What was ended is gone at once on a quiet machine; on a busy one a process may have to wait before it may die."""


def descendants(pid: int | None = None) -> list[psutil.Process]:
    """All processes below one (this one, if none is named)."""
    return psutil.Process(pid).children(recursive=True)


def running(module: str, pid: int | None = None) -> list[psutil.Process]:
    """The descendants that run a module of the arena, `runner.worker` or `bots/launcher_process`.

    A child that has not become its own program yet still has its parent's words.
    """
    found = [process for process in descendants(pid) if any(module in word for word in words(process))]
    pids = {process.pid for process in found}
    return [process for process in found if parent(process) not in pids]


def parent(process: psutil.Process) -> int:
    """The pid of its parent; 0 once it is gone."""
    try:
        return process.ppid()
    except psutil.NoSuchProcess:
        return 0


def words(process: psutil.Process) -> list[str]:
    """Its command line; empty once it is gone."""
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def left(processes: list[psutil.Process], within_s: float = GONE_S) -> list[psutil.Process]:
    """Those that still run when the time is up; waits no longer than it must."""
    deadline = time.monotonic() + within_s
    while True:
        alive = [process for process in processes if is_alive(process)]
        if not alive or time.monotonic() > deadline:
            return alive
        time.sleep(TICK_S)


def is_alive(process: psutil.Process) -> bool:
    """Whether a process runs; one that waits to be reaped by its new parent does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
