"""What becomes of bugs, full disks and codes."""

import ast
import errno
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.cli import app, commands, failure
from arena.core.errors import ArenaError, BotError
from arena.record.codes import CODES, EXIT_STATUSES

ROOT = Path(__file__).parents[2]


def crash(monkeypatch: pytest.MonkeyPatch, error: BaseException, *flags: str) -> int:
    def raises(_game: str) -> None:
        raise error

    monkeypatch.setattr("arena.games.make", raises)
    return app.run(["games", "goat", *flags])


def test_a_bug_ends_with_status_3_and_a_report_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crash(monkeypatch, ZeroDivisionError("a bug")) == 3
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert [line.split(":")[0] for line in said.splitlines()] == ["error", "where", "saw", "fix", "code"]
    report = Path(said.splitlines()[3].split(": ")[-1])
    text = report.read_text()
    report.unlink()
    assert "ZeroDivisionError: a bug" in text
    assert "command: arena games goat" in text


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert crash(monkeypatch, ArenaError("wrong", code="CONFIG"), "--debug") == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert crash(monkeypatch, full, "--json") == 3
    error = json.loads(capsys.readouterr().err)
    assert error["code"] == "DISK_FULL"
    Path(re.findall(r"report: (.+)\)", error["fix"])[0]).unlink()


@pytest.mark.parametrize("code", [code for code in CODES.values() if not code.fault_class], ids=lambda code: code.name)
def test_an_error_ends_with_the_status_of_its_code(code: SimpleNamespace) -> None:
    assert failure.exit_status(ArenaError("wrong", code=code.name)) == code.exit_status
    assert code.exit_status in EXIT_STATUSES


def test_what_bots_wrote_cannot_steer_a_terminal() -> None:
    hostile = BotError("gone", where="bots/x", saw="\x1b[31mred\x00\r\nnew line", fix="none")
    shown = failure.one_line(failure.of_error(hostile, "arena").saw)
    assert shown == "\\x1b[31mred\\x00\\r\\nnew line"


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_every_code_says_what_whose_and_how(code: SimpleNamespace) -> None:
    assert code.meaning.endswith(".")
    assert code.mend
    assert code.blame
    assert code.fault_class in ("", "D", "F", "Q", "A")


def test_every_code_that_the_arena_uses_is_explained() -> None:
    used = set()
    for file in (ROOT / "arena").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "code" and isinstance(node.value, ast.Constant):
                used.add(node.value.value)
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "code":
                used.add(getattr(node.value, "value", None))
    named = {word for word in used if isinstance(word, str) and re.fullmatch(r"[A-Z_]{3,}", word)}
    assert named - set(CODES) - {"ERROR"} == set()


def test_the_faults_page_lists_every_fault_of_a_bot_with_its_class() -> None:
    page = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (\S+) \|", page, re.MULTILINE))
    listed = {code.name: code.fault_class or "-" for code in CODES.values() if code.name in rows}
    assert rows == listed
    assert {code.name for code in CODES.values() if code.fault_class} - set(rows) == set()


def test_every_file_of_commands_adds_one() -> None:
    folder = Path(commands.__file__).parent
    for file in folder.glob("[a-z]*.py"):
        text = file.read_text(encoding="utf-8")
        assert "def register(app: typer.Typer)" in text or file.name == "version.py"
