"""Memory and processes of a tree of processes, for hosts on which no control group can limit them.

Inside a pid namespace an orphan becomes a child of the namespace's first process, so that the tree is complete.
Standard library only; the launcher uses it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PAGE = os.sysconf("SC_PAGE_SIZE")
EXACT_ABOVE = 32 * 1024 * 1024


class Use(NamedTuple):
    """What a tree uses now."""

    memory: int
    """Bytes, pages of files left out."""
    threads: int


def uses(roots: Iterable[int], proc: Path = Path("/proc"), exact_above: int = EXACT_ABOVE) -> dict[int, Use]:
    """The use of the trees below some processes, themselves included: one look at all processes of the machine.

    Pages that a process shares with those it forked count once in trees that seem to use more than `exact_above` bytes.
    """
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
        private = (int(pages[1]) - int(pages[2])) * PAGE
        own[pid] = Use(private + _sum(proc / entry / "status", ("RssShmem",)), int(fields[17]))
    return {root: _use_of(tree, own, proc, exact_above) for root, tree in _trees(set(roots), parents).items()}


def children(parent: int, proc: Path = Path("/proc")) -> list[int]:
    """The processes that one has started, as far as they still are its own."""
    found = []
    for entry in os.listdir(proc):
        if entry.isdigit():
            try:
                fields = (proc / entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(entry))
    return found


def _trees(roots: set[int], parents: Mapping[int, int]) -> dict[int, list[int]]:
    """Root -> the processes below it and itself; roots that are gone are left out."""
    trees: dict[int, list[int]] = {}
    for pid in parents:
        at = pid
        while at and at not in roots:
            at = parents.get(at, 0)
        if at:
            trees.setdefault(at, []).append(pid)
    return trees


def _use_of(tree: Sequence[int], own: Mapping[int, Use], proc: Path, exact_above: int) -> Use:
    memory = sum(own[pid].memory for pid in tree)
    if memory > exact_above and len(tree) > 1:
        exact = [_sum(proc / str(pid) / "smaps_rollup", ("Pss_Anon", "Pss_Shmem")) for pid in tree]
        # What may not be looked at counts as it did before.
        memory = sum(each or own[pid].memory for pid, each in zip(tree, exact, strict=True))
    return Use(memory, sum(own[pid].threads for pid in tree))


def _sum(file: Path, names: Sequence[str]) -> int:
    """The sum, in bytes, of fields in kB of a file; 0 when it cannot be read."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    found = (line.split() for line in lines)
    return sum(int(words[1]) * 1024 for words in found if words[0].rstrip(":") in names)
