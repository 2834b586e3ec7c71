"""Copies of a whole database while others read and write it: of a file by SQLite itself, of a server by its own tools.

Knows databases as files and URLs; not what else belongs to a backup.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import URL, make_url, text

from arena.core.errors import ArenaFault, ConfigError
from arena.store.failures import damaged, explained
from arena.store.place import Place, is_shared, is_url

FILE = "arena.db"
WAIT_S = 10.0
VERSION = "SELECT version_num FROM alembic_version"


class Contents(NamedTuple):
    """What a copy of a database holds, as a manifest tells it."""

    revision: str
    """Of its tables."""
    tournaments: tuple[tuple[str, str, int], ...]
    """(name, state, stored games), oldest first."""
    registered: tuple[tuple[str, int, str], ...]
    """(name, number, content hash) of the registered versions."""


def file_of(place: Place) -> Path | None:
    """The file of a store; None for one on a server."""
    if is_shared(place):
        return None
    if is_url(place):
        return Path(str(make_url(str(place)).database))
    return Path(place) / FILE if Path(place).suffix != ".db" else Path(place)


def copy_file(file: Path, target: Path) -> None:
    """Copy an SQLite database as it is at one moment, whatever is written meanwhile, into a new file of mode 0600.

    Nothing is migrated, so that a database can be saved before its tables change. Raises ConfigError NO_STORE where
    there is none, ArenaFault for a damaged one or a full disk.
    """
    if not file.is_file():
        raise ConfigError(
            f"nothing is stored here: there is no {file}",
            where=str(file.parent),
            fix="name the data folder with --data, or go to the folder of your arena.toml",
            code="NO_STORE",
        )
    with explained(str(target)):
        os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with explained(str(file)), closing(_source(file)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)  # in one go: it is one reading transaction, for which nobody has to wait
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without side files
    check_file(target)


def _source(file: Path) -> sqlite3.Connection:
    """A connection that writes nothing. Where side files cannot be made, those that are there are read, if any."""
    mode = "mode=rw"
    if not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK)):
        wal = file.with_name(f"{file.name}-wal")
        mode = "mode=ro" if wal.is_file() and wal.stat().st_size else "immutable=1"
    return sqlite3.connect(f"{file.absolute().as_uri()}?{mode}", uri=True, timeout=WAIT_S)


def check_file(file: Path) -> str:
    """Look for damage in all pages of a database that nobody uses; returns the revision of its tables.

    Raises ArenaFault STORE_CORRUPT.
    """
    where = str(file)
    with explained(where), closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        if said != "ok":
            raise damaged(where, said)
        try:
            row = connection.execute(VERSION).fetchone()
        except sqlite3.OperationalError:
            row = None
    if row is None:
        raise damaged(where, "it has no tables of an arena")
    return str(row[0])


def contents(file: Path) -> Contents:
    """What a database holds that nobody uses. Raises ArenaFault STORE_CORRUPT."""
    revision = check_file(file)
    with explained(str(file)), closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        tournaments = connection.execute(
            "SELECT name, state, (SELECT count(*) FROM game WHERE tournament_id = tournament.id)"
            " FROM tournament ORDER BY id"
        ).fetchall()
        has = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'registered'").fetchone()
        query = "SELECT name, number, version FROM registered ORDER BY folded, number"
        registered = connection.execute(query).fetchall() if has else []
    return Contents(revision, tuple(map(tuple, tournaments)), tuple(map(tuple, registered)))


def schema_of(place: Place) -> str:
    """The schema that a store on a server is in, or is to be in."""
    from arena.store.postgres import postgres_engine

    url = make_url(str(place))
    engine = postgres_engine(url)
    try:
        with explained(url.render_as_string(hide_password=True)), engine.connect() as connection:
            return str(connection.execute(text("SELECT current_schema()")).scalar())
    finally:
        engine.dispose()


def dump_server(place: str, schema: str, target: Path) -> None:
    """Write what a schema of a PostgreSQL database holds at one moment into a new file, as pg_restore reads it.

    Raises ConfigError NO_TOOL where pg_dump is missing, ArenaFault STORE with what it says.
    """
    url = make_url(place)
    tables = '"' + schema.replace('"', '""') + '".*'
    words = ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--table={tables}", f"--file={target}"]
    _run(url, words, "to save it")
    target.chmod(0o600)


def load_server(place: str, file: Path, *, over: bool = False) -> None:
    """Put a dump into a PostgreSQL database, all of it or nothing. `over`: what is there goes first.

    Raises as `dump_server` does.
    """
    url = make_url(place)
    clean = ["--clean", "--if-exists"] if over else []
    name = url.database or ""
    words = ["pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", *clean]
    _run(url, [*words, f"--dbname={name}", str(file)], "to restore it")


def _run(url: URL, words: list[str], what: str) -> None:
    """Run a tool of PostgreSQL. The password goes by the environment, where other users do not see it."""
    where = url.render_as_string(hide_password=True)
    if shutil.which(words[0]) is None:
        raise ConfigError(
            f"{words[0]} is not here, which is needed {what}",
            where=where,
            saw=f"no {words[0]} in PATH",
            fix=f"apt install postgresql-client; by hand:  {' '.join(words)}",
            code="NO_TOOL",
        )
    known = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username, "PGPASSWORD": url.password}
    environ = {**os.environ, "PGDATABASE": url.database or "", **{k: str(v) for k, v in known.items() if v is not None}}
    for name, value in url.query.items():
        if name in ("host", "port", "sslmode", "sslrootcert") and isinstance(value, str):
            environ[f"PG{name.upper()}"] = value
    done = subprocess.run(words, env=environ, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        said = (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]
        full = "No space left" in done.stderr
        raise ArenaFault(f"{words[0]} failed", where=where, saw=said, fix="", code="DISK_FULL" if full else "STORE")
