"""Control groups as files of a temporary folder that answer as Linux does, to try what a machine does not have."""

from __future__ import annotations

import errno
import pathlib
import shutil
from pathlib import Path
from typing import ClassVar

V2 = ("memory", "pids", "cpu")
V1_FILES = {
    "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
    "pids": ("pids.max", "pids.events"),
    "cpu": ("cpu.shares", "cpu.cfs_period_us", "cpu.cfs_quota_us"),
    "cpuacct": ("cpuacct.usage",),
    "freezer": ("freezer.state",),
}
V2_FILES = {
    "memory": ("memory.max", "memory.swap.max", "memory.oom.group", "memory.events"),
    "pids": ("pids.max", "pids.events"),
    "cpu": ("cpu.weight", "cpu.max"),
}
MOST = str(2**63 - 4096)


class KernelPath(pathlib.PosixPath):
    """A path of a control group: its files are there from the start, and writing one may mean something else."""

    written: ClassVar[list[tuple[str, str]]] = []
    """(file, value) of all that was written, in order."""
    deaf: ClassVar[set[str]] = set()
    """Files that take what is written and change nothing."""

    def write_text(self, data: str, *_: object, **__: object) -> int:
        if not self.exists():
            raise PermissionError(errno.EACCES, "no file of the kernel", str(self))
        KernelPath.written.append((self.name, data))
        if self.name in KernelPath.deaf:
            return len(data)
        if self.name == "cgroup.subtree_control":
            self._pass_on(data)
        elif self.name == "cgroup.procs":
            self._move(data)
        elif self.name == "memory.memsw.limit_in_bytes" and int(data) < int(self._beside("memory.limit_in_bytes")):
            raise OSError(errno.EINVAL, "below the limit of memory", str(self))
        elif self.name == "memory.limit_in_bytes" and int(data) > int(self._beside("memory.memsw.limit_in_bytes")):
            raise OSError(errno.EINVAL, "above the limit of memory and swap", str(self))
        else:
            super().write_text(data)
        return len(data)

    def _beside(self, name: str) -> str:
        file = self.with_name(name)
        return file.read_text() if file.exists() else MOST

    def _pass_on(self, data: str) -> None:
        if self._beside("cgroup.procs").split() and not (self.parent / "is_root").exists():
            raise OSError(errno.EBUSY, "it holds processes", str(self))
        wanted = [word.removeprefix("+") for word in data.split()]
        if not set(wanted) <= set(self._beside("cgroup.controllers").split()):
            raise OSError(errno.ENOENT, "no such controller", str(self))
        super().write_text(" ".join(wanted))
        for child in self.parent.iterdir():
            if child.is_dir():
                furnish_v2(child, wanted)

    def _move(self, pid: str) -> None:
        top = next(path for path in (self.parent, *self.parents) if (path / "is_mount").exists())
        for procs in top.rglob("cgroup.procs"):
            rest = [each for each in procs.read_text().split() if each != pid]
            Path(procs).write_text("\n".join(rest))
        Path(self).write_text("\n".join([*self.read_text().split(), pid]))

    def mkdir(self, *args: object, **named: object) -> None:
        there = self.exists()
        super().mkdir(*args, **named)
        if there:
            return
        if (self.parent / "cgroup.subtree_control").exists():
            furnish_v2(self, (self.parent / "cgroup.subtree_control").read_text().split())
        else:
            for name in ("memory", "pids", "cpu", "cpuacct", "freezer"):
                if (self.parent / V1_FILES[name][0]).exists():
                    furnish_v1(self, name)

    def rmdir(self) -> None:
        if any(child.is_dir() for child in self.iterdir()) or self._procs():
            raise OSError(errno.EBUSY, "in use", str(self))
        shutil.rmtree(self)

    def _procs(self) -> list[str]:
        return (self / "cgroup.procs").read_text().split()


def furnish_v1(folder: Path, controller: str) -> None:
    """The files of a group."""
    for name in (*V1_FILES[controller], "cgroup.procs"):
        value = MOST if name.startswith("memory.") and name.endswith("in_bytes") else ""
        Path(folder / name).write_text(value)


def furnish_v2(folder: Path, controllers: list[str]) -> None:
    """The files of a group whose parent passes controllers on."""
    for name in ("cgroup.procs", "cgroup.subtree_control", "cgroup.kill", "cpu.stat"):
        if not (folder / name).exists():
            Path(folder / name).write_text("")
    Path(folder / "cgroup.controllers").write_text(" ".join(controllers))
    for controller in controllers:
        for name in V2_FILES[controller]:
            Path(folder / name).write_text("")


def host(folder: Path, *, v1: tuple[str, ...] = (), v2: tuple[str, ...] | None = None, own: str = "/") -> Path:
    """A host: its /proc/self, telling of v1 hierarchies and of a v2 one with some controllers below `folder`.

    `own`: the group of this process in each.
    """
    KernelPath.written, KernelPath.deaf = [], set()
    proc = folder / "proc"
    proc.mkdir()
    lines, mounted = [], []
    for number, name in enumerate(v1, 2):
        lines.append(f"{number}:{name}:{own}")
        mounted.append(f"{30 + number} 29 0:{number} / {folder}/{name} rw - cgroup cgroup rw,{name}")
        place = folder / name / own.lstrip("/")
        place.mkdir(parents=True)
        furnish_v1(place, name)
        (folder / name / "is_mount").touch()
    if v2 is not None:
        lines.append(f"0::{own}")
        mounted.append(f"30 29 0:1 / {folder}/unified rw - cgroup2 cgroup2 rw")
        top = folder / "unified"
        place = top / own.lstrip("/")
        place.mkdir(parents=True)
        for each in {top, place}:
            furnish_v2(each, list(v2))
        (top / "is_mount").touch()
    (proc / "cgroup").write_text("".join(f"{line}\n" for line in lines))
    (proc / "mountinfo").write_text("".join(f"{line}\n" for line in mounted))
    return proc
