"""How often each version of a bot is at fault, told by `arena bot list` and `arena bot show` over all tournaments."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from cli.terminal import piped
from store.samples import forfeit, game, new_tournament

from arena.games import make
from arena.store.store import Store
from arena.tournament.quarantine import Quarantine

GAME = make("crowsnest", {"max_hands": 1})
CONFIG = {"boards": 4, "board_plan": "shared", "unit": "deal", "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0}}
OWL = "0" * 64


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rates")
    with Store.open(folder / ".arena") as store:
        store.register("owl", "9" * 64, {"name": "owl", "games": ["*"], "language": "go"})
        store.register("owl", OWL, {"name": "owl", "games": ["*"], "language": "go"})
        for name in ("spring", "autumn"):
            new = replace(new_tournament(name), ruleset=GAME.describe(), game_version=GAME.version, config=CONFIG)
            cup = store.create_tournament(new)
            store.add_games(cup.id, [forfeit(1, 1), game(1, 2)])
        reason = Quarantine("owl", 2, "3 forfeits in its last 9 games (CRASH)", (), ())
        store.add_quarantines(cup.id, [reason])
    return folder


def test_the_list_tells_faults_in_a_thousand_games_and_quarantines(place: Path) -> None:
    [row] = json.loads(piped("bot", "list", "--json", folder=place).stdout)["data"]
    assert (row["number"], row["played"], row["faults"]) == (2, 4, {"CRASH": 2, "LATE": 2})
    assert row["faults_per_1000"] == {"CRASH": 500, "LATE": 500}
    assert row["quarantined"] == ["autumn since round 2: 3 forfeits in its last 9 games (CRASH)"]
    text = piped("bot", "list", folder=place).stdout
    assert "CRASH 500, LATE 500" in " ".join(text.split())
    assert "quarantined: owl v2 in autumn since round 2: 3 forfeits in its last 9 games (CRASH)" in text
    [line] = csv.DictReader(io.StringIO(piped("bot", "list", "--csv", folder=place).stdout))
    assert (line["played"], line["faults"]) == ("4", "CRASH 2 LATE 2")


def test_a_version_that_never_played_has_no_rate(place: Path) -> None:
    _, first = sorted(
        json.loads(piped("bot", "list", "--all-versions", "--json", folder=place).stdout)["data"],
        key=lambda row: -row["number"],
    )
    assert (first["number"], first["played"], first["faults"], first["quarantined"]) == (1, 0, {}, [])


def test_a_bot_that_was_never_registered_has_rates_as_well(place: Path) -> None:
    shown = json.loads(piped("bot", "show", "fox", "--json", folder=place).stdout)["data"]
    assert shown["rates"] == {"f" * 64: {"played": 4, "faults": {}, "faults_per_1000": {}}}
    assert "ffffffffffff: 4 games, faults in a thousand: none" in piped("bot", "show", "fox", folder=place).stdout
    assert list(json.loads(piped("bot", "show", "owl", "--json", folder=place).stdout)["data"]["rates"]) == [OWL]
