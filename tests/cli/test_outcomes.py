"""What an event came to is told in the words of its format, and a series of several games by one name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.terminal import Ran, piped

CUP = """\
name = "spring"
games = ["crowsnest", "goat"]
bots = ["random", "basic"]
format = "knockout"
boards = 1
extra = 0
seed = "test"
"""
pytestmark = pytest.mark.xdist_group("outcomes")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("series")
    (folder / "cup.toml").write_text(CUP)
    return folder


@pytest.fixture(scope="module")
def ran(place: Path) -> Ran:
    found = piped("tournament", "run", "cup.toml", "-q", folder=place)
    assert found.status == 0, found.stderr
    return found


def test_a_dry_run_plans_every_game(place: Path) -> None:
    data = json.loads(piped("tournament", "run", "cup.toml", "--dry-run", "--json", folder=place).stdout)["data"]
    assert data["series"] == "spring"
    planned = [(each["name"], each["blocks"], each["exact"]) for each in data["tournaments"]]
    assert planned == [("spring-crowsnest", 1, False), ("spring-goat", 1, False)]


def test_a_run_ends_with_all_tables_the_combined_standing_and_who_won(ran: Ran) -> None:
    lines = ran.stdout.splitlines()
    assert [line.split(":")[0] for line in lines if line.endswith("; finished")] == ["spring-crowsnest", "spring-goat"]
    assert "spring: crowsnest, goat together" in lines
    assert any(line.startswith("combined: the mean of the ratings in all pools") for line in lines)
    for name in ("spring-crowsnest", "spring-goat"):
        assert any(line.startswith(f"{name} (knockout): ") and " wins the final " in line for line in lines)


def test_the_outcome_is_the_same_in_text_json_and_csv(place: Path, ran: Ran) -> None:
    assert ran.status == 0
    text = piped("tournament", "outcome", "spring", folder=place).stdout
    data = json.loads(piped("tournament", "outcome", "spring", "--json", folder=place).stdout)["data"]
    csv = piped("tournament", "outcome", "spring", "--csv", folder=place).stdout.splitlines()
    assert csv[0] == "tournament,place,bot,seed,won,lost,out"
    for each in data:
        [winner] = each["outcome"]["winners"]
        assert f"{each['tournament']} (knockout): {each['outcome']['words']}" in text
        assert any(line.startswith(f"{each['tournament']},1,{winner},") for line in csv)
        [final] = each["outcome"]["matches"]
        assert final["by"] in ("blocks", "swing", "seed")
        assert {row["bot"] for row in each["outcome"]["standing"]} == {"random", "basic"}


def test_a_series_has_one_status_one_rating_table_and_one_secret(place: Path, ran: Ran) -> None:
    assert ran.status == 0
    rows = json.loads(piped("tournament", "status", "spring", "--json", folder=place).stdout)["data"]
    assert [(row["name"], row["series"], row["state"]) for row in rows] == [
        ("spring-crowsnest", "spring", "finished"),
        ("spring-goat", "spring", "finished"),
    ]
    assert len({row["secret"] for row in rows}) == 1
    assert all(" wins the final " in row["outcome"] for row in rows)
    data = json.loads(piped("ratings", "spring", "--json", folder=place).stdout)["data"]
    assert [each["tournament"] for each in data["tournaments"]] == ["spring-crowsnest", "spring-goat"]
    assert {row["bot"] for row in data["combined"]["standings"]} == {"random", "basic"}
    refused = piped("ratings", "spring", "--explain", "basic", folder=place)
    assert refused.status == 2
    assert "spring-crowsnest, spring-goat" in refused.error()["fix"]


def test_it_goes_on_only_with_the_same_games(place: Path, ran: Ran) -> None:
    assert ran.status == 0
    again = piped("tournament", "run", "cup.toml", "-q", folder=place)
    assert (again.status, again.stdout) == (0, ran.stdout)
    (place / "other.toml").write_text(CUP.replace('"goat"]', '"one_high"]'))
    refused = piped("tournament", "run", "other.toml", folder=place)
    assert refused.status == 2
    assert "was begun with other games" in refused.error()["error"]
    assert refused.error()["code"].startswith("CHANGED")
