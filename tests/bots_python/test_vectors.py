"""The Python SDK reads the recorded frames as every other SDK must: views, legal moves, starts and ends by name."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from arena_bot.cards import CROW, GOAT, ROOK, Names
from arena_bot.game import Game, read_result
from arena_bot.moves import Choose
from arena_bot.moves import text as text_of
from arena_bot.table import Table, open_turn
from arena_bot.v1 import arena_pb2 as pb
from arena_bot.v1 import goat_pb2, rook_pb2

FILE = Path(__file__).parents[1] / "vectors" / "frames.jsonl"
LINES = [json.loads(line) for line in FILE.read_text(encoding="ascii").splitlines()]
FROM_ARENA = [line for line in LINES if line["from"] == "arena"]
NAMES: dict[str, Names] = {"rook": ROOK, "crow": CROW, "goat": GOAT}
CARDS = {"hand", "nest", "discard", "played", "act_cards", "received"}
PHASES: dict[str, Any] = {"rook": rook_pb2.RookPhase, "goat": goat_pb2.GoatPhase}


def read_field(family: str, view: Any, key: str) -> Any:
    """One field of a view in words, null where it is absent."""
    names, value = NAMES[family], getattr(view, key)
    if key in CARDS:
        return [names.text(card) for card in value]
    if key == "trump_card":
        return names.text(value)
    if key in ("bidder", "trump") and family == "rook" and not view.HasField(key):
        return None
    if key == "trump":
        return names.suits[value]
    if key == "phase":
        return PHASES[family].Name(value).rpartition("_")[2].lower()
    if key == "acts":
        return [goat_pb2.GoatAct.Name(act).rpartition("_")[2].lower() for act in value]
    if key == "results" and family != "crow":
        return [read_result_of(result) for result in value]
    return list(value) if hasattr(value, "__len__") else value


def read_result_of(result: Any) -> dict[str, Any]:
    fields = {field.name: getattr(result, field.name) for field in result.DESCRIPTOR.fields}
    if "declarer" in fields and not result.HasField("declarer"):
        fields["declarer"] = None
    return {name: list(value) if hasattr(value, "__len__") else value for name, value in fields.items()}


def read_turn(game: Game, message: pb.Turn, expected: dict[str, Any]) -> dict[str, Any]:
    turn, _method = open_turn(game, message)
    family = expected["family"]
    view = getattr(message, family)
    legal = turn.legal
    names = NAMES[family]
    texts: Any = (
        {"choose": legal.size, "from": [names.text(card) for card in legal.cards], "kind": legal.kind}
        if isinstance(legal, Choose)
        else [text_of(move, names) for move in legal]
    )
    return {
        "event": "turn",
        "game": message.game,
        "turn": message.turn,
        "family": family,
        "view": {key: read_field(family, view, key) for key in expected["view"]},
        "legal": texts,
        "limit_ms": message.limit_ms if message.HasField("limit_ms") else None,
        "bank_ms": message.bank_ms if message.HasField("bank_ms") else None,
    }


@pytest.mark.parametrize("line", FROM_ARENA, ids=[line["name"] for line in FROM_ARENA])
def test_a_frame_of_the_arena_is_read_as_it_was_meant(line: dict[str, Any]) -> None:
    frame = pb.ArenaFrame.FromString(base64.b64decode(line["frame"]))
    assert len(frame.events) == len(line["events"])
    for event, expected in zip(frame.events, line["events"], strict=True):
        match event.WhichOneof("event"):
            case "turn":
                ruleset = {"rook": "crowsnest", "crow": "crow_and_pitcher", "goat": "goat"}[expected["family"]]
                seats = 3 if expected["family"] == "crow" and len(expected["view"]["scores"]) == 3 else 4
                start = pb.GameStart(game=event.turn.game, ruleset=ruleset, seats=seats, seat=event.turn.turn % seats)
                assert read_turn(Game(start), event.turn, expected) == expected
            case "game_start":
                game = Game(event.game_start)
                found = (game.number, game.ruleset, game.seat, game.seats, game.partner, str(game.start.seed))
                keys = ("game", "ruleset", "seat", "seats", "partner", "seed")
                assert found == tuple(expected[key] for key in keys)
                assert {name: json.loads(text) for name, text in event.game_start.options.items()} == expected[
                    "options"
                ]
            case "game_over":
                result = read_result(event.game_over)
                assert (list(result.scores), list(result.ranks)) == (expected["scores"], expected["ranks"])
                assert (result.verdict, result.reason) == (expected["verdict"], expected["reason"])
            case "goodbye":
                table = Table(lambda: pytest.fail("no game begins"))
                table.frame(base64.b64decode(line["frame"]))
                assert table.goodbye == expected["reason"]
            case which:
                assert which == expected["event"]


def test_a_hello_of_the_sdk_is_the_recorded_one_but_for_what_it_says_of_itself() -> None:
    [line] = [line for line in LINES if line["name"] == "hello"]
    frame = pb.BotFrame.FromString(Table(lambda: pytest.fail("no game begins")).hello("secret"))
    hello = frame.events[0].hello
    hello.sdk, hello.concurrent_games = "vectors 1", 8
    assert frame.SerializeToString() == base64.b64decode(line["frame"])
