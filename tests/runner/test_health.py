"""What the doctor says of a machine beside its sandbox."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox.simulated import open_folder

from arena.match.heartbeat import Reading
from arena.runner import health
from arena.runner.toolchains import TOOLS, toolchain, toolchains
from arena.store.schema import HEAD
from arena.store.store import Store


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with an empty store."""
    folder = tmp_path / ".arena"
    Store.open(folder).close()
    return folder


def named(lines: object, name: str) -> health.Health:
    return next(line for line in lines if line.name == name)  # type: ignore[attr-defined]


def test_a_folder_that_is_not_there_yet_is_fine_and_is_not_made(tmp_path: Path) -> None:
    lines = list(health.folders(tmp_path / "new/.arena"))
    assert [line.name for line in lines] == ["data", "space", "temporary files"]
    assert named(lines, "data").ok
    assert "can be made" in named(lines, "data").value
    assert not (tmp_path / "new").exists()


def test_a_store_is_read_and_not_changed(data: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in data.iterdir()}
    lines = list(health.folders(data))
    assert named(lines, "data") == health.Health("data", True, f"{data}, mode 0700", f"chmod 700 {data}")
    assert named(lines, "store") == health.Health("store", True, f"0 games, tables {HEAD}")
    assert {path.name: path.stat().st_mtime_ns for path in data.iterdir()} == before


def test_an_open_data_folder_is_told(data: Path) -> None:
    data.chmod(0o755)
    line = health.data_folder(data)
    assert not line.ok
    assert line.fix == f"chmod 700 {data}"


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "is no folder" in health.data_folder(tmp_path / "file").value


def test_a_damaged_store_is_told(data: Path) -> None:
    for path in data.glob("arena.db*"):
        path.write_bytes(b"no database at all, only words" * 100)
    line = health.store(data / "arena.db")
    assert not line.ok
    assert "cannot be read" in line.value
    assert "backup" in line.fix


def test_a_store_of_a_newer_arena_is_told(data: Path) -> None:
    with sqlite3.connect(data / "arena.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    line = health.store(data / "arena.db")
    assert (line.ok, line.fix) == (False, "pip install --upgrade card-arena")


@pytest.mark.needs("root")
def test_folders_that_cannot_be_written_are_told_to_who_has_no_root(tmp_path: Path) -> None:
    text = "from pathlib import Path; from arena.runner.health import data_folder; import os, sys;"
    text += "os.setresuid(65533, 65533, 65533); print(*[data_folder(Path(word)) for word in sys.argv[1:]], sep='\\n')"
    tmp_path.chmod(0o700)
    with open_folder() as folder:
        words = [sys.executable, "-c", text, str(folder), str(folder / "new"), str(tmp_path / "hidden")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    assert len(said) == 3, done.stderr
    for line, what in zip(said, ("cannot be written", "cannot be made", "cannot be reached"), strict=True):
        assert "ok=False" in line
        assert what in line


def test_time_stolen_is_that_of_the_worst_processor() -> None:
    line = health.stolen(Reading((1.0, 5.0)), Reading((1.1, 7.0)), 4.0)
    assert (line.ok, line.value) == (False, "50 % of a processor over 4.0 s")
    assert health.stolen(Reading((1.0,)), Reading((1.1,)), 4.0).ok
    assert health.stolen(Reading(()), Reading(()), 0.0).ok


def test_the_machine_and_its_programs_are_told() -> None:
    lines = list(health.machine(Reading((0.0,), (0.1, 0.2, 0.3)), Reading((0.0,), (0.5, 0.2, 0.3)), 1.0))
    assert [line.name for line in lines] == ["processors", "memory", "clock", "stolen time", "open files"]
    assert "load 0.5, 0.2, 0.3" in named(lines, "processors").value
    assert [line.ok for line in health.programs()] == [True, True]


def script(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_versions_of_languages_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    script(tmp_path, "good", "echo good version go1.26.8 linux/amd64")
    script(tmp_path, "says", "echo javac 17.0.15 >&2")
    script(tmp_path, "broken", "echo 1.2.3; exit 3")
    script(tmp_path, "there", "exit 1")
    found = toolchain(
        "any", [("good", "version"), ("says", "-v"), ("broken", "-v"), ("there",), ("none", "-v")], tmp_path
    )
    assert found.found == {"good": "1.26.8", "says": "17.0.15", "broken": "(does not run: status 3)", "there": ""}
    assert found.missing == ("none",)
    assert str(found) == "good 1.26.8, says 17.0.15, broken (does not run: status 3), there; not found: none"


def test_all_languages_are_told_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = toolchains()
    assert [each.language for each in found] == list(TOOLS)
    assert [each.language for each in found if not each.missing] == ["python"]
