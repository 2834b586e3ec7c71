import json
import subprocess
import sys

import jsonschema
from rating.fields import FOUR, MATCHES, PAIRS, free_for_all, pair_block, ring, round_robin

from arena.rating import (
    change_to_data,
    combined,
    combined_to_data,
    crosstable,
    online,
    structure,
    structure_to_data,
    table,
    table_to_data,
)
from arena.rating.blocks import blocks

NUMBER, WHOLE, TEXT = {"type": "number"}, {"type": "integer"}, {"type": "string"}
MAYBE = {"type": ["number", "null"]}
GROUPS = {"type": "array", "items": {"type": "array", "items": TEXT}}


def an_object(properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


STANDING = an_object(
    {
        "place": TEXT,
        "place_low": WHOLE,
        "place_high": WHOLE,
        "bot": TEXT,
        "rating": NUMBER,
        "rating_low": MAYBE,
        "rating_high": MAYBE,
        "sigma": NUMBER,
        "points_per_block": NUMBER,
        "points_low": MAYBE,
        "points_high": MAYBE,
        "wins": WHOLE,
        "draws": WHOLE,
        "losses": WHOLE,
        "blocks": WHOLE,
        "games": WHOLE,
        "faults": WHOLE,
        "opponents": WHOLE,
        "provisional": {"type": "array", "items": TEXT},
        "p_best": MAYBE,
        "part": WHOLE,
    }
)
POOL = an_object(
    dict.fromkeys(("id", "name", "game", "ruleset", "kind", "unit", "clock"), TEXT)
    | {"sides": {"type": "array", "items": {"type": "array", "items": WHOLE}}}
    | {"seatings": WHOLE, "remote": {"type": "boolean"}}
)
CELL = an_object({"swing": NUMBER, "blocks": WHOLE, "superiority": MAYBE, "grey": {"type": "boolean"}})
CROSS = an_object(
    {
        "bots": {"type": "array", "items": TEXT},
        "cells": {"type": "array", "items": {"type": "array", "items": {"anyOf": [CELL, {"type": "null"}]}}},
    }
)
TABLE = an_object(
    {
        "pool": POOL,
        "blocks": WHOLE,
        "incomplete_blocks": WHOLE,
        "boards": WHOLE,
        "draw_probability": NUMBER,
        "resamples": WHOLE,
        "quarantined": {"type": "array", "items": an_object({"bot": TEXT, "reason": TEXT})},
        "disabled": {"type": "array", "items": an_object({"bot": TEXT, "reason": TEXT, "at": TEXT})},
        "standings": {"type": "array", "items": STANDING},
        "parts": GROUPS,
        "clones": GROUPS,
        "families": {"type": "object", "additionalProperties": {"type": "array", "items": TEXT}},
        "unrated": {"type": ["string", "null"]},
        "crosstable": CROSS,
    }
)


def test_tables_are_json_of_a_fixed_shape():
    for rows, pool in (
        (round_robin({"a": 5, "b": 0, "c": -9}, 12), PAIRS),
        (free_for_all(dict.fromkeys("abcde", 0), 12), FOUR),
        (pair_block(1, "fox", "owl", 3), PAIRS),
        ([], PAIRS),
    ):
        data = table_to_data(table(rows, pool, resamples=50), crosstable(rows, pool))
        jsonschema.validate(json.loads(json.dumps(data, allow_nan=False)), TABLE)


def test_a_change_of_the_live_rating_is_json():
    (change,) = online(blocks(pair_block(3, "fox", "owl", 3), PAIRS), PAIRS)
    data = json.loads(json.dumps(change_to_data(change)))
    assert (data["block"], data["board"]) == ("r0-b3-t0", 3)
    assert data["bots"][0] == {
        "bot": "fox",
        "score": 3,
        "swing": 3,
        "rank": 0,
        "before": {"mu": 25, "sigma": 25 / 3},
        "after": change.after[0]._asdict(),
        "outcome": "win",
        "chance": change.outcome("fox").chance,
        "surprising": False,
    }


def test_what_pairs_say_beyond_ratings_is_json():
    done = structure(table(ring(60), PAIRS, resamples=200))
    data = json.loads(json.dumps(structure_to_data(done), allow_nan=False))
    assert list(data) == ["p_value", "nontransitive", "cycle", "nash"]
    assert data["nontransitive"]
    assert list(data["cycle"]) == ["bots", "shares", "superiority"]
    assert set(data["nash"]) == set(data["cycle"]["bots"])
    assert structure_to_data(None) is None


def test_a_combined_standing_is_json():
    tables = [
        table(round_robin(dict(zip("abc", (9, 0, -9), strict=True)), 12), pool, resamples=50)
        for pool in (PAIRS, MATCHES)
    ]
    data = json.loads(json.dumps(combined_to_data(combined(tables)), allow_nan=False))
    assert [pool["boards"] for pool in data["pools"]] == [12, 12]
    assert [row["bot"] for row in data["standings"]] == ["a", "b", "c"]
    assert data["missing"] == []


def test_importing_ratings_loads_neither_numpy_nor_trueskill():
    code = "import sys, arena.rating; print([name for name in ('numpy', 'trueskill', 'scipy') if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
