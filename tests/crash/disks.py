"""Small disks of memory that tests fill, empty and make read-only."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

BALLAST = "ballast"


class Disk:
    """A mounted disk; mounting takes root."""

    def __init__(self, path: Path, options: str) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        _mount("mount", "-t", "tmpfs", "-o", f"mode=0700,{options}", "tmpfs", str(path))

    def fill(self) -> None:
        """Leave no byte and no room for another file."""
        with (self.path / BALLAST).open("ab", buffering=0) as ballast, suppress(OSError):
            while True:
                ballast.write(bytes(4096))
        with suppress(OSError):
            for number in range(100_000):
                (self.path / f"{BALLAST}-{number}").touch()

    def free(self) -> None:
        """Take away what filled it."""
        for file in self.path.glob(f"{BALLAST}*"):
            file.unlink()

    def read_only(self) -> None:
        """Let nobody write."""
        _mount("mount", "-o", "remount,ro", str(self.path))

    def writable(self) -> None:
        """Let its owner write again."""
        _mount("mount", "-o", "remount,rw", str(self.path))


@contextmanager
def mounted(path: Path, options: str = "size=16m,nr_inodes=400") -> Iterator[Disk]:
    """A disk for the time of the block."""
    disk = Disk(path, options)
    try:
        yield disk
    finally:
        _mount("umount", "--lazy", str(path))


def _mount(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
