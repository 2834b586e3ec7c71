"""What is particular to PostgreSQL: the driver, settings of a session, transactions, locks that die with their holder.

Transactions behave as those of SQLite: a reading one sees one moment, writing ones come one after the other, so that
nothing fails half-way because somebody else wrote. Other databases and schemas of the same server are not disturbed.
"""

from __future__ import annotations

import hashlib
import importlib.util
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from arena.core.errors import ConfigError

DRIVER = "postgresql+psycopg"
CONNECT_S = 10
LOCK_MS = 10_000
"""So long a transaction waits for others that write."""
SESSION = ("SET lock_timeout = {lock_ms}", "SET TIME ZONE 'UTC'", "SET client_encoding = 'UTF8'")
KEEPALIVE = {"keepalives": "1", "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
"""A server that is gone without a word is noticed within a minute ..."""
SERVER_KEEPALIVE = ("SET tcp_keepalives_idle = 30", "SET tcp_keepalives_interval = 10", "SET tcp_keepalives_count = 3")
"""... and so is a client, whose locks are let go then."""


def postgres_engine(url: URL, *, name: str = "arena", pool: type[Pool] | None = None) -> Engine:
    """The engine of a URL, which connects when it is first used. `name`: by which the server lists the sessions.

    Raises ConfigError NO_EXTRA without the driver.
    """
    if importlib.util.find_spec("psycopg") is None:
        raise ConfigError(
            "a store on PostgreSQL needs the driver psycopg, which is not installed",
            where=url.render_as_string(hide_password=True),
            fix="pip install 'card-arena[postgres]'",
            code="NO_EXTRA",
        )
    defaults = {"connect_timeout": str(CONNECT_S), "application_name": name, **KEEPALIVE}
    url = url.set(drivername=DRIVER)
    url = url.set(query={**defaults, **url.query, "application_name": name})
    engine = create_engine(url, pool_pre_ping=True, poolclass=pool)
    event.listen(engine, "connect", _prepare)
    return engine


def begin_reading(connection: Connection) -> None:
    """The next transaction sees one moment and changes nothing."""
    connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def begin_writing(connection: Connection) -> None:
    """Wait until no other transaction writes to the same tables, up to LOCK_MS; until this one ends none does."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _key(connection, "writer")})


def try_lock(connection: Connection, name: str) -> bool:
    """Take a lock that is held until the connection ends, however it ends; False when another one has it."""
    taken = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _key(connection, name)})
    return bool(taken.scalar())


def unlock(connection: Connection, name: str) -> None:
    """Let go of a lock that was taken. The end of its connection does so too, but a server may notice that later."""
    connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _key(connection, name)})


def locked_by(connection: Connection, name: str) -> str | None:
    """The name of the session that has a lock; empty when it is not told, None when nobody has the lock."""
    high, low = divmod(_key(connection, name) & (1 << 64) - 1, 1 << 32)
    found = connection.execute(
        text(
            "SELECT coalesce(application_name, '') FROM pg_locks LEFT JOIN pg_stat_activity USING (pid)"
            " WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND classid::bigint = :high"
            " AND objid::bigint = :low AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        ),
        {"high": high, "low": low},
    ).first()
    return None if found is None else str(found[0])


def _key(connection: Connection, name: str) -> int:
    """The number of a lock: of its name and the schema that holds the tables, in the range of a signed bigint."""
    schema = connection.execute(text("SELECT current_schema()")).scalar()
    digest = hashlib.blake2b(f"arena {schema} {name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _prepare(connection: Any, _entry: ConnectionPoolEntry) -> None:  # Any: a connection of psycopg
    with connection.cursor() as cursor:
        for statement in (*SESSION, *SERVER_KEEPALIVE):
            cursor.execute(statement.format(lock_ms=LOCK_MS))
    connection.commit()
