"""Memory and processes of a tree of processes, for hosts on which no control group can limit them.

Inside a pid namespace an orphan becomes a child of the namespace's first process, so that the tree is complete.
Standard library only; the launcher uses it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

PAGE = os.sysconf("SC_PAGE_SIZE")


class Use(NamedTuple):
    """What a tree uses now."""

    memory: int
    """Bytes, pages of files left out."""
    threads: int


def uses(roots: Iterable[int], proc: Path = Path("/proc")) -> dict[int, Use]:
    """The use of the trees below some processes, themselves included: one look at all processes of the machine."""
    parents: dict[int, int] = {}
    own: dict[int, Use] = {}
    for entry in os.listdir(proc):
        if not entry.isdigit():
            continue
        try:
            stat = (proc / entry / "stat").read_text()
            pages = (proc / entry / "statm").read_text().split()
        except OSError:
            continue
        fields = stat.rpartition(")")[2].split()
        pid = int(entry)
        parents[pid] = int(fields[1])
        own[pid] = Use((int(pages[1]) - int(pages[2])) * PAGE + _shared(proc / entry), int(fields[17]))
    found: dict[int, Use] = {}
    wanted = set(roots)
    for pid, use in own.items():
        at = pid
        while at and at not in wanted:
            at = parents.get(at, 0)
        if at:
            before = found.get(at, Use(0, 0))
            found[at] = Use(before.memory + use.memory, before.threads + use.threads)
    return found


def _shared(process: Path) -> int:
    """Bytes of shared memory that a process has touched."""
    try:
        for line in (process / "status").read_text().splitlines():
            if line.startswith("RssShmem:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
