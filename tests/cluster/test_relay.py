"""What a worker hands on of its running games: whole lines in order, late if need be, and nothing stays behind."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from runner.bouts import house, task

from arena.runner.cluster import relay as module
from arena.runner.cluster.order import Order, Piece
from arena.runner.cluster.relay import Relay, relayed
from arena.runner.spectating.room import Room, live_folder

ONE, TWO = "spring-r1-b1-t1-1", "spring-r1-b2-t1-1"


class Exchange:
    """Takes what it is told, unless a test wants otherwise."""

    def __init__(self) -> None:
        self.told: list[Sequence[Piece]] = []
        self.relays: set[str] = set()
        self.answer: Callable[[], bool | None] = lambda: True

    async def arena_tell(self, client: str, task: str, relay: str, games: Sequence[Piece]) -> bool | None:
        assert (client, task) == ("ada", "order")
        taken = self.answer()
        if taken:
            self.told.append(games)
            self.relays.add(relay)
        return taken

    def games(self) -> dict[str, bytes]:
        """What a reader has of each game; every piece must begin where the last one ended."""
        texts: dict[str, bytes] = {}
        for pieces in self.told:
            for name, start, text in pieces:
                assert start == len(texts.get(name, b""))
                texts[name] = texts.get(name, b"") + text
        return texts


def order_of(live: Path, sign: str) -> Order:
    work = task({"a": house("basic"), "b": house("basic")}, boards=2, event="spring", live=str(live))
    return Order("order", "run", "ada", work, {}, "none", sign)


def made(folder: Path) -> tuple[Exchange, Relay, Room]:
    """A relay, and the room in which its process tells. To be made in a running loop."""
    exchange = Exchange()
    place = folder / "live" / "0123"
    return exchange, Relay(exchange, order_of(folder, str(folder / "sign")), place), Room(place)


def test_lines_are_handed_on_once_and_whole(tmp_path: Path) -> None:
    async def main() -> None:
        exchange, relay, room = made(tmp_path)
        assert await relay.hand_on()
        assert exchange.told == [], "nothing runs, nothing is said"
        room.add({ONE: b"head\nfirst\nsec"})
        assert await relay.hand_on()
        assert exchange.told == [[(ONE, 0, b"head\nfirst\n")]]
        assert await relay.hand_on()
        assert len(exchange.told) == 1
        room.add({ONE: b"ond\n", TWO: b"other\n"})
        assert await relay.hand_on()
        assert exchange.told[1:] == [[(ONE, 11, b"second\n"), (TWO, 0, b"other\n")]]
        room.remove(ONE)
        assert await relay.hand_on()
        assert exchange.told[2:] == [[(TWO, 6, b"")]], "the end of a game is news"
        room.close()
        assert await relay.hand_on()
        assert exchange.told[3:] == [[]]
        assert await relay.hand_on()
        assert len(exchange.told) == 4

    asyncio.run(main())


def test_what_is_refused_comes_later_without_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_AT_ONCE", 30)
    answers = iter([False, True, False, False, True] * 40)

    async def main() -> None:
        exchange, relay, room = made(tmp_path)
        exchange.answer = lambda: next(answers)
        lines = [f"line {number}\n".encode() for number in range(40)]
        for line in lines:
            room.add({ONE: line, TWO: b"x" + line})
            assert await relay.hand_on()
        for _ in range(100):
            assert await relay.hand_on()
        assert exchange.games() == {ONE: b"".join(lines), TWO: b"".join(b"x" + line for line in lines)}
        assert max(sum(len(text) for _name, _start, text in pieces) for pieces in exchange.told) <= 30
        room.close()

    asyncio.run(main())


def test_a_game_that_is_too_large_is_not_handed_on_and_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_AT_ONCE", 30)
    monkeypatch.setattr(module, "MOST_BYTES", 50)

    async def main() -> None:
        exchange, relay, room = made(tmp_path)
        room.add({ONE: b"a\n"})
        assert await relay.hand_on()
        room.add({TWO: b"b\n"})
        assert await relay.hand_on()
        room.add({ONE: b"x" * 40 + b"\n", TWO: b"c\n"})
        assert await relay.hand_on()
        assert exchange.told[1] == [(ONE, 2, b""), (TWO, 0, b"b\n")]
        assert exchange.told[2:] == [[(TWO, 2, b"c\n")]], "the line is longer than a message"
        room.add({TWO: b"d\n" * 30})
        assert await relay.hand_on()
        assert exchange.told[3:] == [[]], "the game is larger than any that is shown"
        room.close()

    asyncio.run(main())


def test_a_bot_that_thinks_long_is_not_taken_for_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        exchange, relay, room = made(tmp_path)
        room.add({ONE: b"a\n"})
        assert await relay.hand_on()
        monkeypatch.setattr(module, "SIGN_S", 0.0)
        await asyncio.sleep(0.01)
        assert await relay.hand_on()
        assert exchange.told == [[(ONE, 0, b"a\n")], [(ONE, 2, b"")]]
        room.close()

    asyncio.run(main())


def test_a_network_that_is_gone_for_a_while_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "PERIOD_S", 0.001)
    left = 5

    def answer() -> bool | None:
        nonlocal left
        left -= 1
        if left > 0:
            raise OSError("no route")
        return True if left == 0 else None

    async def main() -> None:
        exchange, relay, room = made(tmp_path)
        exchange.answer = answer
        room.add({ONE: b"a\n"})
        keeping = asyncio.create_task(relay.keep())
        async with asyncio.timeout(30):
            while not exchange.told:
                await asyncio.sleep(0.001)
            room.add({ONE: b"b\n"})
            await keeping
        assert exchange.games() == {ONE: b"a\n"}, "then nobody waited any more"
        room.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(main())
    assert [record.getMessage() for record in caplog.records] == ["running games cannot be handed on: no route"]


def test_a_place_of_its_own_goes_with_the_bout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PERIOD_S", 0.001)
    data = tmp_path / "worker"

    async def main() -> None:
        exchange = Exchange()
        async with relayed(exchange, order_of(tmp_path / "no" / "spring", str(tmp_path / "no" / "sign")), data) as live:
            assert Path(live).parent == live_folder(data)
            room = Room(Path(live))  # of a process that is killed before it can close it
            room.add({ONE: b"a\n"})
            async with asyncio.timeout(30):
                while not exchange.told:
                    await asyncio.sleep(0.001)
        assert list(live_folder(data).iterdir()) == []
        room.close()
        assert exchange.relays == {Path(live).name}
        assert exchange.games() == {ONE: b"a\n"}

    asyncio.run(main())


def test_who_shares_the_folder_tells_there_and_hands_on_nothing(tmp_path: Path) -> None:
    shared = tmp_path / "live" / "spring"
    sign = Room(shared)

    async def main() -> list[str]:
        found = []
        for mark in (str(sign.folder), ""):
            async with relayed(Exchange(), order_of(shared, mark), tmp_path / "worker") as live:
                found.append(live)
        return found

    assert asyncio.run(main()) == [str(shared), ""]
    assert not (tmp_path / "worker").exists()
    sign.close()


def test_what_a_killed_worker_left_is_swept_by_the_next_bout(tmp_path: Path) -> None:
    data = tmp_path / "worker"
    left = live_folder(data) / "dead" / "room"
    left.mkdir(parents=True)
    (left / f"{ONE}.jsonl").write_bytes(b"a\n")
    empty = live_folder(data) / "empty"
    empty.mkdir()
    os.utime(empty, (0, 0))

    async def main() -> None:
        async with relayed(Exchange(), order_of(tmp_path / "spring", str(tmp_path / "sign")), data):
            assert not left.exists()
            assert not empty.exists()

    asyncio.run(main())


def test_where_a_worker_can_write_nothing_it_plays_untold(tmp_path: Path) -> None:
    (tmp_path / "live").write_text("a file")

    async def main() -> str:
        async with relayed(Exchange(), order_of(tmp_path / "spring", str(tmp_path / "sign")), tmp_path) as live:
            return live

    assert asyncio.run(main()) == ""
