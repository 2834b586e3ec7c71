"""What a greedy bot takes: memory, processes, processor time, output, disk. Each returns what it got too much of.

What forks does so in a program of its own, since a process with gRPC in it cannot: `greed.py FUNCTION TOLD`.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import Any

MAP_NORESERVE = 0x4000
MIB = 1024 * 1024
CHILDREN_S = 20.0
"""Children of a greedy bot end by themselves after a while, should nobody end them."""


def _touch(mib: int) -> bytearray:
    return bytearray(b"x") * (mib * MIB)


def memory(told: dict[str, Any]) -> list[str]:
    """1 GiB, kept."""
    taken = _touch(told.get("mib", 1024))
    return [f"{len(taken) // MIB} MiB"]


def _program(name: str, told: dict[str, Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-S", __file__, name, json.dumps(told)])


def memory_of_children(told: dict[str, Any]) -> list[str]:
    """4 children with 256 MiB each; none of them alone is over the limit."""
    children = [_program("_child", {"mib": 256, "wait_s": CHILDREN_S, **told}) for _ in range(4)]
    for child in children:
        child.wait()
    return ["4 children with their memory"]


def _child(told: dict[str, Any]) -> None:
    taken = _touch(told["mib"])
    time.sleep(told["wait_s"])
    del taken


def shared_memory(_told: dict[str, Any]) -> list[str]:
    """1 GiB in files without a name."""
    taken = []
    for _ in range(32):
        handle = os.memfd_create("greed")
        for _ in range(32):
            os.write(handle, bytes(MIB))
        taken.append(handle)
    return [f"{len(taken)} x 32 MiB of memory files"]


def forks(told: dict[str, Any]) -> list[str]:
    """A fork bomb of a second; when it is over, the game goes on."""
    read, write = os.pipe()
    os.set_blocking(read, False)
    words = [sys.executable, "-S", __file__, "_bomb", json.dumps({**told, "pipe": write})]
    subprocess.Popen(words, pass_fds=[write]).wait()
    try:
        born = len(os.read(read, MIB))
    except BlockingIOError:
        born = 0
    os.close(read)
    os.close(write)
    return [f"{born} children at once"] if born > 64 else []


def forks_and_dies(told: dict[str, Any]) -> list[str]:
    """A fork bomb that costs the bot itself its life."""
    _program("_bomb", {**told, "bomb_s": CHILDREN_S})
    time.sleep(1)
    os.abort()


def _bomb(told: dict[str, Any]) -> None:
    end = time.monotonic() + told.get("bomb_s", 1.0)
    while time.monotonic() < end:
        try:
            if os.fork() == 0 and "pipe" in told:
                os.write(told["pipe"], b"x")
        except OSError:
            time.sleep(0.02)


def threads(_told: dict[str, Any]) -> list[str]:
    """10 000 threads; the first that cannot be started is more than the program can bear."""
    for _ in range(10_000):
        threading.Thread(target=time.sleep, args=(CHILDREN_S,), daemon=True).start()
    return ["10 000 threads"]


def spins(told: dict[str, Any]) -> list[str]:
    """Burns all processors it gets, in others' turns too, by processes that outlive the turn."""
    for _ in range(2 * (os.cpu_count() or 1)):
        _program("_spin", told)
    return []


def _spin(told: dict[str, Any]) -> None:
    end = time.monotonic() + told.get("spin_s", CHILDREN_S)
    with contextlib.suppress(OSError):
        os.nice(-20)
    while time.monotonic() < end:
        pass


