"""The bodies of requests: all of it is read before an answer, as far as there is anything to read and it has an end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest
from starlette.datastructures import Headers

from arena.web import bodies
from arena.web.bodies import Body
from arena.web.errors import TooLarge

PIECE = 1000
CHUNKED = {"transfer-encoding": "chunked"}


class Sender:
    """Sends so many pieces; then it waits for ever, as a client does that waits for its answer."""

    def __init__(self, pieces: int, *, ends: bool = True) -> None:
        self.sent = 0
        self._pieces, self._ends = pieces, ends

    async def __call__(self) -> dict[str, Any]:
        if self.sent == self._pieces:
            await asyncio.Event().wait()
        self.sent += 1
        more = self.sent < self._pieces or not self._ends
        return {"type": "http.request", "body": b"x" * PIECE, "more_body": more}


def drained(sender: Sender, headers: dict[str, str], *, first: Iterable[int] = ()) -> int:
    """How many pieces were taken when an answer begins; `first`: as many before it."""

    async def use() -> int:
        body = Body(sender, Headers(headers), None)
        for _ in first:
            await body.receive()
        async with asyncio.timeout(20):
            await body.drain()
        return sender.sent

    return asyncio.run(use())


def test_what_nobody_read_is_read_before_the_answer() -> None:
    for read in (0, 3, 10):
        assert drained(Sender(10), CHUNKED, first=range(read)) == 10
    assert drained(Sender(1), {"content-length": "1000"}) == 1


def test_nothing_is_waited_for_where_nothing_comes() -> None:
    for headers in ({}, {"content-length": "0"}, {"content-length": "9", "expect": "100-Continue"}):
        assert drained(Sender(10), headers) == 0
    assert drained(Sender(10), {"content-length": "10000", "expect": "100-continue"}, first=[0]) == 10, (
        "it was let come"
    )


def test_what_has_no_end_is_read_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "DRAINED", 20 * PIECE)
    assert drained(Sender(10_000), CHUNKED, first=range(5)) == 25
    monkeypatch.setattr(bodies, "DRAIN_S", 0.1)
    assert drained(Sender(3, ends=False), CHUNKED) == 3, "it stops in the middle"


def test_a_client_that_went_away_ends_it() -> None:
    async def gone() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def use() -> None:
        async with asyncio.timeout(20):
            await Body(gone, Headers(CHUNKED), None).drain()

    asyncio.run(use())


def test_more_than_is_taken_is_refused_and_still_read() -> None:
    async def use() -> int:
        sender = Sender(10)
        body = Body(sender, Headers(CHUNKED), 2 * PIECE)
        await body.receive()
        await body.receive()
        with pytest.raises(TooLarge):
            await body.receive()
        await body.drain()
        return sender.sent

    assert asyncio.run(use()) == 10
