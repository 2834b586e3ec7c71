"""Transcripts that somebody sends to look at, those of an archive among them; whatever else is sent is refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web.game.cups import FAMILIES, HOSTILE, filled, first_of, games_of
from web.signing import sign_in

from arena.record.transcript import from_json, to_data, without_words
from arena.runner.exports import writing
from arena.store.people import ORGANISER
from arena.web.app import create_app
from arena.web.games import opening
from arena.web.site import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return filled(tmp_path_factory.mktemp("opening"))


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[TestClient]:
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        yield client


def archive(client: TestClient, family: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(client.get(f"/t/{family}/files/replays.zip").content))


@pytest.mark.parametrize("family", FAMILIES)
def test_an_archive_has_each_game_by_itself(client: TestClient, family: str) -> None:
    packed = archive(client, family)
    games = {name for name in packed.namelist() if name.endswith(".arena")}
    stored = {game.result.transcript["public_id"]: game.result.transcript for game in games_of(family)}
    assert games == {f"{family}/games/{public}.arena" for public in stored}
    for public, transcript in stored.items():
        found = from_json(packed.read(f"{family}/games/{public}.arena"))
        whole = without_words(from_json(json.dumps(transcript)))
        assert to_data(found) == to_data(whole), "all but the words of bots, as visitors get it"


def test_who_fetches_files_is_told_whether_words_of_bots_are_in_them(site: Site) -> None:
    with TestClient(create_app(site), base_url="http://127.0.0.1") as asking:
        for role, told in (("", "is left out."), (ORGANISER, "hand on those that a visitor gets.")):
            if role:
                sign_in(site, asking, "Grace", role)
            assert told in asking.get("/t/crowsnest/files").text
            assert (json.dumps(HOSTILE)[1:-1] in asking.get("/t/crowsnest/files/results.jsonl").text) == bool(role)


def test_of_many_games_an_archive_has_no_single_ones(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "SINGLE", len(games_of("goat")) - 1)
    names = archive(client, "goat").namelist()
    assert "goat/results.jsonl" in names
    assert not any(name.endswith(".arena") for name in names)


@pytest.mark.parametrize("kind", ["arena", "json"])
def test_a_transcript_becomes_a_page_that_steps(client: TestClient, kind: str) -> None:
    text = client.get(f"/g/{first_of('goat')}/game.{kind}").text
    answer = client.post("/open", content=text)
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "arena-positions" in answer.text
    assert first_of("goat") in answer.text


def goat() -> dict[str, Any]:
    """A game of another family that may be changed."""
    return json.loads(json.dumps(games_of("goat")[0].result.transcript))  # type: ignore[no-any-return]


def changed(**new: Any) -> dict[str, Any]:
    return {**goat(), **new}


def with_move(place: int, **new: Any) -> dict[str, Any]:
    data = goat()
    data["moves"][place] |= new
    return data


WRONG: dict[str, Any] = {
    "no object": [1],
    "of no game": changed(game="chess"),
    "an illegal move": with_move(3, move="play 2C"),
    "another seat": with_move(3, seat=9),
    "other scores": changed(scores=[9, 9, 9, 9]),
    "no cards": changed(deals=[]),
    "other cards": changed(deals=[{}]),
    "too few bots": changed(bots=["a"]),
    "long names": changed(bots=["x" * 101] * 4),
    "a long note": with_move(0, note="x" * 5000),
    "a strange ruleset": changed(ruleset={"max_deals": 10**9}),
    "a wrong document": {"schema": "arena.replay/1", "data": 3},
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_played_is_refused(client: TestClient, what: str) -> None:
    answer = client.post("/open", json=WRONG[what], headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["data"]["fix"]


@pytest.mark.parametrize("body", [b"", b"\xff\x00", b"{" * 2000, b"[" * 200_000, b"nan"])
def test_what_is_no_json_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/open", content=body).status_code == 400


def test_a_form_is_no_transcript(client: TestClient) -> None:
    answer = client.post("/open", data={"file": "x"}, headers={"Accept": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["data"]["fix"]


def test_long_games_are_not_played_here(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOVES", 20)
    answer = client.post("/open", json=goat(), headers={"Accept": "application/json"})
    assert "more than 20 are not played here" in answer.json()["data"]["error"]
    assert client.post("/open", content=b" " * (1 << 20) + b"{}").status_code == 413


def test_hostile_words_stay_words(client: TestClient) -> None:
    data = with_move(0, note=HOSTILE)
    data["bots"] = ["<script>alert(1)</script>"] * 4
    text = client.post("/open", json=data).text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
