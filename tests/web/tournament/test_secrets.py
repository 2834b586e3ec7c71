"""What pages of an event do not say: sealed cards, words of bots, results for those who hide them."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from web.tournament.events import BOTS, FORMATS, a_game, created, event

from arena.record.results import GameKey
from arena.runner.course import stored_schedule
from arena.store.values import State, StoredGame, Tournament
from arena.tournament.schedule import Fixed, keys_of
from arena.web.site import Site
from arena.web.viewer import HIDE_RESULTS

SIDES = ((0, 2), (1, 3))
TABS = ("", "/cross", "/boards", "/schedule", "/schedule?round=1", "/faults", "/files")
FORMS = ("", ".csv", ".json")
CARD = "SEALED-CARD"


def half_played(site: Site, told: str = CARD) -> Tournament:
    """Board 1 is done at all tables, board 2 not at the last one. All games name a card in move and fault."""
    tournament = created(site.store, "cup", boards=2)
    schedule = stored_schedule(tournament)
    assert isinstance(schedule, Fixed)
    games = []
    for bout in schedule.round(1) or ():
        for key in keys_of(bout):
            bots = tuple(bout.side(key.board, key.seating, seat % 2) for seat in range(4))
            games.append(with_card(a_game(key, bots, SIDES, "LATE"), told))
    last = max(each.key.table for each in games)
    site.store.set_state(tournament.id, State.RUNNING)
    site.store.open_round(tournament.id, 1, BOTS, 12, 24)
    site.store.add_games(tournament.id, [each for each in games if each.key != GameKey(1, 2, last, 1)])
    return tournament


def with_card(game: StoredGame, card: str) -> StoredGame:
    faults = tuple(fault._replace(detail=card) for fault in game.result.faults)
    return replace(game, result=replace(game.result, faults=faults, transcript={"moves": [card], "deals": [card]}))


def test_a_sealed_board_is_named_without_its_results(client: TestClient, site: Site) -> None:
    half_played(site)
    boards = {row["board"]: row for row in client.get("/t/cup/boards.json").json()["data"]["boards"]}
    assert boards[1]["open"]
    assert boards[1]["spread"] is not None
    assert not boards[2]["open"]
    assert (boards[2]["spread"], boards[2]["highest"], boards[2]["lowest"]) == (None, None, None)
    assert "sealed until all its tables are done" in client.get("/t/cup/boards").text
    assert [row["board"] for row in client.get("/t/cup/boards.json?worse=hare").json()["data"]["boards"]] == [1]
    schedule = client.get("/t/cup/schedule").text
    assert schedule.count('<a class="blk done"') == 11
    assert schedule.count('<a class="blk half"') == 1


def test_nothing_of_a_sealed_card_is_anywhere(client: TestClient, site: Site) -> None:
    half_played(site)
    for tab in TABS:
        for form in FORMS if tab != "/files" else ("",):
            path, _, query = tab.partition("?")
            found = client.get(f"/t/cup{path}{form}?{query}")
            assert found.status_code == 200
            assert CARD not in found.text
    lines = [json.loads(line) for line in client.get("/t/cup/files/results.jsonl").text.splitlines()]
    sealed = [line for line in lines if line.get("board") == 2]
    assert sealed
    assert all(CARD not in json.dumps(line) for line in sealed)
    archive = zipfile.ZipFile(io.BytesIO(client.get("/t/cup/files/replays.zip").content))
    assert CARD not in archive.read("cup/games.csv").decode()
    assert "secret" not in client.get("/t/cup/files").text.partition("The secret")[2][:20]
    assert "is published when the event is over" in client.get("/t/cup/files").text


@pytest.mark.parametrize("name", ["round_robin", "knockout", "swiss", "ladder"])
def test_who_hides_results_sees_none(client: TestClient, site: Site, name: str) -> None:
    tournament = event(site.store, "cup", format=name, **FORMATS[name])
    data = client.get("/t/cup.json").json()["data"]
    results = {f"{row['rating']:.1f}" for row in data["standings"]}
    results |= {f"{row['wins']}-{row['draws']}-{row['losses']}" for row in data["standings"]}
    results |= {f"{abs(row['points_per_block']):.1f}" for row in data["standings"]} - {"0.0"}
    assert any(each in client.get("/t/cup").text for each in results)
    client.cookies.set(HIDE_RESULTS, "1")
    for tab in ("", "/cross", "/boards", "/schedule", "/faults", "/files"):
        text = client.get(f"/t/cup{tab}").text.partition("<main")[2].partition("</main>")[0]
        assert not any(each in text for each in results), tab
        assert " wins " not in text
    text = client.get("/t/cup").text
    shown = [text.index(f"<bdi>{bot}</bdi>") for bot in sorted(each.name for each in tournament.entrants)]
    assert shown == sorted(shown)
    assert "hidden" in client.get("/t").text
    assert "<bdi>fox</bdi>" not in client.get("/t").text
    if name in ("knockout", "swiss", "ladder"):
        assert "<bdi>fox</bdi>" not in client.get("/t/cup/schedule").text


def test_the_secret_is_told_after_the_end(client: TestClient, site: Site) -> None:
    tournament = event(site.store, "cup")
    text = client.get("/t/cup/files").text
    assert tournament.secret.hex() in text
    assert tournament.secret_hash in text
    running = event(site.store, "spring", state=State.STOPPED)
    text = client.get("/t/spring/files").text
    assert running.secret.hex() not in text
    assert running.secret_hash in text
    ladder = event(site.store, "rungs", format="ladder", state=State.STOPPED)
    text = client.get("/t/rungs/files").text
    assert ladder.secret.hex() not in text
    assert text.count("when it is closed") == 1  # the round that comes next
