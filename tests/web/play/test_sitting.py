"""A table by requests: who may sit, what is sent, what others see, and what is left when it is over."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web.play.sitter import Sitter, cards_in, first

from arena.games import catalog
from arena.record.replay import verify
from arena.record.transcript import from_data
from arena.runner.sittings import Seating
from arena.runner.sittings.room import STOPPED
from arena.web.app import create_app
from arena.web.play.tables import HELD, tables_of
from arena.web.site import Settings, Site

FAMILIES = ("crowsnest", "goat", "crow_and_pitcher:3")


def test_the_key_to_a_seat_is_a_cookie_of_that_table_alone(client: TestClient) -> None:
    table = Sitter(client)
    parts = {part.strip().casefold() for part in table.cookie.split(";")[1:]}
    assert {"httponly", f"path={table.path}", "samesite=lax"} <= parts
    assert table.path.startswith("/g/play-")
    assert table.key not in client.get(table.path, headers={"cookie": f"seat_key={table.key}"}).text


@pytest.mark.parametrize("game", FAMILIES)
def test_a_whole_game_is_played_kept_and_shown_with_all_hands(client: TestClient, site: Site, game: str) -> None:
    table = Sitter(client, game=game, seat="1", left="random", right="basic")
    news = table.play(first)
    assert (news["state"], news["reason"]) == ("finished", "")
    assert "The game is over" in news["end"]
    assert re.search(r"<strong><bdi>(.+ wins?|.+ share the first place|It is a draw)\.</bdi></strong>", news["end"])
    assert f'href="/play?game={game}">Play again' in news["end"]
    assert [step["n"] for step in table.steps] == list(range(len(table.steps)))
    assert all(step["said"] for step in table.steps[1:])
    marks = "Seat [13]|You" if game.endswith(":3") else "South|North|East|You"
    assert all(re.match(f"({marks}) [a-z]+", step["said"]) for step in table.steps[1:])
    tricks = [step["said"] for step in table.steps if "laid" in step]
    assert len(tricks) >= 3
    assert all(re.search("takes? the trick|The deal is over", said) for said in tricks)
    kept = tables_of(site).kept
    sitting = kept.find(table.id)
    assert sitting is not None
    assert sitting.state == "finished"
    transcript = kept.transcript(table.id)
    assert transcript is not None
    verify(from_data(transcript))
    shown = client.get(table.path)
    assert shown.status_code == 200
    assert "A person sat in seat" in shown.text
    assert "All hands" in shown.text
    held = tables_of(site).find(table.id)
    assert held is not None
    check_that_only_known_cards_are_drawn(held, 1, table.steps)


def test_games_on_the_same_cards_are_played_once_and_told_beside_the_persons(client: TestClient) -> None:
    table = Sitter(client)
    assert client.get(f"{table.path}/compare", headers={"accept": "application/json"}).status_code == 403
    table.play(first)
    page = f"{table.path}/compare"
    for _ in range(2):
        answer = client.post(page)
        assert answer.status_code == 200
    began = time.monotonic()
    while (text := client.get(page).text).count("all hands") < 4:
        assert time.monotonic() - began < 30, text
        time.sleep(0.1)
    rows = text.partition("<tbody>")[2].partition("</tbody>")[0]
    assert [name in rows for name in ("person", "counter", "basic", "cautious")] == [True] * 4
    assert rows.count("<tr>") == 4


def test_others_see_what_spectators_see_and_cannot_move(client: TestClient) -> None:
    table = Sitter(client, seat="0")
    news = table.wait()
    for key in ("", "wrong", table.key[:-1], table.key + "x"):
        seen = table.look(key=key)
        assert (seen["seat"], seen["waiting"], seen["left_s"]) == (None, None, None)
        assert [step["choice"] for step in seen["steps"]] == [None] * len(seen["steps"])
        assert {card for step in seen["steps"] for card in cards_in(step["table"])} <= {"back"}
        assert table.send(news["waiting"], "pass", key=key).status_code == 403
    page = client.get(table.path).text
    assert cards_in(page) <= {"back"}
    assert len(cards_in(client.get(table.path, headers={"cookie": f"seat_key={table.key}"}).text) - {"back"}) == 9
    assert client.post(f"{table.path}/leave", headers={"accept": "application/json"}).status_code == 403
    assert table.send(news["waiting"], "pass").json()["taken"] == "played"


def test_a_table_can_be_read_as_lists(client: TestClient) -> None:
    table = Sitter(client, seat="0", game="crow_and_pitcher")
    table.wait()
    own = client.get(f"{table.path}?text=1", headers={"cookie": f"seat_key={table.key}"}).text
    others = client.get(f"{table.path}?text=1").text
    assert '<script defer src="/static/play.js' not in own
    for asked in ("", "?text=0", "?text="):
        shown = client.get(f"{table.path}{asked}", headers={"cookie": f"seat_key={table.key}"}).text
        assert '<script defer src="/static/play.js' in shown, asked
        assert "<svg" in shown.partition('id="position"')[2], asked
    for text, mine in ((own, True), (others, False)):
        assert "Moves so far" in text
        assert (">S You, " in text, "S Person" in text) == (mine, not mine)
        assert ("Your turn" in text) == mine
        assert len(re.findall(r"(red|green|blue|thirst) \d+, legal", text)) == (0 if not mine else len(_legal(table)))


def _legal(table: Sitter) -> list[str]:
    return list(table.steps[-1]["choice"]["legal"])


def check_that_only_known_cards_are_drawn(seating: Seating, seat: int, steps: list[dict[str, Any]]) -> None:
    """Every card on a page is one that the seat's view holds."""
    game = seating.plan.game
    for step, shown in zip(seating.steps, steps, strict=True):
        known = set(_texts(game.view_data(game.view(step.state, seat))))
        drawn = cards_in(shown["table"]) - {"back"}
        assert {"ROOK" if card == "CROW" else card for card in drawn} <= known


