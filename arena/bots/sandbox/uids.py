"""A uid of its own for every box that runs on this host, taken by a lock so that no two launchers give out the same.

Standard library only; the launcher uses it.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

FIRST, COUNT = 1_900_000_000, 4096
"""Beyond what systemd gives to users, services and containers."""
SMALL_FIRST, SMALL_COUNT = 60_600, 500
"""Where a container maps only 16 bits of uids: the gap that distributions leave."""
FOLDER = Path("/run/arena-uids")
"""One empty file for each uid that was ever given out; they stay, since a lock on a removed file locks nothing."""
CAPABILITIES = {"CAP_CHOWN": 0, "CAP_KILL": 5, "CAP_SETGID": 6, "CAP_SETUID": 7}


class NoUid(OSError):
    """Every uid of the range is in use."""


class Uids:
    """The range of this host."""

    def __init__(self, folder: Path = FOLDER) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self.first, self._count = (FIRST, COUNT) if mapped(FIRST, COUNT) else (SMALL_FIRST, SMALL_COUNT)
        self._held: dict[int, int] = {}

    def take(self) -> int:
        """A uid that nothing else uses until it is given back, or this process ends. Raises NoUid."""
        for uid in range(self.first, self.first + self._count):
            if uid in self._held:
                continue
            lock = os.open(self._folder / str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            self._held[uid] = lock
            return uid
        raise NoUid(f"the uids {self.first} to {self.first + self._count - 1} are all in use")

    def give_back(self, uid: int) -> None:
        """Nothing runs under this uid any more."""
        os.close(self._held.pop(uid))


def available(folder: Path = FOLDER, proc: Path = Path("/proc/self")) -> bool:
    """Whether this process can start programs under uids of their own."""
    return not missing(folder, proc)


def missing(folder: Path = FOLDER, proc: Path = Path("/proc/self")) -> str:
    """Why this process cannot start programs under uids of their own; empty when it can."""
    if os.geteuid() != 0:
        return "not root"
    held = int(_status(proc / "status", "CapEff"), 16)
    lacking = [name for name, number in CAPABILITIES.items() if not held & 1 << number]
    if lacking:
        return f"root without {', '.join(lacking)}"
    if not mapped(FIRST, COUNT, proc / "uid_map") and not mapped(SMALL_FIRST, SMALL_COUNT, proc / "uid_map"):
        return "too few uids in this user namespace"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return f"{folder} cannot be made: {error.strerror}"
    return "" if os.access(folder, os.W_OK) else f"{folder} cannot be written"


def _status(file: Path, name: str) -> str:
    return next(line.split()[1] for line in file.read_text().splitlines() if line.startswith(f"{name}:"))


def mapped(first: int, count: int, file: Path = Path("/proc/self/uid_map")) -> bool:
    """Whether a range of uids exists in this user namespace."""
    for line in file.read_text().splitlines():
        inside, _outside, size = (int(word) for word in line.split())
        if inside <= first and first + count <= inside + size:
            return True
    return False
