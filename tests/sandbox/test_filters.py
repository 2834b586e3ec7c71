"""The seccomp filter: what it answers to what no bot needs, run for real in a child."""

from __future__ import annotations

import base64
import builtins
import errno
import json
import os
import socket
import subprocess
import sys
from typing import Any

import pytest

from arena.bots.sandbox import filters
from arena.bots.sandbox.probe import SYSCALLS

LOAD = """
import base64, ctypes, json, os, socket, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
program = base64.b64decode(sys.argv[1])


class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


assert libc.prctl(38, 1, 0, 0, 0) == 0
loaded = Filter(len(program) // 8, program)
assert libc.prctl(22, 2, ctypes.byref(loaded), 0, 0) == 0
calls = json.loads(sys.argv[2])
found = {}
for name, arguments in calls.items():
    ctypes.set_errno(0)
    result = libc.syscall(*arguments)
    found[name] = ctypes.get_errno() if result == -1 else 0
for name, family, kind in json.loads(sys.argv[3]):
    try:
        socket.socket(family, kind).close()
        found[name] = 0
    except OSError as error:
        found[name] = error.errno
thread = threading.Thread(target=lambda: found.setdefault("thread", 0))
thread.start()
thread.join()
child = os.fork()
if child == 0:
    os._exit(0)
found["fork"] = os.waitpid(child, 0)[1]
pair = socket.socketpair()
print(json.dumps(found))
"""
SOCKETS = [
    ("unix", socket.AF_UNIX, socket.SOCK_STREAM),
    ("inet", socket.AF_INET, socket.SOCK_STREAM),
    ("inet6", socket.AF_INET6, socket.SOCK_DGRAM),
    ("raw", socket.AF_INET, socket.SOCK_RAW),
    ("raw6", socket.AF_INET6, socket.SOCK_RAW),
    ("netlink", 16, socket.SOCK_RAW),
    ("packet", 17, socket.SOCK_RAW),
    ("alg", 38, socket.SOCK_SEQPACKET),
    ("vsock", 40, socket.SOCK_STREAM),
    ("unknown", 46, socket.SOCK_STREAM),
]
MACHINE = os.uname().machine
NUMBERS = SYSCALLS[MACHINE]
CLONE = {"x86_64": 56, "aarch64": 220}[MACHINE]
SOCKET = {"x86_64": 41, "aarch64": 198}[MACHINE]
IOCTL = {"x86_64": 16, "aarch64": 29}[MACHINE]
NEW_USER, NEW_NET, NEW_TIME = 0x10000000, 0x40000000, 0x80
CALLS = {
    **{name: [number, 0, 0, 0, 0] for name, number in NUMBERS.items()},
    "negative": [SOCKET, -1, 1, 0],
    "vsock_high": [SOCKET, 0x1_0000_0028, 1, 0],
    "raw_flags": [SOCKET, 2, 3 | 0x80000, 0],
    "clone3": [435, 0, 0],
    "new_user": [CLONE, NEW_USER, 0, 0, 0, 0],
    "new_net": [CLONE, NEW_NET, 0, 0, 0, 0],
    "tiocsti": [IOCTL, 0, 0x5412, 0],
    "tiocsti_high": [IOCTL, 0, 0x1_0000_5412, 0],
    "tioclinux": [IOCTL, 0, 0x541C, 0],
    "other_ioctl": [IOCTL, 0, 0x5413, 0],
}


def answers(program: bytes) -> dict[str, int]:
    words = [sys.executable, "-I", "-c", LOAD, base64.b64encode(program).decode(), json.dumps(CALLS)]
    done = subprocess.run(
        [*words, json.dumps(SOCKETS)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    found: dict[str, int] = json.loads(done.stdout)
    return found


def test_what_no_bot_needs_is_refused_and_programs_still_run() -> None:
    found = answers(filters.program())
    refused = {name for name, number in found.items() if number == errno.EPERM}
    assert refused == {
        *NUMBERS,
        "new_user",
        "new_net",
        "tiocsti",
        "tiocsti_high",
        "tioclinux",
        "raw",
        "raw6",
        "raw_flags",
    }
    assert found["clone3"] == errno.ENOSYS
    assert {found[name] for name in ("packet", "alg", "vsock", "vsock_high", "unknown", "negative")} == {
        errno.EAFNOSUPPORT
    }
    assert {found[name] for name in ("unix", "inet", "inet6", "netlink", "thread", "fork")} == {0}
    assert found["other_ioctl"] == errno.ENOTTY


def test_without_a_network_namespace_only_unix_sockets_are_left() -> None:
    found = answers(filters.program(filters.LOCAL_ONLY))
    assert {name for name, _family, _kind in SOCKETS if found[name] == 0} == {"unix"}


def test_a_machine_without_libseccomp_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any, **named: Any) -> Any:
        if name == "pyseccomp":
            raise RuntimeError("no library")
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(filters.NoSeccomp, match="libseccomp cannot be loaded: no library"):
        filters.program()


def test_most_names_are_known_to_the_library() -> None:
    import pyseccomp

    known = [name for name in filters.FORBIDDEN if _known(pyseccomp, name)]
    assert len(known) >= len(filters.FORBIDDEN) - 6
    assert {"ptrace", "bpf", "io_uring_setup", "mount", "unshare", "keyctl", "fsopen"} <= set(known)


def _known(library: Any, name: str) -> bool:
    try:
        return int(library.resolve_syscall(library.Arch.NATIVE, name)) != -1
    except ValueError:
        return False
