"""The bots without protobuf: their own tests, every game through the bridge, the recorded JSON lines, the page."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from arena_bot.json_lines import read_event, to_data
from arena_bot.v1 import arena_pb2 as pb
from google.protobuf import json_format
from languages.built import ROOT, TEMPLATES, VECTORS, built_folder, run
from languages.playing import RULESETS, against, alone, make, moves, play
from runner.bouts import PATIENT, SECRET
from vectors.generate_json import JSON_FILE, json_lines

from arena.bots.manifest import Bot, find_bot
from arena.record.results import FaultClass, Verdict
from arena.runner.single import Single, play_single, seat_bots

BOTS = [
    pytest.param("perl", marks=[pytest.mark.needs("perl"), pytest.mark.needs("prove")]),
    pytest.param("lua", marks=pytest.mark.needs("lua5.4")),
]
RUNNERS = {"perl": ["prove", "-l", "-v"], "lua": ["lua5.4", "test.lua"]}
PAGE = (ROOT / "docs" / "write-a-bot-jsonl.md").read_text(encoding="utf-8")


def sample(name: str) -> Bot:
    return built_folder(TEMPLATES / "jsonl" / name)


# --- the sample bots --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOTS)
def test_the_bot_s_own_tests_pass_and_read_the_recorded_frames(name: str) -> None:
    said = run(RUNNERS[name], TEMPLATES / "jsonl" / name, {"ARENA_VECTORS": str(VECTORS)})
    assert "not run" not in said
    assert "skip" not in said.lower()


@pytest.mark.parametrize("name", BOTS)
def test_a_copy_elsewhere_says_that_there_are_no_recorded_frames(name: str) -> None:
    said = run(RUNNERS[name], sample(name).folder, {"ARENA_VECTORS": "nowhere.jsonl"})
    assert "no recorded frames in nowhere.jsonl" in said


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize("name", BOTS)
def test_every_game_is_played_without_a_fault(name: str, rules: str) -> None:
    game = make(rules).single_deal()
    [played] = play(game, against(game, sample(name)))
    assert played.result.verdict is Verdict.FINISHED


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seeds_are_played_alike_one_at_a_time_or_many_at_once(name: str) -> None:
    game = make("goat").single_deal()
    bot = sample(name)
    together = moves(play(game, against(game, bot), 8))
    assert together == moves(play(game, against(game, alone(bot, bot.name)), 8))


@pytest.mark.needs("perl")
def test_the_perl_bot_beats_random_play_at_goat() -> None:
    game = make("goat")
    played = play(game, against(game, sample("perl"), "random"), 10)
    assert sum(each.result.scores[0] > each.result.scores[1] for each in played) >= 8


@pytest.mark.parametrize("name", ["perl", "lua"])
def test_the_folder_is_small_and_its_manifest_says_json_lines(name: str) -> None:
    folder = TEMPLATES / "jsonl" / name
    files = [path.name for path in folder.iterdir() if path.is_file()] + [path.name for path in folder.glob("t/*")]
    assert len(files) <= 5
    assert {"README.md", "bot.toml"} <= set(files)
    assert find_bot(str(folder)).protocol == "jsonl"


# --- the recorded JSON lines ------------------------------------------------------------------------------------------


def test_the_recorded_json_lines_belong_to_the_recorded_frames() -> None:
    """Else: python tests/vectors/generate_json.py"""
    assert list(json_lines()) == JSON_FILE.read_text(encoding="ascii").splitlines()


# --- the referee's view of what a bot writes --------------------------------------------------------------------------

UNRULY = """
import json, sys
print("ready", flush=True)  # before anything is asked: harms nobody
strikes = 0
for line in sys.stdin:
    turn = json.loads(line).get("turn")
    if turn is None:
        continue
    strikes += 1
    if strikes <= 2:
        print(sys.argv[1] % (turn["game"], turn["turn"]) + " " * int(sys.argv[2]), flush=True)
        continue
    choose = turn["legal"].get("choose")
    answer = {"choice": 0} if not choose else {"move": {"discard": {"cards": choose["cards"][: choose["count"]]}}}
    print(json.dumps({"reply": {"game": turn["game"], "turn": turn["turn"], **answer}}), flush=True)
"""


@pytest.mark.parametrize(
    ("line", "padding", "code"),
    [
        ("thinking about %d %d", 0, "MALFORMED"),
        ('{"reply":{"game":%d,"turn":%d,"choice":"first"}}', 0, "MALFORMED"),
        ('{"reply":{"game":%d,"turn":%d}}', 0, "MALFORMED"),
        ('{"reply":{"game":%d,"turn":%d,"choice":-1}}', 0, "ILLEGAL"),
        ('{"reply":{"game":%d,"turn":%d,"choice":0}}', 300_000, "OVERSIZE"),
    ],
)
def test_a_wrong_line_costs_the_turn_and_no_more(tmp_path: Path, line: str, padding: int, code: str) -> None:
    (tmp_path / "main.py").write_text(UNRULY)
    (tmp_path / "bot.toml").write_text('name = "unruly"\nprotocol = "jsonl"\ncommand = ["python3", "main.py"]\n')
    unruly = replace(find_bot(str(tmp_path)), command=("python3", "main.py", line, str(padding)))
    game = make("crowsnest").single_deal()
    bots = seat_bots(game, (unruly, find_bot("basic")))
    [played] = asyncio.run(play_single(Single(game, bots, SECRET, 1, PATIENT)))
    faults = [fault for fault in played.result.faults if fault.seat == 0]
    assert [(fault.code, fault.fault_class) for fault in faults] == [(code, FaultClass.DECISION)] * 2
    assert played.result.verdict is Verdict.FINISHED


# --- the page ---------------------------------------------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_every_event_of_the_page_is_what_the_bridge_writes() -> None:
    shown = [json.loads(line) for line in blocks("json")[0].splitlines()]
    assert [next(iter(event)) for event in shown] == [
        "welcome",
        "gameStart",
        "turn",
        "turn",
        "rejected",
        "gameOver",
        "goodbye",
    ]
    for event in shown:
        message = json_format.ParseDict(event, pb.ArenaEvent())
        assert to_data(message) == event


def test_every_line_of_the_page_that_a_bot_writes_is_read() -> None:
    shown = blocks("json")[1].splitlines()
    kinds = set()
    for line in shown:
        event, complaint = read_event(line.encode())
        assert complaint == ""
        if event.reply.WhichOneof("answer") == "move":
            kinds.add(event.reply.move.WhichOneof("kind"))
    assert kinds == {field.name for field in pb.Move.DESCRIPTOR.fields}


@pytest.mark.parametrize("rules", RULESETS)
def test_the_bot_of_the_page_plays_every_game(tmp_path: Path, rules: str) -> None:
    [program], [manifest] = blocks("python"), blocks("toml")
    (tmp_path / "bot.py").write_text(program)
    (tmp_path / "bot.toml").write_text(manifest)
    game = make(rules).single_deal()
    play(game, against(game, find_bot(str(tmp_path))))
