"""Viewers of a site under load: what they look at, what they met, and that as text. Knows addresses; no store."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import time
from collections import defaultdict
from typing import NamedTuple

import httpx2

THINK_S = (1.0, 3.0)
LIVE = {"home": "featured", "tournament": "live", "running game": "live"}
"""Kinds of pages -> a part of them that changes."""


class Kind(NamedTuple):
    """A kind of page, and the parts that change while it is open."""

    name: str
    path: str
    parts: str


class Loaded(NamedTuple):
    """One kind of page as it was measured."""

    kind: str
    times: list[float]
    """Seconds."""
    failed: list[str]


class Viewers:
    """Everybody who looks, and what they met."""

    def __init__(self, address: str, kinds: list[Kind], warm_s: float) -> None:
        self.address = address
        self.kinds = kinds
        self.times: dict[str, list[float]] = defaultdict(list)
        self.failed: dict[str, list[str]] = defaultdict(list)
        self.heard = 0
        self._warm = time.monotonic() + warm_s

    async def look(self, number: int, until: float) -> None:
        """One viewer: a page, its stream while it is looked at, its parts as they change, then another page."""
        draw = random.Random(number)
        async with httpx2.AsyncClient(base_url=self.address, timeout=60) as client:
            while time.monotonic() < until:
                kind = draw.choice(self.kinds)
                await self._get(client, kind.name, kind.path)
                stay = min(draw.uniform(*THINK_S), until - time.monotonic())
                try:
                    async with asyncio.timeout(max(0.01, stay)):
                        await self._listen(client, kind)
                except TimeoutError:
                    continue
                except httpx2.TransportError as error:
                    self.failed[kind.name].append(f"its stream broke: {error!r}")

    async def _get(self, client: httpx2.AsyncClient, name: str, path: str) -> None:
        began = time.monotonic()
        answer = await client.get(path)
        if answer.status_code != 200:
            self.failed[name].append(f"{answer.status_code} {path}")
        elif began > self._warm:
            self.times[name].append(time.monotonic() - began)

    async def _listen(self, client: httpx2.AsyncClient, kind: Kind) -> None:
        """Fetch the live part again when it has changed, at most once in two seconds, as pages do."""
        seen: dict[str, int] = {}
        async with client.stream("GET", f"/events?parts={kind.parts}") as answer:
            async for line in answer.aiter_lines():
                if not line.startswith('data: {"part"'):
                    continue
                change = json.loads(line[6:])
                known, seen[change["part"]] = seen.get(change["part"]), change["version"]
                if known is not None and known != change["version"]:
                    self.heard += 1
                    if kind.name in LIVE:
                        await self._get(client, f"{kind.name}, its live part", f"{kind.path}?part={LIVE[kind.name]}")
                    await asyncio.sleep(2)
        await asyncio.sleep(60)  # all is final: the page stays open

    async def browse(self, number: int, until: float) -> None:
        """One page in a real browser that stays, loaded again every few seconds."""
        from playwright.async_api import async_playwright

        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            page = await browser.new_page(base_url=self.address)
            kind = next(each for each in self.kinds if each.name == ("running game", "home", "tournament")[number % 3])
            while time.monotonic() < until:
                began = time.monotonic()
                await page.goto(kind.path)
                self.times[f"{kind.name}, in Chromium"].append(time.monotonic() - began)
                await asyncio.sleep(min(6.0, max(0.1, until - time.monotonic())))
            await browser.close()

    @property
    def asked(self) -> int:
        """How many pages and parts were loaded."""
        return sum(map(len, self.times.values()))

    def result(self) -> list[Loaded]:
        """What was met, by kind."""
        return [Loaded(kind, self.times[kind], self.failed[kind]) for kind in {**self.times, **self.failed}]


def table(found: list[Loaded]) -> str:
    """What was met, as text."""
    lines = [f"{'page':<30}{'loads':>7}{'median':>9}{'95 %':>9}{'longest':>9}  ms"]
    for each in sorted(found, key=lambda one: one.kind):
        ms = sorted(1000 * seconds for seconds in each.times)
        if ms:
            late = ms[min(len(ms) - 1, round(0.95 * len(ms)))]
            lines.append(f"{each.kind:<30}{len(ms):>7}{statistics.median(ms):>9.0f}{late:>9.0f}{ms[-1]:>9.0f}")
        lines += [f"{each.kind:<30} failed: {why}" for why in sorted(set(each.failed))]
    return "\n".join(lines)
