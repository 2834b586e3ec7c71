"""The conventions of the command line on every command there is, in this process."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from cli.terminal import SURROUNDINGS

from arena.cli.app import _registered, run
from arena.cli.output import Output

STARTS_SOMETHING = {"demo", "play", "simulate", "bench", "doctor", "serve", "cluster scheduler", "help"}
"""What runs for a while without a word more; `help` takes any."""
NOWHERE = frozenset({"help"})
"""Reads no settings."""


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """(words, command) of all commands. Any: Click's."""
    for name, each in getattr(command, "commands", {}).items():
        if getattr(each, "commands", None):
            yield from leaves(each, (*path, name))
        else:
            yield " ".join((*path, name)), each


COMMANDS = dict(leaves(typer.main.get_command(_registered())))
BARE = [
    words
    for words, command in COMMANDS.items()
    if words not in STARTS_SOMETHING and not any(parameter.required for parameter in command.params)
]
"""Those that answer at once, without a word more."""
INCOMPLETE = [words for words, command in COMMANDS.items() if any(each.required for each in command.params)]


def error(text: str) -> dict[str, str]:
    """The document of an error."""
    found: dict[str, str] = json.loads(text)
    assert list(found) == ["schema", "error", "where", "saw", "fix", "code"]
    assert all(found.values())
    return found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("ARENA_CONFIG", "ARENA_DATA", "ARENA_STORE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("words", COMMANDS)
def test_c1_c10_help_is_an_answer_of_one_line_then_examples_then_flags(
    words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words.split(), "--help"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    text = [line.strip() for line in shown.out.splitlines() if line.strip()]
    assert not text[0].startswith(("Usage", "arena"))
    flags = text.index("Options:")
    examples = [line for line in text[:flags] if line.startswith("arena ")]
    assert 2 <= len(examples) <= 4
    assert any(line.startswith(f"arena {words}") for line in examples)
    assert run(["help", *words.split()]) == 0
    assert capsys.readouterr().out == shown.out
    assert not list(here.iterdir()), "help writes nothing"


@pytest.mark.parametrize("words", COMMANDS)
def test_c5_c7_an_unknown_flag_is_an_error_in_five_parts(
    words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words.split(), "--nonsense", "--json"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert error(shown.err)["code"] == "USAGE"


@pytest.mark.parametrize("words", INCOMPLETE)
def test_c5_what_is_missing_is_named(words: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words.split(), "--json"]) == 2
    said = error(capsys.readouterr().err)
    assert said["code"] == "USAGE"
    assert f"arena {words} --help" in said["fix"]
    assert re.search(r"[Mm]issing|needs", said["error"])


@pytest.mark.parametrize("words", sorted(COMMANDS.keys() - NOWHERE))
def test_c8_a_wrong_setting_is_told_with_its_line_before_anything_is_done(
    words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "arena.toml").write_text('data = "kept"\nwrokers = 3\n')
    assert run([*words.split(), "--json"]) == 2
    said = error(capsys.readouterr().err)
    assert said["code"] == "CONFIG"
    assert said["where"].endswith("arena.toml:2")
    assert "workers" in said["fix"]
    assert [file.name for file in here.iterdir()] == ["arena.toml"]


@pytest.mark.parametrize("words", BARE)
def test_c4_c5_c11_an_empty_folder_has_one_document_or_one_error(
    words: str, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr(Output, "next_step", lambda _output, command: steps.append(command))
    status = run([*words.split(), "--json"])
    shown = capsys.readouterr()
    if status:
        assert status in (1, 2, 5), shown.err
        assert shown.out == ""
        assert error(shown.err)["code"] in ("NO_STORE", "NO_TOURNAMENT", "NOTHING", "USAGE", "CONFIG")
        return
    document = json.loads(shown.out)
    assert list(document) == ["schema", "data"]
    assert re.fullmatch(r"arena\.[a-z-]+/\d+", document["schema"])
    assert len(steps) <= 1
    assert all(step.startswith("arena ") for step in steps)


def test_c11_every_command_that_succeeds_knows_a_next_step() -> None:
    without = {
        words
        for words, command in COMMANDS.items()
        if "next_step" not in Path(command.callback.__wrapped__.__code__.co_filename).read_text()
    }
    assert without <= LAST, without - LAST


LAST = {"serve", "play", "cluster scheduler", "cluster worker", "bot remove", "person remove"}
"""Those that end with Ctrl-C, and those whose module leaves it to one that others use too."""


HEAVY = ("play", "ratings", "export", "serve", "tournament run", "bot test", "cluster worker")


def test_c12_help_of_no_command_loads_what_only_its_work_needs() -> None:
    code = "import sys\nfrom arena.cli.app import run\n"
    code += "".join(f"run({[*words.split(), '--help']!r})\n" for words in HEAVY)
    code += "print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=SURROUNDINGS, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert (
        loaded & {"grpc", "google", "sqlalchemy", "numpy", "scipy", "trueskill", "fastapi", "uvicorn", "dask"} == set()
    )
