"""Uids of boxes: never the same twice, given back, and known to be missing where they are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.sandbox import uids
from arena.bots.sandbox.uids import NoUid, Uids, available, mapped, missing

EVERY = "0 0 4294967295\n"


def test_uids_are_taken_once_and_given_back(tmp_path: Path) -> None:
    ours = Uids(tmp_path)
    taken = [ours.take() for _ in range(5)]
    assert taken == list(range(ours.first, ours.first + 5))
    ours.give_back(taken[2])
    assert ours.take() == taken[2]


def test_two_launchers_never_share_one(tmp_path: Path) -> None:
    first, second = Uids(tmp_path), Uids(tmp_path)
    taken = [launcher.take() for launcher in (first, second, first, second)]
    assert len(set(taken)) == 4


def test_uids_of_a_dead_launcher_are_free(tmp_path: Path) -> None:
    text = "import os, sys, pathlib; from arena.bots.sandbox.uids import Uids; u = Uids(pathlib.Path(sys.argv[1]));"
    text += "print(u.take(), flush=True); os.kill(os.getpid(), 9)"
    done = subprocess.run([sys.executable, "-c", text, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == -9
    assert Uids(tmp_path).take() == int(done.stdout)


def test_when_all_are_taken_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uids, "COUNT", 2)
    monkeypatch.setattr(uids, "SMALL_COUNT", 2)
    ours = Uids(tmp_path)
    ours.take(), ours.take()
    with pytest.raises(NoUid, match="all in use"):
        ours.take()


def test_which_uids_exist_is_read_from_the_namespace(tmp_path: Path) -> None:
    file = tmp_path / "uid_map"
    file.write_text("         0     100000      65536\n")
    assert mapped(60_600, 500, file)
    assert not mapped(65_000, 1000, file)
    assert not mapped(1_900_000_000, 1, file)


def fake_proc(folder: Path, uid_map: str = EVERY, capabilities: str = "000001ffffffffff") -> Path:
    (folder / "uid_map").write_text(uid_map)
    (folder / "status").write_text(f"Name:\tpython\nCapEff:\t{capabilities}\n")
    return folder


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    locks = tmp_path / "locks"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert available(locks, fake_proc(tmp_path))
    assert missing(locks, fake_proc(tmp_path, capabilities="0000000000000001")).startswith("root without CAP_KILL")
    assert missing(locks, fake_proc(tmp_path, uid_map="0 1000 1\n")) == "too few uids in this user namespace"
    (tmp_path / "file").touch()
    assert "cannot be made" in missing(tmp_path / "file/locks", fake_proc(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert missing(locks, fake_proc(tmp_path)) == "not root"
