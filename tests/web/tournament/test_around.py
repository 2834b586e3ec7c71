"""What is around tables: the list, series, search, unknown names, faults, files, schedules in pages."""

from __future__ import annotations

import csv
import io
import threading
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.tournament.events import a_game, created, crowd, event

from arena.record.results import GameKey
from arena.store.store import Store
from arena.store.values import State, Void
from arena.web.site import Site
from arena.web.standing import series, service
from arena.web.standing.state import totals_of
from arena.web.standing.streams import MOST, TooMany, streamed
from arena.web.viewer import HIDE_RESULTS

SIDES = ((0, 2), (1, 3))


def test_the_list_says_how_events_stand(client: TestClient, site: Site) -> None:
    assert "No tournament yet" in client.get("/t").text
    event(site.store, "spring")
    created(site.store, "summer")
    client.get("/t/spring")
    text = client.get("/t").text
    assert text.index("summer") < text.index("spring")
    assert '<span class="state waiting">waiting</span>' in text
    assert "<bdi>fox</bdi>" in text
    rows = client.get("/t.json").json()["data"]["tournaments"]
    assert [row["name"] for row in rows] == ["summer", "spring"]
    assert rows[1]["top"][0] == "fox"
    assert len(list(csv.DictReader(io.StringIO(client.get("/t.csv").text)))) == 2


def test_tests_of_versions_are_a_list_apart_in_every_form(client: TestClient, site: Site) -> None:
    test = {"format": "sequential", "candidates": ["fox"], "boards": 60}
    assert "Apart from these" not in client.get("/t").text
    created(site.store, "test-0123456789ab", ("fox", "owl"), **test)
    page = client.get("/t").text
    assert "No tournament yet" in page
    assert '<a href="/t?tests=1">1 test of one version against another</a>' in page
    for name in ("spring", "test-of-the-hall"):
        created(site.store, name)
    created(site.store, "test-ba9876543210", ("fox", "owl"), **test)

    def names(query: str) -> list[list[str]]:
        rows = client.get(f"/t.json{query}").json()["data"]["tournaments"]
        lines = csv.DictReader(io.StringIO(client.get(f"/t.csv{query}").text))
        return [[row["name"] for row in rows], [row["name"] for row in lines]]

    assert names("") == [["test-of-the-hall", "spring"]] * 2, "an event may have any name"
    assert names("?tests=1") == [["test-ba9876543210", "test-0123456789ab"]] * 2
    assert "2 tests of one version against another" in client.get("/t").text
    apart = client.get("/t?tests=1").text
    assert "/t/test-ba9876543210" in apart
    assert "/t/spring" not in apart
    assert 'href="/t.csv?tests=1"' in apart
    assert "of one version against another</a>" not in apart


def test_an_event_that_nobody_coordinates_is_stopped(client: TestClient, site: Site) -> None:
    event(site.store, "cup", state=State.RUNNING)
    assert '<span class="state stopped">stopped</span>' in client.get("/t/cup").text


