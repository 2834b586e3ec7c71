"""Every tab of an event of every format is a page, and its CSV and JSON have the rows of its table."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from web.tournament.events import BOTS, FORMATS, event

from arena.web.site import Site

TABS = ("", "/cross", "/boards", "/schedule", "/faults", "/files")


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def data_of(client: TestClient, path: str) -> Any:
    found = client.get(path)
    assert found.status_code == 200, found.text
    return found.json()["data"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_tab_of_every_format(client: TestClient, site: Site, name: str) -> None:
    keys = {"format": name, **FORMATS[name]}
    event(site.store, name.replace("_", "-"), **keys)
    path = f"/t/{name.replace('_', '-')}"
    for tab in TABS:
        page = client.get(path + tab)
        assert page.status_code == 200, tab
        assert "style=" not in page.text
        part = client.get(f"{path}{tab}?part=live")
        assert part.status_code == 200
        assert "<html" not in part.text
        assert part.text.strip() in page.text
    table = client.get(path).text
    for bot in BOTS:
        if name != "partner_pool" or bot != "hare":
            assert f"<bdi>{bot}</bdi>" in table
    assert "finished" in table
    for tab, key in (("", "standings"), ("/cross", "pairs"), ("/boards", "boards"), ("/schedule", "rounds"),
                     ("/schedule?round=1", "lineups"), ("/faults", "faults")):  # fmt: skip
        start, _, query = tab.partition("?")
        text = client.get(f"{path}{start}.csv?{query}").text
        data = data_of(client, f"{path}{start}.json?{query}")[key]
        assert len(rows_of(text)) == len(data)
        assert tab == "/faults" or data or (name == "partner_pool" and tab == ""), tab
        if data:
            assert list(rows_of(text)[0]) == list(data[0])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gauntlet", "fox took"),
        ("swiss", "Buchholz"),
        ("knockout", "fox wins the final"),
        ("double_knockout", "winners&#39; "),
        ("sequential", "Stronger: yes"),
        ("partner_pool", "With strangers"),
        ("ladder", "every round has a secret of its own"),
    ],
)
def test_what_a_format_says_beyond_its_table(client: TestClient, site: Site, name: str, words: str) -> None:
    event(site.store, "cup", format=name, **FORMATS[name])
    assert words in client.get("/t/cup").text


def test_a_bracket_is_drawn_with_all_its_matches(client: TestClient, site: Site) -> None:
    event(site.store, "cup", format="knockout", most_rounds=1)
    text = client.get("/t/cup").text
    assert text.count('<ol class="stage">') == 2
    assert text.count('<li class="match') == 3
    assert text.count("to be known") == 0
    assert "still to be played" in text


def test_partners_stand_with_the_pairs(client: TestClient, site: Site) -> None:
    event(site.store, "cup", format="mixed_partners")
    text = client.get("/t/cup/cross").text
    assert "Beyond their strengths" in text
    assert text.count(" + <a href=") == 6
