"""Versions of the parts of pages, and who waits for the next ones. Knows no store and no request.

A version is the time of the change in milliseconds, or one more than the version before: it only grows, also over a
restart of the server, so that "later than what I have" is all that a page ever asks.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import NamedTuple

PART = re.compile(r"[a-z]{1,20}(?::[A-Za-z0-9_.@-]{1,128})?")
"""What a part may be called: home, tournament:spring."""
KNOWN_MOST = 100_000
"""So many parts are remembered; of all others it is known that they are no later than the oldest forgotten one."""


class Change(NamedTuple):
    """What a page is told of a part."""

    part: str
    version: int
    final: bool
    """Whether there will be no later version, as far as can be known."""


def now_ms() -> int:
    """The time in milliseconds."""
    return round(time.time() * 1000)


class Waiting:
    """One stream: the parts it asked for, of which it has yet to be told. Made and read in the loop of the server."""

    def __init__(self, parts: Collection[str], woken: Callable[[], None]) -> None:
        self.parts = frozenset(parts)
        self._woken = woken
        self._changed: dict[str, None] = {}

    def changed(self, part: str) -> None:
        """To be told of a part, once however often it changes until then."""
        self._changed[part] = None
        self._woken()

    def take(self) -> list[str]:
        """What to tell now."""
        taken, self._changed = list(self._changed), {}
        return taken


class Versions:
    """The versions of all parts. `bump` and `finish` may be called by any thread."""

    def __init__(self, clock: Callable[[], int] = now_ms) -> None:
        self._clock = clock
        self._began = clock()
        self._lock = threading.Lock()
        self._versions: dict[str, int] = {}
        self._final: set[str] = set()
        self._waiting: dict[str, set[Waiting]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """From now on those who wait are woken in this loop; None: it ends."""
        self._loop = loop

    def of(self, part: str) -> int:
        """The version of a part now; of one that never changed, of the start."""
        return self._versions.get(part, self._began)

    def change(self, part: str) -> Change:
        """What a page is told of a part now."""
        return Change(part, self.of(part), part in self._final)

    def bump(self, part: str) -> int:
        """A part has changed; returns its new version. A part that was final is not any more."""
        with self._lock:
            version = max(self._clock(), self.of(part) + 1)
            self._versions.pop(part, None)  # the latest last
            self._versions[part] = version
            self._final.discard(part)
            while len(self._versions) > KNOWN_MOST:
                oldest = next(iter(self._versions))
                self._began = max(self._began, self._versions.pop(oldest))
        self._wake([part])
        return version

    def finish(self, parts: Iterable[str]) -> None:
        """These parts will not change any more: pages need not stay connected for them."""
        with self._lock:
            new = [part for part in parts if part not in self._final]
            self._final.update(new)
        self._wake(new)

    def is_final(self, part: str) -> bool:
        """Whether a part will not change any more."""
        return part in self._final

    def forget_final(self, part: str) -> None:
        """It may change after all."""
        with self._lock:
            self._final.discard(part)

    # Who waits; in the loop only

    def add(self, waiting: Waiting) -> None:
        """Tell a stream of the changes of its parts from now on."""
        for part in waiting.parts:
            self._waiting.setdefault(part, set()).add(waiting)

    def remove(self, waiting: Waiting) -> None:
        """The stream has ended."""
        for part in waiting.parts:
            left = self._waiting.get(part, set())
            left.discard(waiting)
            if not left:
                self._waiting.pop(part, None)

    def watched(self) -> frozenset[str]:
        """The parts that somebody waits for."""
        while True:
            with suppress(RuntimeError):  # the loop added one meanwhile
                return frozenset(self._waiting)

    def _wake(self, parts: list[str]) -> None:
        loop = self._loop
        if loop is not None and parts:
            with suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(self._tell, parts)

    def _tell(self, parts: list[str]) -> None:
        for part in parts:
            for waiting in tuple(self._waiting.get(part, ())):
                waiting.changed(part)
