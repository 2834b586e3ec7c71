"""Pages of bots, asked in this process: what they show, what they refuse, and that no text of others becomes markup."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.game.cups import filled
from web.signing import sign_in
from web.tournament.events import event

from arena.record.results import GameKey
from arena.store.values import State
from arena.tournament.quarantine import Quarantine
from arena.web.app import create_app
from arena.web.site import Site

HOSTILE = "</td><script>alert(1)</script>\u202e=1+1"
STDERR = b"<script>alert(2)</script>\x1b[2J\x07 secret plan\nsecond line \xff\n"


@pytest.fixture(scope="module")
def filled_site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Three played boards, an event of registered bots with a quarantine, logs."""
    folder: Path = tmp_path_factory.mktemp("data")
    site = filled(folder)
    store = site.store
    store.register("fox", "1" * 64, {"name": "fox", "games": ["*"], "author": HOSTILE}, HOSTILE, "Ada")
    store.register("fox", "2" * 64, {"name": "fox", "games": ["crowsnest"]}, "second", "Ada")
    winter = event(store, "winter", ("fox", "owl", "elk"), boards=2)
    event(store, "spring")
    store.add_quarantines(
        winter.id, [Quarantine("fox", 2, f"three forfeits {HOSTILE}", (GameKey(1, 1, 1, 0),), ("CRASH",))]
    )
    store.register("gone", "3" * 64, {"name": "gone"}, "", "Bo")
    store.remove("bot", "gone", "it cheated")
    logs = folder / "logs" / "spring"
    logs.mkdir(parents=True)
    (logs / "fox-r1-t1-g1-1-1.log").write_bytes(STDERR)
    (logs / "fox-r1-t1-g1-1-2.log").write_text("[turn 4]\nfour\n[turn 31]\nmine\n[game 2 turn 31]\nagain\n")
    (folder / "builds").mkdir()
    (folder / "builds" / f"{'2' * 32}.log").write_text("building <b>fox</b>\n")
    return site


