"""The Java template: its own tests pass, its copy of the protocol is current, and it plays every game."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from arena_bot.v1 import arena_pb2 as pb
from bots_python import messages as m
from bots_python.loopback import Wire
from languages import streams
from languages.built import ROOT, TEMPLATES, VECTORS, built, run, steps
from languages.playing import RULESETS, against, make, moves, play

from arena.bots.manifest import Bot, find_bot, read_bot

SOURCE = TEMPLATES / "java"
PAGE = (ROOT / "docs" / "write-a-bot-java.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```java\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
PROGRAMS = [block for block in BLOCKS if block.startswith("package bot;")]
STRATEGY = "src/main/java/bot/MyBot.java"

pytestmark = [pytest.mark.needs("javac"), pytest.mark.needs("mvn"), pytest.mark.xdist_group("java")]


@cache
def bot() -> Bot:
    return built("java")


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what was built, to work in."""
    folder = tmp_path_factory.mktemp("java") / "bot"
    shutil.copytree(bot().folder, folder)
    return folder


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[Bot]:
    """The bots of the page, compiled beside the template's classes."""
    return [compiled(text, tmp_path_factory.mktemp(f"page{number}")) for number, text in enumerate(PROGRAMS)]


def compiled(text: str, folder: Path) -> Bot:
    """A bot whose strategy is this text, with the SDK of the built template."""
    (folder / "MyBot.java").write_text(text, encoding="utf-8")
    jar = bot().folder / "target" / "bot.jar"
    run(["javac", "-Xlint:all", "-Werror", "-d", ".", "-cp", str(jar), "MyBot.java"], folder)
    start = [*bot().command[: bot().command.index("-jar")], "-cp", f".:{jar}", "bot.MyBot"]
    shown = ", ".join(f'"{word}"' for word in start)
    (folder / "bot.toml").write_text(f'name = "page"\ngames = ["*"]\ncommand = [{shown}]\nconcurrent_games = 32\n')
    return read_bot(folder)


def cases_of(folder: Path) -> dict[str, list[ElementTree.Element]]:
    """By class: the tests that Maven ran."""
    found: dict[str, list[ElementTree.Element]] = {}
    for file in (folder / "target" / "surefire-reports").glob("*.xml"):
        for case in ElementTree.parse(file).iter("testcase"):
            found.setdefault(case.attrib["classname"], []).append(case)
    return found


def test_its_own_tests_pass(copied: Path) -> None:
    run(["mvn", "-q", "-B", "test"], copied, {"ARENA_VECTORS": str(VECTORS)})
    found = cases_of(copied)
    assert len(found["arena.sdk.VectorsTest"]) == len(VECTORS.read_text(encoding="ascii").splitlines())
    assert found.keys() > {"bot.MyBotTest", "arena.sdk.RulesTest", "arena.sdk.TableTest"}
    assert [case for cases in found.values() for case in cases if len(case)] == [], "failed or passed over"


def test_without_the_recorded_frames_one_test_says_so(copied: Path) -> None:
    shutil.rmtree(copied / "target" / "surefire-reports", ignore_errors=True)
    run(["mvn", "-q", "-B", "-Dtest=VectorsTest", "test"], copied)
    ((passed_over,),) = cases_of(copied).values()
    skipped = passed_over.find("skipped")
    assert skipped is not None
    assert "name the file frames.jsonl in ARENA_VECTORS" in (skipped.text or "")


def test_it_compiles_without_a_warning(tmp_path: Path) -> None:
    classes = f"{bot().folder}/target/classes:{bot().folder}/target/bot.jar"
    files = [str(file) for file in sorted((SOURCE / "src" / "main").rglob("*.java"))]
    assert run(["javac", "-Xlint:all", "-Werror", "-d", str(tmp_path), "-cp", classes, *files], tmp_path) == ""
    long = [line for file in SOURCE.rglob("src/**/*.java") for line in file.read_text().splitlines() if len(line) > 120]
    assert long == []


def test_its_copy_of_the_protocol_is_current() -> None:
    copies = {file.name: file.read_bytes() for file in (SOURCE / "src" / "main" / "proto").rglob("*.proto")}
    assert copies == {file.name: file.read_bytes() for file in (ROOT / "protos").rglob("*.proto")}


