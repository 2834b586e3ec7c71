"""The table of an event: what its cells say, how it is sorted, before the first block and with many bots."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from web.tournament.events import BOTS, a_game, created, crowd, event

from arena.record.results import GameKey
from arena.store.values import BotState, Entrant, Registered, StoredGame, Void
from arena.web.site import Site
from arena.web.standing import service
from arena.web.standing.service import standing_service

SIDES = ((0, 2), (1, 3))
SLACK = 5
HOSTILE = "<img src=x onerror=alert(1)>"


def order_of(text: str) -> list[str]:
    return re.findall(r'<th scope="row"[^>]*>\s*<a href="[^"]*"><bdi>(\w+)</bdi>', text)


def test_a_row_says_all_of_a_bot(client: TestClient, site: Site) -> None:
    event(site.store, "cup", boards=8)
    text = client.get("/t/cup").text
    row = text[text.index("<bdi>fox</bdi>") :].partition("</tr>")[0]
    data = client.get("/t/cup.json").json()["data"]
    fox = data["standings"][0]
    assert fox["bot"] == "fox"
    assert f"{fox['rating']:.1f}" in row
    assert f"{fox['rating_low']:.1f} .. {fox['rating_high']:.1f}" in row
    assert '<svg class="bar"' in row
    assert f"{fox['wins']}-{fox['draws']}-{fox['losses']}" in row
    assert f"{fox['blocks']} <span" in row
    assert '<a href="/bot/fox"><bdi>fox</bdi>' in text
    details = text[text.index("<bdi>fox</bdi>") :].partition('<tr class="details">')[2].partition("</tr>")[0]
    assert details.count("<li>") == 5
    assert "/t/cup/b/8" in details
    assert "/bot/fox/vs/" in details
    assert "19 times out of 20" in text


def test_neighbours_of_one_band_share_a_bracket(client: TestClient, site: Site) -> None:
    event(site.store, "cup", boards=2)  # too few boards to separate anybody
    text = client.get("/t/cup").text
    assert text.count('class="band band-first"') == 1
    assert text.count('class="band"') == len(BOTS) - 2
    assert text.count('class="band band-last"') == 1


def test_sorting_and_filtering_are_in_the_address(client: TestClient, site: Site) -> None:
    event(site.store, "cup", boards=8)
    by_points = [row["bot"] for row in client.get("/t/cup.json?sort=points_per_block").json()["data"]["standings"]]
    assert by_points == order_of(client.get("/t/cup?sort=points_per_block").text)
    assert by_points == order_of(client.get("/t/cup?sort=-points_per_block").text)[::-1]
    assert order_of(client.get("/t/cup?find=OW").text) == ["owl"]
    assert client.get("/t/cup.csv?find=OW").text.count("\r\n") == 2
    part = client.get("/t/cup?sort=blocks&part=live").text
    assert "sort=-blocks" in part
    page = client.get("/t/cup?sort=blocks").text
    assert 'data-src="/t/cup?part=live&amp;sort=blocks"' in page


def test_before_any_block_is_complete(client: TestClient, site: Site) -> None:
    tournament = created(site.store, "cup")
    text = client.get("/t/cup").text
    assert "0 blocks complete, 0 boards half played" in text
    assert "arena tournament run" in text
    games = [a_game(GameKey(1, board, 1, 0), ("fox", "owl", "fox", "owl"), SIDES) for board in (1, 2)]
    site.store.add_games(tournament.id, games)
    later(site)
    text = client.get("/t/cup").text
    assert "0 blocks complete, 2 boards half played" in text
    assert "not rated" in text
    assert order_of(text) == [] or "Points per game" in text
    assert client.get("/t/cup.csv").text.startswith("place,")


def later(site: Site) -> None:
    """Let the watch and the service look again at once."""
    standing = standing_service(site)
    standing.watch._looked = -1e9
    standing._rests.clear()


def block(board: int) -> list[StoredGame]:
    lineups = (("fox", "owl") * 2, ("owl", "fox") * 2)
    return [a_game(GameKey(1, board, 1, at), bots, SIDES) for at, bots in enumerate(lineups)]


def test_new_games_are_in_the_next_page(client: TestClient, site: Site) -> None:
    tournament = created(site.store, "cup")
    for number in (1, 2):
        site.store.add_games(tournament.id, block(number))
        later(site)
        assert client.get("/t/cup.json").json()["data"]["blocks"] == number
    voided = Void(GameKey(1, 1, 1, 0), 1, "ORGANISER")
    site.store.void_block(tournament.id, voided)
    later(site)
    assert client.get("/t/cup.json").json()["data"]["blocks"] == 1


def test_large_events_are_computed_by_another_process(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SMALL", 0)
    told: list[str] = []
    standing_service(site).told.append(told.append)
    event(site.store, "cup")
    first = client.get("/t/cup")
    assert first.status_code == 200
    assert "being computed" in first.text
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in first.text
    assert "refresh" not in first.headers, "where scripts run nothing is loaded again that is being read"
    assert "data-again" in client.get("/t/cup?part=live").text
    assert client.get("/t/cup.json").status_code == 409
    end = time.monotonic() + 60
    while not told and time.monotonic() < end:
        time.sleep(0.05)
    assert told == ["cup"]
    ready = client.get("/t/cup")
    assert "refresh" not in ready.text
    assert "data-again" not in ready.text
    assert order_of(ready.text)[0] == "fox"
    assert client.get("/t/cup/cross").text.count("/vs/") == len(BOTS) * (len(BOTS) - 1)


def test_a_server_that_starts_has_what_the_one_before_computed(client: TestClient, site: Site) -> None:
    tournament = event(site.store, "cup")
    assert client.get("/t/cup").status_code == 200
    other = service.Standing(site)
    found = other.peek(tournament)
    assert found.fresh
    assert found.data["standings"][0]["bot"] == "fox"


@pytest.mark.timed
def test_a_hundred_bots_within_a_second(client: TestClient, site: Site) -> None:
    tournament = crowd(site.store, "crowd", 100, boards=1)
    standing = standing_service(site)
    standing._compute(tournament, f"{service.FORMAT}-{standing.watch.of(tournament.id).version}", large=False)
    began = time.monotonic()
    found = client.get("/t/crowd")
    assert time.monotonic() - began < 1 * SLACK
    assert len(order_of(found.text)) == 100
    assert "hx-trigger" not in found.text.partition("<main")[2]  # nothing of it is asked for after the page
    cross = client.get("/t/crowd/cross", headers={"Accept-Encoding": "gzip"})
    assert int(cross.headers["content-length"] or 0) <= 120_000
    assert cross.text.count("data-blocks=") == 100 * 99


def test_names_that_others_chose_are_text(client: TestClient, site: Site) -> None:
    bots = ("fox", HOSTILE, '"><script>alert(2)</script>')
    event(site.store, "cup", bots)
    for tab in ("", "/cross", "/boards", "/schedule", "/faults", "/files"):
        text = client.get(f"/t/cup{tab}").text
        assert "<img src=x" not in text
        assert "<script>alert" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in client.get("/t/cup").text


def test_registered_versions_are_named(client: TestClient, site: Site) -> None:
    from arena.web.standing.links import bot_path, versions_of

    tournament = created(site.store, "cup")
    entrants = (
        Entrant("fox", "ab" * 32, "registered:fox@3"),
        Entrant("owl@2", "cd" * 32, "registered:owl@2"),
        Entrant("elk", "ef" * 32, "house:elk"),
        Entrant("hare", "0123456789" * 6, "bots/hare"),
    )
    found = versions_of(replace(tournament, entrants=entrants))
    assert found == {"fox": "v3", "owl@2": "", "elk": "house", "hare": "0123456"}
    kept = Registered("hare", 2, "0123456789" * 6, {}, "", BotState.READY, tournament.created)
    assert versions_of(replace(tournament, entrants=entrants), [kept])["hare"] == "v2"
    assert bot_path("fox", "v3") == "/bot/fox?v=3"
    assert bot_path("owl@2") == "/bot/owl?v=2"
