"""A site on a store of its own, asked in this process, and the same in a real browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from arena.web.app import create_app
from arena.web.server import listen, serve_until
from arena.web.site import Settings, Site

CHROMIUM = "/usr/bin/chromium"
WAIT_MS = 40_000
"""So long a browser waits for what it expects, on a machine that is busy with other tests."""
expect.set_options(timeout=WAIT_MS)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site on an empty store."""
    return Site.open(Settings(tmp_path / "data", tmp_path / "data"))


@pytest.fixture
def client(site: Site) -> Iterator[TestClient]:
    """Asks the site without sockets; its services run."""
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def served() -> Iterator[Callable[[Site], str]]:
    """Serves a site on a real port in a thread until the module is done; returns its address."""
    stops: list[tuple[threading.Event, threading.Thread]] = []

    def start(site: Site) -> str:
        listening = listen("127.0.0.1", 0)
        stop, ready = threading.Event(), threading.Event()
        thread = threading.Thread(target=serve_until, args=(site, listening, stop, ready.set), daemon=True)
        thread.start()
        assert ready.wait(30), "the site did not start"
        stops.append((stop, thread))
        return f"http://127.0.0.1:{listening.getsockname()[1]}"

    yield start
    for stop, thread in stops:
        stop.set()
        thread.join(20)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, one a module; for tests marked `needs("chromium")`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        LOOPS.append(asyncio.get_running_loop())
        yield browser
        asyncio._set_running_loop(LOOPS.pop())
        browser.close()


LOOPS: list[asyncio.AbstractEventLoop] = []
"""That of the open browser."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """The browser's loop runs in this thread as long as the browser is open; tests of modules without it, which may
    call `asyncio.run`, do not find it."""
    if LOOPS and _browses(item):
        asyncio._set_running_loop(LOOPS[0])
    try:
        return (yield)
    finally:
        if LOOPS:
            asyncio._set_running_loop(None)


def _browses(item: pytest.Item) -> bool:
    """Whether the item's module has a test that needs the browser, whose fixtures may be taken down with this item."""
    return any("browser" in getattr(each, "fixturenames", ()) for each in item.session.items if each.path == item.path)


class Watched:
    """A browser context that notes what no page may do: errors in the console, requests that leave the site."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.wrong: list[str] = []
        context.on("request", lambda request: self._asked(request.url, address))
        context.on("weberror", lambda error: self.wrong.append(f"error: {error.error}"))
        context.on("console", lambda message: self._said(message.type, message.text))

    def _asked(self, url: str, address: str) -> None:
        if not url.startswith((address, "data:", "blob:", "file:")):
            self.wrong.append(f"left the site: {url}")

    def _said(self, kind: str, text: str) -> None:
        if kind == "error" and "the server responded with a status of 4" not in text:
            self.wrong.append(f"console: {text}")

    def page(self) -> Page:
        """A new page with a deadline for every wait."""
        page = self.context.new_page()
        page.set_default_timeout(WAIT_MS)
        return page


@pytest.fixture
def watched(browser: Browser) -> Iterator[Callable[..., Watched]]:
    """Makes browser contexts for an address (`Browser.new_context` options by name); at the end none did any wrong."""
    made: list[Watched] = []

    def new(address: str, **options: Any) -> Watched:
        made.append(Watched(browser.new_context(base_url=address, **options), address))
        return made[-1]

    yield new
    for each in made:
        each.context.close()
    assert [wrong for each in made for wrong in each.wrong] == []
