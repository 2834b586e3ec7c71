"""What a database's own errors mean to people: which kind of trouble, whose, and how to mend it.

Knows the error codes of SQLite; those of PostgreSQL are in `server_failures`.
"""

from __future__ import annotations

import errno
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from arena.core.errors import ArenaError, ArenaFault
from arena.store.server_failures import is_of_server, server_fault


@contextmanager
def explained(where: str) -> Iterator[None]:
    """Turns errors of the database at `where` (a path or URL) into ArenaFault with a code of its own.

    A server that does not let us in is a ConfigError.
    """
    try:
        yield
    except DBAPIError as error:
        raise fault_of(error.orig, where) from error
    except SQLAlchemyError as error:
        raise ArenaFault(f"the store failed: {error}", where=where, code="STORE") from error
    except sqlite3.Error as error:
        raise fault_of(error, where) from error
    except OSError as error:
        raise _of_os_error(error, where) from error


@contextmanager
def decoded(where: str) -> Iterator[None]:
    """Turns what only damaged data brings up into ArenaFault: texts that are no JSON, unknown words, broken zips."""
    try:
        yield
    except (ValueError, zlib.error) as error:
        raise damaged(where, f"{type(error).__name__}: {error}") from error


def fault_of(error: BaseException | None, where: str) -> ArenaError:
    """The ArenaFault, or ConfigError, for an error of the driver."""
    if is_of_server(error):
        return server_fault(error, where)
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and _is_full(where):
        name = "SQLITE_FULL"  # so it is told for the files beside the database
    if "Could not decode to UTF-8" in str(error):
        name = "SQLITE_CORRUPT"
    for start, code, message, fix in _TROUBLES:
        if name.startswith(start):
            return ArenaFault(message, where=where, saw=str(error), fix=fix, code=code)
    return ArenaFault("the store failed", where=where, saw=f"{type(error).__name__}: {error}", code="STORE")


def damaged(where: str, saw: str) -> ArenaFault:
    """The ArenaFault for a store whose content is not what was written."""
    return next(
        ArenaFault(message, where=where, saw=saw, fix=fix, code=code)
        for name, code, message, fix in _TROUBLES
        if name == "SQLITE_CORRUPT"
    )


def _of_os_error(error: OSError, where: str) -> ArenaFault:
    what = f"the store cannot be opened: {error.strerror or error}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ArenaFault(what, where=where, fix="free some space, then run the same command again", code="DISK_FULL")
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        fix = "make the folder writable, or name another one as data in arena.toml"
        return ArenaFault(what, where=where, fix=fix, code="READ_ONLY")
    return ArenaFault(what, where=where, fix="the folder must exist and be yours to write", code="STORE_UNREADABLE")


def _is_full(where: str) -> bool:
    try:
        return shutil.disk_usage(Path(where).parent).free < FULL_BYTES
    except OSError:
        return False  # a URL, or gone


FULL_BYTES = 64 * 1024
"""A disk with less than that has no room for the files that SQLite needs beside the database."""
_TROUBLES = (
    (
        "SQLITE_FULL",
        "DISK_FULL",
        "the disk is full: the games of this moment were not stored, all earlier ones are safe",
        "free some space, then run the same command again: it goes on where it stopped",
    ),
    (
        "SQLITE_READONLY",
        "READ_ONLY",
        "the store cannot be written: its file or folder is read-only",
        "make the folder writable, or name another one as data in arena.toml",
    ),
    (
        "SQLITE_BUSY",
        "STORE_LOCKED",
        "another process kept the store locked for more than 10 s",
        "end the other process, or wait and run the same command again",
    ),
    ("SQLITE_PROTOCOL", "STORE_LOCKED", "other processes kept the store locked", "wait and run the same command again"),
    ("SQLITE_LOCKED", "STORE_LOCKED", "the store is locked", "wait and run the same command again"),
    (
        "SQLITE_NOTADB",
        "STORE_CORRUPT",
        "the store is no database: the file is damaged or was written by another program",
        "move the folder away and restore a backup, then run the same command again",
    ),
    (
        "SQLITE_CORRUPT",
        "STORE_CORRUPT",
        "the store is damaged",
        "move the folder away and restore a backup, or try: sqlite3 FILE .recover; then run the same command again",
    ),
    (
        "SQLITE_CANTOPEN",
        "STORE_UNREADABLE",
        "the store cannot be opened",
        "the folder must exist and be yours to write",
    ),
    ("SQLITE_IOERR", "STORE", "the disk failed while the store was used", "check the disk and its free space"),
)
