"""Rules as pages: every ruleset, its options, its cards drawn, a hand to step through."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from arena import games
from arena.core import options

GAMES = list(games.catalog())


def test_all_games_are_listed(client: TestClient) -> None:
    text = client.get("/rules").text
    assert all(f'href="/rules/{game}"' in text for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_has_every_option_and_draws_the_cards_it_names(client: TestClient, game: str) -> None:
    text = client.get(f"/rules/{game}").text
    assert all(f"<code>{field.name}</code>" in text for field in options.describe(games.make(game).ruleset))
    assert text.count('class="named-card"') > 10
    assert "<code>LATE</code>" in text
    assert "style=" not in text


@pytest.mark.parametrize("game", GAMES)
def test_every_place_of_a_page_is_there_once(client: TestClient, game: str) -> None:
    text = client.get(f"/rules/{game}").text
    places = re.findall(r' id="([^"]+)"', text)
    assert sorted(places) == sorted(set(places))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(places)


@pytest.mark.parametrize("game", GAMES)
def test_the_example_goes_from_the_deal_to_the_end(client: TestClient, game: str) -> None:
    last = int(re.findall(r"move 0 of (\d+)", client.get(f"/rules/{game}").text)[0])
    said = [re.findall(r'class="said">([^<]*)<', client.get(f"/rules/{game}?turn={turn}").text) for turn in (1, last)]
    assert all(one and one[0].strip() for one in said)
    assert "Next" not in client.get(f"/rules/{game}?turn={last + 99}").text


def test_a_seat_of_the_example_sees_its_own_hand_only(client: TestClient) -> None:
    text = client.get("/rules/crowsnest?turn=0&seat=1&text=1").text
    everyone = client.get("/rules/crowsnest?turn=0&text=1").text
    cards = re.compile(r"\b(?:black|green|red|yellow) \d+\b")
    example = re.compile(r'id="example-table".*?</section>', re.DOTALL)
    seen, all_ = (set(cards.findall(example.findall(page)[0])) for page in (text, everyone))
    assert len(seen) == 9
    assert seen < all_
    for asked, lists in (("&text=1", True), ("&text=0", False), ("", False)):
        assert ("as a picture" in client.get(f"/rules/crowsnest?turn=0{asked}").text) == lists, asked


def test_an_unknown_game_names_the_nearest(client: TestClient) -> None:
    found = client.get("/rules/crowsnes")
    assert found.status_code == 404
    assert "crowsnest" in found.text


def test_about_says_how_to_verify(client: TestClient) -> None:
    assert "arena replay verify" in client.get("/about").text
