"""Provokes the limits of a box: memory, processes, processor time, what runs on after the end, and the uid.

Each attempt returns "" when the promise held, else what was possible.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from arena.bots.launcher import Launcher
from arena.bots.sandbox import cgroups
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.scripts import LIMIT_S, run_script, started

TIGHT = Limits(memory_mb=64, pids=16)
CROWDED = Limits(memory_mb=512, pids=16)
"""So much that memory is not what ends it."""
SPIN_S = 1.0
SHARES = (0.1, 0.02)
"""So little that it wants more, and is held back, on a busy host too; the second is tried on a very busy one."""
LOOK_S = 0.05
SLACK = 2.0
"""How much more processor time than its share a box may have got in a short test."""
SOON_S = 15.0
UNKNOWN = "nothing is known"
"""Begins what an attempt says that came to nothing: on a very busy host, such as one that stood still."""
TRIES = 3
"""So often an attempt is made that comes to nothing."""
HIDING_PROCESSES = 2
"""How many stay of HIDING: itself and its grandchild."""

GREEDY = """
import os, sys, time
for child in range(3):
    if os.fork() == 0:
        break
kept = bytearray(40 * 2**20)
for place in range(0, len(kept), 4096):
    kept[place] = 1
time.sleep(7)
"""
FORKING = """
import os, time
made = 0
for _ in range(200):
    try:
        pid = os.fork()
    except OSError:
        break
    if pid == 0:
        time.sleep(20)
        os._exit(0)
    made += 1
else:
    time.sleep(7)
print(made, flush=True)
"""
SPINNING = """
import os, sys, time
began, before = time.monotonic(), sum(os.times()[:4])
children = []
for _ in range(3):
    children.append(os.fork())
    if not children[-1]:
        break
while time.monotonic() < began + float(sys.argv[1]):
    pass
if children[-1]:
    for child in children:
        os.waitpid(child, 0)
    print(sum(os.times()[:4]) - before, time.monotonic() - began, flush=True)
"""
WAITING = """
import time
time.sleep(60)
"""
HIDING = """
import os, sys, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(60)
    os._exit(0)
time.sleep(60)
"""


async def _memory(launcher: Launcher) -> str:
    ending = await run_script(launcher, GREEDY, "", TIGHT)
    return "" if ending.limit == "MEMORY" else f"160 MiB with a limit of {TIGHT.memory_mb} MiB: it {ending}"


async def _pids(launcher: Launcher) -> str:
    ending = await run_script(launcher, FORKING, "", CROWDED)
    made = int(ending.last_line) if ending.last_line.isdigit() else 0
    if ending.limit == "PIDS" or 0 < made <= CROWDED.pids:
        return ""
    return f"made {made} processes with a limit of {CROWDED.pids}" if made else f"{UNKNOWN}: it {ending}"


async def _cpu(launcher: Launcher) -> str:
    if not launcher.means.groups:
        return "no control group counts or limits it"
    for share in SHARES:
        found, unsure = await _spin(launcher, share)
        if not unsure:
            break
    return found


async def _spin(launcher: Launcher, share: float) -> tuple[str, bool]:
    """What was possible with a share of a processor, and whether the host was too busy for anybody to tell."""
    held_back = 0
    async with started(launcher, SPINNING, str(SPIN_S), Limits(cpus=share)) as process:
        deadline = time.monotonic() + LIMIT_S
        while not process.exit.done() and time.monotonic() < deadline:
            held_back = max(held_back, cgroups.held_back(process.pid))
            await asyncio.sleep(LOOK_S)
    ending = await process.exit
    try:
        got, took = map(float, ending.last_line.split())
    except ValueError:
        return f"{UNKNOWN}: it {ending}", False
    if got > took * share * SLACK:
        return f"got {got:.2f} s in {took:.2f} s with a limit of {share} processors", False
    if held_back < took / cgroups.PERIOD_S / 4:
        said = f"was held back {held_back} times in {took:.2f} s with a limit of {share} processors"
        return said, got < took * share
    if ending.cpu_s < got / SLACK:
        return f"used {got:.2f} s, of which {ending.cpu_s:.2f} s were counted", False
    return "", False


async def _leftovers(launcher: Launcher) -> str:
    name = f"hiding-{secrets.token_hex(8)}"
    async with started(launcher, HIDING, name, TIGHT):
        if not await _until(lambda: len(_named(name)) >= HIDING_PROCESSES):
            return f"{UNKNOWN}: its processes are not seen from outside"
    if not await _until(lambda: not _named(name)):
        return f"process {_named(name)} runs on"
    return ""


async def _uid(launcher: Launcher) -> str:
    names = [f"waiting-{secrets.token_hex(8)}" for _ in range(2)]
    async with started(launcher, WAITING, names[0], TIGHT), started(launcher, WAITING, names[1], TIGHT):
        if not await _until(lambda: all(map(_named, names))):
            return f"{UNKNOWN}: its processes are not seen from outside"
        owners = [{Path(f"/proc/{pid}").stat().st_uid for pid in _named(name)} for name in names]
    if owners[0] & owners[1]:
        return f"two bots share the uid {min(owners[0] & owners[1])}"
    return "runs under the arena's own uid" if os.geteuid() in owners[0] | owners[1] else ""


async def _until(holds: Callable[[], bool]) -> bool:
    """Wait until something holds, SOON_S seconds at most; whether it does."""
    deadline = time.monotonic() + SOON_S
    while not holds():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


def _named(word: str) -> list[int]:
    """Processes of this machine whose command line ends with a word."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                line = (Path("/proc") / entry / "cmdline").read_bytes()
            except OSError:
                continue
            if line.rstrip(b"\0").endswith(word.encode()):
                found.append(int(entry))
    return found


ATTEMPTS: dict[str, Callable[[Launcher], Awaitable[str]]] = {
    "memory": _memory,
    "pids": _pids,
    "cpu": _cpu,
    "leftovers": _leftovers,
    "uid": _uid,
}

UNLIMITED = {
    "memory": "nothing limits it",
    "pids": "nothing limits it",
    "cpu": "nothing limits it",
    "leftovers": "a process that leaves its group is not found",
    "uid": "runs under the arena's own uid",
}
"""The same without any sandbox."""


async def provoke(launcher: Launcher, told: Callable[[str], None] = lambda _what: None) -> dict[str, str]:
    """All attempts, one after the other; what was possible."""
    found = {}
    for name, attempt in ATTEMPTS.items():
        told(name)
        for _ in range(TRIES):
            what = await attempt(launcher)
            if not what.startswith(UNKNOWN):
                break
        if what:
            found[name] = what
    return found
