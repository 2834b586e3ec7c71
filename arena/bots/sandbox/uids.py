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


class NoUid(OSError):
    """Every uid of the range is in use."""


class Uids:
    """The range of this host."""

    def __init__(self, folder: Path = Path("/run/arena-uids")) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self.first, self._count = (FIRST, COUNT) if mapped(FIRST + COUNT) else (SMALL_FIRST, SMALL_COUNT)
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


def mapped(uid: int, file: Path = Path("/proc/self/uid_map")) -> bool:
    """Whether a uid exists in this user namespace."""
    for line in file.read_text().splitlines():
        inside, _outside, count = (int(word) for word in line.split())
        if inside <= uid < inside + count:
            return True
    return False
