"""Folders for temporary files: they go with their processes, also with killed ones, and no other folder is touched."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from arena.bots.folders import MARK, PREFIX, make_folder, sweep, work_folder
from arena.core.errors import ArenaFault

HOLD = """
import subprocess, sys, tempfile
from arena.bots.folders import make_folder
tempfile.tempdir = sys.argv[1]
folder = make_folder()
(folder.path / "seat.sock").touch()
child = subprocess.Popen(["sleep", "60"], pass_fds=(folder.handle,), stdout=subprocess.DEVNULL)
print(folder.path, child.pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def start_holder(place: Path) -> tuple[subprocess.Popen[str], Path, int]:
    """A process with a folder, the folder, and the process id of a child that has the lock too."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert process.stdout is not None
    path, child = process.stdout.readline().split()
    return process, Path(path), int(child)


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate(timeout=30)


def test_a_folder_goes_with_its_block(place: Path) -> None:
    with work_folder() as path:
        assert path.parent == place
        assert path.stat().st_mode & 0o777 == 0o700
        (path / "file").touch()
    assert list(place.iterdir()) == []


def test_a_killed_process_leaves_a_folder_that_the_next_one_removes(place: Path) -> None:
    process, path, child = start_holder(place)
    assert sweep(place) == [], "its maker lives"
    end(process)
    assert sweep(place) == [], "a process that got the lock lives"
    assert path.is_dir()
    killed = psutil.Process(child)
    killed.kill()
    killed.wait(30)
    with work_folder() as other:
        assert list(place.iterdir()) == [other]


def test_a_folder_of_this_process_is_not_swept(place: Path) -> None:
    with work_folder() as first, work_folder() as second:
        assert sweep(place) == []
        assert first.is_dir()
        assert second.is_dir()


def test_what_is_not_marked_is_not_touched(place: Path) -> None:
    foreign, link, file = place / f"{PREFIX}mine", place / f"{PREFIX}link", place / f"{PREFIX}file"
    foreign.mkdir()
    (foreign / "thesis.tex").touch()
    marked = place / "elsewhere"
    marked.mkdir()
    (marked / MARK).touch()
    link.symlink_to(marked)
    file.touch()
    assert sweep(place) == []
    assert (foreign / "thesis.tex").exists()
    assert (marked / MARK).exists()
    assert file.exists()


def test_an_empty_folder_whose_maker_died_before_it_could_mark_it_goes(place: Path) -> None:
    (place / f"{PREFIX}born").mkdir()
    assert sweep(place) == [place / f"{PREFIX}born"]


def test_a_folder_that_is_removed_between_making_and_locking_is_made_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    real = tempfile.mkdtemp

    def swept_at_once(prefix: str, dir: str) -> str:
        path = real(prefix=prefix, dir=dir)
        made.append(path)
        if len(made) == 1:
            os.rmdir(path)
        return path

    monkeypatch.setattr(tempfile, "mkdtemp", swept_at_once)
    with work_folder() as path:
        assert made[1:] == [str(path)]


@pytest.mark.parametrize(("number", "code"), [(errno.ENOSPC, "DISK_FULL"), (errno.EROFS, "NO_TEMP")])
def test_no_room_for_a_folder_is_a_fault_of_the_arena(
    place: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def refuse(prefix: str, dir: str) -> str:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(ArenaFault, match=os.strerror(number)) as caught:
        make_folder()
    assert caught.value.code == code
    assert caught.value.where == str(place)
    assert "TMPDIR" in caught.value.fix
