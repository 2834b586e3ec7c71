"""One coordinator at a time: refused while the first lives, also stopped; taken over at once when it is dead."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator

import psutil
import pytest
from crash.event import NAME, Event
from crash.processes import Kind, tree
from crash.small import LIMIT_S, check_error, check_goes_on, play_some, readable, small

from arena.store.lock import holder, lock_file

pytestmark = pytest.mark.xdist_group("crash")


@pytest.fixture
def event() -> Iterator[Event]:
    event = small()
    yield event
    event.close()


def stopped_first(event: Event) -> subprocess.Popen[str]:
    """A coordinator that holds its tournament and was stopped in the middle of its work, alive."""
    process = event.start("-q")
    deadline = time.monotonic() + LIMIT_S
    while (who := holder(event.data, NAME)) is None or not who.pid:  # it signs what it holds
        assert process.poll() is None, event.said()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    while psutil.Process(process.pid).status() != psutil.STATUS_STOPPED:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


def test_the_first_holds_it_while_it_lives_even_stopped_and_no_longer(event: Event) -> None:
    first = stopped_first(event)
    for more in (("-q",), ("--workers", "2")):
        parts = check_error(event.run(*more), "BUSY", 6, f"{NAME}.lock")
        assert f"process {first.pid} on {socket.gethostname()}" in parts["error"]
        assert f"kill {first.pid}" in parts["fix"]
    first.kill()
    first.wait(LIMIT_S)
    began = time.monotonic()
    check_goes_on(event)
    assert time.monotonic() - began < LIMIT_S, "nothing is waited for"


def test_a_pid_that_was_given_away_again_holds_nothing(event: Event) -> None:
    play_some(event)
    file = lock_file(event.data, NAME)
    assert json.loads(file.read_text())["pid"] != os.getpid()
    file.write_text(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
    [status] = readable(event, "tournament", "status", NAME)
    assert (status["state"], status["coordinator"]) == ("stopped", None)
    check_goes_on(event)


def test_workers_of_a_dead_coordinator_hold_nothing(event: Event) -> None:
    process = event.start("-q")
    deadline = time.monotonic() + LIMIT_S
    workers: list[psutil.Process] = []
    while not workers:
        assert time.monotonic() < deadline
        workers = tree(psutil.Process(process.pid))[Kind.WORKER]
        time.sleep(0.01)
    for worker in workers:
        worker.suspend()
    process.kill()
    process.wait(LIMIT_S)
    assert holder(event.data, NAME) is None
    check_goes_on_beside(event, workers)


def check_goes_on_beside(event: Event, workers: list[psutil.Process]) -> None:
    """The tournament ends as it should though workers of a dead run are still there; they leave by themselves."""
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    for worker in workers:
        worker.resume()
    gone, alive = psutil.wait_procs(workers, timeout=LIMIT_S)
    assert (len(gone), alive) == (len(workers), [])
    check_goes_on(event)
