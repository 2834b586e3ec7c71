"""Who gets a table next when there are fewer tables than people who want one. Knows no game.

Who has no table goes before who has one, else who came first; and who has one already gets a further one only while
more than RESERVED tables are free, so that nobody holds them all. Whatever one holder does, RESERVED others may sit.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

RESERVED = 3


class Doors:
    """So many tables. All methods are called in one loop."""

    def __init__(self, tables: int, reserved: int = RESERVED) -> None:
        self._tables = tables
        self._reserved = reserved
        self._sitting: list[str] = []
        """Holders of tables."""
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        """In the order in which they came."""

    @asynccontextmanager
    async def table(self, holder: str) -> AsyncIterator[None]:
        """Wait for a table, and have it for the time of the block."""
        entry = holder, asyncio.get_running_loop().create_future()
        self._waiting.append(entry)
        self._admit()
        try:
            await entry[1]
            yield
        finally:
            if entry in self._waiting:
                self._waiting.remove(entry)
            else:
                self._sitting.remove(holder)
            self._admit()

    def _admit(self) -> None:
        """Let in whoever may come in."""
        while (entry := self._next()) is not None:
            self._waiting.remove(entry)
            self._sitting.append(entry[0])
            if not entry[1].done():
                entry[1].set_result(None)

    def _next(self) -> tuple[str, asyncio.Future[None]] | None:
        free = self._tables - len(self._sitting)
        if free <= 0 or not self._waiting:
            return None
        first = min(self._waiting, key=lambda entry: self._sitting.count(entry[0]))
        return first if free > self._reserved or first[0] not in self._sitting else None
