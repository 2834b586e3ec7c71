"""Runs `arena doctor` as on other kinds of host, and looks for what it leaves behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.sandbox import cgroups

HOST = Path(__file__).with_name("host.py")
LIMIT_S = 120.0
HIDDEN = "raise ImportError('hidden by a test')\n"


class Said(NamedTuple):
    status: int
    data: dict[str, Any]
    stderr: str

    @property
    def tier(self) -> str:
        return str(self.data["tier"])

    def broken(self) -> dict[str, str]:
        """Promise -> what was possible, of the tier that was found."""
        return {each["name"]: each["possible"] for each in self.data["promises"] if each["held"] is False}

    def tried(self, tier: str) -> dict[str, str]:
        """The same of a tier that was tried in vain."""
        return next(each["broken"] for each in self.data["tried"] if each["tier"] == tier and not each["held"])

    def hints(self) -> str:
        return "\n".join(f"{hint['what']}: {hint['lift']}" for hint in self.data["hints"])


def command(*kinds: str, words: tuple[str, ...] = ()) -> list[str]:
    arena = [sys.executable, "-m", "arena.cli", "doctor", "--json", *words]
    return [sys.executable, str(HOST), *kinds, "--", *arena] if kinds else arena


def doctor(*kinds: str, words: tuple[str, ...] = (), **variables: str) -> Said:
    """Run it on a host of some kinds (see host.py)."""
    done = subprocess.run(
        command(*kinds, words=words),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **variables},
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return Said(done.returncode, json.loads(done.stdout)["data"], done.stderr)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine may pass through."""
    path = Path(tempfile.mkdtemp(prefix="arena-test-", dir="/tmp"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path)


def without(folder: Path, *modules: str) -> dict[str, str]:
    """Variables with which Python finds none of some modules."""
    for module in modules:
        (folder / f"{module}.py").write_text(HIDDEN)
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}


def path_without(folder: Path, program: str) -> dict[str, str]:
    """A PATH with all programs of this one but one."""
    for place in os.environ["PATH"].split(os.pathsep):
        for name in os.listdir(place) if os.path.isdir(place) else ():
            link = folder / name
            if name != program and not link.is_symlink():
                link.symlink_to(os.path.join(place, name))
    return {"PATH": str(folder)}


def groups_of(pid: int) -> list[Path]:
    """Control groups that a process has made."""
    mounts = cgroups.find_mounts()
    folders = [*mounts.v1.values(), *([mounts.unified] if mounts.unified else [])]
    return [path for folder in folders for path in folder.glob(f"arena-*-{pid}-*")]
