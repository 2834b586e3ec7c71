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
from dataclasses import dataclass, field
from pathlib import Path

PERIOD_US = 100_000
PERIOD_S = PERIOD_US / 1e6
V1_SHARES, V2_WEIGHT = 512, 50
"""Half the usual: the referee goes before the bots when there are not enough processors."""
LEAF = "arena-main"
MOVES = 3
"""How often processes are moved out of a folder, since new ones may be started meanwhile."""
V1_CONTROLLERS = ("memory", "pids", "cpu", "cpuacct", "freezer")
V2_CONTROLLERS = ("memory", "pids", "cpu")


class NoGroups(OSError):
    """Control groups cannot be used here."""


@dataclass(frozen=True, slots=True)
class Mounts:
    """Where this process may make groups: its own folder in every hierarchy."""

    unified: Path | None
    v1: dict[str, Path] = field(default_factory=dict)
    """Controller -> folder."""
    v2_controllers: frozenset[str] = frozenset()
    top: Path | None = None
    """Where the v2 hierarchy is mounted, which is as far up as this process sees."""

    @property
    def version(self) -> str:
        """In words: v1, v2, hybrid."""
        if not self.v1:
            return "v2"
        return "hybrid" if self.unified is not None else "v1"


def find_mounts(proc: Path = Path("/proc/self")) -> Mounts:
    """The hierarchies of this process. Raises NoGroups when there are none."""
    own: dict[str, str] = {}
    for line in (proc / "cgroup").read_text().splitlines():
        _number, controllers, path = line.split(":", 2)
        for name in controllers.split(",") if controllers else [""]:
            own[name] = path
    unified: Path | None = None
    top: Path | None = None
    v1: dict[str, Path] = {}
    for line in (proc / "mountinfo").read_text().splitlines():
        left, _, right = line.partition(" - ")
        kind, _source, options = right.split(" ", 2)
        root, place = left.split(" ")[3:5]
        if kind == "cgroup2" and unified is None and "" in own:
            unified, top = _folder(place, root, own[""]), Path(place)
        elif kind == "cgroup":
            for name in options.split(","):
                if name in V1_CONTROLLERS and name in own and name not in v1:
                    v1[name] = _folder(place, root, own[name])
    if unified is None and not v1:
        raise NoGroups("no control groups are mounted")
    known = frozenset((unified / "cgroup.controllers").read_text().split()) if unified is not None else frozenset()
    return Mounts(unified, v1, known, top)


def _folder(place: str, root: str, own: str) -> Path:
    """A process's folder below a mount whose root is `root` of the hierarchy."""
    inside = own if root == "/" else own.removeprefix(root)
    return Path(place) / inside.lstrip("/")


def prepare(mounts: Mounts) -> Mounts:
    """Where groups with limits can be made, changing the v2 hierarchy as needed. Raises NoGroups when nowhere.

    In v2 a folder that holds processes cannot pass controllers on, except at the very root. Tried in order: this
    process's own folder, the one above where this process was put into a leaf before, the mount's root, and, where the
    own folder is a container's root or was delegated to this user, emptying it into a leaf.
    """
    if all(name in mounts.v1 for name in ("memory", "pids", "cpu")):
        for name in ("memory", "pids", "cpu"):
            if not os.access(mounts.v1[name], os.W_OK):
                raise NoGroups(f"{mounts.v1[name]} cannot be written")
        usable = mounts.unified is not None and os.access(mounts.unified, os.W_OK)
        return Mounts(mounts.unified if usable else None, mounts.v1, frozenset())
    own, top = mounts.unified, mounts.top
    if own is None or top is None or not set(V2_CONTROLLERS) <= mounts.v2_controllers:
        raise NoGroups("the memory, pids and cpu controllers are not here")
    for folder in dict.fromkeys([own, *([own.parent] if own.name == LEAF else []), top]):
        if _enable(folder):
            return Mounts(folder, {}, mounts.v2_controllers, top)
    if (own == top or _delegated(own)) and _empty(own):
        return Mounts(own, {}, mounts.v2_controllers, top)
    raise NoGroups(f"controllers cannot be passed on below {own}")


def _delegated(folder: Path) -> bool:
    """Whether systemd has handed a folder over (Delegate=yes)."""
    try:
        return os.getxattr(folder, "user.delegate") == b"1"
    except OSError:
        return False


def _empty(folder: Path) -> bool:
    """Move the processes of a folder into a leaf of it, so that it can pass controllers on; False when it cannot."""
    leaf = folder / LEAF
    for _ in range(MOVES):
        try:
            leaf.mkdir(exist_ok=True)
            for pid in (folder / "cgroup.procs").read_text().split():
                with suppress(OSError):  # it may be gone
                    (leaf / "cgroup.procs").write_text(pid)
        except OSError:
            return False
        if _enable(folder):
            return True
    return False


def _enable(folder: Path) -> bool:
    """Pass the controllers on to what is below a folder; False when the kernel does not."""
    control = folder / "cgroup.subtree_control"
    try:
        if not set(V2_CONTROLLERS) <= set(control.read_text().split()):
            control.write_text(" ".join(f"+{name}" for name in V2_CONTROLLERS))
        return set(V2_CONTROLLERS) <= set(control.read_text().split())
    except OSError:
        return False


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
        while True:
            left = [folder for folder in self._folders if not _gone(folder)]
            if not left:
                return True
            if time.monotonic() > deadline:
                return False
            self.kill()
            time.sleep(0.002)


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
