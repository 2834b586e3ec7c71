"""Control groups: one group for each bot process, with its limits, its evidence and its end. Linux v1, v2 and hybrid.

A group is one folder in v2 and one for each controller in v1; a hybrid host has both, and the v2 side then only knows
which processes belong together, which is enough to kill them at once. Limits are read back: a limit that does not read
back as it was written is not there. Standard library only; the launcher uses it.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bots.sandbox.hierarchies import Mounts, NoGroups, find_mounts, prepare

__all__ = [
    "Evidence",
    "Group",
    "Mounts",
    "NoGroups",
    "find_mounts",
    "held_back",
    "mark",
    "prepare",
    "start_time",
    "sweep",
]

PERIOD_US = 100_000
PERIOD_S = PERIOD_US / 1e6
V1_SHARES, V2_WEIGHT = 512, 50
"""Half the usual: the referee goes before the bots when there are not enough processors."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the kernel says about a group."""

    oom_kills: int = 0
    pids_refused: int = 0
    cpu_s: float = 0.0


class Group:
    """The group of one bot process and of all that it starts."""

    def __init__(self, name: str, mounts: Mounts) -> None:
        self.name = name
        self._v1 = {controller: folder / name for controller, folder in mounts.v1.items()}
        self._unified = mounts.unified / name if mounts.unified is not None else None
        self._folders = list(dict.fromkeys([*self._v1.values(), *([self._unified] if self._unified else [])]))
        for folder in self._folders:
            folder.mkdir(mode=0o755, exist_ok=True)

    def limit(self, memory: int, pids: int, cpus: float) -> None:
        """Set and read back the limits: bytes (no swap), processes and threads, processors. Raises NoGroups."""
        quota = round(cpus * PERIOD_US)
        if "memory" in self._v1:
            memory_folder = self._v1["memory"]
            self._write(memory_folder / "memory.limit_in_bytes", str(memory))
            if (memory_folder / "memory.memsw.limit_in_bytes").exists():
                self._write(memory_folder / "memory.memsw.limit_in_bytes", str(memory))
            self._write(self._v1["pids"] / "pids.max", str(pids))
            self._write(self._v1["cpu"] / "cpu.shares", str(V1_SHARES))
            self._write(self._v1["cpu"] / "cpu.cfs_period_us", str(PERIOD_US))
            self._write(self._v1["cpu"] / "cpu.cfs_quota_us", str(quota))
        elif self._unified is not None:
            self._write(self._unified / "memory.max", str(memory))
            if (self._unified / "memory.swap.max").exists():
                self._write(self._unified / "memory.swap.max", "0")
            if (self._unified / "memory.oom.group").exists():
                self._write(self._unified / "memory.oom.group", "1")
            self._write(self._unified / "pids.max", str(pids))
            self._write(self._unified / "cpu.weight", str(V2_WEIGHT))
            self._write(self._unified / "cpu.max", f"{quota} {PERIOD_US}")

    def _write(self, file: Path, value: str) -> None:
        try:
            file.write_text(value)
            seen = file.read_text().strip()
        except OSError as error:
            raise NoGroups(f"{file}: {error.strerror}") from None
        if seen != value:
            raise NoGroups(f"{file} reads {seen!r} after {value!r} was written")

    def enter(self) -> None:
        """Put this process into the group (between fork and exec)."""
        self.take(0)

    def take(self, pid: int) -> None:
        """Put a process into the group; 0: this one. Raises OSError."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def holds(self, pid: int) -> bool:
        """Whether the kernel says that a process is in the group, in every hierarchy that it has."""
        lines = _read(Path(f"/proc/{pid}/cgroup")).splitlines()
        names = {name for line in lines if line.endswith(f"/{self.name}") for name in line.split(":")[1].split(",")}
        return set(self._v1) | ({""} if self._unified is not None else set()) <= names

    def evidence(self) -> Evidence:
        """What the kernel has counted so far."""
        if "memory" in self._v1:
            spent = int(_read(self._v1["cpuacct"] / "cpuacct.usage") or 0) / 1e9 if "cpuacct" in self._v1 else 0.0
            kills = _field(self._v1["memory"] / "memory.oom_control", "oom_kill")
            return Evidence(kills, _field(self._v1["pids"] / "pids.events", "max"), spent)
        if self._unified is not None:
            return Evidence(
                _field(self._unified / "memory.events", "oom_kill"),
                _field(self._unified / "pids.events", "max"),
                _field(self._unified / "cpu.stat", "usage_usec") / 1e6,
            )
        return Evidence()

    def processes(self) -> list[int]:
        """Process ids in the group."""
        folder = self._unified or next(iter(self._v1.values()))
        return [int(pid) for pid in _read(folder / "cgroup.procs").split()]

    def kill(self) -> None:
        """Kill every process of the group; new ones started meanwhile too."""
        if self._unified is not None:
            with suppress(OSError):
                (self._unified / "cgroup.kill").write_text("1")
                return
        if "freezer" in self._v1:
            with suppress(OSError):
                (self._v1["freezer"] / "freezer.state").write_text("FROZEN")
        for pid in self.processes():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if "freezer" in self._v1:
            with suppress(OSError):
                (self._v1["freezer"] / "freezer.state").write_text("THAWED")

    def remove(self, limit_s: float = 2.0) -> bool:
        """Kill what is left and remove the group; False when it is still there after `limit_s` seconds."""
        deadline = time.monotonic() + limit_s
        forgotten = False
        while True:
            if not forgotten and not self.processes():
                self._forget()
                forgotten = True  # once: it may take the kernel a while
            left = [folder for folder in self._folders if not _gone(folder)]
            if not left:
                return True
            if time.monotonic() > deadline:
                return False
            self.kill()
            time.sleep(0.002)

    def _forget(self) -> None:
        """Drop from memory the pages of files that these processes were the first to read.

        Which pages are there can be told without a clock, so that a later process would learn what an earlier one read.
        """
        with suppress(OSError):
            if "memory" in self._v1:
                (self._v1["memory"] / "memory.force_empty").write_text("0")
            elif self._unified is not None:
                (self._unified / "memory.reclaim").write_text(_read(self._unified / "memory.max"))


def mark(pid: int) -> str:
    """The start of the names of a launcher's groups: pid namespace, pid, start time."""
    return f"arena-{os.stat('/proc/self/ns/pid').st_ino}-{pid}-{start_time(pid)}"


