"""Registered versions of bots, and an older store that gets their table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from store.samples import forfeit, game, new_tournament

from arena.core.errors import BotError
from arena.store.place import Place
from arena.store.store import Store
from arena.store.values import BotState, Rate, Tournament

MANIFEST = {"name": "fox", "games": ["*"], "command": ["./fox"]}
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def registry(place: Place) -> Iterator[Store]:
    times = iter(MONDAY + timedelta(days=day) for day in range(100))
    with Store.open(place, now=lambda: next(times)) as store:
        yield store


def test_versions_of_a_name_are_numbered_from_one(registry: Store) -> None:
    first = registry.register("fox", "a" * 64, MANIFEST, "first try")
    second = registry.register("fox", "b" * 64, MANIFEST)
    owl = registry.register("owl", "a" * 64, {"name": "owl"})
    assert [str(each) for each in (first, second, owl)] == ["fox v1", "fox v2", "owl v1"]
    assert first == ("fox", 1, "a" * 64, MANIFEST, "first try", BotState.READY, MONDAY, "")
    assert registry.registered() == [first, second, owl]
    assert registry.registered("FOX") == [first, second]
    assert registry.registered("elk") == []


def test_the_same_content_keeps_its_number_and_message(registry: Store) -> None:
    first = registry.register("fox", "a" * 64, MANIFEST, "first")
    registry.register("fox", "b" * 64, MANIFEST)
    assert registry.register("fox", "a" * 64, {}, "again") == first
    assert len(registry.registered("fox")) == 2


def test_a_name_is_unique_without_case(registry: Store) -> None:
    registry.register("Fox", "a" * 64, MANIFEST)
    with pytest.raises(BotError, match="'fox' is taken by 'Fox'") as taken:
        registry.register("fox", "b" * 64, MANIFEST)
    assert taken.value.code == "BAD_NAME"
    assert "--name Fox" in taken.value.fix


def test_retired_versions_stay_and_come_back_when_added_again(registry: Store) -> None:
    for letter in "abc":
        registry.register("fox", letter * 64, MANIFEST)
    assert [each.number for each in registry.retire("fox", 2)] == [2]
    assert registry.retire("fox", 2) == []
    assert [each.number for each in registry.retire("FOX")] == [1, 3]
    assert {each.state for each in registry.registered("fox")} == {BotState.RETIRED}
    assert registry.register("fox", "b" * 64, MANIFEST).state is BotState.READY
    assert [each.state.value for each in registry.registered("fox")] == ["retired", "ready", "retired"]
    assert registry.retire("elk") == []


def test_a_message_may_hold_anything(registry: Store) -> None:
    assert registry.register("fox", "a" * 64, {}, "naïve \0 \ud800").message == "naïve \\x00 \\ud800"


def test_games_and_faults_are_counted_by_version(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [forfeit(1, 1), forfeit(1, 2), game(1, 3)])
    rates = store.rates()
    assert rates == {"0" * 64: Rate(3, {"CRASH": 2, "LATE": 2}), "f" * 64: Rate(3, {})}
    assert rates["0" * 64].total == 4
    assert rates["0" * 64].per_thousand() == {"CRASH": 666.667, "LATE": 666.667}


def test_a_version_is_counted_in_all_its_tournaments_under_whatever_name(store: Store, spring: Tournament) -> None:
    new = new_tournament("autumn")
    owl, fox = (replace(new.entrants[0], version="0" * 64), replace(new.entrants[1], version="f" * 64))
    autumn = store.create_tournament(replace(new, entrants=(owl, fox)))
    store.add_games(spring.id, [forfeit(1, 1)])
    store.add_games(autumn.id, [forfeit(1, 1), game(1, 2)])
    assert store.rates() == {
        "0" * 64: Rate(3, {"CRASH": 1, "LATE": 1}),
        "f" * 64: Rate(3, {"CRASH": 1, "LATE": 1}),
    }


def test_the_newest_games_come_first(store: Store, spring: Tournament) -> None:
    store.add_games(spring.id, [game(1, board) for board in (3, 1, 2)])
    assert [info.row.key.board for info in store.games("spring", bot="fox", newest=True, limit=2)] == [2, 1]
