"""How programs of this machine find the server of a data folder, and show it that the folder is theirs.

While a site is served, the file `locks/.site.json` of the data folder (mode 0600) says where, with a key that is new at
every start. Who may read the data folder may do at the site what needs the key; nobody else learns it.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from fastapi import Request

from arena.store.lock import SITE, Busy, holder
from arena.store.place import Place
from arena.web.errors import Forbidden
from arena.web.site import Site

FILE = ".site.json"
BEARER = "Bearer "
WAIT_S = 5.0
"""How long a server that has just begun may take until it has said where it is."""


class Reach(NamedTuple):
    """A server that runs."""

    address: str
    """As this machine reaches it: "http://127.0.0.1:8000"."""
    key: str
    pid: int


@contextmanager
def announced(site: Site, address: str) -> Iterator[Reach]:
    """Say where a site is for the time of the block; the lock of the site is held."""
    file = _file(site.settings.data)
    found = Reach(address, site.key, os.getpid())
    made = file.with_name(f"{FILE}-{os.getpid()}")
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(made, "w", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as opened:
        json.dump(found._asdict(), opened)
    made.replace(file)
    try:
        yield found
    finally:
        with suppress(OSError):
            file.unlink()


def reach(data: Path, store: Place | None = None, wait_s: float = WAIT_S) -> Reach | None:
    """The server of a data folder; None while there is none. Raises Busy when one runs that does not say where, as on
    another machine with the same store."""
    end = time.monotonic() + wait_s
    while (who := holder(data, SITE, store)) is not None:
        found = _read(_file(data))
        if found is not None and found.pid == who.pid:
            return found
        if time.monotonic() > end:
            raise Busy(
                f"the store is served by process {who.pid} on {who.host}, which does not say where",
                where=str(_file(data)),
                fix="open a table at the page  /play  of that site",
            )
        time.sleep(0.05)
    return None


def check_key(request: Request, site: Site) -> None:
    """Raises Forbidden unless a request shows the key."""
    sent = request.headers.get("authorization", "")
    given = sent.removeprefix(BEARER) if sent.startswith(BEARER) else ""
    if not secrets.compare_digest(given.encode("utf-8", "replace"), site.key.encode()):
        raise Forbidden(
            "this is for programs that may read the data folder",
            where=request.url.path,
            fix="arena play GAME BOT... --seat 0=human, in the folder of this site",
        )


def _file(data: Path) -> Path:
    return data / "locks" / FILE


def _read(file: Path) -> Reach | None:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        return Reach(str(data["address"]), str(data["key"]), int(data["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