@pytest.fixture(scope="module")
def asking(filled_site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(filled_site), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def client_of(filled_site: Site, asking: TestClient) -> Iterator[TestClient]:
    asking.cookies.clear()
    yield asking
    asking.cookies.clear()


def settled(client: TestClient, path: str) -> str:
    """A page once nothing on it is being counted."""
    for _ in range(200):
        text = client.get(path).text
        if "counting" not in text:
            return text
        time.sleep(0.05)
    raise AssertionError(f"{path} is never ready")


PAGES = ["", "/history", "/opponents", "/split", "/games", "/ratings"]


@pytest.mark.parametrize("part", PAGES)
@pytest.mark.parametrize("bot", ["basic", "fox", "owl"])
def test_every_page_shows_the_bot_and_nothing_hostile(client_of: TestClient, bot: str, part: str) -> None:
    text = settled(client_of, f"/bot/{bot}{part}")
    assert f"<bdi>{bot}</bdi>" in text
    assert "<script>alert" not in text
    assert "onerror" not in text
    assert "style=" not in text


def test_rows_of_a_page_its_csv_and_its_json_are_the_same(client_of: TestClient) -> None:
    settled(client_of, "/bot/basic")
    settled(client_of, "/bot/basic/split")
    for path, key in [
        ("/bots", "bots"), ("/bot/basic/opponents", "opponents"), ("/bot/basic/history", "history"),
        ("/bot/basic/split", "split"), ("/bot/basic/games", "games"), ("/bot/basic/ratings", "ratings"),
        ("/bot/basic/vs/cautious", "blocks"),
    ]:  # fmt: skip
        rows = client_of.get(f"{path}.json").json()["data"][key]
        lines = list(csv.reader(io.StringIO(client_of.get(f"{path}.csv").text)))
        assert len(rows) == len(lines) - 1 > 0
        assert list(rows[0]) == lines[0]
        page = settled(client_of, path)
        assert page.count('<th scope="row"') >= len(rows)


def test_the_list_says_how_each_bot_stands(client_of: TestClient) -> None:
    settled(client_of, "/bots")
    rows = {row["name"]: row for row in client_of.get("/bots.json").json()["data"]["bots"]}
    assert rows["fox"]["version"] == "v2"
    assert rows["fox"]["owner"] == "Ada"
    assert rows["fox"]["games"] == 32
    assert "three forfeits" in rows["fox"]["quarantined"][0]
    assert rows["gone"]["state"] == "removed: it cheated"
    assert rows["basic"]["source"] == "house"
    assert rows["owl"]["source"] == "folder"
    assert [row["name"] for row in client_of.get("/bots.json?find=ada").json()["data"]["bots"]] == ["fox"]


def test_a_profile_is_one_document(client_of: TestClient) -> None:
    settled(client_of, "/bot/fox")
    data = client_of.get("/bot/FOX.json").json()["data"]
    assert data["bot"] == "fox"
    assert [each["number"] for each in data["versions"]] == [2, 1, None]
    assert data["played"] == 32
    assert data["quarantined"][0]["games"] == ["winter-r1-b1-t1-1"]
    old = client_of.get("/bot/fox.json?v=1").json()["data"]
    assert old["version"] == "v1"
    assert old["played"] == 0


def test_a_removed_bot_is_gone_and_a_near_name_is_offered(client_of: TestClient) -> None:
    gone = client_of.get("/bot/Gone")
    assert gone.status_code == 410
    assert "it cheated" in gone.text
    assert client_of.get("/bot/gone/logs").status_code == 410
    missing = client_of.get("/bot/basik")
    assert missing.status_code == 404
    assert "/bot/basic" in missing.text
    for path in ("/bot/fox?v=9", "/bot/fox/history?t=nowhere", "/bot/fox/games?result=best", "/bot/fox/vs/basic",
                 "/bot/fox/vs/fox"):  # fmt: skip
        assert client_of.get(path).status_code == 404


def test_the_quarantine_says_why_and_how_to_come_back(client_of: TestClient) -> None:
    text = client_of.get("/bot/fox").text
    assert "three forfeits" in text
    assert "/g/winter-r1-b1-t1-1" in text
    assert "To come back" in text


def test_a_bot_that_never_played_says_what_comes(client_of: TestClient) -> None:
    text = settled(client_of, "/bot/counter")
    assert "no games yet" in text
    assert "It has played nowhere yet" in text
    for part in PAGES[1:]:
        assert client_of.get(f"/bot/counter{part}").status_code == 200
    assert "no rating yet" in client_of.get("/bot/counter/history.svg").text


def test_every_rating_change_has_its_block_before_and_after(client_of: TestClient) -> None:
    settled(client_of, "/bot/fox/history")
    points = client_of.get("/bot/fox/history.json").json()["data"]["history"]
    for point in points:
        steps = client_of.get(f"/bot/fox/history.json?t=spring&name=fox&x={point['x']}").json()["data"]["steps"]
        assert len(steps) == point["blocks"]
        assert steps[0]["after"] == point["rating"]
        assert steps[-1]["before"] == point["before"]
        assert client_of.get(f"/t/spring/b/{steps[0]['board']}").status_code == 200


def test_head_to_head_is_sorted_by_loss_and_agrees_with_the_other_way_round(client_of: TestClient) -> None:
    settled(client_of, "/bot/owl/vs/fox")
    there = client_of.get("/bot/owl/vs/fox.json?t=spring").json()["data"]
    back = client_of.get("/bot/fox/vs/owl.json?t=spring").json()["data"]
    swings = [row["swing"] for row in there["blocks"]]
    assert swings == sorted(swings)
    assert len(swings) == 4
    assert there["summary"]["swing"] == pytest.approx(-back["summary"]["swing"])
    for game in there["blocks"][0]["games"]:
        assert game in client_of.get("/bot/owl/games.csv?t=spring").text


def test_hidden_results_are_nowhere(client_of: TestClient) -> None:
    for part in PAGES:
        settled(client_of, f"/bot/fox{part}")
    client_of.cookies.set("hide_results", "1")
    for path in [*(f"/bot/fox{part}" for part in PAGES[:4]), "/bot/fox/ratings", "/bot/fox/vs/owl"]:
        text = client_of.get(path).text
        assert "Results are hidden" in text
        assert "data-plot" not in text
        assert "sheet-box" not in text.partition("h-versions")[0]
    games = client_of.get("/bot/fox/games").text
    assert ">won<" not in games
    assert ">lost<" not in games
    assert "score" not in games


# Logs

PRIVATE = ("secret plan", "alert(2)", "building")


LOGS = ("", "?log=spring/fox-r1-t1-g1-1-1.log", ".json", "?find=secret")


@pytest.mark.parametrize("path", [*(f"/bot/fox/logs{rest}" for rest in LOGS), "/bot/basic/logs"])
@pytest.mark.parametrize("who", ["", "Bo"])
def test_others_get_no_byte_of_a_log(filled_site: Site, client_of: TestClient, path: str, who: str) -> None:
    if who:
        sign_in(filled_site, client_of, who)
    for accept in ("text/html", "application/json"):
        refused = client_of.get(path, headers={"accept": accept})
        assert refused.status_code == 403
        assert "logs are private to the owner" in refused.text
        assert not any(word in refused.text for word in PRIVATE)
        assert ("json" in refused.headers["content-type"]) == (accept.endswith("json") or path.endswith(".json"))


@pytest.mark.parametrize(("who", "role"), [("ada", "author"), ("Root", "organiser")])
def test_its_owner_reads_its_logs_as_text(filled_site: Site, client_of: TestClient, who: str, role: str) -> None:
    sign_in(filled_site, client_of, who, role)
    listed = client_of.get("/bot/fox/logs").text
    assert "spring, round 1, table 1" in listed
    assert "build of v2" in listed
    text = client_of.get("/bot/fox/logs?log=spring/fox-r1-t1-g1-1-1.log").text
    assert "secret plan" in text
    assert "&lt;script&gt;alert(2)" in text
    assert "<script>alert" not in text
    assert '<span class="control">\\x1b</span>[2J' in text
    assert "\x1b" not in text
    assert "\\xff" in text
    assert "building &lt;b&gt;" in client_of.get(f"/bot/fox/logs?log=build/{'2' * 32}.log").text
    assert "fox-r1-t1-g1-1-1.log:1" in client_of.get("/bot/fox/logs?find=SECRET").text
    assert "0 lines with" in client_of.get("/bot/fox/logs?find=nothing").text
    assert "spring, round 1" in client_of.get("/bot/fox/logs?game=spring-r1-b1-t1-1").text
    for wrong in ("spring/../../arena.db", "/etc/passwd", "spring/basic-r1-t1-g1-1-1.log"):
        assert client_of.get("/bot/fox/logs", params={"log": wrong}).status_code == 404


@pytest.mark.parametrize(("turn", "line"), [("4", 1), ("5", 3), ("31", 3), ("99", 6)])
def test_a_log_opens_at_a_turn_or_at_the_next_with_output(
    filled_site: Site, client_of: TestClient, turn: str, line: int
) -> None:
    sign_in(filled_site, client_of, "ada", "author")
    page = "/bot/fox/logs?log=spring/fox-r1-t1-g1-1-2.log"
    assert 'name="turn"' in client_of.get(page).text
    text = client_of.get(f"{page}&turn={turn}").text
    assert f'class="log-line log-found" id="L{line}"' in text
    assert f'id="L{line - 1}"' not in text
    assert 'name="turn"' not in client_of.get("/bot/fox/logs?log=spring/fox-r1-t1-g1-1-1.log&turn=3").text


def test_logs_of_boards_that_are_played_stay_sealed_for_the_owner_too(filled_site: Site, client_of: TestClient) -> None:
    spring = filled_site.store.tournament("spring")
    assert spring is not None
    sign_in(filled_site, client_of, "Ada")
    running = event(filled_site.store, "running", boards=4)
    filled_site.store.set_state(running.id, State.RUNNING)
    with filled_site.store.database.write() as connection:
        here = f"tournament_id={running.id} AND board=1"
        connection.exec_driver_sql(f"DELETE FROM transcript WHERE game_id IN (SELECT id FROM game WHERE {here})")
        connection.exec_driver_sql(f"DELETE FROM game WHERE {here}")
    logs = filled_site.settings.data / "logs" / "running"
    logs.mkdir()
    (logs / "fox-r1-t1-g1-1-1.log").write_text("my cards are R14\n")
    text = client_of.get("/bot/fox/logs").text
    assert "sealed: it waits for" in text
    refused = client_of.get("/bot/fox/logs?log=running/fox-r1-t1-g1-1-1.log")
    assert refused.status_code == 403
    assert "R14" not in refused.text
    assert "R14" not in client_of.get("/bot/fox/logs?find=cards").text


def test_the_owner_decides_about_notes(filled_site: Site, client_of: TestClient) -> None:
    assert client_of.post("/bot/fox/notes", data={"public": "1"}).status_code == 403
    key = sign_in(filled_site, client_of, "Ada")
    assert client_of.post("/bot/fox/notes", data={"public": "1", "csrf": "wrong"}).status_code == 403
    assert "only you and the organisers read them" in client_of.get("/bot/fox/logs").text
    assert "everybody reads them" in client_of.post("/bot/fox/notes", data={"public": "1", "csrf": key}).text
    assert "only you and" in client_of.post("/bot/fox/notes", data={"public": "0", "csrf": key}).text