@pytest.mark.parametrize("small", [service.SMALL, 0])
def test_a_series_has_a_standing_over_its_games(
    client: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(series, "SMALL", small)
    event(site.store, "cup-crowsnest", series="cup", boards=6)
    event(site.store, "cup-goat", series="cup", game="goat", boards=6)
    found = client.get("/t/cup")
    end = time.monotonic() + 60
    while "data-again" in found.text and time.monotonic() < end:
        time.sleep(0.1)
        found = client.get("/t/cup")
    assert "/t/cup-goat" in found.text
    combined = found.text[found.text.index("All games together") :]
    assert combined.index("<bdi>fox</bdi>") < combined.index("<bdi>hare</bdi>")
    assert "the mean of the ratings in all pools" in combined
    client.cookies.set(HIDE_RESULTS, "1")
    assert "<bdi>fox</bdi>" not in client.get("/t/cup").text


@pytest.mark.parametrize("form", ["", ".json"])
def test_an_unknown_event_is_answered_with_the_nearest_name(client: TestClient, site: Site, form: str) -> None:
    created(site.store, "spring")
    found = client.get(f"/t/sprign{form}")
    assert found.status_code == 404
    assert "spring" in found.text
    assert client.get("/t/nothing-like-it/cross").status_code == 404


@pytest.mark.parametrize(
    ("asked", "path"),
    [("spring", "/t/spring"), ("FOX", "/bot/fox"), ("spring-r1-b1-t1-1", "/g/spring-r1-b1-t1-1")],
)
def test_search_goes_to_the_one_thing_of_that_name(client: TestClient, site: Site, asked: str, path: str) -> None:
    event(site.store, "spring")
    found = client.get("/search", params={"q": asked}, follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, path)


def test_search_lists_parts_of_names_and_near_ones(client: TestClient, site: Site) -> None:
    event(site.store, "spring")
    created(site.store, "spree")
    text = client.get("/search?q=spr").text
    assert "/t/spring" in text
    assert "/t/spree" in text
    assert "/bot/owl" in client.get("/search?q=oll").text
    text = client.get("/search", params={"q": "<script>x</script>"}).text
    assert "<script>x" not in text
    assert client.get("/search").status_code == 200


def test_faults_name_game_and_turn(client: TestClient, site: Site) -> None:
    tournament = created(site.store, "cup")
    games = [
        a_game(GameKey(1, board, 1, at), lineup * 2, SIDES, "LATE" if board % 2 else "ILLEGAL")
        for board in range(1, 60)
        for at, lineup in enumerate((("fox", "owl"), ("owl", "fox")))
    ]
    site.store.add_games(tournament.id, games)
    site.store.set_state(tournament.id, State.FINISHED)
    text = client.get("/t/cup/faults").text
    assert '<a href="/t/cup/faults?bot=fox&amp;code=LATE">30</a>' in text
    assert "/g/cup-r1-b59-t1-2?turn=7" in text
    assert "said &lt;b&gt;♠&lt;/b&gt;" in text
    assert "page 1 of 2" in text
    assert text.count("?turn=7") == 100
    assert client.get("/t/cup/faults?page=2").text.count("?turn=7") == 18
    assert len(client.get("/t/cup/faults.json").json()["data"]["faults"]) == 118
    assert len(client.get("/t/cup/faults.json?code=ILLEGAL").json()["data"]["faults"]) == 58


def test_a_schedule_shows_voids_with_their_reasons(client: TestClient, site: Site) -> None:
    tournament = event(site.store, "cup", state=State.STOPPED)
    site.store.void_block(tournament.id, Void(GameKey(1, 2, 1, 0), 1, "WALL"))
    text = client.get("/t/cup/schedule").text
    assert text.count('<a class="blk void"') == 1
    assert "void (WALL, BLOCK), counts for nobody" in text
    rows = client.get("/t/cup/schedule.json?round=1").json()["data"]["lineups"]
    assert (rows[0]["void"], rows[0]["done"]) == (1, 3)
    assert client.get("/t/cup/schedule?round=9").status_code == 404


def test_long_schedules_come_in_pages(client: TestClient, site: Site) -> None:
    crowd(site.store, "crowd", 16, boards=1)
    text = client.get("/t/crowd/schedule").text
    assert "page 1 of 3" in text
    assert len(client.get("/t/crowd/schedule.json?round=1").json()["data"]["lineups"]) == 120


def test_equal_names_in_two_stores_have_schedules_of_their_own(tmp_path: Path) -> None:
    totals = []
    for boards in (1, 3):
        with Store.open(tmp_path / str(boards)) as store:
            totals.append(totals_of(created(store, "cup", boards=boards)).blocks)
    assert totals[1] == 3 * totals[0] > 0


def test_files_are_whole(client: TestClient, site: Site) -> None:
    event(site.store, "cup")
    games = list(csv.DictReader(io.StringIO(client.get("/t/cup/files/games.csv").text)))
    assert len(games) == 4 * 2 * 6
    assert len(client.get("/t/cup/files/blocks.csv").text.splitlines()) == 1 + 4 * 6
    assert client.get("/t/cup/files/results.jsonl").text.splitlines()[-1] == '{"kind":"end","games":48}'
    assert client.get("/t/cup/files/other").status_code == 404


def test_what_breaks_off_says_so() -> None:
    def fails(target: io.BytesIO) -> None:
        target.write(b"one line\n")
        raise OSError("the disk is gone")

    found = b"".join(streamed(fails, lambda error: f"# incomplete: {error}\n".encode()))
    assert found == b"one line\n# incomplete: the disk is gone\n"
    with pytest.raises(OSError, match="the disk is gone"):
        b"".join(streamed(fails))


def test_exports_are_few_and_end_with_their_readers() -> None:
    ended = threading.Semaphore(0)

    def endless(target: io.BytesIO) -> None:
        try:
            while True:
                target.write(b"x" * 100_000)
        finally:
            ended.release()

    running = [streamed(endless) for _ in range(MOST)]
    for each in running:
        assert next(each)
    with pytest.raises(TooMany):
        streamed(endless)
    for each in running:
        each.close()
    for _ in running:
        assert ended.acquire(timeout=20)


def test_who_stops_reading_makes_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.standing.streams.PATIENCE_S", 0.3)
    ended = threading.Semaphore(0)

    def endless(target: io.BytesIO) -> None:
        try:
            while True:
                target.write(b"x" * 100_000)
        finally:
            ended.release()

    stalled = [streamed(endless) for _ in range(MOST)]
    assert next(stalled[0]), "the other one was never begun to be read"
    for _ in stalled:
        assert ended.acquire(timeout=20)
    with pytest.raises(TimeoutError, match="nothing was read"):
        for _ in stalled[0]:
            pass
    assert b"".join(streamed(lambda target: target.write(b"next"))) == b"next"
