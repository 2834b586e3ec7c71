"""The lobby without a door: who is ready, when it begins, who takes part under each late rule, what is told."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arena.runner.events import bulletin
from arena.runner.events.lobby import Lobby, Past, Surroundings
from arena.runner.events.rules import LobbyTable, Rules, moment

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
NEEDED = {"fox": 2, "owl": 1, "elk": 1}
ALL = ("fox", "owl", "elk", "basic")


class Hall:
    """Connections that come and go by hand, and a clock that is set by hand."""

    def __init__(self, rules: Rules, past: Past | None = None) -> None:
        self.here: dict[str, int] = {}
        self.told: list[str] = []
        self.states: list[dict[str, Any]] = []
        self.now = NOON
        self._bell = asyncio.Event()
        around = Surroundings(lambda: self.here, self._changed, self.told.append, self.states.append, lambda: self.now)
        self.lobby = Lobby(NEEDED, rules, around, past) if past is not None else Lobby(NEEDED, rules, around)

    async def _changed(self) -> None:
        self._bell.clear()
        await self._bell.wait()

    def comes(self, **bots: int) -> None:
        for name, count in bots.items():
            self.here[name] = self.here.get(name, 0) + count
        self._bell.set()

    def words(self) -> dict[str, str]:
        return {each["bot"]: each["state"] for each in self.lobby.state()["bots"]}


async def soon(waiting: asyncio.Task[bool]) -> bool:
    """Whether it begins within what the lobby needs to look at the clock."""
    done, _ = await asyncio.wait({waiting}, timeout=0.1)
    return bool(done)


def test_without_a_start_it_begins_once_all_are_ready() -> None:
    async def scenario() -> None:
        hall = Hall(Rules())
        waiting = asyncio.create_task(hall.lobby.wait(asyncio.Event()))
        assert not await soon(waiting)
        assert hall.told == ["waiting for fox (0 of 2 connections), owl, elk; begins once 3 of 3 are ready"]
        hall.comes(fox=1, owl=1, elk=1, stranger=1)
        assert not await soon(waiting)
        assert hall.lobby.ready() == {"owl", "elk"}
        assert hall.words() == {"fox": "incomplete", "owl": "ready", "elk": "ready"}
        hall.comes(fox=1)
        assert await asyncio.wait_for(waiting, 60)
        assert hall.told[1:] == ["fox: 1 of 2 connections", "owl is here", "elk is here", "fox is here"]
        assert hall.lobby.taking_part(1, ALL) == ALL
        assert hall.words() == dict.fromkeys(NEEDED, "playing")

    asyncio.run(scenario())


def test_it_begins_as_soon_as_so_many_are_ready() -> None:
    async def scenario() -> None:
        hall = Hall(Rules(min_bots=2))
        waiting = asyncio.create_task(hall.lobby.wait(asyncio.Event()))
        hall.comes(owl=1)
        assert not await soon(waiting)
        hall.comes(elk=1)
        assert await asyncio.wait_for(waiting, 60)

    asyncio.run(scenario())


def test_a_start_is_kept_whoever_is_ready_before() -> None:
    async def scenario() -> None:
        hall = Hall(Rules(start=NOON + timedelta(hours=2, minutes=5)))
        waiting = asyncio.create_task(hall.lobby.wait(asyncio.Event()))
        hall.comes(fox=2, owl=1, elk=1)
        assert not await soon(waiting)
        assert hall.lobby.waits_for() == "all are ready; the start is at 2026-12-01 14:05 UTC, in 2 h 5 min"
        assert hall.states[-1]["start"] == "2026-12-01T14:05:00+00:00"
        hall.now += timedelta(hours=3)
        assert await asyncio.wait_for(waiting, 60)

    asyncio.run(scenario())


def test_at_the_start_one_bot_is_waited_for_or_as_many_as_were_agreed() -> None:
    async def scenario() -> None:
        for least, needed in ((0, 1), (2, 2)):
            hall = Hall(Rules(start=NOON, min_bots=least))
            waiting = asyncio.create_task(hall.lobby.wait(asyncio.Event()))
            for name in ("owl", "elk")[:needed]:
                assert not await soon(waiting)
                hall.comes(**{name: 1})
            assert await asyncio.wait_for(waiting, 60)

    asyncio.run(scenario())


def test_it_stops_when_told_to() -> None:
    async def scenario() -> None:
        hall, stop = Hall(Rules()), asyncio.Event()
        waiting = asyncio.create_task(hall.lobby.wait(stop))
        assert not await soon(waiting)
        stop.set()
        assert not await asyncio.wait_for(waiting, 60)
        assert not hall.lobby.begun

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("late", "first", "second", "word"),
    [
        ("next_round", ("owl", "basic"), ("owl", "elk", "basic"), "late"),
        ("refuse", ("owl", "basic"), ("owl", "basic"), "refused"),
        ("forfeit", ALL, ALL, "away"),
    ],
)
def test_who_is_late_under_each_rule(late: Any, first: tuple[str, ...], second: tuple[str, ...], word: str) -> None:
    async def scenario() -> None:
        hall = Hall(Rules(min_bots=1, late=late))
        hall.comes(owl=1)
        assert await asyncio.wait_for(hall.lobby.wait(asyncio.Event()), 60)
        assert hall.lobby.taking_part(1, ALL) == first
        assert hall.words() == {"fox": word, "owl": "playing", "elk": word}
        assert hall.lobby.may_stay("elk") == (late != "refuse")
        hall.comes(elk=1)
        if late == "next_round":
            assert hall.words()["elk"] == "next round"
        assert hall.lobby.taking_part(2, ALL) == second

    asyncio.run(scenario())


def test_who_has_joined_stays_in_when_it_goes() -> None:
    async def scenario() -> None:
        hall = Hall(Rules(min_bots=2))
        hall.comes(owl=1, elk=1)
        await hall.lobby.wait(asyncio.Event())
        hall.lobby.taking_part(1, ALL)
        hall.comes(elk=-1)
        assert hall.lobby.taking_part(2, ALL) == ("owl", "elk", "basic")
        assert hall.words()["elk"] == "away"
        assert hall.told[-1] == "elk has left"
        assert hall.lobby.taking_part(3, ("owl", "basic")) == ("owl", "basic")
        assert hall.words()["elk"] == "out"
        assert not hall.lobby.may_stay("elk")

    asyncio.run(scenario())


def test_strangers_have_nothing_to_wait_for() -> None:
    async def scenario() -> None:
        hall = Hall(Rules())
        assert hall.lobby.may_stay("fox")
        assert not hall.lobby.may_stay("stranger")

    asyncio.run(scenario())


def test_an_event_that_goes_on_waits_for_those_who_played_but_not_for_ever() -> None:
    async def scenario() -> None:
        past = Past(2, frozenset({"owl", "elk", "basic"}), frozenset())
        hall = Hall(Rules(start=NOON - timedelta(days=1), wait_s=60), past)
        waiting = asyncio.create_task(hall.lobby.wait(asyncio.Event()))
        hall.comes(owl=1)
        assert not await soon(waiting)
        assert hall.told[-1].endswith("elk; the event goes on in 60 s at most")
        hall.comes(elk=1)
        assert await asyncio.wait_for(waiting, 60)
        again = Hall(Rules(wait_s=0.05), past)
        assert await asyncio.wait_for(again.lobby.wait(asyncio.Event()), 60)
        gone = Hall(Rules(wait_s=60), past._replace(out=frozenset({"owl", "elk"})))
        assert await asyncio.wait_for(gone.lobby.wait(asyncio.Event()), 60)
        assert gone.words() == {"fox": "late", "owl": "out", "elk": "out"}

    asyncio.run(scenario())


def test_times_are_utc_where_no_zone_is_named() -> None:
    assert moment("2026-12-01T12:00") == NOON
    assert moment("2026-12-01T13:00+01:00") == NOON
    assert LobbyTable(start="2026-12-01 12:00").rules().start == NOON
    for wrong in ("2026-12-01", "noon", ""):
        with pytest.raises(ValueError):  # noqa: PT011 (of the standard library)
            moment(wrong)


def test_the_bulletin_is_whole_or_not_there(tmp_path: Path) -> None:
    file = bulletin.bulletin_file(tmp_path, "open")
    assert bulletin.read(file) is None
    bulletin.publish(file, {"state": "waiting", "ready": 0})
    assert bulletin.read(file) == {"state": "waiting", "ready": 0}
    file.write_text("{", encoding="utf-8")
    assert bulletin.read(file) is None
    bulletin.withdraw(file)
    bulletin.withdraw(file)
    assert not file.exists()
    (tmp_path / "full").write_text("")
    bulletin.publish(tmp_path / "full" / "open.json", {})
    assert bulletin.read(tmp_path / "full" / "open.json") is None
