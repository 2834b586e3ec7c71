"""Freezes of events, when versions were sent, and checks that were asked for again, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arena.store.freezes import Freezes
from arena.store.people import People
from arena.store.rechecks import Outcome, Rechecks
from arena.store.store import Store
from arena.store.submissions import Status, Submissions
from arena.store.values import Tournament

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_a_freeze_is_set_moved_and_taken_away(store: Store) -> None:
    freezes = Freezes(store.database)
    assert freezes.set("spring", NOON) is None
    assert freezes.set("autumn", NOON - HOUR) is None
    assert freezes.set("spring", NOON + HOUR) == NOON
    assert list(freezes.all().items()) == [("autumn", NOON - HOUR), ("spring", NOON + HOUR)]
    assert freezes.of("winter", "spring") == NOON + HOUR
    assert freezes.set("spring", None) == NOON + HOUR
    assert freezes.set("spring", None) is None
    assert freezes.of("spring") is None


def test_a_version_was_sent_when_its_upload_was_whole(store: Store) -> None:
    store._now = lambda: NOON
    store.register("fox", "a" * 64, {})
    store.register("fox", "b" * 64, {})
    person = People(store.database).add("Ada")
    for hours, number, status in ((-2, 2, Status.ACCEPTED), (-1, 2, Status.ACCEPTED), (-3, 2, Status.REFUSED)):
        submissions = Submissions(store.database, lambda hours=hours: NOON + hours * HOUR)
        sent = submissions.add(person.id, "x.zip", "c" * 64, 9, "", {})
        submissions.progress(sent.id, {}, "fox")
        submissions.finish(sent.id, status, {}, version=number)
    assert Freezes(store.database).sent() == {("fox", 1): NOON, ("fox", 2): NOON - 2 * HOUR}


def test_who_is_disabled_is_out_until_that_is_lifted_and_other_reasons_stay(store: Store, spring: Tournament) -> None:
    store.open_round(spring.id, 1, ("fox", "owl"), 1, 2)
    [out] = store.disable(spring.id, ["fox"], "asked for")
    assert (out.disabled, out.quarantine.since_round) == ("asked for", 1)
    assert store.disable(spring.id, ["fox"], "again") == []
    assert store.lift(spring.id, "fox", "no", disabled=False) is None
    lifted = store.lift(spring.id, "fox", "mended", disabled=True)
    assert lifted is not None
    assert (lifted.disabled, lifted.lift_reason) == ("asked for", "mended")
    store.close_round(spring.id, 1)
    [again] = store.disable(spring.id, ["fox"], "once more")
    assert again.quarantine.since_round == 2
    store.lift(spring.id, "fox", "mended")
    [same] = store.disable(spring.id, ["fox"], "a third time")
    assert (same.quarantine.since_round, same.disabled, same.lifted) == (2, "a third time", None)


def test_checks_go_through_a_queue_and_keep_their_last_result(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(NOON + number * HOUR for number in range(100))
    rechecks = Rechecks(store.database, lambda: next(times))
    for name in ("fox", "owl"):
        store.register(name, name[0] * 64, {})
    [fox, owl] = store.registered()
    assert rechecks.ask([fox]) == 1
    assert rechecks.ask([owl], "spring") == 1
    first = rechecks.next()
    assert first is not None
    assert (first.bot, first.event, first.is_over) == ("fox", "", False)
    rechecks.start(first)
    second = rechecks.next()
    assert second is not None
    assert second.bot == "owl"
    rechecks.back()
    assert rechecks.next() == first
    rechecks.start(first)
    rechecks.progress(first, {"steps": [{}]})
    rechecks.finish(first, Outcome.FAILED, {"error": {"code": "NO_HELLO"}})
    done = rechecks.all()[0]
    assert (done.state, done.report["error"]["code"], done.is_over) == (Outcome.FAILED, "NO_HELLO", True)
    rechecks.ask([fox])
    rechecks.finish(done, Outcome.PASSED, {})
    assert rechecks.all()[0].state is Outcome.WAITING, "what was asked since then is not answered by it"
