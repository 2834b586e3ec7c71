"""What is shown to a bot's uid on the stage, and to nobody else; run in children, since a stage changes its process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sandbox.simulated import open_folder

from arena.bots.sandbox.stage import passable

pytestmark = pytest.mark.needs("root")

UID, OTHER = 1_900_004_000, 1_900_004_001
SCRIPT = """
import json, os, subprocess, sys
from pathlib import Path
from arena.bots.sandbox import stage as module
from arena.bots.sandbox.stage import Stage

told = json.loads(sys.argv[1])
if not told["mounts"]:
    module._own_mounts = lambda: False
stage = Stage(told["near"], foreign=True)

def seen(uid, path):
    words = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "cat", path]
    return subprocess.run(words, capture_output=True, text=True, cwd="/").stdout

def may_write(uid, folder):
    words = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "touch", folder + "/new"]
    return subprocess.run(words, capture_output=True, cwd="/").returncode == 0

found = {}
exec(told["script"])
folder = str(stage.folder)
stage.close()
found["gone"] = not os.path.exists(folder)
print(json.dumps(found))
"""


@pytest.fixture
def near() -> Iterator[Path]:
    with open_folder() as path:
        yield path


def run(near: Path, script: str, *, mounts: bool = True, **told: str) -> dict[str, Any]:
    words = [sys.executable, "-c", SCRIPT, json.dumps({"near": str(near), "script": script, "mounts": mounts, **told})]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found.pop("gone")
    assert list(near.iterdir()) == []
    return found


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A folder that only the arena may enter; of the files in it all may read one, once they are inside."""
    folder = tmp_path / "private"
    (folder / "open").mkdir(parents=True)
    (folder / "closed").mkdir()
    (folder / "open/file").write_text("cards")
    (folder / "closed/file").write_text("cards")
    (folder / "closed/file").chmod(0o600)
    folder.chmod(0o700)
    return folder


EXPOSED = f"""
place = stage.expose(told["source"], {UID}, "bot-1", "bot")
found["own"] = seen({UID}, place + "/file")
found["written"] = may_write({UID}, place)
stage.withdraw("bot-1")
found["after"] = seen({UID}, place + "/file")
found["source"] = os.path.exists(told["source"] + "/file")
"""


@pytest.mark.parametrize("mounts", [True, False])
@pytest.mark.parametrize("kind", ["open", "closed"])
def test_a_private_folder_is_shown_until_it_is_withdrawn(near: Path, private: Path, kind: str, mounts: bool) -> None:
    found = run(near, EXPOSED, mounts=mounts, source=str(private / kind))
    assert found == {"own": "cards", "written": False, "after": "", "source": True}
    assert (private / kind / "file").stat().st_uid == 0


def test_what_is_not_for_all_to_read_is_copied_once(near: Path, private: Path) -> None:
    script = f"""
first, second = (stage.expose(told["source"], uid, name, "bot") for uid, name in (({UID}, "bot-1"), ({OTHER}, "bot-2")))
found["one"], found["two"] = seen({UID}, first + "/file"), seen({OTHER}, second + "/file")
found["same"] = os.stat(first + "/file").st_ino == os.stat(second + "/file").st_ino
"""
    found = run(near, script, source=str(private / "closed"))
    assert found == {"one": "cards", "two": "cards", "same": True}


def test_nobody_outside_sees_what_is_mounted_on_the_stage(near: Path, private: Path) -> None:
    script = f"""
place = stage.expose(told["source"], {UID}, "bot-1", "bot")
outside = ["nsenter", "--mount", "--target", str(os.getppid()), "ls", "-A", str(stage.folder)]
found["outside"] = subprocess.run(outside, capture_output=True, text=True).stdout.split()
"""
    assert run(near, script, source=str(private / "open")) == {"outside": [".arena-work"]}


@pytest.mark.parametrize("mounts", [True, False])
def test_a_temporary_folder_is_its_uids_own(near: Path, mounts: bool) -> None:
    script = f"""
place = stage.private("bot-1-tmp", {UID}, 1 << 20, 100)
found["own"], found["other"] = may_write({UID}, place), may_write({OTHER}, place)
"""
    assert run(near, script, mounts=mounts) == {"own": True, "other": False}


def test_a_private_place_is_left_for_one_that_all_may_pass(private: Path) -> None:
    script = "found['folder'] = str(stage.folder.parent)"
    words = {"near": str(private), "script": script, "mounts": True}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(words)], capture_output=True, text=True, check=True, timeout=60
    )
    assert passable(json.loads(done.stdout)["folder"])
    assert not passable(str(private))


def test_passable_looks_at_every_folder_above(near: Path) -> None:
    inner = near / "a/b"
    inner.mkdir(parents=True)
    assert passable(str(inner))
    os.chmod(near / "a", 0o700)
    assert not passable(str(inner))
    assert not passable(str(near / "none"))
