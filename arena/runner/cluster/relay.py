"""On a worker that does not share the coordinator's folder: hands on what one of its bouts tells those who look on.

The worker process tells into a folder of the worker's own, as everywhere. Twice a second what is new there goes to the
exchange, as whole lines with their place in the game's file. The file keeps what the exchange has no room for, so that
a game may be shown late, but never with a gap. Whatever goes wrong here, the games go on.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from arena.runner.cluster.order import Order, Piece
from arena.runner.spectating.room import MOST_BYTES, Told, live_folder, live_place, sweep, told_in

LOG = logging.getLogger("arena.spectating")
PERIOD_S = 0.5
SIGN_S = 5.0
"""After so long a time without news it is said that the games still run."""
ANSWER_S = 10.0
"""How long the exchange is waited for."""
MOST_AT_ONCE = 256 * 1024
"""Bytes in one message; a game with a longer line is not shown."""
LET_GO_S = 1.0
"""At its end a relay is waited for so long: the next bout is more urgent."""


@asynccontextmanager
async def relayed(scheduler: Any, order: Order, data: Path) -> AsyncIterator[str]:  # Any: its handlers are methods
    """Where a process is to tell of an order's games while the block lasts; "": nowhere. `data`: the worker's folder.

    What is told anywhere but in the coordinator's own folder goes to the exchange.
    """
    if not order.sign or os.access(order.sign, os.W_OK | os.X_OK):
        yield order.task.live if order.sign else ""
        return
    place = _place(data)  # in no thread: those may all be busy with builds, and a game is about to begin
    if place is None:
        yield ""
        return
    relaying = asyncio.create_task(Relay(scheduler, order, place).keep())
    try:
        yield str(place)
    finally:
        relaying.cancel()
        await asyncio.wait({relaying}, timeout=LET_GO_S)
        shutil.rmtree(place, ignore_errors=True)


def _place(data: Path) -> Path | None:
    """A folder of its own for a relay, by name; None where nothing can be written. What dead processes left goes."""
    try:
        sweep(live_folder(data))
        return live_place(data, secrets.token_hex(8))
    except OSError:
        return None


class Relay:
    """What is told of one order's games."""

    def __init__(self, scheduler: Any, order: Order, place: Path) -> None:  # Any: as above
        self._scheduler = scheduler
        self._order = order
        self._place = place
        self._loop = asyncio.get_running_loop()
        self._sent: dict[str, int] = {}
        """By public id of a running game: so many bytes have been handed on."""
        self._dropped: set[str] = set()
        """Games that are too large to be shown."""
        self._last = float("-inf")
        """When the exchange was last told anything, by the loop's clock."""
        self._warned = False

    async def keep(self) -> None:
        """Hand on what is new, until cancelled or until nobody waits for it."""
        try:
            while True:
                await asyncio.sleep(PERIOD_S)
                try:
                    if not await self.hand_on():
                        return
                except (OSError, TimeoutError) as error:
                    self._warn(error)
        except Exception as error:
            self._warn(error)

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            LOG.warning("running games cannot be handed on: %s", error or type(error).__name__)

    async def hand_on(self) -> bool:
        """Hand on what is new. False: nobody waits for it any more. Raises OSError, TimeoutError."""
        pieces = await asyncio.to_thread(self._pieces)
        running = {public_id for public_id, _start, _text in pieces}
        news = any(text for _public_id, _start, text in pieces) or running != self._sent.keys()
        if not news and not (running and self._loop.time() - self._last > SIGN_S):
            return True
        order = self._order
        async with asyncio.timeout(ANSWER_S):
            taken: bool | None = await self._scheduler.arena_tell(
                client=order.client, task=order.key, relay=self._place.name, games=pieces
            )
        if taken:
            self._last = self._loop.time()
            self._sent = {public_id: start + len(text) for public_id, start, text in pieces}
        return taken is not None

    def _pieces(self) -> list[Piece]:
        """In a thread: all running games with what is new of each, first of those that are known. Raises OSError.

        Once the message is full, the others are listed without anything new.
        """
        found = {each.public_id: each for each in told_in(self._place)}
        left, pieces = MOST_AT_ONCE, []
        for public_id in sorted(found, key=lambda each: each not in self._sent):
            if public_id in self._dropped:
                continue
            start = self._sent.get(public_id, 0)
            text = self._read(found[public_id], start, left)
            if text is None:
                self._dropped.add(public_id)
                continue
            left -= len(text)
            pieces.append((public_id, start, text))
        return pieces

    def _read(self, game: Told, start: int, most: int) -> bytes | None:
        """Whole lines of a game from a place on, at most so many bytes; None: it is too large to be shown."""
        if game.size > MOST_BYTES:
            return None
        try:
            with game.file.open("rb") as file:
                file.seek(start)
                text = file.read(min(game.size - start, most))
        except FileNotFoundError:
            return b""  # it has just ended
        whole = text[: text.rfind(b"\n") + 1]
        return None if not whole and len(text) == MOST_AT_ONCE else whole
