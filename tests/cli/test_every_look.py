"""C3 and C4 on every command that prints: colour only where it is wanted, ASCII where it must be, JSON always alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli.documents import check
from cli.inside import GAME, copied, furnish, inside
from cli.terminal import Ran
from cli.test_every_command import COMMANDS

from arena.cli.output import Output

pytestmark = pytest.mark.xdist_group("looks")
ESCAPE = "\x1b"
STYLE = re.compile(r"\x1b\[\d+m")
WIDE = "10000"
"""Columns of a terminal at whose edge nothing is folded."""
SCREEN = ("stdin", "stdout", "stderr")
RELAXED = {"replay export", "cluster key"}
"""They write a file and have no answer."""
LAST = re.compile("--version|help simulate|export (?!.*--out)|.* --text")
"""Nothing follows from them: versions, the help of a command, and what goes into a pipe."""

READING = [
    "games", "games crowsnest", "help", "help exit-codes", "help codes", "help NO_HELLO", "help simulate", "--version",
    "bot list", "bot list --all-versions", "bot show fox", "bot logs fox", "bot logs fox --turn 3",
    "tournament status", "tournament status tiny", "tournament outcome tiny", "tournament run cup.toml --dry-run",
    "ratings tiny", "ratings tiny --cross", "ratings tiny --explain basic",
    "replay list", f"replay show {GAME}", f"replay show {GAME} --seat 1", f"replay show {GAME} --why",
    f"replay show {GAME} --text", f"replay show {GAME} --all-hands", "replay show kept-01",
    "replay show kept-01 --text",
    "replay verify", "quota", "prune --dry-run", "token list", "user list", "backup --check saved.tar.gz",
    "simulate goat --games 3 --seed 1",
    "export tiny", "export tiny --format text", "export tiny --format jsonl", "export tiny --blocks",
]  # fmt: skip
"""They change nothing, and say the same every time."""
WRITING = [
    "bot new owl", "bot retire fox", "bot remove fox --reason gone --yes", "person remove \u00c5sa --reason gone --yes",
    "tournament run cup.toml --data new", "tournament export tiny --out new.csv", "export tiny --out new.jsonl",
    "import tiny.jsonl --as again", "backup --out new.tar.gz", "restore saved.tar.gz --data new", "prune",
    f"replay export {GAME} new.html", "token issue near", "token revoke far", "user add Bob", "user link \u00c5da",
    "user revoke \u00c5da", "cluster key new.pem", "play goat random --board b --sandbox none",
    "play crowsnest basic --option max_hands=1 --n 2 --board b --sandbox none",
    "bench --engines-only --game goat --seconds 0.1", "doctor --quick",
    "tournament freeze later.toml --now",
]  # fmt: skip
"""They change something, or measure."""
LEFT = {
    "demo", "bot test",  # tables and lines that others here print too
    "bot check", "bot add",  # take long; test_bot.py has them
    "tournament lift", "tournament enable",  # need a bot that is out
    "tournament disable", "tournament void",  # need an event that is not over, and a worker
    "serve", "cluster scheduler", "cluster worker", "cluster status",  # wait for others
}  # fmt: skip
NO_DOCUMENT = {"simulate", "export", "play", "replay export", "cluster key"}
"""Their answer is lines, a file or a game; some of their forms have no document."""


def command_of(line: str) -> str:
    """The command of a command line."""
    words = line.split()
    return " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]


DOCUMENTS = [
    line
    for line in READING
    if command_of(line) not in NO_DOCUMENT and "--text" not in line and line not in ("help", "help simulate")
]
IN_ASCII: list[tuple[tuple[str, ...], dict[str, str]]] = [
    (("--ascii",), {}),
    ((), {"LC_ALL": "C"}),
]
DULL: list[tuple[tuple[str, ...], dict[str, str]]] = [
    (("--color", "never"), {"FORCE_COLOR": "1"}),
    ((), {"NO_COLOR": "1"}),
    ((), {"TERM": "dumb"}),
]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return furnish(tmp_path_factory.mktemp("furnished"))


def shown(line: str, folder: Path, *flags: str, on: tuple[str, ...] = (), **more: str) -> Ran:
    ran = inside(*line.split(), *flags, on=on, folder=folder, more=more)
    assert ran.status in ((0, 1) if line.startswith("doctor") else (0,)), ran.stderr
    return ran


def test_every_command_is_here() -> None:
    here = {command_of(line) for line in (*READING, *WRITING)} - {"--version"}
    assert here | LEFT == COMMANDS.keys(), "a new command belongs into READING or WRITING"


@pytest.mark.parametrize("line", READING)
def test_c3_colour_where_it_is_wanted_and_the_same_words_without(line: str, furnished: Path) -> None:
    plain = shown(line, furnished)
    assert ESCAPE not in plain.stdout + plain.stderr
    for flags, more in DULL:
        dull = shown(line, furnished, *flags, on=("stdout",), COLUMNS=WIDE, **more)
        assert dull.stdout == plain.stdout
        assert ESCAPE not in dull.stderr
    bright = [
        shown(line, furnished, on=("stdout",), COLUMNS=WIDE).stdout,
        shown(line, furnished, "--color", "always", NO_COLOR="1", TERM="dumb").stdout,
        shown(line, furnished, FORCE_COLOR="1", NO_COLOR="1").stdout,
    ]
    assert bright[0] == bright[1] == bright[2]
    assert STYLE.sub("", bright[0]) == plain.stdout


@pytest.mark.parametrize("line", [line for line in READING if not LAST.match(line)])
def test_c11_what_is_only_read_is_followed_by_the_next_step(
    line: str, furnished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = noted(monkeypatch)
    shown(line, furnished)
    assert len(steps) == 1
    assert steps[0].startswith(("arena ", "open "))


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The next steps that commands offer from now on, to whomever."""
    steps: list[str] = []
    monkeypatch.setattr(Output, "next_step", lambda _output, command: steps.append(command))
    return steps


