"""Registered versions of bots, and an older store that gets their table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from store.samples import forfeit, game, new_tournament

from arena.core.errors import BotError
from arena.core.options import canonical_json
from arena.record.results import GameKey
from arena.store import codec, schema
from arena.store.schema import MIGRATIONS
from arena.store.store import Store
from arena.store.values import BotState, Rate, Tournament, Void, secret_hash

MANIFEST = {"name": "fox", "games": ["*"], "command": ["./fox"]}
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def registry(folder: Path) -> Iterator[Store]:
    times = iter(MONDAY + timedelta(days=day) for day in range(100))
    with Store.open(folder, now=lambda: next(times)) as store:
        yield store


def test_versions_of_a_name_are_numbered_from_one(registry: Store) -> None:
    first = registry.register("fox", "a" * 64, MANIFEST, "first try")
    second = registry.register("fox", "b" * 64, MANIFEST)
    owl = registry.register("owl", "a" * 64, {"name": "owl"})
    assert [str(each) for each in (first, second, owl)] == ["fox v1", "fox v2", "owl v1"]
    assert first == ("fox", 1, "a" * 64, MANIFEST, "first try", BotState.READY, MONDAY)
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


def test_a_store_of_the_first_revision_keeps_its_data(folder: Path) -> None:
    folder.mkdir()
    engine = create_engine(f"sqlite:///{folder / 'arena.db'}")
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    at = "2026-03-02T12:00:00.000000+00:00"
    number = 1
    with sqlite3.connect(folder / "arena.db") as raw:  # as the first revision wrote them
        crash = (1, 0, 3, "owl", "0" * 64, "CRASH", "F", 31, 12, "signal 11")
        new_one = new_tournament()
        settings = (canonical_json(new_one.config), new_one.secret, secret_hash(new_one.secret), 0, "", "waiting", at)
        opening = (number, new_one.name, new_one.game, new_one.game_version, new_one.ruleset, *settings, None, None)
        raw.execute(f"INSERT INTO tournament VALUES ({', '.join('?' * 14)})", opening)
        for place, each in enumerate(new_one.entrants):
            kept = (place + 1, each.name, each.version, each.source, canonical_json(each.manifest))
            raw.execute("INSERT INTO bot VALUES (?, ?, ?, ?, ?)", kept)
            raw.execute("INSERT INTO entrant VALUES (?, ?, ?, ?)", (number, each.name, place, place + 1))
        for board in (1, 2):
            stored = game(1, board)
            columns = codec.game_columns(number, new_one.name, stored, datetime.fromisoformat(at))
            del columns["worker"]
            values = [board, *[at if key == "stored" else value for key, value in columns.items()]]
            names = ", ".join(f'"{key}"' for key in ["id", *columns])
            raw.execute(f"INSERT INTO game ({names}) VALUES ({', '.join('?' * len(values))})", values)
            packed = codec.packed(stored.result.transcript)
            raw.execute("INSERT INTO transcript VALUES (?, ?)", (board, packed))
        raw.execute("INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", crash)
        raw.execute("INSERT INTO void VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, 1, 3, 1, 0, 1, "LAG", at))
    raw.close()
    assert _revision(folder) == "0001"
    with Store.open(folder) as new:
        [found] = new.tournaments()
        assert (found.name, found.secret, found.series) == (new_one.name, new_one.secret, "")
        assert found.entrants == new_one.entrants
        first, second = new.rows(number)
        assert (first.key, first.faults) == (GameKey(1, 1, 1, 0), ((3, "CRASH"),))
        assert second.scores == game(1, 2).result.scores
        [fault] = new.faults(number)
        assert (fault.bot, fault.code, fault.detail) == ("owl", "CRASH", "signal 11")
        [conduct, _] = new.conduct(number, 1)
        assert [each.process for each in conduct.faults] == [""]
        [void] = new.voids(number)
        assert void.void == Void(GameKey(1, 3, 1, 0), 1, "LAG")
        assert new.registered() == []
        assert str(new.register("fox", "f" * 64, MANIFEST)) == "fox v1"
    assert _revision(folder) == schema.HEAD


def _revision(folder: Path) -> str:
    with sqlite3.connect(folder / "arena.db") as raw:
        [found] = raw.execute("SELECT version_num FROM alembic_version").fetchone()
    raw.close()
    return str(found)
