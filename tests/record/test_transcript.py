"""Transcripts as JSON: there and back, and clear about what is wrong."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from record.games import a_transcript

from arena import __version__, games
from arena.core.errors import TranscriptError
from arena.record import transcript as transcripts
from arena.record.results import FaultClass, Verdict
from arena.record.transcript import Transcript

SHORT: dict[str, dict[str, Any]] = {"goat": {"max_deals": 1}, "crow_and_pitcher": {"rounds": 1}}


def one(game: str = "goat", faults: dict[int, str] | None = None) -> Transcript:
    return a_transcript(game, SHORT.get(game, {"max_hands": 1}), faults)


@pytest.mark.parametrize("game", games.catalog())
def test_a_transcript_is_read_back_whole(game: str) -> None:
    transcript = one(game, {3: "TIMEOUT", 6: "ILLEGAL"})
    again = transcripts.from_json(transcripts.to_json(transcript))
    assert again == transcript
    assert transcripts.to_json(again) == transcripts.to_json(transcript)
    assert transcripts.from_data(transcripts.to_data(transcript)) == transcript


def test_it_says_what_was_played_and_by_whom() -> None:
    data = transcripts.to_data(one("goat", {0: "CRASH"}))
    assert data["format"] == "arena.transcript/1"
    assert data["arena"] == __version__
    assert (data["game"], data["public_id"], data["bots"]) == ("goat", "cup-r1-b3", ["bot0", "bot1", "bot0", "bot1"])
    assert data["ruleset"]["max_deals"] == 1
    assert data["verdict"] == "forfeit"
    first = data["moves"][0]
    assert list(first) == ["seat", "move", "elapsed_ms", "view_key", "fault"]
    assert (first["elapsed_ms"], first["fault"], len(first["view_key"])) == (1, "CRASH", 16)
    assert data["moves"][2]["note"] == "my note"
    assert data["forfeits"] == [{"seat": first["seat"], "code": "CRASH"}]
    assert data["faults"][0] == {
        "seat": first["seat"],
        "code": "CRASH",
        "class": "F",
        "turn": 0,
        "elapsed_ms": 5000,
        "detail": "why",
    }


def test_empty_faults_notes_and_reasons_are_left_out() -> None:
    data = transcripts.to_data(one())
    assert "reason" not in data
    assert "fault" not in data["moves"][0]
    assert "note" not in data["moves"][0]
    assert (data["faults"], data["forfeits"]) == ([], [])


def test_values_are_typed_when_read() -> None:
    again = transcripts.from_json(transcripts.to_json(one("goat", {0: "CRASH"})))
    assert again.verdict is Verdict.FORFEIT
    assert again.faults[0].fault_class is FaultClass.FORFEIT
    assert again.moves[2].note == "my note"


GONE = object()


@pytest.mark.parametrize(
    ("path", "value", "where", "message"),
    [
        (["format"], "arena.transcript/2", "f: format", "format 'arena.transcript/2' cannot be read"),
        (["format"], GONE, "f", "'format' is missing"),
        (["game"], 5, "f: game", "game cannot be 5"),
        (["game_version"], GONE, "f", "'game_version' is missing"),
        (["ruleset"], [], "f: ruleset", "ruleset cannot be"),
        (["bots"], ["a", 2], "f: bots[1]", "cannot be 2"),
        (["bots"], "fox", "f: bots", "bots cannot be 'fox'"),
        (["deals"], [3], "f: deals[0]", "cannot be 3"),
        (["moves", 3], "pass", "f: moves[3]", "cannot be 'pass'"),
        (["moves", 3, "seat"], "1", "f: moves[3].seat", "seat cannot be '1'"),
        (["moves", 3, "seat"], -1, "f: moves[3].seat", "seat cannot be -1"),
        (["moves", 3, "seat"], True, "f: moves[3].seat", "seat cannot be True"),
        (["moves", 3, "move"], GONE, "f: moves[3]", "'move' is missing"),
        (["moves", 3, "elapsed_ms"], 1.5, "f: moves[3].elapsed_ms", "elapsed_ms cannot be 1.5"),
        (["moves", 3, "colour"], 1, "f: moves[3].colour", "unknown key 'colour'"),
        (["verdict"], "won", "f: verdict", "verdict cannot be 'won'"),
        (["scores"], [1, "2"], "f: scores[1]", "cannot be '2'"),
        (["ranks"], [0.5], "f: ranks[0]", "cannot be 0.5"),
        (["tiebreaks"], None, "f: tiebreaks", "tiebreaks cannot be None"),
        (["forfeits"], [{"seat": 1}], "f: forfeits[0]", "'code' is missing"),
        (["faults", 0, "class"], "Z", "f: faults[0].class", "class cannot be 'Z'"),
        (["faults", 0, "turn"], "x", "f: faults[0].turn", "turn cannot be 'x'"),
        (["extra"], 1, "f: extra", "unknown key 'extra'"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(path: list[Any], value: Any, where: str, message: str) -> None:
    data: Any = copy.deepcopy(transcripts.to_data(one("goat", {1: "TIMEOUT"})))
    spot = data
    for key in path[:-1]:
        spot = spot[key]
    if value is GONE:
        del spot[path[-1]]
    else:
        spot[path[-1]] = value
    with pytest.raises(TranscriptError) as caught:
        transcripts.from_json(json.dumps(data), where="f")
    assert caught.value.where == where
    assert message in caught.value.message
    assert caught.value.fix


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"x"', "null"])
def test_a_text_that_is_no_transcript(text: str) -> None:
    with pytest.raises(TranscriptError):
        transcripts.from_json(text, where="games/a.arena")


def test_a_long_value_is_cut_in_the_error() -> None:
    with pytest.raises(TranscriptError) as caught:
        transcripts.from_data({"format": "x" * 10, "arena": ["y" * 500]}, where="f")
    assert len(str(caught.value)) < 200