def test_the_strategy_is_one_short_file() -> None:
    assert len((SOURCE / STRATEGY).read_text(encoding="utf-8").splitlines()) < 200
    assert sorted(path.name for path in SOURCE.iterdir() if path.is_file()) == [
        ".gitignore",
        "README.md",
        "bot.toml",
        "pom.xml",
    ]


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


def test_it_beats_random_in_one_high() -> None:
    game = make("one_high")
    played = play(game, (bot(), find_bot("random")), boards=20)
    won = sum(stored.result.scores[0] > stored.result.scores[1] for stored in played)
    assert won >= 17


def test_it_answers_frames_and_leaves_at_goodbye(tmp_path: Path) -> None:
    streams.check_a_session(bot(), tmp_path)


def test_it_leaves_when_the_stream_ends_or_fails(tmp_path: Path) -> None:
    streams.check_the_end_of_the_stream(bot(), tmp_path)
    streams.check_a_lost_connection(bot(), tmp_path)
    streams.check_no_address(bot())


def test_an_illegal_move_ends_it_with_what_was_legal(tmp_path: Path) -> None:
    method = "@Override public arena.sdk.Move play(arena.sdk.RookTurn turn) { return arena.sdk.Move.play(6); }"
    wrong = compiled(PROGRAMS[0].replace("  public static", f"  {method}\n  public static"), tmp_path)

    async def script(wire: Wire) -> None:
        await wire.receive()
        for message in (m.start(1), m.rook(4, m.plays(5, 26), game=1, turn=3)):
            await wire.send(*pb.ArenaFrame.FromString(m.frame(message)).events)
        assert await wire.closed()

    status, said = streams.talk(wrong, tmp_path, script)
    assert status == 1, said
    assert re.search(r"MyBot, game 1 \(.*\), turn 3: returned B6, which is not legal; legal: B5, G10", said)


def test_a_change_takes_effect_and_needs_no_network(copied: Path) -> None:
    strategy = copied / STRATEGY
    text = strategy.read_text(encoding="utf-8")
    changed = text.replace("turn.trick().isEmpty() ?", "!turn.cards().isEmpty() ?")
    assert changed != text
    strategy.write_text(changed, encoding="utf-8")
    (step,) = steps(SOURCE)
    run([*step, "-o"], copied)
    game = make("one_high").single_deal()
    before, after = (play(game, (each,) * 2, boards=3) for each in (bot(), read_bot(copied)))
    assert [stored.result.scores for stored in before] != [stored.result.scores for stored in after]


def test_the_manifest_of_the_page_is_the_template_s() -> None:
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert block == (SOURCE / "bot.toml").read_text(encoding="utf-8")


def test_the_test_of_the_page_passes(programs: list[Bot], tmp_path: Path) -> None:
    """The page's test holds for the page's bot; it is run as a program, without a test runner."""
    (block,) = [block for block in BLOCKS if "@Test" in block]
    body = block[block.index("{") + 1 : block.rindex("}")]
    imports = ["arena.sdk.*", "arena.v1.ArenaOuterClass.GameStart", "arena.v1.ArenaOuterClass.Legal", "arena.v1.Goat.*"]
    text = (
        "package bot;\n"
        + "".join(f"import {name};\n" for name in [*imports, "arena.v1.ArenaOuterClass.Turn", "java.util.List"])
        + "class Page { static void assertEquals(long a, long b) { if (a != b) throw new AssertionError(b); }\n"
        + f"public static void main(String[] arguments) {{ {body} }} }}\n"
    )
    (tmp_path / "Page.java").write_text(text, encoding="utf-8")
    classes = f"{programs[-1].folder}:{bot().folder}/target/bot.jar"
    run(["javac", "-d", ".", "-cp", classes, "Page.java"], tmp_path)
    assert run(["java", "-cp", f".:{classes}", "bot.Page"], tmp_path) == ""


def test_the_page_names_what_the_sdk_has() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("arena/sdk/*.java")))
    named = {*re.findall(r"`turn\.(\w+)\(", PAGE), *re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE)}
    assert len(named) > 25
    for name in named:
        assert re.search(rf"\b{name}\(", code), name


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
@pytest.mark.parametrize("name", ["crowsnest", "goat", "crow-three"])
def test_every_bot_of_the_page_plays(programs: list[Bot], number: int, name: str) -> None:
    game = make(name).single_deal()
    (played,) = play(game, against(game, programs[number], "random"))
    assert played.result.verdict.value == "finished"