def _texts(value: object) -> list[str]:
    """All texts in data."""
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [value] if isinstance(value, str) else []


def test_an_answer_counts_once_and_an_illegal_one_tells_why_and_plays_nothing(client: TestClient) -> None:
    table = Sitter(client, seat="2")
    turn = table.wait()["waiting"]
    refused = table.send(turn, "bid 71").json()
    assert (refused["taken"], refused["waiting"], refused["steps"]) == ("refused", turn, [])
    assert "'bid 71' is not legal" in refused["refused"]
    assert [table.send(other, "pass").json()["taken"] for other in (turn + 1, max(0, turn - 1) if turn else 9)] == [
        "stale",
        "stale",
    ]
    assert table.send(turn, "pass").json()["taken"] == "played"
    assert table.send(turn, "bid 70").json()["taken"] == "stale"
    assert table.send(turn, "pass").json()["taken"] == "again"
    table.take()
    assert [step["mine"] for step in table.steps].count(True) == 1


def test_a_discard_and_trump_go_together(client: TestClient) -> None:
    table = Sitter(client, seat="1", left="random", top="random", right="random")
    while True:
        news = table.wait()
        assert news["waiting"] is not None
        choice = table.steps[-1]["choice"]
        move, then = first(choice)
        if choice["kind"] == "discard":
            break
        table.send(news["waiting"], move)
    assert choice["size"] == 5
    answer = table.send(news["waiting"], move, then).json()
    assert [step["mine"] for step in answer["steps"]][:2] == [True, True]
    assert answer["steps"][1]["said"].startswith("You name black trump")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"game": "chess"}, "No game"),
        ({"left": "nobody"}, "No bot"),
        ({"left": "../secrets"}, "No bot"),
        ({"top": "/etc"}, "No bot"),
        ({"seat": "7"}, "No seat"),
        ({"seat": "3", "game": "crow_and_pitcher:3"}, "No seat"),
        ({"clock": "sand"}, "No clock"),
    ],
)
def test_a_form_that_cannot_be_says_what_is_wrong_and_keeps_what_was_chosen(
    client: TestClient, form: dict[str, str], said: str
) -> None:
    answer = client.post("/play", data={"right": "basic", **form})
    assert answer.status_code in (400, 404)
    assert said in answer.text
    assert '<option value="basic" selected>' in answer.text


