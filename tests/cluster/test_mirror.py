"""What a coordinator shows of games elsewhere: whole from the first line on, or not at all; and nothing stays."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from runner.bouts import house, task

from arena.runner.cluster import mirror as module
from arena.runner.cluster.given import Given
from arena.runner.cluster.mirror import QUIET_S, Asked, Mirror, asked_of
from arena.runner.cluster.order import Piece
from arena.runner.spectating.room import told

ONE, TWO = "spring-r1-b1-t1-1", "spring-r1-b2-t1-1"


@dataclass
class Stage:
    """A mirror with one order out, and a clock that stands still."""

    folder: Path
    now: float = 1000.0
    mirror: Mirror = field(init=False)

    def __post_init__(self) -> None:
        self.mirror = Mirror(lambda: self.now)

    @property
    def live(self) -> Path:
        return self.folder / "live" / "spring"

    def asked(self, *ids: str) -> dict[str, Asked]:
        return {"order": Asked(str(self.live), frozenset(ids or (ONE, TWO)))}

    def hear(self, *pieces: Piece, relay: str = "r1") -> None:
        self.mirror.look([("order", relay, pieces)], self.asked())

    def shown(self) -> dict[str, bytes]:
        return {each.public_id: each.file.read_bytes() for each in told(self.folder / "live")}

    def files(self) -> list[Path]:
        return [each for each in self.folder.rglob("*") if each.is_file()]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_a_game_is_shown_as_it_is_told_and_goes_when_it_is_over(stage: Stage) -> None:
    stage.hear((ONE, 0, b"head\nfirst\n"), (TWO, 0, b""))
    assert stage.shown() == {ONE: b"head\nfirst\n"}
    stage.hear((ONE, 11, b"second\n"), (TWO, 0, b"head\n"))
    assert stage.shown() == {ONE: b"head\nfirst\nsecond\n", TWO: b"head\n"}
    stage.hear((TWO, 5, b""))
    assert stage.shown() == {TWO: b"head\n"}, "who does not list a game any more says that it is over"
    stage.mirror.look([], {})
    assert stage.files() == []
    assert stage.mirror.orders == frozenset()


def test_a_game_that_has_arrived_is_not_shown_any_more(stage: Stage) -> None:
    stage.hear((ONE, 0, b"a\n"), (TWO, 0, b"b\n"))
    stage.mirror.look([("order", "r1", [(ONE, 2, b"late\n"), (TWO, 2, b"c\n")])], stage.asked(TWO))
    assert stage.shown() == {TWO: b"b\nc\n"}
    stage.mirror.look([], stage.asked("spring-r1-b9-t1-1"))
    assert stage.shown() == {}


def test_what_was_told_twice_is_shown_once(stage: Stage) -> None:
    stage.hear((ONE, 0, b"a\nb\n"))
    stage.hear((ONE, 0, b"a\nb\n"))
    stage.hear((ONE, 2, b"b\nc\n"))
    stage.hear((ONE, 6, b"d\n"), (ONE, 8, b"e\n"))
    assert stage.shown() == {ONE: b"a\nb\nc\nd\ne\n"}


@pytest.mark.parametrize(
    "bad", [(ONE, 4, b"c\n"), (ONE, 2, b"half a line"), (ONE, 2, b"x" * 100 + b"\n")], ids=["gap", "torn", "too large"]
)
def test_what_does_not_fit_takes_its_game_away_for_good(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, bad: Piece
) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 100)
    stage.hear((ONE, 0, b"a\n"), (TWO, 0, b"b\n"))
    stage.hear(bad, (TWO, 2, b"c\n"))
    assert stage.shown() == {TWO: b"b\nc\n"}
    stage.hear((ONE, 0, b"a\n"), (TWO, 4, b"d\n"))
    assert stage.shown() == {TWO: b"b\nc\nd\n"}


@pytest.mark.parametrize("name", ["../../out", "/tmp/out", "a/b", "..", "", "spring-r1-b3-t1-1"])
def test_only_games_that_were_asked_for_become_files(stage: Stage, name: str) -> None:
    stage.hear((name, 0, b"head\n"), (ONE, 0, b"a\n"))
    assert stage.shown() == {ONE: b"a\n"}
    assert sorted(each.name for each in stage.files()) == ["lock", f"{ONE}.jsonl"]
    stage.mirror.look([("another order", "r2", [(TWO, 0, b"b\n")])], stage.asked())
    assert stage.shown() == {ONE: b"a\n"}, "nobody asked for that order"


def test_a_relay_that_says_nothing_is_taken_for_dead(stage: Stage) -> None:
    stage.hear((ONE, 0, b"a\n"))
    stage.now += QUIET_S - 1
    stage.mirror.look([], stage.asked())
    assert stage.shown() == {ONE: b"a\n"}
    stage.hear((ONE, 2, b""))
    stage.now += QUIET_S - 1
    stage.mirror.look([], stage.asked())
    assert stage.shown() == {ONE: b"a\n"}, "a sign of life is enough"
    stage.now += 2
    stage.mirror.look([], stage.asked())
    assert stage.files() == []
    stage.hear((ONE, 2, b"b\n"), (TWO, 0, b"c\n"))
    assert stage.shown() == {TWO: b"c\n"}, "it comes back: what began before is not shown with a gap"


def test_another_worker_that_plays_an_order_anew_is_shown_alone(stage: Stage) -> None:
    stage.hear((ONE, 0, b"a\nb\n"))
    stage.hear((ONE, 0, b"x\n"), relay="r2")
    stage.hear((ONE, 4, b"c\n"), relay="r1")
    stage.hear((ONE, 2, b"y\n"), relay="r2")
    assert stage.shown() == {ONE: b"x\ny\n"}


def test_where_nothing_can_be_written_it_is_said_once(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    (stage.folder / "live").write_text("a file")
    with caplog.at_level(logging.WARNING):
        assert stage.mirror.sign(str(stage.live)) == ""
        stage.hear((ONE, 0, b"a\n"))
        stage.hear((ONE, 2, b"b\n"), (TWO, 0, b"b\n"))
    assert len(caplog.records) == 1
    assert stage.shown() == {}
    stage.mirror.close()
    assert [each.name for each in stage.files()] == ["live"]


def test_the_sign_is_a_folder_for_the_time_of_a_run(stage: Stage) -> None:
    sign = stage.mirror.sign(str(stage.live))
    assert Path(sign).parent == stage.live
    assert stage.mirror.sign(str(stage.live)) == sign
    assert stage.mirror.sign("") == ""
    assert stage.shown() == {}
    stage.mirror.close()
    assert list(stage.live.iterdir()) == []


def test_of_a_bout_those_games_may_be_shown_that_are_not_over() -> None:
    work = task({"a": house("basic"), "b": house("basic")}, boards=3, seatings=2, event="spring", live="/l/spring")
    given = Given(replace(work, skip=frozenset({(1, 0), (1, 1)})), "order", ())
    given.arrived.add((2, 1))
    asked = asked_of(given)
    assert asked.live == "/l/spring"
    assert asked.ids == {"spring-r1-b2-t1-1", "spring-r1-b3-t1-1", "spring-r1-b3-t1-2"}


class Scheduler:
    """Answers what a test wants."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.done = asyncio.Event()

    async def arena_told(self, client: str) -> Any:
        assert client == "ada"
        if not self.answers:
            self.done.set()
            return []
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_a_scheduler_that_is_lost_for_a_moment_ends_nothing(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PERIOD_S", 0.001)
    work = task({"a": house("basic"), "b": house("basic")}, boards=1, event="spring", live=str(stage.live))

    async def main() -> None:
        first, second = ("order", "r1", [(ONE, 0, b"a\n")]), ("order", "r1", [(ONE, 2, b"b\n")])
        scheduler = Scheduler([first], OSError("lost"), None, [second, ("gone", "r9", [(TWO, 0, b"c\n")])])
        keeping = asyncio.create_task(module.keep(stage.mirror, scheduler, "ada", {"order": Given(work, "order", ())}))
        async with asyncio.timeout(30):
            await scheduler.done.wait()
        assert not keeping.done()
        keeping.cancel()
        await asyncio.wait({keeping})

    asyncio.run(main())
    assert stage.shown() == {ONE: b"a\nb\n"}
    stage.mirror.close()
    assert stage.files() == []


def test_what_cannot_be_understood_ends_the_showing_alone(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "PERIOD_S", 0.001)
    stage.hear((ONE, 0, b"a\n"))
    with caplog.at_level(logging.WARNING):
        asyncio.run(asyncio.wait_for(module.keep(stage.mirror, Scheduler([("order", "r1")]), "ada", {}), 30))
    assert len(caplog.records) == 1
    assert stage.files() == []
