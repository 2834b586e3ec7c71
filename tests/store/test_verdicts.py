"""Voids that take their block along, conduct by round, quarantines and their lifting."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from store.samples import CRASH, forfeit, game, new_tournament

from arena.record.results import FaultClass, GameKey
from arena.store import voids
from arena.store.place import Place
from arena.store.store import Store
from arena.store.values import WITH_ITS_BLOCK, Tournament, Void
from arena.tournament.quarantine import Quarantine

SEATED = ("fox", "owl", "fox", "owl")
LAG = Void(GameKey(1, 2, 1, 0), 1, "LAG", SEATED, {"cause": "loop", "lag_ms": 700})


def test_a_void_takes_the_stored_games_of_its_block_along(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [game(1, 1), game(1, 2, table=2), forfeit(1, 2, seating=1), game(2, 3)])
    assert store.void_block(spring.id, LAG) == 1
    assert [info.row.key for info in store.games("spring")] == [(1, 1, 1, 0), (1, 2, 2, 0), (2, 3, 1, 0)]
    assert list(store.faults(spring.id)) == []
    assert store.game("spring-r1-b2-t1-2") is None
    own, taken = [info.void for info in store.voids(spring.id)]
    assert own == LAG
    assert taken[:4] == (GameKey(1, 2, 1, 1), 1, WITH_ITS_BLOCK, SEATED)
    assert taken.evidence == {
        "verdict": "forfeit",
        "scores": [12.5, -120, 12.5, -120],
        "faults": [[1, "LATE"], [3, "CRASH"]],
    }


def test_the_games_of_a_void_block_may_be_stored_anew(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [game(1, 2, seating=1, points=10)])
    store.void_block(spring.id, LAG)
    again = [replace(game(1, 2, seating=seating, points=30), attempt=2) for seating in (0, 1)]
    assert store.add_games(spring.id, again) == 2
    assert [(info.row.scores[0], info.attempt) for info in store.games("spring")] == [(30, 2), (30, 2)]
    stored = store.game("spring-r1-b2-t1-2")
    assert stored is not None
    assert stored.game == again[1]


def test_a_void_that_cannot_be_noted_takes_nothing_out(
    store: Store, spring: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add_games(spring.id, [game(1, 2, seating=1)])

    def broken(*_: object) -> None:
        raise RuntimeError("killed here")

    with monkeypatch.context() as patch:
        patch.setattr(voids, "delete", broken)
        with pytest.raises(RuntimeError, match="killed here"):
            store.void_block(spring.id, LAG)
    assert store.count(spring.id) == 1
    assert list(store.voids(spring.id)) == []


def test_the_same_void_is_noted_once(store: Store, spring: Tournament) -> None:
    store.void_block(spring.id, LAG)
    store.void_block(spring.id, LAG._replace(reason="WALL"))
    assert [info.void.reason for info in store.voids(spring.id)] == ["LAG"]


def test_conduct_is_told_by_round_with_the_faults_that_forfeit(store: Store, spring: Tournament) -> None:
    attempt = CRASH._replace(code="SANDBOX", fault_class=FaultClass.QUARANTINE, process="owl-r2#1-ab")
    bad = forfeit(2, 3)
    bad = replace(bad, result=replace(bad.result, faults=(*bad.result.faults, attempt)))
    store.add_games(spring.id, [game(3, 9), bad, game(2, 3, seating=1), forfeit(1, 1)])
    first, second = store.conduct(spring.id, 2)
    assert (first.key, first.bots) == (GameKey(2, 3, 1, 0), SEATED)
    assert [(fault.seat, fault.code, fault.fault_class.value, fault.process) for fault in first.faults] == [
        (3, "CRASH", "F", ""),
        (3, "SANDBOX", "Q", "owl-r2#1-ab"),
    ]
    assert second == (GameKey(2, 3, 1, 1), SEATED, ())
    assert list(store.conduct(spring.id, 4)) == []


OUT = Quarantine("owl", 3, "3 forfeits in its last 20 games (CRASH)", (GameKey(1, 1, 1, 0),) * 3, ("CRASH",) * 3)


def test_a_quarantine_is_noted_once_and_told_with_its_reason(store: Store, spring: Tournament) -> None:
    assert store.add_quarantines(spring.id, [OUT]) == 1
    assert store.add_quarantines(spring.id, [OUT._replace(reason="other words")]) == 0
    [found] = store.quarantines()
    assert found.quarantine == OUT
    assert (found.tournament, found.version, found.lifted, found.lift_reason) == ("spring", "0" * 64, None, "")
    assert store.quarantines(spring.id, active=True) == [found]


def test_a_lifted_quarantine_is_kept_with_time_and_reason(place: Place, store: Store, spring: Tournament) -> None:
    monday = datetime(2026, 3, 2, 12, tzinfo=UTC)
    store.add_quarantines(spring.id, [OUT])
    with Store.open(place, now=lambda: monday) as later:
        lifted = later.lift(spring.id, "owl", "its host\0 was broken")
        assert lifted is not None
        assert lifted.lifted == monday
        assert later.lift(spring.id, "owl", "twice") is None
        assert later.lift(spring.id, "fox", "never out") is None
    assert store.quarantines(spring.id) == [lifted]
    assert lifted.lift_reason == "its host\\x00 was broken"
    assert store.quarantines(spring.id, active=True) == []
    assert store.add_quarantines(spring.id, [OUT]) == 0, "what was lifted stays lifted"
    again = OUT._replace(since_round=5)
    store.add_quarantines(spring.id, [again])
    assert [each.quarantine for each in store.quarantines(spring.id, active=True)] == [again]


def test_versions_are_counted_from_an_index_alone(folder: Path) -> None:
    """However many games there are, rates read no transcript and no row."""
    with Store.open(folder) as store:
        store.add_games(store.create_tournament(new_tournament()).id, [game(1, 1)])
    with sqlite3.connect(folder / "arena.db") as raw:
        plan = raw.execute(
            "EXPLAIN QUERY PLAN SELECT tournament_id, bots, count(*) FROM game GROUP BY tournament_id, bots"
        ).fetchall()
    raw.close()
    assert ["COVERING INDEX ix_game_bots" in row[-1] for row in plan] == [True]
