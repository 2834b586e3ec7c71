"""What the errors of a PostgreSQL server mean to people, by the codes of its manual (appendix A).

Where connecting fails the driver gives no code, only the server's words, which are English unless the server says
otherwise; words that are not known mean a server that cannot be reached.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from arena.core.errors import ArenaError, ArenaFault, ConfigError
from arena.store.place import masked


class Trouble(NamedTuple):
    """One kind of trouble."""

    states: tuple[str, ...]
    """SQLSTATE codes, or how they begin."""
    words: str
    """A pattern of what the server says when connecting fails; empty: it does not say it then."""
    code: str
    message: str
    fix: str


DENIED = "STORE_DENIED"
GONE = Trouble(
    ("08", "57P"),
    "",
    "STORE_GONE",
    "the database server cannot be reached, or has gone: what was not stored yet is played again",
    "see that the server runs and that host and port of `store` are right, then run the same command again",
)
TROUBLES = (
    Trouble(
        ("28",),
        r"authentication failed|no password supplied|pg_hba|role .* does not exist|not permitted to log in",
        DENIED,
        "the database server does not let this user in",
        "put the right user and password into `store`, or the password into PGPASSWORD or ~/.pgpass",
    ),
    Trouble(
        ("3D000",),
        r"database .* does not exist",
        "NO_STORE",
        "the database server has no database of this name",
        "make it: createdb NAME; or name another one in `store`",
    ),
    Trouble(
        ("53300",),
        r"too many (clients|connections)|remaining connection slots",
        "STORE_LOCKED",
        "the database server has no connection left",
        "wait and run the same command again, or raise max_connections there",
    ),
    Trouble(
        ("53100",),
        "",
        "DISK_FULL",
        "the database server's disk is full: the games of this moment were not stored, all earlier ones are safe",
        "free some space there, then run the same command again: it goes on where it stopped",
    ),
    Trouble(
        ("25006", "42501"),
        "",
        "READ_ONLY",
        "the store cannot be written: the database, or this user of it, may only read",
        "name the primary server and a user that owns the tables in `store`",
    ),
    Trouble(
        ("55P03",),
        "",
        "STORE_LOCKED",
        "another process kept the store locked for more than 10 s",
        "end the other process, or wait and run the same command again",
    ),
    Trouble(
        ("40", "57014"),
        "",
        "STORE_LOCKED",
        "the database server ended this transaction in favour of another one; nothing of it was stored",
        "run the same command again",
    ),
    Trouble(
        ("XX001", "XX002"),
        "",
        "STORE_CORRUPT",
        "the store is damaged",
        "restore a backup of the database, then run the same command again",
    ),
    GONE,
)


def is_of_server(error: BaseException | None) -> bool:
    """Whether an error comes from PostgreSQL's driver."""
    return type(error).__module__.partition(".")[0] == "psycopg"


def server_fault(error: BaseException | None, where: str) -> ArenaError:
    """The error for people: ConfigError for a wrong name or password, else ArenaFault."""
    state, said = getattr(error, "sqlstate", None), masked(str(error)).strip()
    for trouble in TROUBLES:
        if state.startswith(trouble.states) if state else trouble.words and re.search(trouble.words, said):
            return _told(trouble, where, said)
    if not state and type(error).__name__ in ("OperationalError", "ConnectionTimeout"):
        return _told(GONE, where, said)
    return ArenaFault("the store failed", where=where, saw=f"{type(error).__name__}: {said}", code="STORE")


def _told(trouble: Trouble, where: str, said: str) -> ArenaError:
    kind = ConfigError if trouble.code in (DENIED, "NO_STORE") else ArenaFault
    words = " ".join(said.split()[:60])
    return kind(trouble.message, where=where, saw=words, fix=trouble.fix, code=trouble.code)
