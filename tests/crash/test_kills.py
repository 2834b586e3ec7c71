"""kill -9 of coordinator, worker, launcher and sandbox at random moments: the table is that of an undisturbed run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from crash.event import Event, Outcome
from crash.processes import Kind, of_folder
from crash.storm import FAULTLESS, Storm

SHORT, LONG = 10, 500
SEED = int(os.environ.get("STORM_SEED", "20260"))
"""Printed by a test that fails; give it again to make the same choices."""
pytestmark = pytest.mark.xdist_group("crash")


@pytest.fixture(scope="module")
def undisturbed() -> Iterator[Outcome]:
    """The outcome of the tournament, played in one go."""
    event = Event()
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    outcome = event.outcome()
    assert event.leftovers() == []
    assert len(outcome.games) == 72
    yield outcome
    event.close()


def storms(kills: int, undisturbed: Outcome) -> Counter[Kind]:
    """Tournaments under kills, one after another, until there were so many kills; each must end undisturbed."""
    done: Counter[Kind] = Counter()
    while done.total() < kills:
        seed = SEED + done.total()
        print(f"seed {seed}, {kills - done.total()} kills")  # noqa: T201
        event = Event()
        report = Storm(event, seed).run(kills - done.total())
        print(report)  # noqa: T201
        outcome = event.outcome()
        assert outcome.games == undisturbed.games
        assert outcome.ratings == undisturbed.ratings
        assert event.leftovers() == []
        assert of_folder(event.folder) == []
        event.close()
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
