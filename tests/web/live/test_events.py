"""The stream of changes: versions first, then changes; nothing is left of a stream that ends, however it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient
from web.live.running import started

from arena.store.values import State
from arena.web.app import create_app
from arena.web.live.pulse import pulse_of
from arena.web.pages import events
from arena.web.pages.events import Streams
from arena.web.site import Settings, Site

Event = tuple[str, dict[str, Any]]


async def told(site: Site, parts: list[str], address: str = "me") -> AsyncGenerator[Event, None]:
    """What a stream says, event by event."""
    pulse, streams = pulse_of(site), site.service(Streams, Streams)
    async with aclosing(events._told(site, pulse, streams, parts, address)) as stream:
        async for event in stream:
            yield str(event.event), json.loads(str(event.data))


def run(site: Site, use: Callable[[], Any]) -> None:
    async def inside() -> None:
        pulse_of(site).versions.attach(asyncio.get_running_loop())
        async with asyncio.timeout(60):
            await use()

    create_app(site)
    asyncio.run(inside())


def test_versions_come_first_then_changes_each_once(site: Site) -> None:
    async def use() -> None:
        pulse = pulse_of(site)
        stream = told(site, ["home", "sitting:7"])
        assert await anext(stream) == ("hello", {"instance": site.instance})
        first = [await anext(stream) for _ in range(2)]
        assert [event[1]["part"] for event in first] == ["home", "sitting:7"]
        versions = [pulse.bump("sitting:7") for _ in range(3)]
        assert await anext(stream) == ("part", {"part": "sitting:7", "version": versions[-1], "final": False})
        pulse.bump("running")
        version = pulse.bump("home")
        assert (await anext(stream))[1]["version"] == version
        await stream.aclose()
        assert not pulse.versions.watched()
        assert not site.service(Streams, Streams).by_address

    run(site, use)


def test_a_stream_of_finished_things_ends(site: Site) -> None:
    async def use() -> None:
        pulse = pulse_of(site)
        stream = told(site, ["tournament:spring", "game:x"])
        for _ in range(3):
            await anext(stream)
        pulse.finish(["tournament:spring"])
        assert (await anext(stream))[1]["final"]
        pulse.finish(["game:x"])
        assert [event[0] async for event in stream] == ["part", "over"]

    run(site, use)


def test_a_server_that_ends_lets_its_streams_go(site: Site) -> None:
    async def use() -> None:
        stream = told(site, ["home"])
        for _ in range(2):
            await anext(stream)
        asyncio.get_running_loop().call_later(0.05, lambda: [close() for close in site.closing])
        assert [event async for event in stream] == []

    run(site, use)


def test_fifty_streams_hear_of_one_change(site: Site) -> None:
    open_ones: list[asyncio.Event] = [asyncio.Event() for _ in range(50)]

    async def one(is_open: asyncio.Event) -> int:
        stream = told(site, ["home"])
        for _ in range(2):
            await anext(stream)
        is_open.set()
        _kind, data = await anext(stream)
        await stream.aclose()
        return int(data["version"])

    async def use() -> None:
        waiting = [asyncio.create_task(one(each)) for each in open_ones]
        for each in open_ones:
            await each.wait()
        version = pulse_of(site).bump("home")
        assert set(await asyncio.gather(*waiting)) == {version}

    run(site, use)


def test_too_many_streams_are_refused_by_address(client: TestClient, site: Site) -> None:
    site.service(Streams, Streams).by_address["testclient"] = events.STREAMS_OF_ONE
    answer = client.get("/events?parts=home", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["data"]["code"]) == (429, "QUOTA")


def test_behind_a_proxy_nobody_chooses_the_address_that_counts(tmp_path: Path) -> None:
    site = Site.open(Settings(tmp_path, tmp_path, behind_proxy=True))
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        site.service(Streams, Streams).by_address["192.0.2.7"] = events.STREAMS_OF_ONE
        claimed = {"x-forwarded-for": "198.51.100.1, 192.0.2.7", "accept": "application/json"}
        assert client.get("/events?parts=home", headers=claimed).status_code == 429


@pytest.mark.parametrize("query", ["", "parts=", "parts=Home", "parts=game:a%20b", f"parts={'a,' * 3}b%3Cscript%3E"])
def test_what_is_no_part_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/events?{query}", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["data"]["code"]) == (400, "USAGE")


def test_too_many_parts_are_refused(client: TestClient) -> None:
    parts = ",".join(f"game:g{number}" for number in range(events.PARTS + 1))
    assert client.get(f"/events?parts={parts}").status_code == 400


def test_the_stream_of_a_finished_tournament_is_short(client: TestClient, site: Site) -> None:
    spring = started(site.store)
    site.store.set_state(spring.id, State.FINISHED)
    pulse_of(site).look()
    answer = client.get("/events?parts=tournament:spring")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "content-encoding" not in answer.headers
    assert [line for line in answer.text.splitlines() if line.startswith("event:")] == [
        "event: hello", "event: part", "event: over",
    ]  # fmt: skip


def test_over_a_socket_changes_arrive_and_the_end_of_the_server_too(
    served: Callable[[Site], str], tmp_path: Path
) -> None:
    site = Site.open(Settings(tmp_path, tmp_path))
    address = served(site)
    names: list[str] = []
    with httpx2.stream("GET", f"{address}/events?parts=home", timeout=20) as answer:
        for line in answer.iter_lines():
            if not line.startswith("data:"):
                continue
            names.append(json.loads(line[5:]).get("part", "hello"))
            if len(names) == 2:
                started(site.store)  # the pulse sees it
            if len(names) == 3:
                break
    assert names == ["hello", "home", "home"]
