"""A test of the tests: what is stopped in a box gets through where there is none, or where one limit is lifted.

Only what does no harm is tried so. A row that would pass here too would prove nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bots_faulty.traces import PLACES
from sandbox import rows
from sandbox.rows import Row, best, named, play, row
from sandbox.test_crossing import MARK, carried, talked

from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.means import NONE
from arena.bots.sandbox.of_bot import box_of
from arena.record.results import Verdict
from arena.runner import slot

pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root"), pytest.mark.timed]


def test_traces_are_found_without_a_box(tmp_path: Path) -> None:
    """The next process finds the last one's files, and the process that it left."""
    try:
        with pytest.raises(AssertionError, match=r"processes are left|descriptors are held|files are left") as failed:
            carried(NONE, tmp_path)
        assert "processes are left" in str(failed.value)
    finally:
        end_all(MARK)
        sweep(MARK)


def test_processes_that_hide_are_found_without_a_box() -> None:
    with quick(), pytest.raises(AssertionError, match="processes are left"):
        play(row("greed.hides", boards=2), NONE, beside=False)


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Do not wait long for what will not go; end it afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "SLACK", 0.5)
        patch.setattr(rows.secrets, "token_hex", lambda _count: "the-mark-of-a-test-of-tests")
        try:
            yield
        finally:
            end_all("the-mark-of-a-test-of-tests")


def end_all(mark: str) -> None:
    """Kill the processes whose command holds a mark."""
    deadline = time.monotonic() + 5
    while (left := named(mark)) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    assert named(mark) == []


def sweep(mark: str) -> None:
    """Remove the traces that were left on the machine."""
    for place in PLACES:
        with contextlib.suppress(OSError):
            os.unlink(f"{place}/trace-{mark}")


LIFTED: dict[str, tuple[Row, dict[str, Any]]] = {
    "memory": (row("greed.memory", "MEMORY", told={"mib": 600}), {"memory_mb": 1024}),
    "processes": (row("greed.forks", told={"bomb_s": 1.0}), {"pids": 90}),
    "files": (row("greed.inodes"), {"inodes": 100_000}),
    "space": (row("greed.disk"), {"tmp_mb": 64}),
}
"""What is tried, and the limit that stops it."""


@pytest.mark.parametrize("name", LIFTED)
def test_a_limit_stops_what_it_is_for_and_nothing_else_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, changed = LIFTED[name]
    lifted = replace(Limits(), **changed)
    monkeypatch.setattr(
        slot, "box_of", lambda bot, seat, token, means, _limits: box_of(bot, seat, token, means, lifted)
    )
    played = play(replace(wanted, boards=2), best(), beside=False)
    assert [game.result.verdict for game in played.outcome.games] == [Verdict.FINISHED] * 2
    assert len(played.found) >= 1


def test_locks_and_watches_talk_where_the_filter_lets_them() -> None:
    from arena.bots.sandbox import filters

    means = best()
    families = filters.INSIDE if means.bwrap else filters.LOCAL_ONLY
    played = talked(replace(means, filter=filters.program(families, talking=True)))
    assert set(played.found) == {"flock", "POSIX lock", "open file lock", "inotify"}
