"""One coordinator a tournament: a lock that dies with its holder, however it dies.

The kernel's lock (flock) counts, never the file's existence or the pid written in it: those are for people. The file
is not inherited by programs that the holder starts. Where the store is on a server, the lock is held there as well
(`shared_lock`); else nothing here knows the database or needs SQLAlchemy.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.core.errors import ArenaError, ArenaFault
from arena.store.place import Place, is_shared

SITE = ".site"
"""What the lock of the server is called; no tournament's name begins with a dot."""
LOOKED_S, PAUSE_S = 10.0, 0.005
"""How long a lock that others only look at is tried for, and how long after each try."""


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
def coordinator_lock(folder: Path, tournament: str, store: Place | None = None) -> Iterator[None]:
    """Hold the lock of a tournament for the time of the block, in a data folder and at the server of its store, if any.

    Raises Busy with pid and host while another process holds it, ArenaFault when the lock file cannot be made.
    """
    with _file_lock(folder, tournament):
        if store is None or not is_shared(store):
            yield
            return
        from arena.store.shared_lock import server_lock

        with server_lock(store, tournament):
            yield


@contextmanager
def _file_lock(folder: Path, tournament: str) -> Iterator[None]:
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
        if not _take(handle):
            raise busy(tournament, _read(file), str(file), here=True)
        _sign(handle)
        yield
    finally:
        os.close(handle)  # lets go of the lock; the file stays, since removing it would let two holders in


def _take(handle: int) -> bool:
    """Take a lock; False when another process holds it.

    `holder` has it too for a moment, shared: who only looks keeps nobody from it.
    """
    deadline = time.monotonic() + LOOKED_S
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            pass
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        fcntl.flock(handle, fcntl.LOCK_UN)
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE_S)


@contextmanager
def one_at_a_time(folder: Path, what: str) -> Iterator[None]:
    """Wait for all others in a data folder that do the same, "quota": what was counted is true until the block ends.

    Raises ArenaFault when the lock file cannot be made.
    """
    file = folder / "locks" / f".{what}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.parent.mkdir(exist_ok=True, mode=0o700)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ArenaFault(
            f"a lock cannot be made: {error.strerror}",
            where=str(file),
            fix="the data folder must be yours to write, with space left",
            code="DISK_FULL" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "READ_ONLY",
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def site_lock(folder: Path, store: Place | None = None) -> Iterator[None]:
    """Be the one server of a data folder and its store for the time of the block: it looks after the queue of what was
    sent and after games of people. Raises Busy with pid and host while another one does, as `coordinator_lock`."""
    with ExitStack() as held:
        try:
            held.enter_context(coordinator_lock(folder, SITE, store))
        except Busy as other:
            message = other.message.replace(f"tournament {SITE!r} is being run", "this folder is served already")
            raise Busy(message, where=other.where, fix=other.fix) from None
        yield


def holder(folder: Path, tournament: str, store: Place | None = None) -> Holder | None:
    """Who holds the lock of a tournament now, here or at the server of its store.

    None when nobody does, or the file is not ours to read.
    """
    found = _file_holder(folder, tournament)
    if found is not None or store is None or not is_shared(store):
        return found
    from arena.store.shared_lock import server_holder

    return server_holder(store, tournament)


def _file_holder(folder: Path, tournament: str) -> Holder | None:
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


def busy(tournament: str, who: Holder, where: str, *, here: bool) -> Busy:
    """The error for a lock that another process has; `here`: the lock is the file `where`, of this machine."""
    if not who.pid:
        find = f", or find it: fuser {where}" if here else "; the server lists who is connected: pg_stat_activity"
        return Busy(
            f"tournament {tournament!r} is being run by an unknown process",
            where=where,
            fix=f"wait until it ends{find}",
        )
    return Busy(
        f"tournament {tournament!r} is being run by process {who.pid} on {who.host}",
        where=where,
        fix=f"wait until it ends, or stop it there: kill {who.pid}",
    )
