"""The coordinator's lock where the store is on a server: held there too, so that it counts on every machine.

It is an advisory lock of a connection of its own. The server lets go of it when it is told to, and when the connection
ends: at once when the holder is killed, within a minute when its machine is gone.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from arena.store.database import locate
from arena.store.failures import explained
from arena.store.lock import Holder, busy
from arena.store.place import Place, masked
from arena.store.postgres import locked_by, postgres_engine, try_lock, unlock


@contextmanager
def server_lock(place: Place, tournament: str) -> Iterator[None]:
    """Hold the lock of a tournament on the server for the time of the block.

    Raises Busy with pid and host while another process holds it, ArenaFault when the server cannot be reached.
    """
    engine = postgres_engine(locate(place)[0], name=f"arena {os.getpid()}@{socket.gethostname()}"[:63], pool=NullPool)
    where = masked(str(place))
    with explained(where):
        connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        with explained(where):
            if not try_lock(connection, tournament):
                raise busy(tournament, _holder(locked_by(connection, tournament)), where, here=False)
        try:
            yield
        finally:
            with suppress(SQLAlchemyError):  # of a server that is gone, and the lock with it
                unlock(connection, tournament)
    finally:
        connection.invalidate()  # ends the session, and with it the lock, whatever state it is in
        connection.close()
        engine.dispose()


def server_holder(place: Place, tournament: str) -> Holder | None:
    """Who holds the lock of a tournament on the server now; None when nobody does."""
    engine = postgres_engine(locate(place)[0], pool=NullPool)
    try:
        with explained(masked(str(place))), engine.connect() as connection:
            name = locked_by(connection, tournament)
    finally:
        engine.dispose()
    return None if name is None else _holder(name)


def _holder(name: str | None) -> Holder:
    """The holder that a session's name tells; unknown for one that may not be read, or has just let go."""
    found = re.fullmatch(r"arena (\d+)@(.*)", name or "")
    return Holder(int(found[1]), found[2]) if found else Holder(0, "unknown")
