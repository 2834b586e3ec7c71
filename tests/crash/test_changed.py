"""A tournament that goes on with other settings than it began with: refused, with every old and new value."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from crash.event import Event

pytestmark = pytest.mark.xdist_group("crash")


@pytest.fixture(scope="module")
def begun() -> Iterator[Event]:
    """A tournament that has been played: what differs is compared before anything else."""
    event = Event(bots=("random", "basic"), boards=1, workers=1)
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    yield event
    event.close()


@pytest.fixture
def event(begun: Event) -> Iterator[Event]:
    before = begun.cup.read_text()
    yield begun
    begun.cup.write_text(before)


CHANGES = {
    "boards = 1": ("boards = 3", "boards (1 -> 3)"),
    "cap = 600": ("cap = 5", "clock.cap (600.0 -> 5.0)"),
    'seed = "storm"\n': ("", "seed (storm -> none)"),
    '["random", "basic"]': ('["random", "cautious"]', "bots (random, basic -> random, cautious)"),
    'game = "crowsnest"\n': ('game = "goat"\n', "game (crowsnest -> goat)"),
    "[clock]": ("[options]\nhighest_bid = 110\n[clock]", "options.highest_bid (120 -> 110)"),
}


@pytest.mark.parametrize("more", [(), ("--dry-run",)], ids=["run", "dry run"])
@pytest.mark.parametrize("old", CHANGES, ids=[said.split()[0] for _, said in CHANGES.values()])
def test_a_changed_setting_is_named_with_both_values(event: Event, old: str, more: tuple[str, ...]) -> None:
    new, said = CHANGES[old]
    event.cup.write_text(event.cup.read_text().replace(old, new))
    ran = event.run(*more)
    assert ran.returncode == 2
    assert said in ran.stderr.splitlines()[0]
    assert "code:  CHANGED" in ran.stderr
    assert ran.stdout == ""


def test_all_changes_are_named_at_once_and_each_only_once(event: Event) -> None:
    text = event.cup.read_text().replace("boards = 1", "boards = 2").replace("bank = 600", "bank = 7")
    event.cup.write_text(text.replace("[clock]", "[options]\nhighest_bid = 110\n[clock]"))
    [error, *_] = event.run().stderr.splitlines()
    assert error.endswith("options.highest_bid (120 -> 110), boards (1 -> 2), clock.bank (600.0 -> 7.0)")


def test_what_changes_no_result_may_change(event: Event) -> None:
    event.cup.write_text(f"workers = 2\n{event.cup.read_text()}")
    assert event.run("--dry-run").returncode == 0
    assert re.search(r"storm: .*finished", event.run().stdout)


def test_a_dry_run_before_the_first_run_stores_nothing() -> None:
    event = Event(bots=("random", "basic"), boards=1)
    assert event.run("--dry-run").returncode == 0
    assert not event.data.exists()
    event.close()
