"""Opens the database: a file in a data folder, or any SQLite or PostgreSQL database by URL.

What differs between the two is in `sqlite` and `postgres`; here a transaction is a transaction.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from arena.core.errors import ConfigError
from arena.store import postgres
from arena.store.failures import damaged, decoded, explained
from arena.store.place import SHAPE, Place, accepted, is_url, masked
from arena.store.schema import HEAD, migrate, refuse_newer, revision
from arena.store.sqlite import WRITING, empty_log, sqlite_engine

FILE = "arena.db"


class Database:
    """An open database with the newest tables."""

    def __init__(self, engine: Engine, where: str) -> None:
        self.engine = engine
        self.where = where
        self.shared = engine.dialect.name == "postgresql"
        """Whether it is a server's, which others may use too."""

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees the database as it is now, whatever is written meanwhile.

        Raises ArenaFault, also STORE_CORRUPT for a ValueError in the block: what was stored can be read back.
        """
        with explained(self.where), decoded(self.where), self._connected() as connection:
            if self.shared:
                postgres.begin_reading(connection)
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection in one transaction: all of it is stored, or nothing after an error."""
        with explained(self.where), self._connected() as connection:
            connection.execution_options(**{WRITING: True})
            with connection.begin():
                if self.shared:
                    postgres.begin_writing(connection)
                yield connection

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        connection = self.engine.connect()
        try:
            yield connection
        finally:
            with suppress(DBAPIError):  # of a server that is gone, and with it what there was to roll back
                connection.close()

    def check(self) -> None:
        """Look for damage in all pages of the file. Raises ArenaFault STORE_CORRUPT with the first that is found."""
        if not self.shared:
            with self.read() as connection:
                said = str(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
            if said != "ok":
                raise damaged(self.where, said)

    def forget(self) -> None:
        """Leave nothing in a file of what was overwritten: empty the log of changes, as far as nobody reads it now.

        A server keeps its own files clean.
        """
        if not self.shared:
            with self.read() as connection:
                empty_log(connection)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def open_database(place: Place, *, create: bool = True) -> Database:
    """Open a database, making and migrating its tables as needed.

    `place`: a data folder (holds arena.db; made with mode 0700), a file ending in .db, or a URL. Raises ConfigError
    when it does not exist and `create` is false, is newer than this program, or is no URL that a store can be at;
    ArenaFault for a damaged, locked, or full one, READ_ONLY for one that must be made or migrated where nothing can be
    written, STORE_GONE for a server that cannot be reached.
    """
    url, file = locate(place)
    where = str(file) if file else url.render_as_string(hide_password=True)
    if file and not create and not os.path.exists(file):
        raise nothing_here(str(file.parent), f"there is no {file}")
    if url.get_backend_name() == "postgresql":
        engine = postgres.postgres_engine(url)
    else:
        with explained(where):
            engine = sqlite_engine(url, file, is_folder=not is_url(place) and _is_folder(place))
    database = Database(engine, masked(where))
    try:
        _bring_up_to_date(database, create=create)
    except BaseException:
        database.close()
        raise
    return database


def nothing_here(where: str, saw: str) -> ConfigError:
    """The error for a place where nothing was ever stored."""
    return ConfigError(
        f"nothing is stored here: {saw}",
        where=where,
        fix="run a tournament first, or go to the folder of your arena.toml",
        code="NO_STORE",
    )


def _bring_up_to_date(database: Database, *, create: bool) -> None:
    with database.read() as connection:
        found = revision(connection)
    if found == HEAD:
        return
    if found is None and database.shared and not create:
        raise nothing_here(database.where, "the database has no tables")
    refuse_newer(found, database.where)
    with database.write() as connection:
        migrate(connection, database.where)


def locate(place: Place) -> tuple[URL, Path | None]:
    """The URL of a place, and the file that it is, if it is one. Raises ConfigError for a URL of another kind."""
    if not is_url(place):
        file = Path(place) / FILE if _is_folder(place) else Path(place)
        return URL.create("sqlite", database=str(file)), file
    text = str(place)
    try:
        url = make_url(text) if accepted(text) else None
    except (ArgumentError, ValueError):
        url = None
    if url is None:
        raise ConfigError(
            "no store can be at this URL", where="store", saw=masked(text), fix=f"a URL is written {SHAPE}"
        )
    if url.get_backend_name().startswith("postgres"):
        return url.set(drivername=postgres.DRIVER), None
    return url, Path(str(url.database))


def _is_folder(place: Place) -> bool:
    return Path(place).suffix != ".db"
