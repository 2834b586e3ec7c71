"""Memory and processes of trees, counted by looking at /proc."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.bots.sandbox.polling import PAGE, Use, children, uses

MIB = 1024 * 1024
FORKED = """
import os, sys, time
kept = bytearray(48 * 2**20)
for place in range(0, len(kept), 4096):
    kept[place] = 1
for _ in range(3):
    if os.fork() == 0:
        break
print("ready", flush=True)
time.sleep(60)
"""
THREADS = """
import threading, time
for _ in range(20):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
print("ready", flush=True)
time.sleep(60)
"""
SOON_S = 60.0


@contextmanager
def running(script: str) -> Iterator[int]:
    """The pid of a script whose processes have all begun; all are killed at the end."""
    words = [sys.executable, "-I", "-c", script]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None, "stdout is a pipe"
    try:
        assert process.stdout.readline() == "ready\n"
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


def wait_for(pid: int, holds: Callable[[Use], bool]) -> Use:
    deadline = time.monotonic() + SOON_S
    while not holds(use := uses([pid])[pid]):
        assert time.monotonic() < deadline, use
        time.sleep(0.05)
    return use


def test_pages_that_a_tree_shares_count_once() -> None:
    with running(FORKED) as pid:
        use = wait_for(pid, lambda use: use.threads == 4)
        assert 48 * MIB < use.memory < 96 * MIB
        assert uses([pid], exact_above=2**40)[pid].memory > 4 * 48 * MIB


def test_threads_count() -> None:
    with running(THREADS) as pid:
        assert wait_for(pid, lambda use: use.threads == 21).threads == 21


def test_what_is_gone_is_left_out() -> None:
    process = subprocess.Popen(["true"])
    process.wait()
    assert uses([process.pid]) == {}


def fake(proc: Path, pid: int, parent: int, threads: int, pages: int, shared: int, more: str = "") -> None:
    folder = proc / str(pid)
    folder.mkdir()
    fields = ["S", str(parent), *["0"] * 15, str(threads), "0"]
    (folder / "stat").write_text(f"{pid} (a ) (b) {' '.join(fields)}\n")
    (folder / "statm").write_text(f"{pages * 2} {pages} {shared} 1 0 1 0\n")
    (folder / "status").write_text(more)


def test_trees_are_followed_by_parents(tmp_path: Path) -> None:
    fake(tmp_path, 10, 1, 1, 100, 40)
    fake(tmp_path, 11, 10, 3, 10, 0, "RssShmem:\t 8 kB\n")
    fake(tmp_path, 12, 11, 1, 5, 0)
    fake(tmp_path, 20, 1, 2, 1000, 0)
    (tmp_path / "self").mkdir()
    found = uses([10, 20, 99], tmp_path)
    assert found == {10: Use((60 + 10 + 5) * PAGE + 8192, 5), 20: Use(1000 * PAGE, 2)}


def test_children_are_those_of_one_process_alone(tmp_path: Path) -> None:
    for pid, parent in ((10, 1), (11, 10), (12, 11), (13, 10)):
        fake(tmp_path, pid, parent, 1, 1, 0)
    (tmp_path / "self").mkdir()
    assert sorted(children(10, tmp_path)) == [11, 13]
    assert children(99, tmp_path) == []


def test_what_may_not_be_looked_at_counts_in_full(tmp_path: Path) -> None:
    fake(tmp_path, 10, 1, 1, 100, 0)
    fake(tmp_path, 11, 10, 1, 100, 0)
    (tmp_path / "11/smaps_rollup").write_text(
        "0-1 ---p 0 0:0 0 [rollup]\nPss_Anon: 4 kB\nPss_Shmem: 4 kB\nPss: 99 kB\n"
    )
    assert uses([10], tmp_path, exact_above=0)[10].memory == 100 * PAGE + 8192
