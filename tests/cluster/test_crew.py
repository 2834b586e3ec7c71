"""The crew of a cluster: the games of a crew on one machine, both ways of stopping, and what is not fit to play."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cluster.machines import Machines, machines
from runner.bouts import DEADLINE_S, faulty
from runner.crews import words
from runner.test_crew import BOARDS, bouts, results
from runner.test_crew import run as run_here

from arena.bots.manifest import Bot, read_bot
from arena.core.errors import ArenaError
from arena.record.results import GameKey
from arena.runner.bout import BoutTask
from arena.runner.cluster import connect, roll
from arena.runner.cluster.connect import Keys, connected, quiet
from arena.runner.cluster.crew import ClusterCrew
from arena.runner.crew import Missing, Stop
from arena.store.values import StoredGame

pytestmark = pytest.mark.xdist_group("cluster")
Event = StoredGame | Missing


@pytest.fixture(scope="module")
def undisturbed() -> dict[GameKey, Any]:
    """Two bouts by one worker on this machine."""
    return results(run_here(bouts(2)))


@pytest.fixture(scope="module")
def cluster(undisturbed: dict[GameKey, Any]) -> Iterator[Machines]:
    """Two workers, with one slot each, for all tests of this file; begun when what ends all children has been done."""
    with machines("ada", "bob") as made:
        yield made


def run(
    cluster: Machines,
    work: list[BoutTask],
    each: Callable[[ClusterCrew, Event], None] | None = None,
    said: list[str] | None = None,
    **more: Any,
) -> list[Event]:
    """Play on a cluster; `each` sees every event."""
    seen: list[Event] = []
    words = said if said is not None else []
    quiet()

    async def main() -> None:
        async with connected(cluster.address, Keys(), 30) as client, asyncio.timeout(2 * DEADLINE_S):
            crew = ClusterCrew(client, Stop(), note=words.append, **more)
            async for event in crew.play(iter(work)):
                seen.append(event)
                if each is not None:
                    each(crew, event)

    asyncio.run(main())
    return seen


def test_a_cluster_plays_what_one_machine_plays(cluster: Machines, undisturbed: dict[GameKey, Any]) -> None:
    said: list[str] = []
    played = run(cluster, bouts(2), said=said)
    assert results(played) == undisturbed
    assert {event.worker for event in played if isinstance(event, StoredGame)} <= {"ada", "bob"}
    assert sorted(line.split(":")[0] for line in said) == ["worker ada", "worker bob"]
    assert all(" 1 slots, " in line and "sandbox tier " in line for line in said)


def test_a_task_given_back_for_the_last_game_is_still_played(
    cluster: Machines, undisturbed: dict[GameKey, Any]
) -> None:
    [one] = bouts(1)
    again: list[StoredGame] = []

    def put_last_again(crew: ClusterCrew, event: Event) -> None:
        assert isinstance(event, StoredGame)
        if event.key.board == BOARDS and not again:
            again.append(event)
            crew.put_again(replace(one, skip=frozenset((board, 0) for board in range(1, BOARDS)), attempt=2))

    events = run(cluster, [one], put_last_again)
    assert [event.attempt for event in events if isinstance(event, StoredGame)] == [1] * BOARDS + [2]


def test_a_fault_of_the_arena_is_told_and_other_bouts_go_on(cluster: Machines, undisturbed: dict[GameKey, Any]) -> None:
    good, bad = bouts(2)
    events = run(cluster, [replace(bad, game="whist"), good])
    [missing] = [event for event in events if isinstance(event, Missing)]
    assert "no game 'whist'" in missing.error
    assert results([event for event in events if event is not missing]).items() <= undisturbed.items()
    assert len(events) == 1 + BOARDS


def test_a_soft_stop_lets_running_games_finish_and_begins_no_others(
    cluster: Machines, undisturbed: dict[GameKey, Any]
) -> None:
    def press(crew: ClusterCrew, _event: Event) -> None:
        if not crew.stop.soft.is_set():
            crew.stop.press()

    played = results(run(cluster, bouts(2, at_once=1), press))
    assert 1 <= len(played) < 2 * BOARDS
    assert played.items() <= undisturbed.items()


@pytest.mark.timed
def test_a_hard_stop_drops_what_is_played(cluster: Machines) -> None:
    pressed: list[float] = []

    def press(crew: ClusterCrew, _event: Event) -> None:
        if not pressed:
            crew.stop.press()
            crew.stop.press()
            pressed.append(time.monotonic())

    work = [replace(one, clock=None) for one in bouts(4, at_once=1, boards=25, seatings=2)]
    events = run(cluster, work, press)
    assert time.monotonic() - pressed[0] < 15
    assert len(events) < 100
    for part in cluster.workers.values():
        deadline = time.monotonic() + 15
        while any("arena.runner.worker" in words(process) for process in part.below()):
            assert time.monotonic() < deadline, "a worker process is left"
            time.sleep(0.05)


def refused(cluster: Machines, work: list[BoutTask], **more: Any) -> ArenaError:
    with pytest.raises(ArenaError) as raised:
        run(cluster, work, wait_s=4.0, **more)
    return raised.value


def test_where_no_worker_has_the_tier_the_run_ends_and_says_why(cluster: Machines) -> None:
    error = refused(cluster, bouts(1), shelter="none", tier_minimum="A'")
    assert error.code == "NO_WORKER"
    assert "ada: it keeps bots apart by sandbox tier D, and the event asks for A' or better" in error.saw
    assert "bob: " in error.saw


def test_a_worker_with_other_code_is_refused_in_words(cluster: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll, "code_of_arena", lambda: "0" * 64)
    error = refused(cluster, bouts(1))
    assert error.code == "NO_WORKER"
    assert "worker ada is refused: its arena" in error.saw


def test_a_scheduler_with_other_code_is_refused(cluster: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "code_of_arena", lambda: "0" * 64)
    assert refused(cluster, bouts(1)).code == "CLUSTER_VERSION"


def test_nobody_answers_at_an_address(cluster: Machines) -> None:
    async def main() -> None:
        async with connected("127.0.0.1:1", Keys(), 1):
            pass

    with pytest.raises(ArenaError, match=r"no scheduler of a cluster can be reached at tcp://127\.0\.0\.1:1") as raised:
        asyncio.run(main())
    assert raised.value.code == "NO_CLUSTER"


def built_bot(folder: Path, step: list[str]) -> Bot:
    """The honest bot of the tests with a build step, of its own content."""
    source = faulty().folder
    for file in source.glob("*.py"):
        (folder / file.name).write_bytes(file.read_bytes())
    text = (source / "bot.toml").read_text()
    (folder / "bot.toml").write_text(f"build = [{step}]\n{text}")
    return replace(read_bot(folder), name="faulty", command=faulty().command)


def with_bot(bot: Bot) -> BoutTask:
    [one] = bouts(1)
    return replace(one, bout=one.bout._replace(lineup=("faulty", "basic")), bots={**one.bots, "faulty": bot})


def test_a_bot_travels_and_is_built_on_the_workers(cluster: Machines, tmp_path: Path) -> None:
    bot = built_bot(tmp_path, ["python3", "-c", "open('made', 'w').write('x')"])
    task = with_bot(bot)
    played = run(cluster, [task, replace(task, bout=task.bout._replace(table=2))], shelter="none")
    assert len([event for event in played if isinstance(event, StoredGame) and not event.result.faults]) == 2 * BOARDS
    workers = {event.worker for event in played if isinstance(event, StoredGame)}
    assert not (tmp_path / "made").exists()
    for name in workers:
        assert (cluster.folder / name / "bots" / bot.version / "main.py").is_file()
        assert (cluster.folder / name / "builds" / bot.version[:32] / "made").is_file()


def test_a_bot_that_no_worker_can_build_ends_the_run(cluster: Machines, tmp_path: Path) -> None:
    bot = built_bot(tmp_path, ["python3", "-c", "raise SystemExit('no compiler today')"])
    said: list[str] = []
    error = refused(cluster, [with_bot(bot)], shelter="none", said=said)
    assert error.code == "BUILD_FAILED"
    assert "no compiler today" in error.saw
    assert sum("is given no such bouts any more" in line for line in said) == 2


def test_a_bot_that_needs_what_no_worker_has_is_said(cluster: Machines, tmp_path: Path) -> None:
    bot = built_bot(tmp_path, ["a-compiler-of-tomorrow"])
    error = refused(cluster, [with_bot(bot)], shelter="none")
    assert error.code == "NO_WORKER"
    assert "ada: these programs of bots are not there: a-compiler-of-tomorrow" in error.saw