def output(told: dict[str, Any]) -> list[str]:
    """1 GB on stdout and stderr."""
    block = b"out " * (MIB // 4)
    os.write(1, b"the first words\n")
    for number in range(told["output_mib"]):
        left = memoryview(block)
        while left:
            left = left[os.write(1 + number % 2, left) :]
    os.write(2, b"\nthe last words\n")
    return []


NASTY = b"\x1b[31mred\x1b]0;title\x07\x00nul \xff\xfe\xc3( </script><script>alert(1)</script> \xe2\x80\xaegnp.exe\r\n"


def nasty(_told: dict[str, Any]) -> list[str]:
    """Bytes on stderr that are no text, or worse."""
    os.write(2, NASTY)
    return []


def disk(_told: dict[str, Any]) -> list[str]:
    """Fills every folder that can be written."""
    got = []
    for place in ("/tmp", "/dev/shm"):
        written = 0
        with contextlib.suppress(OSError), open(f"{place}/big", "wb", buffering=0) as file:
            while written < 40 * MIB:
                written += file.write(bytes(MIB))
        if written > 16 * MIB:
            got.append(f"{written} bytes in {place}")
        with contextlib.suppress(OSError):
            os.unlink(f"{place}/big")
    return got


def inodes(told: dict[str, Any]) -> list[str]:
    """Files without content, in folders of 1000: more than any bot needs."""
    got = []
    for place in ("/tmp", "/dev/shm"):
        made = 0
        with contextlib.suppress(OSError):
            for folder in range(told.get("folders", 20)):
                os.mkdir(f"{place}/{folder}")
                for number in range(1000):
                    os.mknod(f"{place}/{folder}/{number}")
                    made += 1
        if made > 10_000:
            got.append(f"{made} files in {place}")
        shutil.rmtree(place, ignore_errors=True)
    return got


def sparse(_told: dict[str, Any]) -> list[str]:
    """A file of 1 TB without content, address space without memory, and limits that it would rather not have."""
    got = []
    with contextlib.suppress(OSError), open("/tmp/sparse", "wb") as file:
        file.truncate(10**12)
        got.append("a file of 1 TB")
    addresses = []
    with contextlib.suppress(OSError):
        while True:
            addresses.append(mmap.mmap(-1, 2**40, flags=mmap.MAP_PRIVATE | MAP_NORESERVE))
    del addresses
    for name in ("NOFILE", "FSIZE", "NPROC", "MEMLOCK", "CORE"):
        number = getattr(resource, f"RLIMIT_{name}")
        soft, hard = resource.getrlimit(number)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(number, (soft, hard + 1))
            got.append(f"RLIMIT_{name} raised")
    return got


def deep(_told: dict[str, Any]) -> list[str]:
    """A tree of folders deeper than any path is long; whoever removes it must get down there."""
    os.mkdir("/tmp/deep")
    os.chdir("/tmp/deep")
    with contextlib.suppress(OSError):
        for _ in range(3000):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
    os.chdir("/bot")
    return []


def arguments(_told: dict[str, Any]) -> list[str]:
    """The longest command line that there may be."""
    with contextlib.suppress(OSError):
        subprocess.run(["/bin/true", *["x" * 100_000] * 15], check=True)
    return []


def hides(told: dict[str, Any]) -> list[str]:
    """Leaves processes behind: two forks, a session of their own, deaf to signals, one with the output held open."""
    _program("_hide", told).wait()
    return []


def _hide(_told: dict[str, Any]) -> None:
    for keeps_output in (True, False):
        if os.fork():
            continue
        os.setsid()
        if os.fork():
            os._exit(0)
        _deafen()
        if not keeps_output:
            os.closerange(0, 64)
        while True:
            time.sleep(0.05)
            if keeps_output:
                with contextlib.suppress(OSError):
                    os.write(1, b"still here\n")


def _deafen() -> None:
    for number in range(1, signal.NSIG):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)


def leaves_and_exits(told: dict[str, Any]) -> list[str]:
    """As `hides`, and then the bot itself leaves in the middle of its game."""
    hides(told)
    os._exit(0)


def at_once(told: dict[str, Any]) -> list[str]:
    """Ends at a moment that another bot knows too."""
    while time.time() < told["at"]:
        time.sleep(0.001)
    os._exit(told["status"])


def stops_all(told: dict[str, Any]) -> list[str]:
    """Stops every process that it may signal, itself last."""
    assert told["boxed"], "these are all processes of this user"
    with contextlib.suppress(OSError):
        os.kill(-1, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    return []


def kills_all(told: dict[str, Any]) -> list[str]:
    """Kills every process that it may signal, the first one of its namespace too."""
    assert told["boxed"], "these are all processes of this user"
    for target in (1, os.getppid(), -1):
        with contextlib.suppress(OSError):
            os.kill(target, signal.SIGKILL)
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGKILL)
    return []


def deaf(_told: dict[str, Any]) -> list[str]:
    """Never leaves, whatever it is told or sent, and goes on burning time."""
    _deafen()
    end = time.monotonic() + CHILDREN_S
    while time.monotonic() < end:
        pass
    return ["was let alone"]


if __name__ == "__main__":
    globals()[sys.argv[1]](json.loads(sys.argv[2]))
