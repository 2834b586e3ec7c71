"""The Go template: its own tests pass, its generated code is current, and it plays every game."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest
from languages import streams
from languages.built import ROOT, TEMPLATES, VECTORS, built, built_folder, copy, run, steps
from languages.playing import RULESETS, against, make, moves, play

from arena.bots.manifest import Bot, find_bot

SOURCE = TEMPLATES / "go"
PAGE = (ROOT / "docs" / "write-a-bot-go.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```go\n(package main\n.*?)^```", PAGE, re.DOTALL | re.MULTILINE)

pytestmark = [pytest.mark.needs("go"), pytest.mark.xdist_group("go")]


@cache
def bot() -> Bot:
    return built("go")


@cache
def program(number: int) -> Bot:
    """A bot of the page, in the template's folder."""
    return built_folder(SOURCE, {"main.go": PROGRAMS[number]}, ("main_test.go",))


def test_its_own_tests_pass() -> None:
    said = run(["go", "test", "-count=1", "-v", "./..."], bot().folder, {"ARENA_VECTORS": str(VECTORS)})
    assert said.count("--- PASS: TestVectors/") == len(VECTORS.read_text(encoding="ascii").splitlines())
    assert "SKIP" not in said


def test_without_the_recorded_frames_one_test_says_so() -> None:
    said = run(["go", "test", "-count=1", "-v", "./sdk"], bot().folder)
    assert re.findall(r"--- SKIP: (\w+)", said) == ["TestVectors"]
    assert "name the file frames.jsonl in ARENA_VECTORS" in said


def test_it_is_formatted_and_vetted() -> None:
    assert run(["gofmt", "-l", "."], bot().folder) == ""
    assert run(["go", "vet", "./..."], bot().folder) == ""
    run(["go", "mod", "verify"], bot().folder)


@pytest.mark.needs("grpc_tools")
def test_generated_code_is_current(tmp_path: Path) -> None:
    run([str(SOURCE / "sdk" / "generate"), str(ROOT / "protos"), sys.executable, str(tmp_path)], SOURCE)
    fresh = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert fresh == {file.name: file.read_text() for file in (SOURCE / "sdk" / "v1").iterdir()}


def test_the_strategy_is_one_short_file() -> None:
    assert len((SOURCE / "main.go").read_text(encoding="utf-8").splitlines()) < 200
    assert sorted(path.name for path in SOURCE.iterdir() if path.is_file() and path.name != "bot") == [
        ".gitignore",
        "README.md",
        "bot.toml",
        "go.mod",
        "go.sum",
        "main.go",
        "main_test.go",
    ]
    assert steps(SOURCE) == [["go", "build", "-buildvcs=false", "-o", "bot", "."]]


@pytest.mark.parametrize("name", RULESETS)
def test_it_plays_every_game(name: str) -> None:
    game = make(name)
    (played,) = play(game, against(game, bot()))
    assert played.result.verdict.value == "finished"


def test_it_plays_the_same_moves_again_one_at_a_time_or_many() -> None:
    game = make("goat").single_deal()
    many = play(game, (bot(), bot()), boards=12)
    assert len(many) == 12
    assert moves(many) == moves([*play(game, (bot(), bot()), boards=6), *many[6:]])


def test_it_beats_random_in_goat() -> None:
    game = make("goat").single_deal()
    played = play(game, (bot(), find_bot("random")), boards=40)
    won = sum(stored.result.scores[0] > stored.result.scores[1] for stored in played)
    assert won >= 32


def test_it_answers_frames_and_leaves_at_goodbye(tmp_path: Path) -> None:
    streams.check_a_session(bot(), tmp_path)


def test_it_leaves_when_the_stream_ends_or_fails(tmp_path: Path) -> None:
    streams.check_the_end_of_the_stream(bot(), tmp_path)
    streams.check_a_lost_connection(bot(), tmp_path)
    streams.check_no_address(bot())


def test_the_manifest_of_the_page_is_the_template_s() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert block == (SOURCE / "bot.toml").read_text(encoding="utf-8")


def test_the_test_of_the_page_passes(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```go\n(func Test.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    head = (SOURCE / "main_test.go").read_text(encoding="utf-8").split("// ask")[0]
    copy(SOURCE, tmp_path)
    (tmp_path / "main_test.go").write_text(head + block, encoding="utf-8")
    assert "--- PASS: TestTakesTheTen" in run(["go", "test", "-v", "."], tmp_path)


def test_the_page_names_what_the_sdk_has() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (SOURCE / "sdk").glob("*.go"))
    for name in {*re.findall(r"`sdk\.(\w+)", PAGE), *re.findall(r"`turn\.(\w+)", PAGE)}:
        assert re.search(rf"^(func (\([^)]*\) )?|type |\t){name}\b|^\t[\w, ]*\b{name}\b", code, re.MULTILINE), name
    assert len(PROGRAMS) == 2


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
@pytest.mark.parametrize("name", ["crowsnest", "goat", "crow-three"])
def test_every_bot_of_the_page_plays(number: int, name: str) -> None:
    game = make(name).single_deal()
    (played,) = play(game, against(game, program(number), "random"))
    assert played.result.verdict.value == "finished"
