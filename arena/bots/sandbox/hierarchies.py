"""Which hierarchies of control groups there are, and where in them this process can make groups with limits.

Linux v1, v2 and hybrid. Standard library only; the launcher uses it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

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
