"""The pages of running and sealed games, and the first page: what they show, what they never do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from laws.rulesets import game_of
from record.games import a_transcript
from scale.million import games_of
from web.live.running import Running, started

from arena.record.transcript import to_json
from arena.runner.spectating.room import PLAYED
from arena.store.values import State
from arena.web.live.games import live_games_of
from arena.web.live.pulse import pulse_of
from arena.web.live.shown import progress_of
from arena.web.live.told import groups_of, spelled
from arena.web.site import Site

GAME = "spring-r1-b1-t1-1"


@pytest.fixture
def running(site: Site) -> Callable[..., Running]:
    live_games_of(site)

    def begin(*arguments: str) -> Running:
        if site.store.tournament("spring") is None:
            started(site.store)
        made = Running(site.settings.data, *arguments)
        pulse_of(site).look()
        return made

    return begin


def test_an_empty_arena_says_what_to_do(client: TestClient) -> None:
    text = client.get("/").text
    assert [word in text for word in ("arena demo", 'href="/submit"', 'href="/play"')] == [True] * 3
    assert "Running now" not in text


def test_a_game_of_no_tournament_keeps_its_address_when_it_is_over(client: TestClient, site: Site) -> None:
    public = "played-0a1b2c3d-r1-b1-t1-1"
    game = Running(site.settings.data, public, place=PLAYED)
    game.move(3)
    pulse_of(site).look()
    assert f'href="/g/{public}"' in client.get("/").text
    page = client.get(f"/g/{public}").text
    assert [word in page for word in ("It runs now", "owl", "/t/", "/bot/owl")] == [True, True, False, False]
    game.end()
    folder = site.settings.data / "games"
    folder.mkdir()
    (folder / "broken.arena").write_text("{")
    kept = replace(a_transcript("crowsnest"), public_id=public)
    (folder / "7f3a-01.arena").write_text(to_json(kept))
    pulse_of(site).look()
    page = client.get(f"/g/{public}").text
    assert [word in page for word in ("Not rated", "All hands")] == [True, True]
    for other in ("played-0a1b2c3d-r1-b2-t1-1", "played-ffffffff-r1-b1-t1-1", "7f3a-01"):
        assert client.get(f"/g/{other}").status_code == 404


def test_a_kept_game_that_is_removed_while_it_is_looked_for_is_gone(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    public = "played-0a1b2c3d-r1-b1-t1-1"
    folder = site.settings.data / "games"
    folder.mkdir()
    (folder / "listed.arena").symlink_to(folder / "removed")
    file = folder / "7f3a-01.arena"
    file.write_text(to_json(replace(a_transcript("crowsnest"), public_id=public)))
    assert client.get(f"/g/{public}").status_code == 200

    def removed(found: Path, _written: int) -> str:
        assert found == file
        file.unlink()
        return public

    monkeypatch.setattr("arena.web.games.kept._id_of", removed)
    assert client.get(f"/g/{public}").status_code == 404
    assert not file.exists()


@pytest.mark.parametrize("family", ["crowsnest", "crow", "goat"])
def test_a_running_game_is_at_its_address_at_every_turn(
    client: TestClient, site: Site, running: Callable[..., Running], family: str
) -> None:
    game = running(GAME, family)
    game.move(12)
    pulse_of(site).look()
    whole = client.get(f"/g/{GAME}")
    assert whole.status_code == 200
    assert "owl" in whole.text
    for turn in range(0, 13, 4):
        part = client.get(f"/g/{GAME}?part=live&turn={turn}").text
        assert f'data-turn="{turn}"' in part
        assert "<html" not in part
    assert 'data-last="12"' in client.get(f"/g/{GAME}?part=live").text
    game.end()


def test_a_turn_that_there_is_not_is_the_nearest_one(
    client: TestClient, site: Site, running: Callable[..., Running]
) -> None:
    game = running()
    game.move(2)
    pulse_of(site).look()
    assert 'data-turn="2" data-last="2"' in client.get(f"/g/{GAME}?part=live&turn=999").text
    game.end()


def test_the_address_works_between_the_end_of_a_game_and_its_storing(
    client: TestClient, running: Callable[..., Running], site: Site
) -> None:
    game = running()
    game.move(3)
    pulse_of(site).look()
    game.end()
    pulse_of(site).look()
    answer = client.get(f"/g/{GAME}")
    assert (answer.status_code, "just ended" in answer.text) == (200, True)


def test_a_running_game_is_there_as_text(client: TestClient, running: Callable[..., Running], site: Site) -> None:
    game = running()
    game.move(9)
    pulse_of(site).look()
    for asked in ("?turn=8", "?turn=8&text=0"):
        assert '<svg class="card"' in client.get(f"/g/{GAME}{asked}").text, asked
    text = client.get(f"/g/{GAME}?text=1&turn=8").text
    assert "<h2>Moves so far</h2>" in text
    assert ("<svg" in text.partition("<main")[2], "Turn 8 of 9 so far" in text) == (False, True)
    assert f'href="/g/{GAME}?text=1&amp;turn=9"' in text
    game.end()


def test_files_of_a_running_game_are_refused(client: TestClient, running: Callable[..., Running]) -> None:
    game = running()
    assert client.get(f"/g/{GAME}/game.arena").status_code == 403
    game.end()


@pytest.mark.parametrize("family", ["crowsnest", "crow", "goat"])
def test_where_bots_are_on_machines_of_their_own_no_card_of_a_running_game_is_shown(
    client: TestClient, site: Site, running: Callable[..., Running], family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.live.games.is_remote", lambda _config: True)
    game = running(GAME, family)
    game.move(14)
    pulse_of(site).look()
    [live] = live_games_of(site).running()
    held = {text for deal in game.game.deals(game.state) for hand in _hands(game, deal) for text in hand}
    assert len(held) >= 16
    for path in (f"/g/{GAME}", f"/g/{GAME}?turn=3", f"/g/{GAME}?text=1", f"/g/{GAME}?part=covered", f"/embed/g/{GAME}"):
        text = client.get(path).text.partition("<main")[2] or client.get(path).text
        assert not held & set(re.findall(r"\w+", text)), path
        assert "<svg" not in text
    whole = client.get(f"/g/{GAME}").text
    assert [name in whole for name, _ in progress_of(live)] == [True] * len(game.game.sides)
    assert ("machines of their own" in whole, ">14<" in whole) == (True, True)
    assert client.get(f"/g/{GAME}?part=live").status_code == 404
    home = client.get("/").text
    assert ('<section class="table"' in home, f"/g/{GAME}" in home) == (False, True)
    game.end()


def _hands(game: Running, deal: object) -> list[list[str]]:
    hands: list[list[str]] = game.game.deal_data(deal)["hands"]
    return hands


def test_a_game_that_is_over_and_sealed_shows_no_card(client: TestClient, site: Site) -> None:
    spring = started(site.store, bots=2)
    games = list(games_of(spring, 1))
    site.store.add_games(spring.id, games[:1])
    [info] = site.store.games("spring")
    for asked in ("", "?turn=3", "?text=1"):
        found = client.get(f"/g/{info.public_id}{asked}")
        assert (found.status_code, "sealed" in found.text, 'class="table' in found.text) == (200, True, False)
    assert client.get(f"/g/{info.public_id}?part=live").status_code == 404


def test_hidden_cards_stand_for_as_many_of_the_pack() -> None:
    game = game_of("goat")
    assert len(game.notation.parse(spelled(game, "drop 3")).cards) == 3
    assert spelled(game, "lead 6C 9C") == "lead 6C 9C"


def test_moves_are_told_by_tricks(site: Site, running: Callable[..., Running]) -> None:
    game = running()
    game.rest()
    pulse_of(site).look()
    [live] = live_games_of(site).running()
    groups = groups_of(live)
    assert sum(len(group.items) for group in groups) == live.last == len(game.world.moves)
    tricks = [group for group in groups if group.label.startswith("trick")]
    assert {len(group.items) for group in tricks} == {4}
    assert [group.label for group in groups if group.deal == 1][-1] == "trick 9"
    assert not re.search(
        r"[A-Z]\d", " ".join(item.text for each in groups if each.label == "discard" for item in each.items)
    )
    game.end()


def test_the_first_page_shows_a_running_game_and_the_others(
    client: TestClient, site: Site, running: Callable[..., Running]
) -> None:
    first, second = running(GAME), running("spring-r1-b2-t1-1", "goat")
    second.move(3)
    pulse_of(site).look()
    text = client.get("/").text
    assert text.count('<section class="table"') == 1
    assert text.count('<li id="run-') == 2
    own = client.get("/?part=featured&family=rook").text
    assert "<symbol" not in own
    assert "<symbol" in client.get("/?part=featured&family=goat").text
    assert client.get("/?part=running").text.count("<li") == 2
    first.end()
    second.end()


def test_games_worth_a_look_are_those_unlike_the_other_tables(client: TestClient, site: Site) -> None:
    spring = started(site.store, bots=3)
    site.store.add_games(spring.id, list(games_of(spring, 6)))
    text = client.get("/?part=home").text
    assert text.count('<a href="/g/') >= 1
    assert "elsewhere" in text
    client.cookies.set("hide_results", "1")
    hidden = client.get("/?part=home").text
    assert ("elsewhere" in hidden, "hidden" in hidden) == (False, True)


def test_with_results_hidden_the_last_move_of_a_game_is_not_shown(
    client: TestClient, site: Site, running: Callable[..., Running]
) -> None:
    game = running()
    game.rest()
    pulse_of(site).look()
    total = len(game.world.moves)
    assert f'data-turn="{total}"' in client.get(f"/g/{GAME}?part=live").text
    client.cookies.set("hide_results", "1")
    hidden = client.get(f"/g/{GAME}?part=live").text
    assert f'data-turn="{total - 1}" data-last="{total - 1}"' in hidden
    assert "The deal is over" not in hidden
    game.end()


def test_tournaments_that_run_come_first(client: TestClient, site: Site) -> None:
    old, new = started(site.store, "old"), started(site.store, "new")
    site.store.set_state(new.id, State.FINISHED)
    text = client.get("/?part=home").text
    assert text.index('href="/t/old"') < text.index('href="/t/new"')
    assert old.id < new.id


def test_names_of_bots_are_text(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("web.live.running.NAMES", ("<b>x", "a&b", "<b>x", "a&b"))
    started(site.store)
    game = Running(site.settings.data)
    pulse_of(site).look()
    for path in ("/", f"/g/{GAME}"):
        text = client.get(path).text
        assert "<b>x" not in text
        assert "&lt;b&gt;x" in text
    game.end()
