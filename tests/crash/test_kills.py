"""kill -9 of coordinator, worker, launcher and sandbox at random moments: the table is that of an undisturbed run."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from crash.event import Outcome
from crash.processes import Kind
from crash.storm import FAULTLESS, undisturbed_outcome, weather

SHORT, LONG = 10, 500
EACH = 25
"""Most kills of one tournament: what is killed all the time comes to no end."""
SEED = int(os.environ.get("STORM_SEED", "20260"))
"""Printed by a test that fails; give it again to make the same choices."""
pytestmark = pytest.mark.xdist_group("crash")


@pytest.fixture(scope="module")
def undisturbed() -> Outcome:
    return undisturbed_outcome()


def storms(kills: int, undisturbed: Outcome) -> Counter[Kind]:
    """Tournaments under kills, one after another, until there were so many kills."""
    done: Counter[Kind] = Counter()
    while done.total() < kills:
        seed = SEED + done.total()
        print(f"seed {seed}")  # noqa: T201
        report = weather(seed, min(EACH, kills - done.total()), undisturbed)
        assert report.blocks == 36
        done += report.kills
    return done


def test_ten_kills_of_all_kinds_change_nothing(undisturbed: Outcome) -> None:
    done = storms(SHORT, undisturbed)
    assert done.total() >= SHORT
    assert set(done) == set(FAULTLESS)


@pytest.mark.long
def test_five_hundred_kills_of_all_kinds_change_nothing(undisturbed: Outcome) -> None:
    done = storms(LONG, undisturbed)
    assert done.total() >= LONG
    assert all(done[kind] >= LONG / 10 for kind in FAULTLESS)
