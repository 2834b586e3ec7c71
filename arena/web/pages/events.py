"""The stream of changes: `/events?parts=home,tournament:spring`, as server-sent events.

First `hello` with the server's instance, then `part` for each part with its version now, later `part` whenever it
changes: {"part": "home", "version": 1764530000000, "final": false}. Nothing else is ever told; a page that is behind
fetches the part. When all parts are final the stream says `over` and ends.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from sse_starlette.event import ServerSentEvent
from sse_starlette.sse import EventSourceResponse

from arena.core.errors import ArenaError
from arena.web.live.pulse import Pulse, pulse_of
from arena.web.live.versions import PART, Change, Waiting
from arena.web.people.limits import address_of
from arena.web.site import Site, site_of

router = APIRouter()
PARTS, STREAMS, STREAMS_OF_ONE = 64, 2000, 200
"""Most parts of a stream, most streams, and most from one address: a class room may be behind one."""
KEEP_ALIVE_S = 15
RETRY_MS = 1000
LONGEST_S = 6 * 3600
"""A stream ends after so long; a page that is still there connects again."""


class Streams:
    """The open streams of a server."""

    def __init__(self, site: Site) -> None:
        self.by_address: Counter[str] = Counter()
        self.closing = asyncio.Event()
        """Set when the server is about to end."""
        site.closing.append(self.closing.set)

    def check(self, address: str) -> None:
        """Raises ArenaError QUOTA when there are too many for another one."""
        if self.by_address[address] >= STREAMS_OF_ONE or self.by_address.total() >= STREAMS:
            raise ArenaError(
                "too many live pages are open",
                where="/events",
                saw=f"{self.by_address[address]} from your address, {self.by_address.total()} in all",
                fix="close some; pages show the same when they are loaded again",
                code="QUOTA",
            )

    def enter(self, address: str) -> None:
        """Count a stream in."""
        self.by_address[address] += 1

    def leave(self, address: str) -> None:
        """Count it out."""
        self.by_address[address] -= 1
        if self.by_address[address] <= 0:
            del self.by_address[address]


def include(site: Site) -> None:
    """Make what streams need."""
    pulse_of(site)
    site.service(Streams, Streams)


def asked_parts(text: str) -> list[str]:
    """The parts of a query. Raises ArenaError for none, too many, or what is no part."""
    parts = list(dict.fromkeys(part for part in text.split(",") if part))
    wrong = [part for part in parts if not PART.fullmatch(part)]
    if wrong or not 1 <= len(parts) <= PARTS:
        raise ArenaError(
            f"no part can be called {wrong[0]!r}" if wrong else f"{len(parts)} parts are asked for",
            where="?parts=",
            fix=f"1 to {PARTS} parts like home,tournament:spring",
            code="USAGE",
        )
    return parts


@router.get("/events")
async def events(
    request: Request, site: Annotated[Site, Depends(site_of)], parts: Annotated[str, Query(max_length=10_000)] = ""
) -> EventSourceResponse:
    """The stream of some parts."""
    asked = asked_parts(parts)
    streams, pulse = site.service(Streams, Streams), pulse_of(site)
    address = address_of(request, behind_proxy=site.settings.behind_proxy)
    streams.check(address)
    return EventSourceResponse(_told(site, pulse, streams, asked, address), ping=KEEP_ALIVE_S)


async def _told(
    site: Site, pulse: Pulse, streams: Streams, parts: list[str], address: str
) -> AsyncGenerator[ServerSentEvent, None]:
    """What one stream says. Nothing is kept for it but which parts it has yet to be told of."""
    woken = asyncio.Event()
    waiting = Waiting(parts, woken.set)
    versions = pulse.versions
    ends = asyncio.get_running_loop().time() + LONGEST_S
    versions.add(waiting)
    streams.enter(address)
    try:
        pulse.hurry()
        yield ServerSentEvent(json.dumps({"instance": site.instance}), event="hello", retry=RETRY_MS)
        still = set(parts)
        for part in parts:
            waiting.changed(part)
        while still and await _woken(woken, streams.closing, until=ends):
            woken.clear()
            for part in waiting.take():
                change = versions.change(part)
                (still.discard if change.final else still.add)(part)
                yield _event(change)
        if not still:
            yield ServerSentEvent("{}", event="over")
    finally:
        versions.remove(waiting)
        streams.leave(address)


async def _woken(woken: asyncio.Event, closing: asyncio.Event, *, until: float) -> bool:
    """Wait for something to tell; False when the stream is to end. `until`: a time of the loop."""
    waits = [asyncio.ensure_future(each.wait()) for each in (woken, closing)]
    try:
        left = until - asyncio.get_running_loop().time()
        done, _ = await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    return bool(done) and not closing.is_set()


def _event(change: Change) -> ServerSentEvent:
    return ServerSentEvent(json.dumps(change._asdict()), event="part")
