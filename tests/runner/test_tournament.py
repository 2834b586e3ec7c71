"""Running a tournament: stopped, killed and resumed it stores what an undisturbed run stores; voids, missing games."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from runner import small_cup
from runner.bouts import nothing_left
from runner.crews import GONE_S, descendants, left, running
from runner.scripted import Scripted

from arena.core.errors import ArenaFault
from arena.record.results import NOBODY_STARTED, GameKey, Verdict
from arena.runner import tournament
from arena.runner.bout import BoutTask
from arena.runner.crew import Missing, Stop
from arena.runner.plan import Progress
from arena.store.store import Store
from arena.store.values import WITH_ITS_BLOCK, State, StoredGame

GAMES = 3 * small_cup.BOARDS * 2


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    with Store.open(tmp_path_factory.mktemp("cup") / ".arena") as store, nothing_left():
        seen: list[int] = []
        progress = small_cup.run(store, small_cup.plan(store), 2, lambda progress, _: seen.append(progress.games))
        assert (progress.games, progress.blocks, progress.missing, progress.voids) == (GAMES, GAMES // 2, 0, 0)
        assert seen == sorted(seen)
        [stored] = store.tournaments()
        assert stored.state is State.FINISHED
        return small_cup.rows(store)


def test_a_run_stores_every_game_of_the_schedule_once(undisturbed: list[Any]) -> None:
    keys = [row.key for row, *_ in undisturbed]
    assert len(keys) == len(set(keys)) == GAMES
    assert Counter(row.bots[:2] for row, *_ in undisturbed) == dict.fromkeys(
        [(one, two) for one in small_cup.NAMES for two in small_cup.NAMES if one != two], small_cup.BOARDS
    )


@pytest.mark.parametrize("presses", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_run_that_was_stopped_goes_on_to_the_same_rows(store: Store, undisturbed: list[Any], presses: int) -> None:
    def press(progress: Progress, stop: Stop) -> None:
        if progress.games >= 3 and not stop.soft.is_set():
            for _ in range(presses):
                stop.press()

    with nothing_left():
        plan = small_cup.plan(store)
        progress = small_cup.run(store, plan, 1, press)
        assert 3 <= progress.games < GAMES
        assert store.count(plan.tournament.id) == progress.games
        assert store.tournaments()[0].state is State.STOPPED
        assert [row for row in undisturbed if row in small_cup.rows(store)] == small_cup.rows(store)
        resumed = small_cup.run(store, small_cup.plan(store), 2)
    assert resumed.played == GAMES - progress.games
    assert small_cup.rows(store) == undisturbed
    assert store.tournaments()[0].state is State.FINISHED


def start(folder: Path, workers: int) -> subprocess.Popen[bytes]:
    path = os.pathsep.join(part for part in sys.path if part)
    return subprocess.Popen(
        [sys.executable, "-m", "runner.small_cup", str(folder), str(workers)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def kill_and_resume(folder: Path, kills: int, chance: random.Random, workers: int) -> None:
    """Kill the coordinator after a while, and before that perhaps a worker or a launcher; again; then let it finish."""
    for _ in range(kills):
        with start(folder, workers) as coordinator:
            assert coordinator.stdout is not None
            for _ in range(chance.randint(1, 8)):
                coordinator.stdout.readline()
                if coordinator.poll() is None and chance.random() < 0.2:
                    victim = chance.choice(["runner.worker", "launcher_process"])
                    for process in running(victim, coordinator.pid)[:1]:
                        with suppress(psutil.NoSuchProcess):
                            process.kill()
            below = descendants(coordinator.pid) if coordinator.poll() is None else []
            coordinator.kill()
            coordinator.wait(GONE_S)
            assert left(below) == []
    with start(folder, workers) as last:
        last.communicate(timeout=120)
        assert last.returncode == 0


def test_a_coordinator_that_was_killed_loses_nothing_finished(tmp_path: Path, undisturbed: list[Any]) -> None:
    with nothing_left():
        kill_and_resume(tmp_path, 1, random.Random(5), 1)
    with Store.open(tmp_path) as store:
        assert small_cup.rows(store) == undisturbed


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_random_kills_lose_and_double_nothing(tmp_path: Path, undisturbed: list[Any], seed: int) -> None:
    chance = random.Random(seed)
    with nothing_left(files=False):  # nobody is left to remove what a worker killed at the same time had
        kill_and_resume(tmp_path, 6, chance, chance.randint(1, 3))
    with Store.open(tmp_path) as store:
        assert small_cup.rows(store) == undisturbed


BAD, BESIDE = GameKey(1, 2, 1, 1), GameKey(1, 2, 1, 0)
"""A game that ends void, and the other one of its block."""


def test_a_block_with_a_void_game_is_played_again_on_the_same_board(store: Store, scripted: type[Scripted]) -> None:
    scripted.script = staticmethod(lambda key, times: "WALL" if key == BAD and times < 2 else "")
    plan = small_cup.plan(store)
    progress = small_cup.run(store, plan)
    assert (progress.games, progress.voids, progress.missing) == (GAMES, 2, 0)
    assert (scripted.asked[BAD], scripted.asked[BESIDE]) == (3, 3)
    assert sum(scripted.asked.values()) == GAMES + 4, "no other block is played again"
    voids = [info.void for info in store.voids(plan.tournament.id)]
    assert [(void.key, void.attempt, void.reason) for void in voids] == [
        (BESIDE, 1, WITH_ITS_BLOCK),
        (BESIDE, 2, WITH_ITS_BLOCK),
        (BAD, 1, "WALL"),
        (BAD, 2, "WALL"),
    ]
    assert {void.bots for void in voids} == {("basic", "cautious") * 2, ("cautious", "basic") * 2}
    assert voids[-1].evidence == {"cap_ms": 7}
    assert voids[0].evidence["scores"] == [10, -10, 10, -10]
    attempts = {info.row.key: info.attempt for info in store.games("small", limit=None)}
    assert (attempts.pop(BAD), attempts.pop(BESIDE)) == (3, 3)
    assert set(attempts.values()) == {1}
    assert store.tournaments()[0].state is State.FINISHED


def test_a_block_that_is_void_and_void_three_times_again_is_missing_for_good(
    store: Store, scripted: type[Scripted]
) -> None:
    scripted.script = staticmethod(lambda key, _times: "WALL" if key == BAD else "")
    for _ in range(2):
        progress = small_cup.run(store, small_cup.plan(store))
        assert (progress.games, progress.blocks, progress.missing) == (GAMES - 2, GAMES // 2 - 1, 2)
        assert BESIDE not in store.keys(store.tournaments()[0].id), "half a block is nothing"
        assert store.tournaments()[0].state is State.FINISHED
    assert scripted.asked[BAD] == 4


def test_a_game_of_an_attempt_that_is_void_already_is_dropped(store: Store, scripted: type[Scripted]) -> None:
    """The first seating was void; the second one of the same attempt ends after the block was given out anew."""
    scripted.script = staticmethod(lambda key, times: "LAG" if key == BESIDE and times < 1 else "")

    class Slow(scripted):  # type: ignore[misc, valid-type]
        async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
            async for event in super().play(tasks):
                yield event
                if isinstance(event, StoredGame) and (event.key, event.attempt) == (BAD, 2):
                    stale = replace(event, attempt=1, result=replace(event.result, scores=(99, -99, 99, -99)))
                    yield stale

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "Crew", Slow)
        progress = small_cup.run(store, small_cup.plan(store))
    assert (progress.games, progress.voids, progress.missing) == (GAMES, 1, 0)
    block = store.games("small", round_=1, board=2)
    assert {info.row.scores for info in block} == {(10, -10, 10, -10)}
    assert {info.row.key: info.attempt for info in block if info.row.key.table == 1} == {BESIDE: 2, BAD: 2}


def test_attempts_are_counted_across_runs(store: Store, scripted: type[Scripted]) -> None:
    scripted.script = staticmethod(lambda key, times: "WALL" if key == BAD and times < 2 else "")

    class Stopping(scripted):  # type: ignore[misc, valid-type]
        def put_again(self, task: BoutTask) -> None:
            """A run that stops never gets to it."""

    plan = small_cup.plan(store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "Crew", Stopping)
        progress = small_cup.run(store, plan)
        assert (progress.games, progress.voids, progress.missing) == (GAMES - 2, 1, 0)
        assert store.tournaments()[0].state is State.STOPPED
    progress = small_cup.run(store, small_cup.plan(store))
    assert (progress.games, progress.voids, progress.missing) == (GAMES, 2, 0)
    assert {info.row.key: info.attempt for info in store.games("small", limit=None)}[BAD] == 3


def test_of_a_block_that_was_being_played_again_only_the_rest_is_played(store: Store, scripted: type[Scripted]) -> None:
    scripted.script = staticmethod(lambda key, times: "WALL" if key == BESIDE and times < 1 else "")

    class Killed(scripted):  # type: ignore[misc, valid-type]
        async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
            async for event in super().play(tasks):
                yield event
                if isinstance(event, StoredGame) and event.attempt == 2:
                    raise ArenaFault("killed here")

    class Late(scripted):  # type: ignore[misc, valid-type]
        """What was done before ends once more as a void, when the next round is played."""

        async def play(self, tasks: Iterator[BoutTask | None]) -> AsyncIterator[StoredGame | Missing]:
            late = True
            async for event in super().play(tasks):
                if isinstance(event, StoredGame) and event.key.round == 2 and late:
                    late = False
                    void = replace(event.result, verdict=Verdict.VOID, reason="LATE")
                    yield replace(event, key=BESIDE, attempt=2, result=void)
                yield event

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tournament, "Crew", Killed)
        with pytest.raises(ArenaFault, match="killed here"):
            small_cup.run(store, small_cup.in_rounds(store))
        patch.setattr(tournament, "Crew", Late)
        progress = small_cup.run(store, small_cup.in_rounds(store))
    assert (progress.games, progress.voids, progress.missing) == (36, 1, 0)
    assert (scripted.asked[BESIDE], scripted.asked[BAD]) == (2, 2), "each twice: one attempt was void"
    attempts = {info.row.key: info.attempt for info in store.games("small", limit=None)}
    assert (attempts[BESIDE], attempts[BAD]) == (2, 2)


def test_a_game_nobody_started_for_is_not_played_again(store: Store, scripted: type[Scripted]) -> None:
    scripted.script = staticmethod(lambda key, _times: NOBODY_STARTED if key == BAD else "")
    for _ in range(2):
        progress = small_cup.run(store, small_cup.plan(store))
        assert (progress.games, progress.missing) == (GAMES, 0)
    assert scripted.asked[BAD] == 1
    assert [(fault.key, fault.code) for fault in store.faults(store.tournaments()[0].id)] == [(BAD, "START_FAILED")] * 4
    assert store.tournaments()[0].state is State.FINISHED


def test_a_finished_run_plays_nothing_more(store: Store, scripted: type[Scripted]) -> None:
    assert small_cup.run(store, small_cup.plan(store)).played == GAMES
    again = small_cup.run(store, small_cup.plan(store))
    assert (again.games, again.played) == (GAMES, 0)
    assert set(scripted.asked.values()) == {1}


def test_a_bout_that_was_lost_is_missing_now_and_played_by_the_next_run(store: Store, scripted: type[Scripted]) -> None:
    scripted.lose_table = 2
    progress = small_cup.run(store, small_cup.plan(store))
    lost = small_cup.BOARDS * 2
    assert (progress.games, progress.missing, progress.lost) == (GAMES - lost, 0, lost)
    assert store.tournaments()[0].state is State.STOPPED
    scripted.lose_table = 0
    progress = small_cup.run(store, small_cup.plan(store))
    assert (progress.games, progress.lost, progress.played) == (GAMES, 0, lost)


def test_a_store_that_fails_stops_the_run_and_keeps_what_was_committed(
    store: Store, scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    add, calls = store.add_games, []

    def failing(tournament_id: int, games: list[StoredGame]) -> int:
        calls.append(len(games))
        if len(calls) > 5:
            raise ArenaFault("the disk is full")
        return add(tournament_id, games)

    plan = small_cup.plan(store)
    with monkeypatch.context() as patch:
        patch.setattr(store, "add_games", failing)
        with pytest.raises(ArenaFault, match="the disk is full"):
            small_cup.run(store, plan)
    assert store.count(plan.tournament.id) == sum(calls[:5])
    assert small_cup.run(store, small_cup.plan(store)).games == GAMES
