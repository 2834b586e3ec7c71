"""What two boxes could leave each other on files that both see is refused; what one program needs for itself works."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sandbox.asked import CANDIDATES, asked

from arena.bots.sandbox import filters
from arena.bots.sandbox.limits import BOT, BUILD

TRYING = """
import ctypes, errno, json, mmap, os, platform, threading
libc = ctypes.CDLL(None, use_errno=True)
FUTEX = {"x86_64": 202, "aarch64": 98}[platform.machine()]
def told(result):
    return errno.errorcode[ctypes.get_errno()] if result < 0 else "ok"
own = mmap.mmap(-1, 4096)
word = ctypes.addressof(ctypes.c_uint32.from_buffer(own))
found = {}
operations = {"shared wake": 1, "shared wake, timed": 1 | 256, "shared requeue": 3, "private wake": 129}
for name, operation in operations.items():
    found[name] = told(libc.syscall(FUTEX, ctypes.c_void_p(word), operation, 1, None, None, 0))
hint = ctypes.c_uint64(3)
descriptor = os.open("/usr/bin/env", os.O_RDONLY)
for name, number in (("hint on the file", 1036), ("hint on the descriptor", 1038)):
    found[name] = told(libc.fcntl(descriptor, number, ctypes.byref(hint)))
started = threading.Thread(target=lambda: None)
started.start()
started.join()
found["read at"] = os.stat("/usr/bin/env").st_atime_ns
os.read(descriptor, 100)
found["read later"] = os.stat("/usr/bin/env").st_atime_ns
print(json.dumps(found), flush=True)
"""
pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root")]


@pytest.mark.parametrize("tier", CANDIDATES)
def test_files_of_the_machine_carry_no_words(tier: str, tmp_path: Path) -> None:
    found = asked(TRYING, CANDIDATES[tier], BOT, tmp_path)
    for name in ("shared wake", "shared wake, timed", "shared requeue"):
        assert found[name] == "EINVAL", name
    assert found["private wake"] == "ok"
    assert (found["hint on the file"], found["hint on the descriptor"]) == ("EPERM", "EPERM")
    assert found["read at"] == found["read later"]


def test_builds_may_do_what_compilers_do(tmp_path: Path) -> None:
    means = replace(next(iter(CANDIDATES.values())), filter=filters.program(talking=True))
    assert asked(TRYING, means, BUILD, tmp_path)["shared wake"] == "ok"
