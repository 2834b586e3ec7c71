"""Stores with many blocks: what commands need grows no faster than the store, and a million is usable."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from postgres import Server
from scale.million import fill, measured, steps

from arena.store.store import Store

BLOCKS = 2800
"""100 boards of 28 pairs."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs("postgres"))])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / ".arena")
    server: Server = request.getfixturevalue("server")
    return server.new_schema()


def test_every_step_says_how_much_there_is(place: str) -> None:
    fill(place, BLOCKS)
    found = {each.what: each.found for each in measured(place, resamples=20)}
    assert found == {
        "list 100 games": 100,
        "list the newest": 100,
        "games of a bot": 100,
        "status": 2 * BLOCKS,
        "open boards": 100,
        "read all rows": 2 * BLOCKS,
        "ratings": 100,
    }


def test_work_grows_no_faster_than_the_store(tmp_path: Path) -> None:
    """Four times as many blocks: at most four times the processor's time, with as much again for whatever else runs."""
    used = []
    for times in (1, 4):
        place = tmp_path / f"x{times}"
        began = time.process_time()
        fill(place, times * BLOCKS)
        spent = [time.process_time() - began]
        for what, do in steps(place, resamples=0):
            if what in ("status", "read all rows", "ratings"):
                do()  # once for what is only loaded once
                began = time.process_time()
                do()
                spent.append(time.process_time() - began)
        used.append(spent)
    assert [late / early for early, late in zip(*used, strict=True) if late > 8 * early + 0.1] == []


def test_rows_are_read_without_sorting_and_counts_without_rows(tmp_path: Path) -> None:
    """What keeps a million blocks quick: canonical order and counts come from indexes alone."""
    fill(tmp_path, 100)
    with Store.open(tmp_path) as store, store._database.read() as connection:
        order = 'SELECT bots FROM game WHERE tournament_id = 1 ORDER BY round, board, "table", seating'
        tiers = "SELECT tier, bots, count(*) FROM game WHERE tournament_id = 1 GROUP BY bots, tier"
        blocks = 'SELECT round FROM game WHERE tournament_id = 1 GROUP BY round, board, "table" HAVING count(*) > 1'
        plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all() for query in (order, tiers, blocks)]
    words = [" ".join(row[-1] for row in plan) for plan in plans]
    assert [word for word in words if "TEMP B-TREE" in word] == []
    assert ["COVERING INDEX" in word for word in words] == [False, True, True]


@pytest.mark.long
def test_a_million_blocks(place: str) -> None:
    """Bounds are five times what a small machine needs with nothing else running."""
    command = [sys.executable, "-m", "scale.million", place]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run(command, env=environment, check=True, timeout=3600)
    ran = subprocess.run([*command, "--measure"], env=environment, check=True, capture_output=True, text=True)
    seconds = {line[:24].strip(): float(line[24:].split()[0]) for line in ran.stdout.splitlines()}
    memory = max(int(found) for found in re.findall(r"(\d+) MiB", ran.stdout))
    assert memory < 1536
    assert seconds["ratings"] < 300
    assert max(seconds[what] for what in ("list 100 games", "list the newest", "games of a bot")) < 5
    assert seconds["status"] < 10
