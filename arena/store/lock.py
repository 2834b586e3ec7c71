"""One coordinator a tournament: a lock that dies with its holder, however it dies.

The kernel's lock (flock) counts, never the file's existence or the pid written in it: those are for people. The file
is not inherited by programs that the holder starts. Knows nothing of the database; needs no SQLAlchemy.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.core.errors import ArenaError, ArenaFault


class Busy(ArenaError):
    """Another coordinator holds this tournament (exit status 6)."""

    code = "BUSY"


class Holder(NamedTuple):
    """Who holds a lock."""

    pid: int
    host: str


def lock_file(folder: Path, tournament: str) -> Path:
    """Where the lock of a tournament is, in a data folder."""
    return folder / "locks" / f"{tournament}.lock"


@contextmanager
def coordinator_lock(folder: Path, tournament: str) -> Iterator[None]:
    """Hold the lock of a tournament for the time of the block.

    Raises Busy with pid and host while another process holds it, ArenaFault when the lock file cannot be made.
    """
    file = lock_file(folder, tournament)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.parent.mkdir(exist_ok=True, mode=0o700)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise ArenaFault(
            f"the lock of tournament {tournament!r} cannot be made: {error.strerror}",
            where=str(file),
            fix="free some space, then run the same command again"
            if full
            else "the data folder must be yours to write",
            code="DISK_FULL" if full else "READ_ONLY",
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _busy(file, tournament) from None
        _sign(handle)
        yield
    finally:
        os.close(handle)  # lets go of the lock; the file stays, since removing it would let two holders in


def holder(folder: Path, tournament: str) -> Holder | None:
    """Who holds the lock of a tournament now; None when nobody does, or the file is not ours to read."""
    file = lock_file(folder, tournament)
    try:
        handle = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _read(file)
    else:
        return None
    finally:
        os.close(handle)


def _sign(handle: int) -> None:
    """Say who holds the lock. It is held without that as well, so that a full disk does not matter here."""
    os.ftruncate(handle, 0)  # a name from earlier would be a lie
    with suppress(OSError):
        os.pwrite(handle, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode(), 0)


def _read(file: Path) -> Holder:
    try:
        data = json.loads(file.read_text())
        return Holder(int(data["pid"]), str(data["host"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(0, "unknown")  # it holds the lock, but has not signed yet


def _busy(file: Path, tournament: str) -> Busy:
    pid, host = _read(file)
    if not pid:
        return Busy(
            f"tournament {tournament!r} is being run by an unknown process",
            where=str(file),
            fix=f"wait until it ends, or find it: fuser {file}",
        )
    return Busy(
        f"tournament {tournament!r} is being run by process {pid} on {host}",
        where=str(file),
        fix=f"wait until it ends, or stop it there: kill {pid}",
    )
