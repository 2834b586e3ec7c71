"""C2 on every command that asks: at a terminal on stderr, elsewhere never, and `-y` answers."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest
from cli.inside import copied, furnish, inside
from cli.terminal import on_terminal
from cli.test_every_command import COMMANDS

from arena import cli
from arena.cli.bots.remove import confirm
from arena.store.store import Store

pytestmark = pytest.mark.xdist_group("questions")
ASKING = {
    "bot remove": ("bot", "remove", "fox", "--reason", "gone"),
    "person remove": ("person", "remove", "\u00c5sa", "--reason", "gone"),
}
READERS = {"input", "prompt", "confirm", "getpass", "readline"}
"""Functions that wait for somebody to type."""


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("furnished"))


@pytest.fixture
def place(furnished: Path, tmp_path: Path) -> Path:
    return copied(furnished, tmp_path)


def is_there(place: Path) -> bool:
    with Store.open(place / ".arena") as store:
        return any(each.name == "fox" for each in store.registered())


def test_who_asks_is_known() -> None:
    assert {words for words, command in COMMANDS.items() if any(each.name == "yes" for each in command.params)} == (
        ASKING.keys()
    )
    root = Path(cli.__file__).parent
    waiting = set()
    for file in root.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in READERS:
                waiting.add(file.relative_to(root).as_posix())
    assert waiting == {"bots/remove.py", "commands/person.py"}
    assert confirm.__module__ == "arena.cli.bots.remove"


@pytest.mark.parametrize("words", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("on", [(), ("stdout", "stderr")])
def test_without_a_terminal_to_type_at_it_is_refused_with_the_flag_that_answers(
    words: tuple[str, ...], on: tuple[str, ...], place: Path
) -> None:
    refused = inside(*words, "--json", on=on, typed=b"y\n", folder=place)
    assert (refused.status, refused.stdout) == (2, "")
    said = json.loads(refused.stderr)
    assert said["code"] == "USAGE"
    assert "--yes" in said["fix"]
    assert is_there(place)


@pytest.mark.parametrize("words", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize("flag", ["-y", "--yes"])
@pytest.mark.parametrize("on", [(), ("stdin", "stdout", "stderr")])
def test_yes_answers(words: tuple[str, ...], flag: str, on: tuple[str, ...], place: Path) -> None:
    ran = inside(*words, flag, on=on, folder=place)
    assert ran.status == 0, ran.stderr
    assert "[y/N]" not in ran.stderr
    assert not is_there(place)


@pytest.mark.parametrize("words", ASKING.values(), ids=ASKING)
@pytest.mark.parametrize(
    ("typed", "status"),
    [(b"y\n", 0), (b"perhaps\nYES\n", 0), (b"n\n", 1), (b"\n", 1), (b"\x04", 1)],
)
def test_a_question_is_asked_on_stderr_until_it_is_answered(
    words: tuple[str, ...], typed: bytes, status: int, place: Path
) -> None:
    ran = inside(*words, "-qq", on=("stdin", "stderr"), typed=typed, folder=place)
    assert ran.status == status, ran.stderr
    assert ran.stderr.count("[y/N] ") == typed.count(b"\n", 0, -1) + 1
    assert bool(ran.stdout) is (status == 0), "the answer alone"
    assert is_there(place) is (status != 0)


@pytest.mark.parametrize("words", ASKING.values(), ids=ASKING)
def test_ctrl_c_at_a_question_stops(words: tuple[str, ...], place: Path) -> None:
    ran = on_terminal(*words, streams=("stderr",), keys=[(r"\[y/N\]", b"\x03")], folder=place)
    assert ran.status == 130
    assert ran.stderr.endswith("stopped\n")
    assert "error:" not in ran.stderr
    assert is_there(place)
    shutil.rmtree(place)
