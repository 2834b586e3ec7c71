"""Walks a site by its links, as a visitor who takes every one of them does; knows nothing of what pages are about."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx2

ORIGIN = "http://127.0.0.1"
LINKS = {"a": "href", "link": "href", "script": "src", "img": "src", "use": "href", "form": "action"}
NAMED = re.compile(r"^/(t|g|bot|embed/g|submission|rules)/([^/?]+?)(\.(?:csv|json))?(?=/|$)")
COMPUTING = (202, 409)
UNFINISHED = (b"load delay:", b"data-again", b'"complete":false')
PATIENCE_S = 30.0


class Answer(NamedTuple):
    """What came at an address."""

    url: str
    status: int
    headers: httpx2.Headers
    body: bytes
    found_on: str

    @property
    def type(self) -> str:
        return str(self.headers.get("content-type", "")).partition(";")[0]

    @property
    def text(self) -> str:
        return self.body.decode()


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.posts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and (given.get("method") or "get").lower() != "get":
            self.posts.append(given.get("action") or "")
            return
        for name in (LINKS.get(tag), "data-src", "hx-get"):
            if name and (value := given.get(name)):
                self.links.append((tag, value))


def links_of(page: str) -> list[tuple[str, str]]:
    """(tag, address) of all that a page leads to or loads."""
    reader = _Links()
    reader.feed(page)
    return reader.links


def posts_of(page: str) -> list[str]:
    """Where the forms of a page send what they change."""
    reader = _Links()
    reader.feed(page)
    return reader.posts


def kind(url: str) -> str:
    """Address without what differs between pages of a kind: `/t/*/b/N?a&b`."""
    parts = urlsplit(url)
    path = NAMED.sub(r"/\1/*\3", parts.path)
    path = re.sub(r"/(vs)/[^/.]+", r"/\1/*", path)
    path = re.sub(r"/\d+(?=/|\.|$)", "/N", path)
    keys = sorted({key for key, _ in parse_qsl(parts.query, keep_blank_values=True)} - {"v"})
    return f"{path}?{'&'.join(keys)}" if keys else path


def walk(
    client: httpx2.Client, start: Sequence[str], most: int, only: re.Pattern[str] = re.compile("")
) -> Iterator[Answer]:
    """All that can be reached, at most so many addresses of a kind. Where a redirect leads is a link like others.

    `only`: how addresses begin that are followed.
    """
    waiting = [(url, "") for url in start]
    seen = set(start)
    count: Counter[str] = Counter()
    while waiting:
        url, found_on = waiting.pop(0)
        answer = ask(client, url, found_on)
        yield answer
        found = [("a", answer.headers["location"])] if "location" in answer.headers else []
        if answer.type == "text/html" and "content-disposition" not in answer.headers:
            found += links_of(answer.text)
        for _tag, link in found:
            target = urljoin(f"{ORIGIN}{url}", link).partition("#")[0]
            assert target.startswith(f"{ORIGIN}/"), f"{url} leads away: {link}"
            target = target.removeprefix(ORIGIN)
            if only.match(target) and target not in seen and count[kind(target)] < most:
                seen.add(target)
                count[kind(target)] += 1
                waiting.append((target, url))


def ask(client: httpx2.Client, url: str, found_on: str = "") -> Answer:
    """One answer; what is still being computed is asked for again."""
    until = time.monotonic() + PATIENCE_S
    while True:
        answer = client.get(url, follow_redirects=False)
        if time.monotonic() > until or not _is_computing(answer):
            return Answer(url, answer.status_code, answer.headers, answer.content, found_on)
        time.sleep(0.05)


def _is_computing(answer: httpx2.Response) -> bool:
    return (
        "retry-after" in answer.headers
        or answer.status_code in COMPUTING
        or any(mark in answer.content for mark in UNFINISHED)
    )
