"""Pages of boards: what every table made of the same cards, and nothing of cards while a board is sealed."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web.game.cups import FAMILIES, THROWN, TURN, filled, games_of, words
from web.tournament.events import crowd, event

from arena.record.compare import Told, first_difference, majority_parting
from arena.record.transcript import from_data
from arena.store.values import State, StoredGame
from arena.web.app import create_app
from arena.web.boards import tables
from arena.web.boards.tables import open_board
from arena.web.site import Site
from arena.web.table import cards


@contextmanager
def asked(site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    site = filled(tmp_path_factory.mktemp("boards"))
    event(site.store, "spring")
    with asked(site) as client:
        yield client


def settled(client: TestClient, path: str) -> Any:
    """An answer that is no promise of a later one."""
    for _ in range(200):
        answer = client.get(path)
        if answer.status_code != 202 and "are being compared" not in answer.text:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{path} is never ready")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_table_is_a_row_and_every_card_is_in_the_diagram(client: TestClient, family: str) -> None:
    page = settled(client, f"/t/{family}/b/1")
    assert page.status_code == 200
    games = games_of(family)
    for game in games:
        assert f"/g/{game.result.transcript['public_id']}" in page.text
    deal = games[0].result.transcript["deals"][0]
    dealt = [card for hand in deal["hands"] for card in hand]
    diagram = page.text.partition('class="diagram"')[2].partition("</section>")[0]
    shown = re.findall(r'href="#card-(\w+)"', diagram)
    assert set(dealt) <= {"ROOK" if card == "CROW" else card for card in shown}
    assert diagram.count("dealer</span>") == 1
    assert "style=" not in page.text


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_have_what_comparisons_say(client: TestClient, family: str) -> None:
    data = settled(client, f"/t/{family}/b/1.json").json()["data"]
    told = [Told.of(from_data(dict(game.result.transcript))) for game in games_of(family)]
    partings = majority_parting(told)
    for row in data["tables"]:
        expected = partings.get(row["game"])
        assert row["parting"] == (expected._asdict() if expected is not None else None)
        assert row["facts"]
    for side in zip(*(row["difference"] for row in data["tables"]), strict=True):
        assert sum(side) == pytest.approx(0, abs=1e-3)
    lines = list(csv.reader(io.StringIO(client.get(f"/t/{family}/b/1.csv").text)))
    assert lines[0] == list(data["tables"][0])
    assert [line[1] for line in lines[1:]] == [row["game"] for row in data["tables"]]


def test_the_thrower_parted_where_it_threw(client: TestClient) -> None:
    page = settled(client, "/t/crowsnest/b/1").text
    data = client.get("/t/crowsnest/b/1.json").json()["data"]
    [row] = [row for row in data["tables"] if row["game"] == THROWN]
    assert row["parting"]["turn"] == TURN
    assert f"/g/{THROWN}?turn={TURN}&amp;seat={row['parting']['seat']}" in page


def test_blocks_stand_together_with_their_sum(client: TestClient) -> None:
    page = settled(client, "/t/crowsnest/b/1").text
    headings = re.findall(r'<tr class="group"><th[^>]*>\s*<span>([^<]*)', page)
    assert len(headings) == 3
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    tournament = site.store.tournament("crowsnest")
    assert tournament is not None
    swings = [block.swing for block in open_board(site.store, tournament, 1).blocks]
    assert swings == sorted(swings, reverse=True)


def test_boards_that_are_not_there(client: TestClient) -> None:
    for path in ("/t/nowhere/b/1", "/t/crowsnest/b/0", "/t/crowsnest/b/2", "/t/crowsnest/b/99999999999"):
        assert client.get(path).status_code == 404
    assert client.get("/t/crowsnest/b/x").status_code == 400


def test_results_stay_where_transcripts_cannot_be_read(client: TestClient) -> None:
    page = settled(client, "/t/spring/b/2")
    assert page.status_code == 200
    assert "cannot be read" in page.text
    data = client.get("/t/spring/b/2.json").json()["data"]
    assert len(data["tables"]) == 12
    assert all(row["points"] and row["difference"] for row in data["tables"])
    assert data["deals"] == []


def test_hidden_results_are_nowhere(client: TestClient) -> None:
    settled(client, "/t/crowsnest/b/1")
    client.cookies.set("hide_results", "1")
    try:
        page = client.get("/t/crowsnest/b/1").text
        assert "against the field" not in page
        assert not re.search(r"made, points|lost, points|all passed|[+−]\d", page)
        last = client.get(f"/t/crowsnest/b/1?a={PAIR[0]}&b={PAIR[1]}&turn=999999&part=lockstep").text
        longest = max(len(each.result.transcript["moves"]) for each in games_of("crowsnest")
                      if each.result.transcript["public_id"] in PAIR)  # fmt: skip
        assert f"turn {longest - 1}<" in last
        assert f"of {longest - 1}" not in last
        assert "the end is hidden" in last
        path = f"/t/crowsnest/b/1?a={PAIR[0]}&b={PAIR[1]}&part=lockstep"
        parted = first_difference(*(told_of("crowsnest", name) for name in PAIR))
        assert parted is not None
        assert "they part at" in client.get(f"{path}&turn={parted.turn}").text
        before = client.get(f"{path}&turn={parted.turn - 1}").text if parted.turn else ""
        assert "they part at" not in before
        assert "where they part" not in before
    finally:
        client.cookies.clear()


def told_of(family: str, name: str) -> Told:
    """A game of the stored ones."""
    [transcript] = [game.result.transcript for game in games_of(family) if game.result.transcript["public_id"] == name]
    return Told.of(from_data(dict(transcript)))


# Two side by side

PAIR = ("crowsnest-r1-b1-t1-1", THROWN)


def test_two_ticked_rows_lead_to_both_tables(client: TestClient) -> None:
    picked = client.get("/t/crowsnest/b/1", params={"pick": list(PAIR)}, follow_redirects=False)
    assert picked.status_code == 303
    assert picked.headers["location"] == f"/t/crowsnest/b/1?a={PAIR[0]}&b={PAIR[1]}#lockstep"
    assert "Tick two games" in settled(client, f"/t/crowsnest/b/1?pick={PAIR[0]}").text


@pytest.mark.parametrize("family", FAMILIES)
def test_tables_go_in_step_until_they_part(client: TestClient, family: str) -> None:
    games = [game.result.transcript for game in games_of(family)]
    one, other = games[0], next(each for each in games[1:] if each["moves"] != games[0]["moves"])
    parted = next(
        at for at, (a, b) in enumerate(zip(one["moves"], other["moves"], strict=False)) if a["move"] != b["move"]
    )
    last = max(len(one["moves"]), len(other["moves"]))
    path = f"/t/{family}/b/1?a={one['public_id']}&b={other['public_id']}&part=lockstep"
    settled(client, f"/t/{family}/b/1")
    for turn in (0, parted, min(parted + 1, last), last):
        text = client.get(f"{path}&turn={turn}").text
        assert f"turn {turn} of {last}" in text
        assert ("◆ Here" in text) == (turn == parted)
        assert f"they part at turn {parted}" in text
        halves = text.split('class="half"')[1:]
        assert len(halves) == 2
        felts = [re.search(r'<section class="table".*?</section>', half, re.DOTALL) for half in halves]
        assert all(felts)
    assert f"turn {last} of {last}" in client.get(f"{path}&turn=999999").text


def test_only_open_games_of_the_board_are_shown_side_by_side(client: TestClient) -> None:
    settled(client, "/t/crowsnest/b/1")
    for other in ("goat-r1-b1-t1-1", "nothing", "spring-r1-b2-t1-1"):
        assert client.get(f"/t/crowsnest/b/1?a={PAIR[0]}&b={other}").status_code == 404


# Sealed


def other_cards(game: StoredGame) -> StoredGame:
    """The same game with other hands, which nobody has seen."""
    told = dict(game.result.transcript)
    told["deals"] = [{**deal, "hands": deal["hands"][::-1]} for deal in told["deals"]]
    return replace(game, result=replace(game.result, transcript=told))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_sealed_board_says_what_is_done_and_nothing_else(tmp_path: Path, family: str) -> None:
    answers = []
    for name, change in (("one", lambda game: game), ("other", other_cards)):
        site = filled(tmp_path / name, (family,), leave=1, state=State.RUNNING, change=change)
        with asked(site) as client:
            texts = [client.get(f"/t/{family}/b/1{kind}").text for kind in ("", ".json", ".csv")]
            sealed = client.get(f"/t/{family}/b/1.json").json()["data"]
            first = games_of(family)[0].result.transcript["public_id"]
            second = games_of(family)[1].result.transcript["public_id"]
            assert "sealed" in client.get(f"/t/{family}/b/1?a={first}&b={second}").text
        total = len(games_of(family))
        assert (sealed["done"], sealed["to_go"]) == (total - 1, 1)
        assert [row["state"] for row in sealed["tables"]] == ["done"] * (total - 1) + ["to be played"]
        assert words(sealed).isdisjoint(
            cards.pack({"crowsnest": "rook", "crow_and_pitcher": "crow"}.get(family, family))
        )
        assert '<svg class="card"' not in texts[0]
        assert "points" not in sealed["tables"][0]
        answers.append([re.sub(r'data-version="\d+"', "", text) for text in texts])
    assert answers[0] == answers[1]


def test_a_board_opens_with_its_last_game(tmp_path: Path) -> None:
    site = filled(tmp_path, ("goat",), leave=1, state=State.RUNNING)
    tournament = site.store.tournament("goat")
    assert tournament is not None
    with asked(site) as client:
        assert "sealed" in client.get("/t/goat/b/1").text
        site.store.add_games(tournament.id, [games_of("goat")[-1]])
        assert "This board is open now" in client.get("/t/goat/b/1?part=state").text
        page = settled(client, "/t/goat/b/1").text
        assert 'class="diagram"' in page
        assert "This board is open now" not in page


# Many tables


def test_of_many_tables_some_are_shown_evenly_spread(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    site: Site = client.app.state.site  # type: ignore[attr-defined]
    tournament = site.store.tournament("crowsnest")
    assert tournament is not None
    every = open_board(site.store, tournament, 1)
    monkeypatch.setattr(tables, "SHOWN", 2)
    some = open_board(site.store, tournament, 1)
    assert (len(some.blocks), some.left_out, some.compared) == (2, 1, 4)
    assert {block.block for block in some.blocks} < {block.block for block in every.blocks}
    by_game = {row.game: row for block in every.blocks for row in block.rows}
    for block in some.blocks:
        for row in block.rows:
            assert row.difference == by_game[row.game].difference


@pytest.mark.timed
def test_a_board_with_a_thousand_tables_is_shown_in_time(tmp_path: Path) -> None:
    with asked(filled(tmp_path, ())) as client:
        crowd(client.app.state.site.store, "crowd", 46, boards=1)  # type: ignore[attr-defined]
        begun = time.monotonic()
        page = settled(client, "/t/crowd/b/1")
        assert page.status_code == 200
        assert f"120 of {46 * 45 // 2} blocks are shown" in page.text
        assert time.monotonic() - begun < 10
        begun = time.monotonic()
        assert client.get("/t/crowd/b/1").status_code == 200
        assert time.monotonic() - begun < 2.5
