"""Brings a database to the newest tables, or says that it is newer than this program.

Alembic is loaded only when there is something to do.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection

from arena.core.errors import ConfigError

HEAD = "0009"
"""The newest revision in migrations/versions."""
MIGRATIONS = Path(__file__).parent / "migrations"


def revision(connection: Connection) -> str | None:
    """The revision of a database; None when it has no tables yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return found


def migrate(connection: Connection, where: str) -> None:
    """Bring the database of `connection` to HEAD, in the transaction the caller has open.

    Raises ConfigError when the database is newer than this program.
    """
    found = revision(connection)
    if found == HEAD:
        return
    refuse_newer(found, where)
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def refuse_newer(found: str | None, where: str) -> None:
    """Raises ConfigError unless `found` is a revision this program knows (they are numbered)."""
    if found is not None and found > HEAD:
        raise ConfigError(
            f"this store was written by a newer arena (its tables are at {found!r}, this program knows {HEAD!r})",
            where=where,
            fix="update the program: pip install --upgrade card-arena",
            code="STORE_NEWER",
        )
