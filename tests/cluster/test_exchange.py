"""The exchange by itself: archives, games, what has arrived, and coordinators that are gone."""

from __future__ import annotations

import asyncio

import pytest

from arena.runner.cluster import exchange as module
from arena.runner.cluster.exchange import Exchange


async def opened() -> Exchange:
    exchange = Exchange()
    await exchange.open("ada")
    return exchange


def test_games_come_in_the_order_in_which_they_were_handed_over() -> None:
    async def main() -> None:
        exchange = await opened()
        for board in (1, 2):
            assert await exchange.report("ada", "t", board, 0, bytes([board]))
        assert await exchange.take("ada", 0) == [("t", b"\1"), ("t", b"\2")]
        assert await exchange.take("ada", 0.01) == []
        assert await exchange.arrived("ada", "t") == [(1, 0), (2, 0)]
        await exchange.forget("ada", "t")
        assert await exchange.arrived("ada", "t") == []

    asyncio.run(main())


def test_who_waits_is_woken_by_a_game() -> None:
    async def main() -> None:
        exchange = await opened()
        waiting = asyncio.create_task(exchange.take("ada", 60))
        await asyncio.sleep(0)
        await exchange.report("ada", "t", 1, 0, b"x")
        async with asyncio.timeout(30):
            assert await waiting == [("t", b"x")]

    asyncio.run(main())


def test_what_belongs_to_a_coordinator_goes_with_it() -> None:
    async def main() -> None:
        exchange = await opened()
        await exchange.put("ada", "d", b"archive")
        assert await exchange.get("ada", "d") == b"archive"
        assert await exchange.get("ada", "e") is None
        waiting = asyncio.create_task(exchange.take("ada", 60))
        await asyncio.sleep(0)
        exchange.remove_client(None, "ada")  # type: ignore[arg-type]
        assert await waiting is None
        assert await exchange.get("ada", "d") is None
        assert await exchange.arrived("ada", "t") is None
        assert await exchange.report("ada", "t", 1, 0, b"x") is False

    asyncio.run(main())


def test_what_is_told_of_running_games_is_refused_when_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TOLD", 3 * module.ADDED + 100)

    async def main() -> None:
        exchange = await opened()
        first, second = ("g", 0, b"x" * 60), ("g", 60, b"y" * 60)
        assert await exchange.tell("ada", "t", "r", [first]) is True
        assert await exchange.tell("ada", "t", "r", [second]) is False
        assert await exchange.tell("ada", "t", "r", []) is True, "a sign of life is small"
        assert await exchange.tell("ada", "t", "r", []) is False, "but takes some room"
        assert await exchange.report("ada", "t", 1, 0, b"game") is True, "finished games have their own"
        assert await exchange.told("ada") == [("t", "r", [first]), ("t", "r", [])]
        assert await exchange.told("ada") == []
        assert await exchange.tell("ada", "t", "r", [second]) is True

    asyncio.run(main())


def test_nobody_waits_for_what_is_told_once_a_coordinator_is_gone() -> None:
    async def main() -> None:
        exchange = await opened()
        assert await exchange.tell("ada", "t", "r", [("g", 0, b"x")]) is True
        exchange.remove_client(None, "ada")  # type: ignore[arg-type]
        assert await exchange.tell("ada", "t", "r", [("g", 1, b"y")]) is None
        assert await exchange.told("ada") == []

    asyncio.run(main())


def test_workers_wait_while_a_coordinator_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 2)

    async def main() -> None:
        exchange = await opened()
        for board in (1, 2):
            await exchange.report("ada", "t", board, 0, b"x")
        third = asyncio.create_task(exchange.report("ada", "t", 3, 0, b"y"))
        await asyncio.sleep(0.2)
        assert not third.done()
        assert len(await exchange.take("ada", 0) or ()) == 2
        assert await third
        assert await exchange.take("ada", 0) == [("t", b"y")]

    asyncio.run(main())
