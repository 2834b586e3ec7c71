"""What is particular to SQLite: modes of files, settings of a connection, a place that can only be read.

WAL mode with synchronous=FULL: what was committed survives a kill or a power cut, and readers wait for no writer.
Transactions are begun here, not by the driver: a reading one sees one moment, a writing one takes the lock at once and
so cannot fail half-way because somebody else wrote. What is on a read-only disk, or in a folder that is not ours to
write, is opened for reading only.
"""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

BUSY_MS = 10_000
PAUSE_S = 0.01
"""Before what SQLite refused at once is asked again."""
WRITING = "arena_writing"
"""The option of a connection whose next transaction writes."""


def sqlite_engine(url: URL, file: Path | None, *, is_folder: bool) -> Engine:
    """The engine of a file, which is made private, or of a database in memory. Raises OSError, sqlite3.Error."""
    if file is not None and _read_only(file):
        engine = create_engine(url, creator=lambda: _connect_read_only(file))
        event.listen(engine, "connect", _prepare_read_only)
    else:
        if file is not None:
            _make_private(file, is_folder=is_folder)
        engine = create_engine(url)
        event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter, or close an existing one to all others."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def _make_private(file: Path, *, is_folder: bool) -> None:
    """The data folder becomes 0700, the file 0600; SQLite gives its side files the mode of the main one."""
    folder = file.parent
    private_folder(folder) if is_folder else folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        if file.stat().st_mode & 0o077 and os.access(folder, os.W_OK):
            file.chmod(0o600)


def _read_only(file: Path) -> bool:
    """Whether a file that is there can only be read: it, or the folder that SQLite's side files must be made in."""
    return os.path.isfile(file) and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def _connect_read_only(file: Path) -> sqlite3.Connection:
    """Without side files nothing was left half-done, and none need be made; else they must be read too."""
    wal = file.with_name(f"{file.name}-wal")
    mode = "mode=ro" if wal.is_file() and wal.stat().st_size else "immutable=1"
    return sqlite3.connect(f"file:{quote(str(file.absolute()))}?{mode}", uri=True, check_same_thread=False)


def _prepare_read_only(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")


def _prepare(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    _keep_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # what is overwritten or deleted is not left in free pages


def _keep_log(connection: sqlite3.Connection) -> None:
    """Go over to WAL mode. Of two that do so with a new file at once SQLite refuses one without waiting, lest both wait
    for each other; it asks again. Raises sqlite3.Error."""
    deadline = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(PAUSE_S)


def empty_log(connection: Connection) -> None:
    """Bring all changes into the file and cut the log to nothing, in no writing transaction; what a reader or writer
    still needs stays, and goes when the last connection is closed."""
    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").all()


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get(WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
