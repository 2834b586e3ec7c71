"""Things of the machine that no box may reach, laid out for probes to find: a secret, sockets, a variable."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

VARIABLE = "ARENA_TEST_OF_SECRETS"


@contextmanager
def bait(private: bool = False) -> Iterator[dict[str, Any]]:
    """What probes are told; everything is open to all users of the machine, or its folder is `private` to this one."""
    abstract = f"arena-bait-{secrets.token_hex(8)}"
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="bait-", dir="/tmp") as place,
        socket.socket() as port,
        socket.socket(socket.AF_UNIX) as hidden,
        socket.socket(socket.AF_UNIX) as named,
    ):
        patch.setenv(VARIABLE, "cards")
        folder = Path(place)
        folder.chmod(0o700 if private else 0o755)
        for name in ("secret", "arena.db"):
            (folder / name).write_text("cards")
        port.bind(("127.0.0.1", 0))
        hidden.bind(f"\0{abstract}")
        named.bind(f"{place}/seat.sock")
        for listener in (port, hidden, named):
            listener.listen(64)
        (folder / "seat.sock").chmod(0o777)
        yield {
            "port": port.getsockname()[1],
            "abstract": abstract,
            "path_socket": f"{place}/seat.sock",
            "folder": place,
            "secret": f"{place}/secret",
            "database": f"{place}/arena.db",
            "pid": os.getpid(),
            "variable": VARIABLE,
        }
