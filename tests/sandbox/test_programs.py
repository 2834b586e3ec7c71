"""Hostile programs in several languages, each alone in a box: what they get by the ways of their language. Nothing."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest
from sandbox.bait import bait
from sandbox.rows import best, groups_of

from arena.bots.launcher import Exit, Launcher
from arena.bots.sandbox import runtimes
from arena.bots.sandbox.box import BOT_FOLDER, HOME, Bind, Box
from arena.bots.sandbox.limits import BOT
from arena.bots.sandbox.means import Means

pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root")]

PROGRAMS = Path(__file__).with_name("programs")
LIMIT_S = 60.0


def run(folder: Path, command: tuple[str, ...], means: Means) -> tuple[list[str], Exit]:
    """What a program of a folder printed in a box, line by line, and how it ended."""

    async def work() -> Exit:
        launcher = await Launcher.open(means)
        try:
            binds = (Bind(str(folder), BOT_FOLDER), *runtimes.program_binds(command[0]))
            variables = {"HOME": HOME, "TMPDIR": HOME, "PATH": runtimes.path_variable(binds[1:])}
            box = Box(command, variables | runtimes.memory_variables(BOT), binds)
            process = await launcher.start_box(box, folder.parent / "log")
            async with asyncio.timeout(LIMIT_S):
                ending = await process.exit
            assert groups_of(launcher._process.pid) == []
            return ending
        finally:
            await launcher.close()

    ending = asyncio.run(work())
    return (folder.parent / "log").read_text(errors="replace").splitlines(), ending


def place(name: str, tmp_path: Path) -> Path:
    """A folder for all to read with a program in it."""
    folder = tmp_path / "bot"
    folder.mkdir()
    shutil.copy(PROGRAMS / name, folder)
    return folder


@pytest.mark.needs("cc")
def test_c_gets_nothing_by_bare_system_calls(tmp_path: Path) -> None:
    folder = place("hostile.c", tmp_path)
    subprocess.run(["cc", "-O1", "-o", "hostile", "hostile.c"], cwd=folder, check=True, timeout=60)
    lines, ending = run(folder, ("/bot/hostile",), best())
    assert lines == ["done"]
    assert ending.code == 0


@pytest.mark.parametrize(
    ("name", "program"),
    [
        pytest.param("hostile.pl", "perl", marks=pytest.mark.needs("perl")),
        pytest.param("hostile.js", "node", marks=pytest.mark.needs("node")),
    ],
)
def test_scripts_get_nothing(name: str, program: str, tmp_path: Path) -> None:
    with bait() as told:
        words = (program, name, str(told["port"]), told["secret"], told["abstract"])
        lines, ending = run(place(name, tmp_path), words, best())
    assert lines == ["done"]
    assert ending.code == 0


@pytest.mark.long
@pytest.mark.needs("javac")
def test_java_gets_nothing_and_no_more_threads_than_others(tmp_path: Path) -> None:
    with bait() as told:
        words = ("java", "Hostile.java", str(told["port"]), told["secret"], told["abstract"])
        lines, ending = run(place("Hostile.java", tmp_path), words, best())
    assert "done" in lines
    assert not [line for line in lines if line.startswith(("TCP", "read", "may", "its", "10"))]
    assert ending.limit == "PIDS"


@pytest.mark.long
@pytest.mark.needs("go")
def test_go_gets_nothing(tmp_path: Path) -> None:
    folder = place("hostile.go", tmp_path)
    subprocess.run(["go", "build", "-o", "hostile", "hostile.go"], cwd=folder, check=True, timeout=600)
    with bait() as told:
        words = ("/bot/hostile", str(told["port"]), told["secret"], told["abstract"])
        lines, ending = run(folder, words, best())
    assert lines == ["done"]
    assert ending.code == 0
