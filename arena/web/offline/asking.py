"""Asks a site in this process: no socket, no server, one request after the other."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine, MutableMapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

from arena.core.errors import ArenaFault
from arena.web.app import STOP_S, create_app
from arena.web.site import Site

T = TypeVar("T")

PATIENCE_S = 900.0
"""So long it waits for figures that are computed beside requests."""
PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
COUNTING = (b'hx-trigger="load', b"data-again")
"""In a page that fills in by itself later, one of these."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    media: str
    """Of the body, without its charset."""
    body: bytes
    waits: bool
    """Whether the page asks to be asked again."""

    @property
    def is_page(self) -> bool:
        """Whether it is HTML."""
        return self.media == "text/html"


class Asker:
    """A site's application, and a loop of its own in a thread of its own. Close it after use: services end with it."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._app = create_app(site)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="asker", daemon=True)
        self._thread.start()

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what the site began in other threads, and the loop. The store stays open."""
        self._run(self._ended())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _ended(self) -> None:
        for stop in reversed(self._site.stopping):
            with suppress(TimeoutError):
                await asyncio.wait_for(stop(), STOP_S)
        await self._loop.shutdown_default_executor()

    def _run(self, asked: Coroutine[Any, Any, T]) -> T:  # Any: of coroutines
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result()

    def ask(self, address: str) -> Answer:
        """What an address answers once it is complete. Raises ArenaFault when it is not within PATIENCE_S."""
        end, pause = time.monotonic() + PATIENCE_S, PAUSE_S
        while True:
            answer = self._run(self._once(address))
            if not answer.waits:
                return answer
            if time.monotonic() > end:
                raise ArenaFault(f"{address} was not complete in time", saw=f"waited for {PATIENCE_S:g} s")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _once(self, address: str) -> Answer:
        parts = urlsplit(address)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1"), (b"accept", b"text/html, */*")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        status, headers, body = 0, dict[str, str](), bytearray()
        asked = False

        async def receive() -> dict[str, Any]:  # Any: of ASGI
            nonlocal asked
            if asked:
                await asyncio.sleep(3600)
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:  # Any: of ASGI
            nonlocal status, headers
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            else:
                body.extend(message.get("body", b""))

        await self._app(scope, receive, send)
        waits = "retry-after" in headers or any(mark in body for mark in COUNTING)
        return Answer(status, headers.get("content-type", "").partition(";")[0], bytes(body), waits)
