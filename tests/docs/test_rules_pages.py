"""The rules pages name every field, with the defaults the rulesets have, and every game."""

import json
import re
from pathlib import Path

import pytest

from arena.core.options import to_data
from arena.games import catalog, make

PAGES = Path(__file__).parents[2] / "docs" / "rules"
PAGE_OF = {"rook": "rook.md", "crow": "crow_and_pitcher.md", "goat": "goat.md"}


def page(game: str) -> str:
    return (PAGES / PAGE_OF[type(make(game)).__module__.split(".")[2]]).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", catalog())
def test_every_ruleset_field_is_named_in_the_rules_page(game: str) -> None:
    named = set(re.findall(r"`([a-z_]+)", page(game)))
    assert set(to_data(make(game).ruleset)) - named == set()


@pytest.mark.parametrize("game", catalog())
def test_every_game_is_named_in_the_index_and_its_page_exists(game: str) -> None:
    assert f"`{game}`" in (PAGES / "README.md").read_text(encoding="utf-8")
    assert page(game)


@pytest.mark.parametrize("game", [game for game, variant in catalog().items() if variant.family == "rook"])
def test_the_table_of_the_rook_family_has_the_defaults_of_its_rulesets(game: str) -> None:
    cells = column(page(game), game)
    ruleset = to_data(make(game).ruleset)
    for name in ("trick_bonus", "last_bonus", "lowest_bid", "target"):
        assert cells[f"`{name}`"] == str(ruleset[name])
    assert cells["`hand` / `nest`"] == f"{ruleset['hand']} / {ruleset['nest']}"
    assert cells["`bid_step` / `highest_bid`"] == f"{ruleset['bid_step']} / {ruleset['highest_bid']}"
    assert cells["`made`: what a made bid scores"] == f"`{ruleset['made']}`"
    assert cells["`rook`"].startswith(json.dumps(ruleset["rook"]))
    assert cells["`red_one`"].startswith(json.dumps(ruleset["red_one"]))


def column(text: str, game: str) -> dict[str, str]:
    """The cells of a game's column, by the first cell of their row."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    place = next(row.index(f"`{game}`") for row in rows if row[0] == "id")
    return {row[0]: row[place] for row in rows if len(row) == 7}


@pytest.mark.parametrize("game", ["crow_and_pitcher", "goat"])
def test_simple_defaults_stand_beside_their_fields(game: str) -> None:
    options = page(game).split("## Options")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in options.splitlines() if line.startswith("| `")]
    stated = {row[0].strip().strip("`"): row[1].strip().strip("`") for row in rows}
    for name, value in to_data(make(game).ruleset).items():
        if isinstance(value, int | str):
            assert stated[name] == str(value)
