"""Simulated games: the documented format, the same for the same seed, read back by the rules."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import jsonschema
import pytest

from arena import games
from arena.core.chance import Chance
from arena.core.errors import TranscriptError
from arena.record import simulate

IDS = list(games.catalog())
SHORT: dict[str, dict[str, Any]] = {"goat": {"max_deals": 2}, "crow_and_pitcher": {"rounds": 2}}
VALIDATOR = jsonschema.Draft202012Validator(simulate.schema())


def lines(game: str, seed: str | int = 7, count: int = 2, views: bool = False) -> list[dict[str, Any]]:
    return list(simulate.simulate(games.make(game, SHORT.get(game, {"max_hands": 2})), seed, count, views))


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize("game", IDS)
def test_every_line_obeys_the_schema_and_the_rules(game: str, views: bool) -> None:
    for data in lines(game, views=views):
        text = simulate.line(data)
        assert "\n" not in text
        assert json.loads(text) == data
        VALIDATOR.validate(data)
        rules, state = simulate.check_line(text)
        assert rules.scores(state) == tuple(data["scores"])
        assert all(("view" in move) == views for move in data["moves"])


def test_the_schema_itself_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(simulate.schema())


def test_one_seed_gives_one_file_whatever_its_length() -> None:
    assert lines("goat", "a", 3)[:2] == lines("goat", "a", 2)
    assert lines("goat", 7, 1) == lines("goat", "7", 1)
    assert lines("goat", "a", 1) != lines("goat", "b", 1)
    assert len({data["seed"] for data in lines("goat", "a", 5)}) == 5


def test_views_change_nothing_else() -> None:
    plain, seen = lines("buckeye"), lines("buckeye", views=True)
    for data in seen:
        for move in data["moves"]:
            assert move.pop("view")["seat"] == move["seat"]
    assert plain == seen


def test_the_seed_of_a_line_is_the_documented_one() -> None:
    game = games.make("goat")
    secret = hashlib.sha256(b"arena simulate xyz").digest()
    text = "\x1f".join(["goat", game.describe(), "4"]).encode()
    expected = hmac.new(secret, text, "sha256").digest()
    data = list(simulate.simulate(game, "xyz", 5))[4]
    assert data["seed"] == expected.hex()
    first = data["moves"][0]
    assert first["move"] == first["legal"][Chance(expected, "moves").below(len(first["legal"]))]


def changed(path: list[Any], value: Any) -> str:
    data = lines("tournament", views=True, count=1)[0]
    spot = data
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    return simulate.line(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["game"], "whist"),
        (["game"], "goat"),
        (["ruleset", "hand"], 8),
        (["deals"], []),
        (["moves", 0, "move"], "bid 71"),
        (["moves", 0, "move"], "hello"),
        (["moves", 0, "seat"], 9),
        (["moves", 0, "legal"], ["pass"]),
        (["moves", 3, "view", "hand"], []),
        (["moves"], []),
        (["scores"], [1, 2, 1, 2]),
        (["ranks"], [0, 0, 0, 0]),
        (["moves", 0], "pass"),
    ],
)
def test_a_line_that_the_rules_do_not_give_is_refused(path: list[Any], value: Any) -> None:
    with pytest.raises(TranscriptError):
        simulate.check_line(changed(path, value), where="line 1")


@pytest.mark.parametrize("text", ["", "{}", "[]", "{", "null"])
def test_a_text_that_is_no_simulated_game(text: str) -> None:
    with pytest.raises(TranscriptError, match="no simulated game"):
        simulate.check_line(text, where="line 1")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["seed"], "xyz"),
        (["moves", 0, "legal"], {"choose": 5}),
        (["scores"], [1.5, 2]),
        (["extra"], 1),
        (["deals"], []),
    ],
)
def test_the_schema_refuses_other_shapes(path: list[Any], value: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(json.loads(changed(path, value)))
