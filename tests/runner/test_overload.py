"""A host that is short of time blames nobody: a worker that was stopped, processors taken away, greedy neighbours."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from runner import small_cup
from runner.bouts import faulty, nothing_left, play, task, witness
from runner.crews import running

from arena.bots.manifest import Bot, read_bot
from arena.match.clock import Clock
from arena.match.heartbeat import Reading
from arena.record.results import Verdict
from arena.runner import bout
from arena.runner.crew import Stop
from arena.runner.plan import Progress
from arena.store.store import Store
from arena.store.values import WITH_ITS_BLOCK

pytestmark = pytest.mark.timed
SHORT = Clock(bank_ms=60_000, increment_ms=0, cap_ms=1_500)
SLOW = """\
import time
from arena_bot import run
from arena_house.uniform import Random


class Slow(Random):
    def any_move(self, turn):
        time.sleep(0.02)
        return super().any_move(turn)


if __name__ == "__main__":
    run(Slow)
"""


def slow(folder: Path, name: str) -> Bot:
    """A bot that takes its time, so that there are always answers to wait for."""
    place = folder / name
    place.mkdir()
    (place / "bot.toml").write_text(f'name = "{name}"\ngames = ["*"]\ncommand = ["python3", "main.py"]\n')
    (place / "main.py").write_text(SLOW)
    return read_bot(place)


def stopped_for(process_id: int, seconds: float) -> None:
    os.kill(process_id, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(process_id, signal.SIGCONT)


def test_a_worker_that_was_stopped_for_longer_than_the_clock_blames_nobody(tmp_path: Path) -> None:
    bots = {name: slow(tmp_path, name) for name in small_cup.NAMES}
    stopping: list[threading.Thread] = []

    def report(progress: Progress, _stop: Stop) -> None:
        """Stop the worker once while it waits for an answer: until some game is void."""
        over = not (stopping and stopping[-1].is_alive())
        if progress.running and over and not progress.voids:
            [worker] = running("runner.worker", os.getpid())
            stopping.append(threading.Thread(target=stopped_for, args=(worker.pid, 2.5)))
            stopping[-1].start()

    with Store.open(tmp_path / ".arena") as store:
        plan = small_cup.plan(store, bots, boards=2)
        progress = small_cup.run(store, replace(plan, clock=SHORT), 1, report)
        for each in stopping:
            each.join()
        games = 3 * 2 * 2
        assert (progress.games, progress.missing, progress.lost) == (games, 0, 0)
        assert all(row.verdict is Verdict.FINISHED and not row.faults for row in store.rows(plan.tournament.id))
        voids = [info.void for info in store.voids(plan.tournament.id)]
    assert progress.voids >= 1
    assert {void.reason for void in voids} <= {"LAG", WITH_ITS_BLOCK}
    for void in voids:
        if void.reason == "LAG":
            assert void.evidence["cause"] == "loop"
            assert void.evidence["lag_ms"] > 1_000
            assert void.evidence["waited_ms"] > void.evidence["limit_ms"]
            assert void.bots[void.evidence["asked"]] in bots


def stealing() -> Reading:
    """A host whose second processor is half taken away."""
    return Reading((0.0, asyncio.get_running_loop().time() / 2), os.getloadavg(), None)


def test_a_bot_that_is_late_while_processors_are_taken_away_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bout, "read_host", stealing)
    outcome = play(task({"faulty": faulty({"1": ["silent", 1]}), "witness": witness()}, 2, clock=SHORT))
    result = outcome.board(1).result
    assert (result.verdict, result.reason, result.faults) == (Verdict.VOID, "LAG", ())
    assert (result.evidence["cause"], result.evidence["asked"]) == ("steal", 0)
    assert result.evidence["steal_percent"] == pytest.approx(50, abs=5)
    assert set(outcome.told(1)) == {0, 1, 2, 3}, "everybody is told"
    assert outcome.board(2).result.verdict is Verdict.FINISHED, "nobody was late there"


@contextmanager
def hogs(count: int) -> Iterator[None]:
    """Processes that do nothing but burn time."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for hog in started:
            hog.kill()
            hog.wait()


def test_greedy_neighbours_cost_no_bot_a_fault(tmp_path: Path) -> None:
    """Four of them for two processors: moves take longer, and stay within the default clock."""
    with Store.open(tmp_path / ".arena") as store, nothing_left():
        plan = replace(small_cup.plan(store, boards=2), clock=Clock())
        with hogs(4):
            progress = small_cup.run(store, plan, 2)
        assert (progress.games, progress.missing) == (3 * 2 * 2, 0)
        assert [row.faults for row in store.rows(plan.tournament.id)] == [()] * progress.games


def test_a_table_nobody_came_to_in_time_is_void_and_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """That nobody said hello is no bot's doing either: it is no table that nobody could start for."""
    monkeypatch.setattr(bout, "read_host", stealing)
    bots = {name: faulty({"start": "no_hello"}, name=name) for name in ("one", "two")}
    result = play(task(bots, 1, start_limit_s=2.0)).board(1).result
    assert (result.verdict, result.reason, result.faults, result.forfeits) == (Verdict.VOID, "LAG", (), ())
    assert result.evidence["cause"] == "steal"
