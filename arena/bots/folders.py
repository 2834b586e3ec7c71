"""Folders for temporary files that never outlive their processes for long, however these end.

A folder is locked (flock on the folder itself) by the process that made it and by those it hands the lock on to. The
kernel lets go of the lock when the last of them is gone; whoever makes the next folder removes those that nobody holds.
The lock and a mark inside count, never the name alone: what is not marked is not touched, unless it is empty. Standard
library only; the launcher uses it too.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.core.errors import ArenaFault

PREFIX = "arena-work-"
MARK = ".arena-work"


class WorkFolder(NamedTuple):
    """A folder that is locked as long as `handle`, or a copy of it in another process, is open."""

    path: Path
    handle: int
    """Pass it on (`pass_fds`) to a process that uses the folder too."""

    def remove(self) -> None:
        """Remove the folder and let go of the lock."""
        remove_tree(self.path)
        os.close(self.handle)


def remove_tree(folder: Path) -> None:
    """Remove a folder as far as it can be removed, however deep strangers have made it."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        with suppress(OSError):
            subprocess.run(["rm", "-rf", "--", str(folder)], check=False, capture_output=True)


def make_folder() -> WorkFolder:
    """A new folder below the folder for temporary files. Raises ArenaFault DISK_FULL or NO_TEMP."""
    try:
        return new_folder(tempfile.gettempdir())
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise ArenaFault(
            f"no folder for temporary files can be made: {error.strerror}",
            where=tempfile.tempdir or os.environ.get("TMPDIR", "/tmp"),
            fix="free some space there, or let TMPDIR name another folder; then run the same command again",
            code="DISK_FULL" if full else "NO_TEMP",
        ) from error


def new_folder(parent: str) -> WorkFolder:
    """A new folder below `parent` that only its owner may enter; dead ones beside it are removed. Raises OSError."""
    sweep(Path(parent))
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
        handle = _locked(path)
        if handle is not None:
            break
    try:
        (path / MARK).touch(0o600)
    except OSError:
        path.rmdir()
        os.close(handle)
        raise
    return WorkFolder(path, handle)


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder for the time of the block. Raises ArenaFault as `make_folder` does."""
    folder = make_folder()
    try:
        yield folder.path
    finally:
        folder.remove()


def sweep(parent: Path) -> list[Path]:
    """Remove the folders below `parent` whose processes are dead; returns them."""
    removed = []
    for path in sorted(parent.glob(f"{PREFIX}*")):
        handle = _locked(path)
        if handle is None:
            continue
        try:
            if (path / MARK).is_file():
                remove_tree(path)
            else:
                with suppress(OSError):
                    path.rmdir()  # its maker died before it could mark it
            if not path.exists():
                removed.append(path)
        finally:
            os.close(handle)
    return removed


def _locked(path: Path) -> int | None:
    """A handle with the lock of a folder of this user's; None when it is held, gone or somebody else's."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        held, named = os.fstat(handle), os.stat(path, follow_symlinks=False)
        # Between opening and locking it may have been removed, or removed and made anew.
        if held.st_uid == os.geteuid() and stat.S_ISDIR(named.st_mode) and os.path.samestat(held, named):
            return handle
    except OSError:
        pass
    os.close(handle)
    return None
