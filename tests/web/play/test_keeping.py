"""Old games of people go, and their addresses say so; a table is not kept from others for ever."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from web.play.sitter import Sitter

from arena.runner.sittings.person import Patience
from arena.store.sittings import FINISHED, REMOVED, Sittings
from arena.store.store import utc_now
from arena.web.app import create_app
from arena.web.play.keeping import DAYS, EVERY, PEOPLE_DAYS, Keeping
from arena.web.play.tables import tables_of
from arena.web.site import Site

JSON = {"accept": "application/json"}


def ended(site: Site, name: str, days: int, person: int | None = None) -> None:
    """A game that ended so many days ago."""
    kept = Sittings(site.store.database, lambda: utc_now() - timedelta(days=days))
    kept.add(name, game="goat", ruleset={}, secret=bytes(32), bots=["basic", "", "basic", "basic"], person_id=person)
    kept.end(name, FINISHED, "", {"moves": []})


def test_the_address_of_a_game_that_went_says_since_when_and_why(client: TestClient, site: Site) -> None:
    ended(site, "play-older", DAYS + 1)
    ended(site, "play-younger", DAYS - 1)
    ended(site, "play-own", PEOPLE_DAYS - 1, person=4)
    kept = tables_of(site).kept
    assert Keeping(kept)() == 1
    page = client.get("/g/play-older")
    assert page.status_code == 410
    assert re.search(rf"[Rr]emoved on \d{{4}}-\d\d-\d\d: games with people are kept {DAYS} days", page.text)
    assert 'href="/play"' in page.text
    told = client.get("/g/play-older/compare", headers=JSON)
    assert (told.status_code, told.json()["data"]["code"]) == (410, "REMOVED")
    assert client.post("/g/play-older/compare", headers=JSON).status_code == 410
    assert client.get("/g/play-older/game.json", headers=JSON).status_code == 410
    news = client.get("/g/play-older/steps").json()
    assert (news["state"], news["gone"], news["steps"]) == (REMOVED, True, [])
    assert [found.state for name in ("play-younger", "play-own") if (found := kept.find(name))] == [FINISHED] * 2


def test_games_are_removed_once_an_hour_and_the_oldest_when_there_are_too_many(site: Site) -> None:
    for name, days, person in (("play-a", 3, 7), ("play-b", 2, None), ("play-c", 1, None)):
        ended(site, name, days, person)
    now = [utc_now()]
    keeping = Keeping(Sittings(site.store.database), lambda: now[0])
    keeping.most = 2
    assert keeping() == 1
    keeping.most = 1
    assert keeping() == 0, "too early"
    now[0] += EVERY
    assert keeping() == 1
    kept = Sittings(site.store.database)
    assert [kept.find(name).state for name in ("play-a", "play-b", "play-c")] == [  # type: ignore[union-attr]
        FINISHED,
        REMOVED,
        REMOVED,
    ]


@pytest.fixture
def hurried(site: Site) -> TestClient:
    """A server with little patience."""
    tables_of(site).patience = Patience(0.6, 0.2, 60.0)
    return TestClient(create_app(site), base_url="http://127.0.0.1")


def test_a_table_that_took_too_long_in_all_is_played_to_its_end(hurried: TestClient) -> None:
    with hurried as client:
        assert "0.01 minutes and" in client.get("/play").text
        table = Sitter(client)
        news = table.wait(lambda news: news["state"] in ("left", "finished"))
        assert news["state"] == "left"
        assert "The time for all moves of one table was over" in news["end"]
        assert "The time for all moves of one table was over" in client.get(table.path).text


def test_who_leaves_the_line_is_told_so_at_once(site: Site) -> None:
    tables_of(site).most = (1, 1)
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        Sitter(client).wait()
        second = Sitter(client)
        assert second.look()["place"] == 1
        client.post(f"{second.path}/leave", headers={"cookie": f"seat_key={second.key}"})
        assert second.look()["state"] == "left"
        page = client.get(second.path)
        assert (page.status_code, "the person left the table" in page.text) == (200, True)
        Sitter(client)
