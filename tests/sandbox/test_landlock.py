"""Landlock really closes what is not named, for a process and all that it starts."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.sandbox import landlock

TRIES = """
import json, os, socket, subprocess, sys
from arena.bots.sandbox.landlock import restrict
import ctypes
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
told = json.loads(sys.argv[1])
restrict(told["readable"], told["writable"])

def answer(attempt):
    try:
        attempt()
    except OSError as error:
        return type(error).__name__
    return "done"

def connect():
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\\0" + told["abstract"])

print(json.dumps({
    "read": answer(lambda: open(told["readable"][0] + "/file").read()),
    "write": answer(lambda: open(told["readable"][0] + "/new", "w")),
    "own": answer(lambda: open(told["writable"][0] + "/new", "w")),
    "run_own": answer(lambda: os.execv(told["writable"][0] + "/program", ["program"])),
    "foreign": answer(lambda: open(told["foreign"]).read()),
    "list": answer(lambda: os.listdir(os.path.dirname(told["foreign"]))),
    "child": subprocess.run(["/bin/cat", told["foreign"]], capture_output=True).returncode,
    "signal": answer(lambda: os.kill(os.getppid(), 0)),
    "abstract": answer(connect),
}))
"""


def test_only_what_is_named_is_reached(tmp_path: Path) -> None:
    if landlock.abi() == 0:
        with pytest.raises(OSError, match="no Landlock"):
            landlock.restrict(["/usr"], [])
        return
    readable, writable, foreign = tmp_path / "readable", tmp_path / "writable", tmp_path / "foreign/file"
    for folder in (readable, writable, foreign.parent):
        folder.mkdir()
    (readable / "file").write_text("seen")
    foreign.write_text("secret")
    (writable / "program").write_text("#!/bin/sh\n")
    (writable / "program").chmod(0o755)
    name = f"arena-landlock-{os.getpid()}"
    told = {
        "readable": [str(readable), "/usr", "/bin", "/lib", "/lib64", "/not/there", sys.base_prefix],
        "writable": [str(writable)],
        "foreign": str(foreign),
        "abstract": name,
    }
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        done = subprocess.run(
            [sys.executable, "-c", TRIES, json.dumps(told)], capture_output=True, text=True, check=True, timeout=60
        )
    found = json.loads(done.stdout)
    closed = "PermissionError" if landlock.abi() >= 6 else "done"
    assert found == {
        "read": "done",
        "write": "PermissionError",
        "own": "done",
        "run_own": "PermissionError",
        "foreign": "PermissionError",
        "list": "PermissionError",
        "child": 1,
        "signal": closed,
        "abstract": closed,
    }


def test_a_kernel_without_it_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    with pytest.raises(OSError, match="no Landlock"):
        landlock.restrict(["/usr"], [])
