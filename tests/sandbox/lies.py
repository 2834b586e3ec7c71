"""Hosts that lie: a bubblewrap that drops options, limits that somebody lifts once they are set."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sandbox.simulated import groups_of

from arena.bots.sandbox.selftest import find_bwrap

ALLOW_ALL = bytes.fromhex("0600000000 00ff7f".replace(" ", ""))
"""A seccomp program of one instruction: return SECCOMP_RET_ALLOW."""
WRAPPER = """#!/bin/bash
{first}
for word; do
    shift
    case $word in
        {case}) {instead} ;;
        *) set -- "$@" "$word" ;;
    esac
done
exec {bwrap} {more} "$@"
"""
V1_LIFTED = (
    ("memory.memsw.limit_in_bytes", "-1"),
    ("memory.limit_in_bytes", "-1"),
    ("pids.max", "max"),
    ("cpu.cfs_quota_us", "-1"),
)
V2_LIFTED = (("memory.max", "max"), ("memory.swap.max", "max"), ("pids.max", "max"), ("cpu.max", "max"))


def bubblewrap(folder: Path, *, case: str = "--nothing", instead: str = ":", more: str = "", first: str = "") -> str:
    """The path of a bubblewrap in `folder` that replaces an option by others, and adds more before all."""
    path = folder / "bwrap"
    real = find_bwrap()
    assert shutil.which(real), "a real one is here"
    path.write_text(WRAPPER.format(case=case, instead=instead, more=more, first=first, bwrap=real))
    path.chmod(0o755)
    return str(path)


@contextmanager
def limits_lifted(*files: str) -> Iterator[list[str]]:
    """While the block runs the limits of this process's boxes are lifted once something is in them.

    `files`: names of the limits, such as memory and pids. Gives the names of the groups whose limits were lifted.
    """
    over, lifted = threading.Event(), []

    def lift() -> None:
        while not over.is_set():
            for group in [group for child in _children() for group in groups_of(child)]:
                if _occupied(group) and _lift(group, files):
                    lifted.append(group.name)
            time.sleep(0.005)

    thread = threading.Thread(target=lift)
    thread.start()
    try:
        yield lifted
    finally:
        over.set()
        thread.join()


def _children() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def _occupied(group: Path) -> bool:
    try:
        return bool((group / "cgroup.procs").read_text())
    except OSError:
        return False


def _lift(group: Path, files: tuple[str, ...]) -> bool:
    done = False
    for name, value in (*V1_LIFTED, *V2_LIFTED):
        if name.split(".")[0] in files and (group / name).exists():
            with suppress(OSError):
                (group / name).write_text(value)
                done = True
    return done
