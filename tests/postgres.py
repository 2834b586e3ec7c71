"""A PostgreSQL server for tests: made in a temporary folder, heard on a socket there only, gone at the end.

Nothing is synced to disk. As root it runs as the user `postgres` of the package, since the server refuses root.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off -c shared_buffers=32MB"
USER = "postgres"
_numbers = itertools.count(1)


def binaries() -> Path | None:
    """The folder of `initdb` and `pg_ctl`: on the path, else where Debian puts them, the newest version."""
    found = shutil.which("pg_ctl")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: float(path.parts[-3]))
    return versions[-1].parent if versions else None


class Server(NamedTuple):
    """A server that runs."""

    folder: Path

    def url(self, database: str = "postgres", *, schema: str = "") -> str:
        """The URL of a database, or of one schema in it."""
        options = f"&options=-csearch_path%3D{schema}" if schema else ""
        return f"postgresql://{USER}@/{database}?host={self.folder}{options}"

    def run(self, statement: str, database: str = "postgres") -> None:
        """One statement, outside a transaction."""
        import psycopg

        with psycopg.connect(host=str(self.folder), user=USER, dbname=database, autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]  # the statements are the tests' own

    def new_schema(self) -> str:
        """The URL of an empty schema."""
        name = f"test_{next(_numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return self.url(schema=name)

    def start(self) -> None:
        """Start it, also again."""
        options = f"{FAST} -c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        self.control("-l", str(self.folder / "log"), "-o", options, "start")

    def control(self, *words: str) -> None:
        """`pg_ctl` with the server's folder."""
        _run(self.folder, "pg_ctl", "-D", str(self.folder / "data"), "-w", *words)


@contextmanager
def running() -> Iterator[Server]:
    """A new server."""
    folder = Path(tempfile.mkdtemp(prefix="arena-pg-"))  # short, since it is part of a socket's name
    try:
        if os.geteuid() == 0:
            who = pwd.getpwnam(USER)
            os.chown(folder, who.pw_uid, who.pw_gid)
        _run(folder, "initdb", "-D", str(folder / "data"), "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def _run(folder: Path, program: str, *words: str) -> None:
    found = binaries()
    assert found is not None
    command = [str(found / program), *words]
    if os.geteuid() == 0:
        command = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", *command]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
