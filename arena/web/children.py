"""Programs of the arena that compute for the site: one order in, what they write out, none left when a server stops."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.core.errors import ArenaFault
from arena.store.place import is_url, masked

if TYPE_CHECKING:
    from arena.web.site import Settings

SAID = 1000
"""So many last characters of what a program said go into an error."""


def program_of(settings: Settings) -> list[str]:
    """How a command of the arena begins that works on the data of a site."""
    config = settings.config
    return [sys.executable, "-m", "arena.cli", *(("--config", str(config)) if config is not None else ())]


def environ_of(settings: Settings) -> dict[str, str]:
    """The environment of such a command: the site's data folder and store."""
    found = {**os.environ, "ARENA_DATA": str(settings.data.absolute())}
    return {**found, "ARENA_STORE": str(settings.store)} if is_url(settings.store) else found


class Children:
    """The processes that compute now. For any number of threads."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def output(self, module: str, order: Mapping[str, str], deadline_s: float) -> bytes:
        """What `python -m module` writes, given an order as JSON on its standard input.

        Raises ArenaFault with what it said where it fails, was stopped, or takes longer than `deadline_s`, in seconds.
        """
        pipe = subprocess.PIPE
        child = subprocess.Popen([sys.executable, "-m", module], stdin=pipe, stdout=pipe, stderr=pipe)
        with self._lock:
            self._running.add(child)
            if self._stopped:
                child.kill()
        try:
            out, told = child.communicate(json.dumps(order).encode(), timeout=deadline_s)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise ArenaFault(
                f"{module} took longer than {deadline_s:g} s",
                saw=masked(repr(dict(order))),
                fix="it is tried again later; other pages are not touched by it",
            ) from None
        finally:
            with self._lock:
                self._running.discard(child)
        if child.returncode:
            raise ArenaFault(f"{module} failed", saw=told.decode(errors="replace").strip()[-SAID:])
        return out

    def stop(self) -> None:
        """End them all, and whichever comes."""
        with self._lock:
            self._stopped = True
            for child in self._running:
                child.kill()