def test_c3_headings_are_in_bold(furnished: Path) -> None:
    for line in ("games", "help codes", "ratings tiny", "bot list", "token list", "replay list", "quota"):
        assert "\x1b[1m" in shown(line, furnished, "--color", "always").stdout


@pytest.mark.parametrize("line", READING)
def test_c3_ascii_has_no_other_character(line: str, furnished: Path) -> None:
    for flags, more in IN_ASCII:
        ran = shown(line, furnished, *flags, on=() if line.startswith("export") else SCREEN, **more)
        assert (ran.stdout + ran.stderr).isascii()


@pytest.mark.parametrize("line", DOCUMENTS)
def test_c4_json_has_the_same_bytes_on_a_terminal_and_in_a_pipe(line: str, furnished: Path) -> None:
    piped = shown(line, furnished, "--json").stdout
    check(piped)
    assert piped.isascii()
    narrow = {"FORCE_COLOR": "1", "COLUMNS": "20", "LC_ALL": "C"}
    assert shown(line, furnished, "--json", "--color", "always", on=SCREEN, **narrow).stdout == piped


@pytest.mark.parametrize("line", WRITING)
def test_c3_c4_commands_that_change_something_say_it_in_plain_words_and_in_one_document(
    line: str, furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = noted(monkeypatch)
    plain = shown(line, copied(furnished, tmp_path / "a"), "--ascii", on=("stdout",), NO_COLOR="1")
    assert ESCAPE not in plain.stdout + plain.stderr
    assert (plain.stdout + plain.stderr).isascii()
    assert len(steps) == 1
    ran = shown(line, copied(furnished, tmp_path / "b"), "--json", "--color", "always", on=("stdout",), FORCE_COLOR="1")
    assert ESCAPE not in ran.stdout
    if command_of(line) not in RELAXED:
        check(ran.stdout)


@pytest.mark.parametrize("words", COMMANDS)
def test_c3_help_is_ascii_and_never_coloured(words: str) -> None:
    ran = inside(*words.split(), "--help", "--color", "always", on=("stdout",))
    assert ran.stdout.isascii()
    assert ESCAPE not in ran.stdout
