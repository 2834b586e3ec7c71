"""Worker processes: the same results for any number of them, whatever dies; both ways of stopping; nothing left."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from runner.bouts import DEADLINE_S, house, lasting, nothing_left, task
from runner.crews import GONE_S, descendants, left, running
from runner.test_overload import slow

from arena.core.errors import ArenaFault
from arena.record.results import GameKey, Verdict
from arena.runner import crew
from arena.runner.bout import BoutTask
from arena.runner.crew import Crew, LocalWorker, Missing, Stop, collect
from arena.store.values import StoredGame

BOARDS = 3
Event = StoredGame | Missing


def bouts(count: int, at_once: int = 8, boards: int = BOARDS, seatings: int = 1) -> list[BoutTask]:
    """Bouts that differ in their table's number only."""
    bots = {"random": house("random", at_once), "basic": house("basic", at_once)}
    one = task(bots, boards, seatings)
    return [replace(one, bout=one.bout._replace(table=table)) for table in range(1, count + 1)]


def run(
    work: list[BoutTask],
    workers: int = 1,
    each: Callable[[Crew, Event, list[psutil.Process]], Awaitable[None] | None] | None = None,
    kind: type[Crew] = Crew,
) -> list[Event]:
    """Play with a crew; `each` sees every event, with the processes that ran then. Nothing may be left."""
    seen: list[Event] = []
    processes: list[psutil.Process] = []

    async def main() -> None:
        crew = kind(workers, Stop())
        async with asyncio.timeout(DEADLINE_S):
            async for event in crew.play(iter(work)):
                seen.append(event)
                if each is not None:
                    processes.extend(descendants())
                    each(crew, event, processes)

    with nothing_left():
        asyncio.run(main())
        assert left(processes) == []
    return seen


def results(events: list[Event]) -> dict[GameKey, Any]:
    """Games by key, without times; all of them finished, none twice."""
    games = [event for event in events if isinstance(event, StoredGame)]
    assert len(games) == len(events)
    by_key = {game.key: lasting_of_house(game) for game in games}
    assert len(by_key) == len(games)
    return by_key


def lasting_of_house(game: StoredGame) -> Any:
    assert game.result.verdict is Verdict.FINISHED
    assert game.result.faults == ()
    return lasting(game)


@pytest.fixture(scope="module")
def undisturbed() -> dict[GameKey, Any]:
    """Two bouts by one worker."""
    return results(run(bouts(2)))


@pytest.mark.parametrize("workers", [2, 3])
def test_results_do_not_depend_on_the_number_of_workers(undisturbed: dict[GameKey, Any], workers: int) -> None:
    assert len(undisturbed) == 2 * BOARDS
    assert results(run(bouts(2), workers)) == undisturbed


@pytest.mark.parametrize("victim", ["runner.worker", "launcher_process"])
def test_a_process_killed_in_mid_bout_loses_and_doubles_nothing(undisturbed: dict[GameKey, Any], victim: str) -> None:
    """A lost launcher takes its bots with it, which is no fault of theirs."""
    killed: list[int] = []

    def kill_once(_crew: Crew, _event: Event, _processes: list[psutil.Process]) -> None:
        if not killed:
            [process] = running(victim)
            killed.append(process.pid)
            process.kill()

    assert results(run(bouts(2, at_once=1), each=kill_once)) == undisturbed
    assert len(killed) == 1


class Doomed(Crew):
    """Every worker dies as soon as it is there."""

    begun = 0

    async def _begin(self) -> LocalWorker:
        worker = await super()._begin()
        Doomed.begun += 1
        worker.process.kill()
        return worker


def test_a_bout_whose_workers_all_die_at_once_is_missing_after_so_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "MAX_LOST", 3)
    Doomed.begun = 0
    events = run(bouts(1), kind=Doomed)
    assert [type(event) for event in events] == [Missing]
    assert Doomed.begun == 3
    assert isinstance(events[0], Missing)
    assert events[0].task.bout == bouts(1)[0].bout


