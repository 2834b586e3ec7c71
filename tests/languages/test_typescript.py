"""The TypeScript template: its own tests pass, its protocol files are current, and it plays every game."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path

import pytest
from languages import streams
from languages.built import ROOT, TEMPLATES, VECTORS, built, copy, files, run, steps
from languages.playing import RULESETS, against, alone, make, play

from arena.bots.manifest import Bot, find_bot, read_bot
from arena.store.values import StoredGame

SOURCE = TEMPLATES / "typescript"
PAGE = (ROOT / "docs" / "write-a-bot-typescript.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```ts\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
PROGRAMS = [block for block in BLOCKS if "export default class" in block]

pytestmark = [pytest.mark.needs("node"), pytest.mark.needs("npm"), pytest.mark.xdist_group("typescript")]


@cache
def bot() -> Bot:
    return built("typescript")


def compiled(folder: Path, changed: dict[str, str], without: tuple[str, ...] = ()) -> Path:
    """The template with other files, compiled with the packages that the template was built with."""
    copy(SOURCE, folder)
    for name, text in changed.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in without:
        (folder / name).unlink()
    shutil.copy(bot().folder / "bot.toml", folder)
    (folder / "node_modules").symlink_to(bot().folder / "node_modules")
    run(["npm", "run", "build"], folder)
    return folder


@pytest.fixture(scope="module", params=range(len(PROGRAMS)))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bot:
    """A bot of the page, in the template's folder."""
    folder = tmp_path_factory.mktemp("program")
    return read_bot(compiled(folder, {"bot.ts": PROGRAMS[request.param]}, ("bot.test.ts",)))


def moves(played: list[StoredGame], seats: range = range(4)) -> list[list[tuple[int, str, str]]]:
    """What some seats did and noted, game by game."""
    return [
        [
            (move["seat"], move["move"], move.get("note", ""))
            for move in stored.result.transcript["moves"]
            if move["seat"] in seats
        ]
        for stored in played
    ]


def own_tests(folder: Path, vectors: Path | None = None) -> str:
    scripts = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))["scripts"]
    assert scripts["test"].startswith("tsc && node --test ")  # compiled already; the runner's form is fixed here
    patterns = scripts["test"].split()[4:]
    names = [str(path.relative_to(folder)) for pattern in patterns for path in sorted(folder.glob(pattern))]
    variables = {"ARENA_VECTORS": str(vectors)} if vectors is not None else {}
    return run(["node", "--test", "--test-reporter=tap", *names], folder, variables)


def test_its_own_tests_pass_and_read_the_vectors() -> None:
    said = own_tests(bot().folder, VECTORS)
    assert re.search(r"^ok \d+ - recorded frames$", said, re.MULTILINE)
    assert "# skipped 0" in said
    assert re.search(r"^# pass [3-9]\d$", said, re.MULTILINE)
    assert f"# {len(VECTORS.read_text(encoding='ascii').splitlines())} frames were read" in said


def test_without_the_recorded_frames_one_test_says_so() -> None:
    said = own_tests(bot().folder)
    assert re.findall(r"# SKIP (.*)", said) == [
        f"{(bot().folder / '../../tests/vectors/frames.jsonl').resolve()} is not here; "
        "set ARENA_VECTORS to the arena's tests/vectors/frames.jsonl"
    ]


def test_its_protocol_files_are_the_arena_s() -> None:
    theirs, ours = ROOT / "protos" / "arena" / "v1", SOURCE / "sdk" / "protos" / "arena" / "v1"
    assert {file.name: file.read_bytes() for file in ours.iterdir()} == {
        file.name: file.read_bytes() for file in theirs.glob("*.proto")
    }


def test_the_strategy_is_one_short_file() -> None:
    assert len((SOURCE / "bot.ts").read_text(encoding="utf-8").splitlines()) < 200
    assert [path.name for path in files(SOURCE) if path.parent == SOURCE] == [
        ".gitignore",
        "README.md",
        "bot.test.ts",
        "bot.toml",
        "bot.ts",
        "package-lock.json",
        "package.json",
        "tsconfig.json",
    ]
    assert steps(SOURCE)[0][:2] == ["npm", "ci"]
    assert json.loads((SOURCE / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]["strict"] is True


def test_the_lock_names_checksums_and_no_registry() -> None:
    packages = json.loads((SOURCE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, name
        assert not name or package["integrity"].startswith("sha512-"), name


@pytest.mark.parametrize("name", RULESETS)
def test_it_plays_every_game(name: str) -> None:
    game = make(name)
    (played,) = play(game, against(game, bot()))
    assert played.result.verdict.value == "finished"


def test_it_plays_the_same_moves_again_one_at_a_time_or_many() -> None:
    game = make("crowsnest").single_deal()
    many = play(game, (bot(), bot()), boards=12)
    assert len(many) == 12
    single = alone(bot(), bot().name)
    assert moves(many) == moves([*play(game, (single, single), boards=6), *many[6:]])


def test_it_beats_random_in_crowsnest() -> None:
    game = make("crowsnest").single_deal()
    played = play(game, (bot(), find_bot("random")), boards=40)
    won = sum(stored.result.scores[0] > stored.result.scores[1] for stored in played)
    assert won >= 32


def test_a_change_of_one_line_takes_effect(tmp_path: Path) -> None:
    text = (SOURCE / "bot.ts").read_text(encoding="utf-8")
    changed = text.replace("const COURAGE = 0.54;", "const COURAGE = 2;")
    assert changed != text
    timid = read_bot(compiled(tmp_path, {"bot.ts": changed}))
    game = make("crowsnest").single_deal()
    played = moves(play(game, (timid, find_bot("basic")), boards=5), range(0, 4, 2))
    assert [move for made in played for _, move, _ in made if move.startswith("bid")] == []
    assert any("guess" in note for made in played for _, _, note in made)


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
    (block,) = [block for block in BLOCKS if "node:test" in block]
    compiled(tmp_path, {"bot.ts": PROGRAMS[-1], "bot.test.ts": block})
    assert "# pass 2" in run(["node", "--test", "--test-reporter=tap", "build/bot.test.js"], tmp_path)


def test_the_page_names_what_the_sdk_has() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in (SOURCE / "sdk").glob("*.ts"))
    named = {*re.findall(r"`turn\.(\w+)", PAGE), *re.findall(r"`random\.(\w+)", PAGE)}
    assert len(named) > 20
    for name in named:
        assert re.search(rf"^   *(get |readonly )?{name}\b", code, re.MULTILINE), name
    assert len(PROGRAMS) == 2


@pytest.mark.parametrize("name", ["crowsnest", "goat", "crow-three"])
def test_every_bot_of_the_page_plays(program: Bot, name: str) -> None:
    game = make(name).single_deal()
    (played,) = play(game, against(game, program, "random"))
    assert played.result.verdict.value == "finished"
