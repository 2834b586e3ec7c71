"""Which tournaments the first page shows, and how many more it tells of."""

from __future__ import annotations

from datetime import UTC, datetime

from arena.store.values import State, Tournament
from arena.web.pages.home import TOURNAMENTS, events_in, first_ones


def cup(number: int, name: str, form: str, state: State = State.FINISHED) -> Tournament:
    at = datetime(2026, 5, number, tzinfo=UTC)
    return Tournament(
        number, name, "goat", "1", "goat", {"format": form}, b"", "", (), False, "none", state, at, None, None
    )


def test_an_event_that_a_running_test_pushes_off_the_page_is_counted() -> None:
    events = [cup(number, f"cup-{number}", "round-robin") for number in range(1, TOURNAMENTS + 1)]
    known = [*events, cup(TOURNAMENTS + 1, "test-lin", "sequential", State.RUNNING)]
    shown = first_ones(known)
    assert [each.name for each in shown] == ["test-lin", *(each.name for each in reversed(events[1:]))]
    assert events_in(known) - events_in(shown) == 1, "the oldest one"
