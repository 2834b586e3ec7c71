"""What a bot could leave for another of its processes, later or at the same time, and how the other would find it.

`carries` first looks for what an earlier process left and then leaves it everywhere; `signals` talks to a process that
runs now, about one bit, by things of the machine that both can see. Each returns what came through.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import shared_memory
from typing import Any

Told = dict[str, Any]
KEY = 0x41524E41
PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run/arena", "/bot", "/run", "/run/lock", "/dev/mqueue", "/run/user", "/")
KEEPER = """
import socket, sys, time
listener = socket.socket(socket.AF_UNIX)
listener.bind("\\0" + sys.argv[1])
listener.listen()
listener.close() if sys.argv[2:] else time.sleep(60)
"""
_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p


def carries(told: Told) -> list[str]:
    """Looks for traces, then leaves them."""
    name = f"trace-{told['mark']}"
    found = list(_looks(name))
    _leaves(name)
    if told["boxed"]:
        _leaves_in_kernel(name)
    return found


def _looks(name: str) -> Iterator[str]:
    for place in (*PLACES, os.path.dirname(os.environ["ARENA_ADDRESS"].removeprefix("unix:")), os.getcwd()):
        if os.path.exists(f"{place}/{name}"):
            yield f"a file in {place}"
    with contextlib.suppress(OSError):
        shared_memory.SharedMemory(name).close()
        yield "POSIX shared memory"
    for what, kept in (("shmget", _libc.shmget(KEY, 0, 0)), ("msgget", _libc.msgget(KEY, 0))):
        if kept >= 0:
            yield f"System V: {what}"
    if _libc.semget(KEY, 0, 0) >= 0:
        yield "System V: semget"
    if _libc.syscall(250, 10, -4, b"user", name.encode(), 0) > 0:
        yield "a key of its user"
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + name)
        yield "a process that keeps it"
    with contextlib.suppress(OSError):
        if b"1" in os.getxattr("main.py", "user.trace"):
            yield "an attribute of a file"
    if os.uname().nodename == name[:60]:
        yield "the host's name"


def _leaves(name: str) -> None:
    for place in (*PLACES, os.path.dirname(os.environ["ARENA_ADDRESS"].removeprefix("unix:")), os.getcwd()):
        with contextlib.suppress(OSError), open(f"{place}/{name}", "w") as file:
            file.write("cards")
    with contextlib.suppress(OSError):
        shared_memory.SharedMemory(name, create=True, size=64).close()
    with contextlib.suppress(OSError):
        os.setxattr("main.py", "user.trace", b"1")
    subprocess.Popen([sys.executable, "-I", "-S", "-c", KEEPER, name], start_new_session=True)
    time.sleep(0.2)


def _leaves_in_kernel(name: str) -> None:
    """What would stay on the machine, were there no box."""
    _libc.shmget(KEY, 64, 0o1600)
    _libc.msgget(KEY, 0o1600)
    _libc.semget(KEY, 1, 0o1600)
    _libc.syscall(248, b"user", name.encode(), b"cards", 5, -4)
    with contextlib.suppress(OSError):
        socket.sethostname(name[:60])


SHARED = "/usr/lib/os-release"
"""A file that all boxes see."""


def tells(told: Told) -> list[str]:
    """The one who knows: at a moment it takes all locks that can be taken, and touches what can be watched."""
    threading.Thread(target=_tell, args=(told["at"],), daemon=True).start()
    return []


def _tell(moment: float) -> None:
    _wait(moment)
    held = [_held(how) for how in LOCKS.values()]
    while time.time() < moment + 15.0:
        with open(SHARED, "rb") as file:
            file.read(1)
        time.sleep(0.05)
    for number in held:
        if number is not None:
            os.close(number)


def listens(told: Told) -> list[str]:
    """The one who would like to know."""
    watch = _watch()
    _wait(told["at"] + 1.0)
    found = [name for name, how in LOCKS.items() if _is_held(how)]
    if watch >= 0:
        ready, _, _ = select.select([watch], [], [], 1.0)
        if ready:
            found.append("inotify")
        os.close(watch)
    return found


def _wait(moment: float) -> None:
    while time.time() < moment:
        time.sleep(0.01)


def _flock(file: int, exclusive: bool) -> None:
    fcntl.flock(file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)


def _record(command: int) -> Callable[[int, bool], None]:
    def lock(file: int, exclusive: bool) -> None:
        if not exclusive:
            fcntl.fcntl(file, command, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 7, 1, 0))
            return
        query = fcntl.F_GETLK if command == fcntl.F_SETLK else F_OFD_GETLK
        asked = fcntl.fcntl(file, query, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 7, 1, 0))
        if struct.unpack_from("h", asked)[0] != fcntl.F_UNLCK:
            raise BlockingIOError

    return lock


F_OFD_GETLK, F_OFD_SETLK = 36, 37
LOCKS = {"flock": _flock, "POSIX lock": _record(fcntl.F_SETLK), "open file lock": _record(F_OFD_SETLK)}


def _held(how: Callable[[int, bool], None]) -> int | None:
    file = os.open(SHARED, os.O_RDONLY)
    try:
        how(file, False)
    except OSError:
        os.close(file)
        return None
    return file


def _is_held(how: Callable[[int, bool], None]) -> bool:
    file = os.open(SHARED, os.O_RDONLY)
    try:
        how(file, True)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(file)
    return False


def _watch() -> int:
    number = _libc.inotify_init()
    return number if number >= 0 and _libc.inotify_add_watch(number, SHARED.encode(), 0x21) >= 0 else -1