def held_back(pid: int) -> int:
    """In how many periods the kernel has kept the group of a process from running, so far; 0 when it is gone."""
    try:
        mounts = find_mounts(Path(f"/proc/{pid}"))
    except OSError:
        return 0
    folder = mounts.v1.get("cpu", mounts.unified)
    return _field(folder / "cpu.stat", "nr_throttled") if folder is not None else 0


def start_time(pid: int) -> str:
    """When a process began, in the kernel's ticks; empty when there is none."""
    stat = _read(Path(f"/proc/{pid}/stat"))
    return stat.rpartition(")")[2].split()[19] if stat else ""


def sweep(mounts: Mounts) -> int:
    """Remove groups whose launcher is dead; how many. Groups of other pid namespaces are let alone."""
    names: set[str] = set()
    for folder in [*mounts.v1.values(), *([mounts.unified] if mounts.unified else [])]:
        names |= {path.name for path in folder.glob(f"arena-{os.stat('/proc/self/ns/pid').st_ino}-*-*-*")}
    removed = 0
    for name in names:
        _arena, _namespace, pid, started, _rest = name.split("-", 4)
        if start_time(int(pid)) != started:
            removed += Group(name, mounts).remove()
    return removed


def _gone(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def _field(file: Path, name: str) -> int:
    """A number of a file of `name value` lines; 0 when it is not there."""
    for line in _read(file).splitlines():
        word, _, value = line.partition(" ")
        if word == name:
            return int(value)
    return 0