def test_all_games_can_be_chosen(client: TestClient) -> None:
    page = client.get("/play").text
    for game in catalog().values():
        assert f'value="{game.id}"' in page
    assert page.index('value="crowsnest"') < page.index('value="buckeye"')
    assert 'value="crow_and_pitcher:3"' in page


def test_an_address_chooses_a_game(client: TestClient) -> None:
    selected = re.compile(r'<option value="([^"]+)"[^>]* selected>')
    for game in [*catalog(), "crow_and_pitcher:3"]:
        assert selected.findall(client.get(f"/play?game={game}").text)[0] == game
    linked = re.search(r'href="(/play[^"]*)">Play a hand', client.get("/rules/goat").text)
    assert linked is not None
    assert selected.findall(client.get(linked[1]).text)[0] == "goat"
    assert selected.findall(client.get("/play").text)[0] == "crowsnest"


def test_one_address_holds_only_so_many_tables_until_it_leaves_one(client: TestClient) -> None:
    tables = [Sitter(client, game="goat") for _ in range(HELD)]
    refused = client.post("/play", data={}, headers={"accept": "application/json"})
    assert refused.status_code == 429
    assert tables[0].id in refused.json()["data"]["saw"]
    shown = client.post("/play", data={"left": "basic"})
    assert shown.status_code == 429
    assert f'<a href="{tables[0].path}">' in shown.text
    left = tables[0]
    client.post(f"{left.path}/leave", headers={"cookie": f"seat_key={left.key}"})
    assert left.wait(lambda news: news["state"] == "left")["reason"] == "the person left the table"
    Sitter(client)


def test_who_is_away_is_played_for_and_the_page_says_so(site: Site) -> None:
    tables_of(site).away_s = 0.3
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        table = Sitter(client)
        news = table.wait(lambda news: news["state"] in ("left", "finished"))
        assert news["state"] == "left"
        assert news["reason"].startswith("nobody answered for 0.3 s at turn")
        assert "the default moves were played from then on" in news["end"]
        shown = client.get(table.path).text
    assert "Nobody answered for 0.3 s" in shown


def test_when_all_tables_are_taken_the_page_says_which_place_in_line(site: Site) -> None:
    tables_of(site).most = (1, 1)
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        Sitter(client).wait()
        assert "All tables are taken: 0 in line before you." in client.get("/play").text
        second = Sitter(client)
        assert second.look()["place"] == 1
        assert "you are number 1 in line" in client.get(second.path).text
        refused = client.post("/play", data={}, headers={"accept": "application/json"})
        assert (refused.status_code, refused.json()["data"]["code"]) == (429, "TOO_MANY")


def test_a_server_that_is_stopped_says_so_of_its_games(site: Site) -> None:
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        table = Sitter(client)
        table.wait()
    again = Site.open(Settings(site.settings.data, site.settings.store))
    with TestClient(create_app(again), base_url="http://127.0.0.1") as client:
        table.client = client
        news = table.look()
        assert (news["state"], news["reason"], news["gone"]) == ("void", STOPPED, True)
        page = client.get(table.path)
        assert page.status_code == 200
        assert STOPPED in page.text
        assert table.send(0, "pass").status_code == 404
        assert client.get("/g/play-nobodyknows").status_code == 404


def test_between_the_deals_of_a_match_the_page_says_what_the_last_one_came_to(client: TestClient) -> None:
    table = Sitter(client, game="crow_and_pitcher:3", length="match", left="random", right="random")
    table.play(first)
    ends = [step["deal"] for step in table.steps if "deal" in step]
    assert len(ends) == 2
    assert all("The round is over" in end and "Next round" in end for end in ends)
    assert table.news["end"].count("<tr>") == 4
