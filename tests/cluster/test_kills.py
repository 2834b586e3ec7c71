"""A tournament on three workers, each a process of its own with processes below it, any of which is killed at random:
the games and the table are those of one machine."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from contextlib import suppress

import psutil
import pytest
from cluster.machines import LIMIT_S, Machines, machines
from crash.event import Event, Outcome
from crash.storm import undisturbed_outcome
from runner.crews import words

NAMES = ("ada", "bob", "cyd")
SEED = int(os.environ.get("STORM_SEED", "20260"))
KINDS = ("worker", "dask", "player", "coordinator", "launcher")
"""A worker's command, with all that depends on it; the Dask worker; a process that plays; its launcher; the run."""
pytestmark = pytest.mark.xdist_group("cluster")


class ClusterEvent(Event):
    """A tournament that a cluster plays."""

    cluster: Machines | None = None

    def _workers(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.cluster is None:
            return ("--cluster", "local", "--wait", "60")
        return ("--cluster", self.cluster.address, "--wait", "60", *self.cluster.tls)


def victims(cluster: Machines, name: str, kind: str) -> list[psutil.Process]:
    """The processes of a kind below one worker."""
    below = cluster.workers[name].below()
    if kind == "worker":
        return below[:1]
    if kind == "dask":
        return [each for each in below[1:] if "spawn_main" in " ".join(words(each))]
    wanted = "arena.runner.worker" if kind == "player" else "launcher_process"
    return [each for each in below if any(wanted in word for word in words(each))]


def kill_some(cluster: Machines, event: Event, chance: random.Random, most: int) -> int:
    """Kill while a run goes on; a worker whose command was killed is started again. Returns how often it hit."""
    run = event.start("-q")
    killed = 0
    try:
        deadline = time.monotonic() + 2 * LIMIT_S
        while run.poll() is None:
            assert time.monotonic() < deadline, event.said()
            with suppress(subprocess.TimeoutExpired):
                run.wait(chance.uniform(0.3, 1.2) if event.keys() else 0.1)
            if killed == most or run.poll() is not None or not event.keys():
                continue
            name, kind = chance.choice(NAMES), KINDS[killed % len(KINDS)]
            if kind == "coordinator":
                run.kill()
                run.wait(LIMIT_S)
                killed += 1
                run = event.start("-q")
            found = victims(cluster, name, kind) if kind != "coordinator" else []
            if not found:
                continue
            with suppress(psutil.NoSuchProcess):
                chance.choice(found).kill()
                killed += 1
            if kind == "worker":
                cluster.workers[name].process.wait(LIMIT_S)
                cluster.worker(name)
        assert run.returncode == 0, event.said()
    finally:
        if run.poll() is None:
            run.kill()
            run.wait()
    return killed


@pytest.fixture(scope="module")
def undisturbed() -> Outcome:
    return undisturbed_outcome()


def check(event: Event, undisturbed: Outcome) -> None:
    outcome = event.outcome()
    assert outcome.games == undisturbed.games
    assert outcome.ratings == undisturbed.ratings
    assert event.leftovers() == []


def test_workers_killed_at_random_change_nothing(undisturbed: Outcome) -> None:
    chance = random.Random(SEED)
    with machines(*NAMES) as cluster:
        event = ClusterEvent()
        event.cluster = cluster
        killed = kill_some(cluster, event, chance, 6)
        check(event, undisturbed)
        event.close()
    assert killed >= 3


@pytest.mark.long
def test_sixty_kills_change_nothing(undisturbed: Outcome) -> None:
    killed = 0
    with machines(*NAMES) as cluster:
        while killed < 60:
            event = ClusterEvent()
            event.cluster = cluster
            killed += kill_some(cluster, event, random.Random(SEED + killed), 15)
            check(event, undisturbed)
            event.close()


@pytest.mark.long
def test_a_cluster_on_this_machine_plays_the_same(undisturbed: Outcome) -> None:
    event = ClusterEvent()
    ran = event.run("-q", "--workers", "2")
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    check(event, undisturbed)
    event.close()


def test_a_first_ctrl_c_lets_games_finish_and_the_same_command_goes_on(undisturbed: Outcome) -> None:
    event = ClusterEvent()
    run = event.start("-q", "--workers", "2")
    deadline = time.monotonic() + LIMIT_S
    while not event.keys():
        assert time.monotonic() < deadline, event.said()
        time.sleep(0.02)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does: everybody in the group gets it
    assert run.wait(LIMIT_S) == 130, event.said()
    assert "stopping: " in event.said()
    stored = event.keys()
    assert len(stored) < len(undisturbed.games)
    ran = event.run("-q", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert set(stored) <= set(event.keys())
    check(event, undisturbed)
    event.close()
