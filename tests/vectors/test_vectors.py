"""The recorded frames are current, and complete enough for the SDKs to be tested by them."""

from __future__ import annotations

import asyncio
import json

from vectors.generate import FILE, all_lines

LINES = [json.loads(line) for line in FILE.read_text(encoding="ascii").splitlines()]
EVENTS = [event for line in LINES for event in line["events"]]


def test_the_frames_are_what_the_arena_sends_now():
    """Else: python tests/vectors/generate.py"""
    assert asyncio.run(all_lines()) == FILE.read_text(encoding="ascii").splitlines()


def test_every_kind_of_event_is_there():
    assert {event["event"] for event in EVENTS} == {
        "welcome",
        "game_start",
        "turn",
        "rejected",
        "game_over",
        "goodbye",
        "hello",
        "reply",
    }


def test_every_phase_of_every_family_is_there():
    phases = {(event["family"], event["view"].get("phase")) for event in EVENTS if event["event"] == "turn"}
    rook = {("rook", phase) for phase in ("auction", "discard", "trump", "play")}
    assert phases == rook | {("goat", phase) for phase in ("ask", "lead", "answer")} | {("crow", None)}


def test_every_first_word_of_a_move_is_answered_with():
    words = {event["move"].split(" ")[0] for event in EVENTS if "move" in event}
    assert words >= {"bid", "pass", "discard", "trump", "ROOK", "R4", "T10", "lead", "beat", "drop", "molodka"}
