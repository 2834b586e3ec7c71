"""Processes of a crew, seen from outside: which there are, and that they are gone in time."""

from __future__ import annotations

import time

import psutil

TICK_S = 0.02


def descendants(pid: int | None = None) -> list[psutil.Process]:
    """All processes below one (this one, if none is named)."""
    return psutil.Process(pid).children(recursive=True)


def running(module: str, pid: int | None = None) -> list[psutil.Process]:
    """The descendants that run a module of the arena, `runner.worker` or `bots/launcher_process`."""
    return [process for process in descendants(pid) if any(module in word for word in words(process))]


def words(process: psutil.Process) -> list[str]:
    """Its command line; empty once it is gone."""
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def left(processes: list[psutil.Process], within_s: float) -> list[psutil.Process]:
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
