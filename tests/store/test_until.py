"""Games as they were stored until some time, on every kind of database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from store.samples import game, new_tournament

from arena.record.results import GameKey
from arena.store.place import Place
from arena.store.store import Store

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_rows_until_a_time_are_those_stored_by_then(place: Place) -> None:
    times = [NOON]
    with Store.open(place, now=lambda: times[-1]) as store:
        spring = store.create_tournament(new_tournament())
        for number in (1, 2):
            store.add_games(spring.id, [game(number, number)])
            times.append(times[-1] + timedelta(microseconds=1))

        def keys(until: datetime | None) -> list[GameKey]:
            return [row.key for row in store.rows(spring.id, until=until)]

        assert keys(NOON - timedelta(microseconds=1)) == []
        assert keys(NOON) == [GameKey(1, 1, 1, 0)]
        assert keys(NOON + timedelta(microseconds=1)) == keys(None) == [GameKey(1, 1, 1, 0), GameKey(2, 2, 1, 0)]
        assert [row.key for row in store.rows(spring.id, 2, until=NOON + timedelta(hours=1))] == [GameKey(1, 1, 1, 0)]
