"""Who hides results sees none: on two sites whose games ended otherwise, every page says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.acceptance.crawling import ask
from web.acceptance.life import SITTING, Life
from web.game.cups import THROWN, first_of
from web.tournament import events
from web.tournament.events import FORMATS, event

from arena.web.app import create_app
from arena.web.site import Settings, Site
from arena.web.viewer import HIDE_RESULTS

pytestmark = pytest.mark.xdist_group("acceptance")
TABS = ("", "/cross", "/boards", "/schedule", "/schedule?round=1", "/faults", "/files")
PARTS = ("", "/ratings", "/opponents", "/history", "/split", "/games")
EVENTS = ("round_robin", "free_for_all", "gauntlet", "mixed_partners")
"""Formats in which who meets whom does not depend on results."""
PAGES = (
    "/", "/t", "/bots", "/search?q=o", "/bot/fox/vs/owl?t=round_robin", "/t/round_robin?sort=rating",
    "/t/round_robin/boards?sort=spread", "/bots?sort=faults", "/bot/owl/games?t=gauntlet",
    "/t/round_robin/b/1", "/t/free_for_all/b/2", "/about",
    *(f"/t/{name}{tab}" for name in EVENTS for tab in TABS),
    *(f"/bot/{bot}{part}" for bot in ("fox", "hare") for part in PARTS),
)  # fmt: skip
CHANGING = re.compile(r'data-version="\d+"|\d\d:\d\d UTC|datetime="[^"]*"')
"""What differs between any two sites."""


class _Told(HTMLParser):
    """All that a page says: texts, and attributes that are read or shown."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.said += [value for name, value in attrs if name in ("title", "aria-label", "alt", "content") and value]

    def handle_data(self, data: str) -> None:
        self.said += [data.strip()] if data.strip() else []


def told(page: str) -> list[str]:
    reader = _Told()
    reader.feed(page)
    return reader.said


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, TestClient]]:
    """Two sites with the same events, in which the strong bots of one are the weak ones of the other."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        one = _site(folder / "one")
        patch.setattr(events, "strength", lambda bot: 7 * events.BOTS.index(bot) ** 2)
        patch.setattr(events, "luck", lambda bot, board: 5 * ((len(bot) * 7 + board * 3) % 8))
        other = _site(folder / "other")
    with (
        TestClient(create_app(one), base_url="http://127.0.0.1") as mine,
        TestClient(create_app(other), base_url="http://127.0.0.1") as yours,
    ):
        for client in (mine, yours):
            for name in EVENTS:
                ask(client, f"/t/{name}")  # from then on lists say who is in front
            client.cookies.set(HIDE_RESULTS, "1")
        yield mine, yours


def _site(folder: Path) -> Site:
    site = Site.open(Settings(folder, folder))
    for name in EVENTS:
        event(site.store, name, **FORMATS[name])
    return site


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_not_depend_on_results(worlds: tuple[TestClient, TestClient], page: str) -> None:
    one, other = [ask(client, page) for client in worlds]
    assert (one.status, other.status) == (200, 200)
    assert told(CHANGING.sub("", one.text)) == told(CHANGING.sub("", other.text))
    assert CHANGING.sub("", one.text) == CHANGING.sub("", other.text), "not even where nothing is said"


@pytest.mark.parametrize("page", ["/", "/t", "/t/round_robin", "/bot/fox", "/t/round_robin/b/1"])
def test_with_results_shown_it_does(worlds: tuple[TestClient, TestClient], page: str) -> None:
    texts = []
    for client in worlds:
        client.cookies.clear()
        texts.append(ask(client, page).text)
        client.cookies.set(HIDE_RESULTS, "1")
    assert told(CHANGING.sub("", texts[0])) != told(CHANGING.sub("", texts[1]))


@pytest.mark.parametrize("game", [THROWN, *map(first_of, ("goat", "crow_and_pitcher")), SITTING])
@pytest.mark.parametrize("query", ["", "?turn=3&seat=1", "?text=1"])
def test_a_game_says_nothing_of_its_end(life: Life, client: TestClient, game: str, query: str) -> None:
    assert life.site.store
    shown = client.get(f"/g/{game}{query}").text
    client.cookies.set(HIDE_RESULTS, "1")
    hidden = client.get(f"/g/{game}{query}").text
    result = re.search(r"Result: (.*?)</p>", shown, re.S)
    if "text=1" not in query:
        assert result is not None
        assert "Go there" in shown or game != THROWN
    for word in ("Result:", "Go there", "Lost this", "g-outcome", "g-why", "No single turn"):
        assert word not in hidden, word
    title = re.search(r"<title>(.*?)</title>", hidden)
    assert title is not None
    assert not re.search(r"won|lost|beat|[+−]\d", title[1])
