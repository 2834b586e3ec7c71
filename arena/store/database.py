"""Opens the database: a file in a folder that only its owner may enter, or any URL.

SQLite runs in WAL mode with synchronous=FULL, so that what was committed survives a kill or a power cut and readers
never wait for the writer. Transactions are begun here, not by the driver: a reading one sees one moment, a writing one
takes the lock at once and so cannot fail half-way because somebody else wrote.

What is on a read-only disk, or in a folder that is not ours to write, is opened for reading only.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from arena.core.errors import ConfigError
from arena.store.failures import damaged, decoded, explained
from arena.store.schema import HEAD, migrate, refuse_newer, revision

FILE = "arena.db"
BUSY_MS = 10_000
WRITING = "arena_writing"


class Database:
    """An open database with the newest tables."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine = engine
        self.where = where

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees the database as it is now, whatever is written meanwhile.

        Raises ArenaFault, also STORE_CORRUPT for a ValueError in the block: what was stored can be read back.
        """
        with explained(self.where), decoded(self.where), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in one transaction: all of it is stored, or nothing after an error."""
        with explained(self.where), self.engine.connect() as connection:
            connection.execution_options(**{WRITING: True})
            with connection.begin():
                yield connection

    def check(self) -> None:
        """Look for damage in all pages of the file. Raises ArenaFault STORE_CORRUPT with the first that is found."""
        if self.engine.dialect.name == "sqlite":
            with self.read() as connection:
                said = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
            if said != "ok":
                raise damaged(self.where, said)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def open_database(place: str | Path, *, create: bool = True) -> Database:
    """Open a database, making and migrating its tables as needed.

    `place`: a data folder (holds arena.db; made with mode 0700), a file ending in .db, or a URL. Raises ConfigError
    when it does not exist and `create` is false, or is newer than this program; ArenaFault for a damaged, locked,
    or full one, READ_ONLY for one that must be made or migrated where nothing can be written.
    """
    url, file = _locate(place)
    where = str(file) if file else url.render_as_string(hide_password=True)
    if file and not create and not os.path.exists(file):
        raise ConfigError(
            f"nothing is stored here: there is no {file}",
            where=str(file.parent),
            fix="run a tournament first, or go to the folder of your arena.toml",
            code="NO_STORE",
        )
    if file and _read_only(file):
        engine = create_engine(url, creator=lambda: _connect_read_only(file))
        event.listen(engine, "connect", _prepare_read_only)
    else:
        if file:
            with explained(where):
                _make_private(file, is_folder=_is_folder(place))
        engine = create_engine(url)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _prepare)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "begin", _begin)
    database = Database(engine, where)
    try:
        _bring_up_to_date(database)
    except BaseException:
        database.close()
        raise
    return database


def _bring_up_to_date(database: Database) -> None:
    with database.read() as connection:
        found = revision(connection)
    if found == HEAD:
        return
    refuse_newer(found, database.where)
    with database.write() as connection:
        migrate(connection, database.where)


def _locate(place: str | Path) -> tuple[URL, Path | None]:
    text = str(place)
    if "://" in text:
        url = make_url(text)
        is_file = url.get_backend_name() == "sqlite" and url.database
        return url, Path(str(url.database)) if is_file else None
    file = Path(place) / FILE if _is_folder(place) else Path(place)
    return URL.create("sqlite", database=str(file)), file


def _is_folder(place: str | Path) -> bool:
    return "://" not in str(place) and Path(place).suffix != ".db"


def _make_private(file: Path, *, is_folder: bool) -> None:
    """The data folder becomes 0700, the file 0600; SQLite gives its side files the mode of the main one."""
    folder = file.parent
    private_folder(folder) if is_folder else folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        if file.stat().st_mode & 0o077 and os.access(folder, os.W_OK):
            file.chmod(0o600)


def private_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter, or close an existing one to all others."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


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
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    writing = connection.get_execution_options().get(WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
