"""The pulse: what changes in the store and among running games gives parts new versions, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from scale.million import games_of
from web.live.running import Running, started

from arena.record.results import GameKey
from arena.store.store import Store
from arena.store.values import State, Void, public_id
from arena.web.live.games import live_games_of
from arena.web.live.pulse import Pulse, board_of, pulse_of, tournament_of, version_of
from arena.web.live.versions import Waiting
from arena.web.site import Settings, Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site.open(Settings(tmp_path, tmp_path))
    pulse_of(site)
    live_games_of(site)
    return site


def changed(site: Site, parts: list[str], do: Callable[[], object]) -> list[str]:
    """The parts that are later after a beat."""
    pulse = pulse_of(site)
    pulse.look()
    before = {part: pulse.versions.of(part) for part in parts}
    do()
    pulse.look()
    return [part for part in parts if pulse.versions.of(part) > before[part]]


def watch(pulse: Pulse, *parts: str) -> None:
    pulse.versions.add(Waiting(parts, lambda: None))


def test_a_tournament_changes_with_its_games_and_no_other_does(site: Site) -> None:
    spring, autumn = started(site.store), started(site.store, "autumn")
    games = games_of(spring, 4)
    parts = ["home", "tournament:spring", "tournament:autumn"]
    store = site.store
    assert changed(site, parts, lambda: None) == []
    assert changed(site, parts, lambda: store.add_games(spring.id, [next(games)])) == ["home", "tournament:spring"]
    assert changed(site, parts, lambda: store.set_state(autumn.id, State.PAUSED)) == ["home", "tournament:autumn"]
    assert changed(site, parts, lambda: store.open_round(spring.id, 1, ("bot0", "bot1"), 4, 8)) == parts[:2]
    assert changed(site, parts, lambda: store.close_round(spring.id, 1)) == parts[:2]
    assert changed(site, parts, lambda: started(store, "winter")) == ["home"]
    assert changed(site, ["tournament:winter"], lambda: None) == []


def test_a_void_that_takes_the_last_games_out_is_noticed(site: Site) -> None:
    spring = started(site.store)
    games = list(games_of(spring, 2))
    site.store.add_games(spring.id, games)
    key = games[-1].key

    def void() -> None:
        site.store.void_block(spring.id, Void(key, 1, "WALL", games[-1].bots, {}))
        site.store.add_games(spring.id, games)  # under the same numbers

    assert changed(site, ["tournament:spring"], void) == ["tournament:spring"]


def test_a_finished_tournament_is_final_until_something_changes(site: Site) -> None:
    spring = started(site.store)
    pulse = pulse_of(site)
    pulse.look()
    assert not pulse.versions.is_final("tournament:spring")
    site.store.set_state(spring.id, State.FINISHED)
    pulse.look()
    assert pulse.versions.is_final("tournament:spring")
    site.store.set_state(spring.id, State.RUNNING)
    pulse.look()
    assert not pulse.versions.is_final("tournament:spring")


def test_a_watched_game_changes_when_a_table_of_its_board_is_stored_and_is_final_once_it_is_open(site: Site) -> None:
    spring = started(site.store, bots=3)
    pulse = pulse_of(site)
    games = sorted(games_of(spring, 6), key=lambda game: game.key)
    first = games[0].key
    board = [game for game in games if game.key.board == first.board]
    other = next(game for game in games if game.key.board != first.board)
    part = f"game:spring-r{first.round}-b{first.board}-t{first.table}-1"
    watch(pulse, part)
    assert changed(site, [part], lambda: site.store.add_games(spring.id, [other])) == []
    assert changed(site, [part], lambda: site.store.add_games(spring.id, board[:1])) == [part]
    assert changed(site, [part], lambda: site.store.add_games(spring.id, board[1:2])) == [part]
    assert not pulse.versions.is_final(part)
    assert changed(site, [part], lambda: site.store.add_games(spring.id, board[2:])) == [part]
    assert pulse.versions.is_final(part)


def test_running_games_come_grow_and_go(site: Site, tmp_path: Path) -> None:
    started(site.store)
    games, made = live_games_of(site), []
    parts = ["running", "featured", "game:spring-r1-b1-t1-1"]
    assert changed(site, parts, lambda: made.append(Running(tmp_path))) == parts
    assert changed(site, parts, lambda: made[0].move(3)) == parts[1:]
    assert changed(site, parts, lambda: None) == []
    [live] = games.running()
    assert (live.last, live.names, live.called[1]) == (3, ("fox", "owl", "fox", "owl"), "W owl")
    assert changed(site, parts, made[0].end) == parts
    assert (games.running(), live.over is not None, games.find("spring-r1-b1-t1-1")) == ([], True, live)


def test_the_featured_game_stays_until_it_ends(site: Site, tmp_path: Path) -> None:
    started(site.store)
    games, pulse = live_games_of(site), pulse_of(site)
    first = Running(tmp_path)
    pulse.look()
    second = Running(tmp_path, "spring-r1-b2-t1-1")
    pulse.look()
    featured = games.featured()
    assert featured is not None
    assert featured.public_id == first.public_id
    first.end()
    pulse.look()
    assert games.featured() is featured, "its end can be read for a moment"
    assert featured.over is not None
    featured.over -= 10
    pulse.look()
    late = games.featured()
    assert late is not None
    assert late.public_id == second.public_id
    second.end()


def test_games_of_other_arenas_and_half_written_ones_are_left_alone(site: Site, tmp_path: Path) -> None:
    started(site.store)
    stranger = Running(tmp_path, "elsewhere-r1-b1-t1-1")
    half = Running(tmp_path)
    half.room.add({half.public_id: b'{"next": 1, "vi'})
    pulse_of(site).look()
    [live] = live_games_of(site).running()
    assert (live.public_id, live.last) == (half.public_id, 0)
    half.room.add({half.public_id: b'ew": {}}\n'})
    pulse_of(site).look()
    assert live.last == 1
    stranger.end()
    half.end()


def test_pages_say_no_later_version_than_what_they_surely_show(site: Site) -> None:
    pulse = pulse_of(site)
    version = pulse.bump("home")
    assert version_of(site, "home") < version


def test_a_store_that_cannot_be_read_for_a_moment_ends_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    pulse = pulse_of(site)
    pulse.look()
    monkeypatch.setattr(Store, "database", property(_gone))
    pulse.look()
    monkeypatch.undo()
    assert changed(site, ["home"], lambda: started(site.store)) == ["home"]


def _gone(_store: Store) -> object:
    raise OSError("gone")


def test_keys_of_games_are_what_the_pulse_takes_them_for() -> None:
    name = public_id("a-cup-r2", GameKey(3, 17, 4, 1))
    assert (tournament_of(name), board_of(name)) == ("a-cup-r2", ("a-cup-r2", "b17"))