def test_workers_may_be_killed_more_often_than_there_are_tries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While they play one game after the other that takes its time, so that each is told before the next has ended."""
    bots = {name: replace(slow(tmp_path, name), concurrent_games=1) for name in ("one", "two")}
    bout = task(bots, boards=6)
    undisturbed = results(run([bout]))
    monkeypatch.setattr(crew, "MAX_LOST", 2)
    killed = 0

    def kill_after_every_game(_crew: Crew, _event: Event, _processes: list[psutil.Process]) -> None:
        nonlocal killed
        for process in running("runner.worker") if killed < 4 else ():
            process.kill()
            killed += 1

    assert results(run([bout], each=kill_after_every_game)) == undisturbed
    assert killed == 4


def test_a_fault_of_the_arena_is_told_with_its_cause_and_other_bouts_go_on(undisturbed: dict[GameKey, Any]) -> None:
    good, bad = bouts(2)
    events = run([replace(bad, game="whist"), good])
    [missing] = [event for event in events if isinstance(event, Missing)]
    assert "no game 'whist'" in missing.error
    assert results([event for event in events if event is not missing]).items() <= undisturbed.items()
    assert len(events) == 1 + BOARDS


def test_collect_refuses_to_go_without_a_game() -> None:
    async def main() -> None:
        with pytest.raises(ArenaFault, match="no game 'whist'"):
            await collect(Crew(1, Stop()), iter([replace(bouts(1)[0], game="whist")]))

    with nothing_left():
        asyncio.run(main())


def test_a_task_given_back_for_the_last_game_is_still_played(undisturbed: dict[GameKey, Any]) -> None:
    """A void block may be the last thing a crew reports."""
    [one] = bouts(1)
    again: list[StoredGame] = []

    def put_last_again(crew: Crew, event: Event, _processes: list[psutil.Process]) -> None:
        assert isinstance(event, StoredGame)
        if event.key.board == BOARDS and not again:
            again.append(event)
            others = frozenset((board, 0) for board in range(1, BOARDS))
            crew.put_again(replace(one, skip=others, attempt=2))

    for workers in (1, 2):
        again.clear()
        events = run([one], workers, put_last_again)
        assert [event.attempt for event in events if isinstance(event, StoredGame)] == [1] * BOARDS + [2]
        assert lasting_of_house(again[0]) == undisturbed[again[0].key]


def test_a_soft_stop_lets_running_games_finish_and_begins_no_others(undisturbed: dict[GameKey, Any]) -> None:
    def press(crew: Crew, _event: Event, _processes: list[psutil.Process]) -> None:
        if not crew.stop.soft.is_set():
            crew.stop.press()

    played = results(run(bouts(2, at_once=1), each=press))
    assert 1 <= len(played) < 2 * BOARDS
    assert played.items() <= undisturbed.items()


@pytest.mark.timed
def test_a_hard_stop_ends_within_two_seconds_and_leaves_no_process() -> None:
    pressed: list[float] = []

    def press(crew: Crew, _event: Event, _processes: list[psutil.Process]) -> None:
        if not pressed:
            crew.stop.press()
            crew.stop.press()
            pressed.append(time.monotonic())

    work = [replace(one, clock=None) for one in bouts(4, at_once=1, boards=25, seatings=2)]
    events = run(work, 2, press)
    assert time.monotonic() - pressed[0] < 4, "2 s to stop, 2 s for whatever was left"
    assert len(events) < 100


class Slow(Crew):
    """A coordinator that takes its time with every event."""

    async def play(self, tasks: Any) -> AsyncIterator[Event]:
        async for event in super().play(tasks):
            time.sleep(0.3)  # blocks the whole loop, as a slow disk does
            yield event


def test_a_slow_coordinator_costs_no_bot_anything(undisturbed: dict[GameKey, Any]) -> None:
    assert results(run(bouts(2), kind=Slow)) == undisturbed


COORDINATOR = """
import asyncio
from runner.test_crew import bouts
from arena.runner import crew
from arena.runner.crew import Crew, Stop

async def main():
    async for event in Crew(1, Stop()).play(iter(bouts(4, at_once=1, boards=25, seatings=2))):
        print("a game", flush=True)

asyncio.run(main())
"""


def test_nothing_outlives_a_coordinator_that_was_killed() -> None:
    with (
        nothing_left(),
        subprocess.Popen(
            [sys.executable, "-c", COORDINATOR],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        ) as coordinator,
    ):
        assert coordinator.stdout is not None
        assert coordinator.stdout.readline() == b"a game\n"
        below = descendants(coordinator.pid)
        assert len(below) >= 5, "a worker, its launcher and some bots"
        coordinator.kill()
        coordinator.wait(GONE_S)
        assert left(below) == []
