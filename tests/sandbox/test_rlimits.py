"""What the kernel says to a process in a box, on every tier of this host: its limits and its privileges."""

from __future__ import annotations

from pathlib import Path

import pytest
from sandbox.asked import CANDIDATES, asked

from arena.bots.sandbox.limits import BOT, BUILD, MIB, Limits

LOOKING = """
import ctypes, json, resource
prctl = ctypes.CDLL(None).prctl
names = ("CORE", "NOFILE", "FSIZE", "NPROC", "MEMLOCK", "MSGQUEUE")
found = {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in names}
found["to be gained"] = [number for number in range(64) if prctl(23, number, 0, 0, 0) == 1]
found["none to be gained"] = prctl(39, 0, 0, 0, 0)
print(json.dumps(found), flush=True)
"""
pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root")]


@pytest.mark.parametrize("limits", [BOT, BUILD], ids=["bot", "build"])
@pytest.mark.parametrize("tier", CANDIDATES)
def test_a_process_has_the_limits_that_the_page_states(tier: str, limits: Limits, tmp_path: Path) -> None:
    found = asked(LOOKING, CANDIDATES[tier], limits, tmp_path)
    wanted = {
        "CORE": 0,
        "NOFILE": limits.files,
        "FSIZE": limits.file_mb * MIB,
        "NPROC": 512,
        "MEMLOCK": 64 * 1024,
        "MSGQUEUE": 0,
    }
    assert {name: found[name] for name in wanted} == {name: [most, most] for name, most in wanted.items()}
    assert (found["to be gained"], found["none to be gained"]) == ([], 1), "capabilities"
