"""The body of a request: how much of it is taken, and what becomes of the rest when it is refused.

Whoever is refused in the middle of sending hears of it only when all is read: a browser whose connection is closed
meanwhile shows no reason, and a proxy in front takes the site for gone.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.web.errors import TooLarge

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import Message, Receive

DRAINED, DRAIN_S = 200_000_000, 30.0
"""So many bytes, and for so long, what nobody wants is read."""


class Body:
    """What one request sends. `limit`: bytes that are taken; None: whoever reads it counts."""

    def __init__(self, receive: Receive, headers: Headers, limit: int | None) -> None:
        self._receive, self._limit = receive, limit
        self._count = 0
        self._is_over = "transfer-encoding" not in headers and headers.get("content-length", "0") == "0"
        self._is_asked_for = headers.get("expect", "").lower() != "100-continue"
        """Whether it comes by itself; else the first `receive` lets it come."""

    async def receive(self) -> Message:
        """The next piece. Raises TooLarge when more came than is taken."""
        message = await self._next()
        if self._limit is not None and self._count > self._limit:
            raise TooLarge(
                f"more than {self._limit // 1024} KiB was sent",
                where="the body of the request",
                fix=f"send at most {self._limit // 1024} KiB; an archive of a bot is sent at /submit",
            )
        return message

    async def drain(self) -> None:
        """Read what is still coming, for a while; before an answer begins."""
        if not self._is_asked_for:
            return
        end = self._count + DRAINED
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                while not self._is_over and self._count < end:
                    await self._next()

    async def _next(self) -> Message:
        self._is_asked_for = True
        message = await self._receive()
        self._count += len(message.get("body", b""))
        self._is_over = self._is_over or not message.get("more_body", False)
        return message
