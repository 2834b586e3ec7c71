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
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.scripts import run_script

TIGHT = Limits(memory_mb=64, pids=16)
SPIN_S = 1.0
SLACK = 1.5
"""How much more processor time than its share a box may have got in a short test."""
SOON_S = 5.0

GREEDY = """
import os, sys, time
for child in range(3):
    if os.fork() == 0:
        break
kept = bytearray(40 * 2**20)
for place in range(0, len(kept), 4096):
    kept[place] = 1
time.sleep(8)
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
        time.sleep(8)
        os._exit(0)
    made += 1
time.sleep(1)
print(made, flush=True)
"""
SPINNING = """
import os, sys, time
end = time.monotonic() + float(sys.argv[1])
for _ in range(3):
    if os.fork() == 0:
        break
while time.monotonic() < end:
    pass
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
time.sleep(0.2)
"""


async def _memory(launcher: Launcher) -> str:
    ending = await run_script(launcher, GREEDY, "", TIGHT)
    return "" if ending.limit == "MEMORY" else f"160 MiB with a limit of {TIGHT.memory_mb} MiB: it {ending}"


async def _pids(launcher: Launcher) -> str:
    ending = await run_script(launcher, FORKING, "", TIGHT)
    made = int(ending.last_line) if ending.last_line.isdigit() else 0
    return "" if ending.limit == "PIDS" or 0 < made <= TIGHT.pids else f"made {made} processes with a limit of 16"


async def _cpu(launcher: Launcher) -> str:
    if not launcher.means.groups:
        return "no control group counts or limits it"
    before = time.monotonic()
    ending = await run_script(launcher, SPINNING, str(SPIN_S), Limits(cpus=0.5))
    took = max(SPIN_S, time.monotonic() - before)
    return (
        "" if ending.cpu_s <= took * 0.5 * SLACK else f"got {ending.cpu_s:.2f} s in {took:.2f} s with a limit of half"
    )


async def _leftovers(launcher: Launcher) -> str:
    name = f"hiding-{secrets.token_hex(8)}"
    await run_script(launcher, HIDING, name, TIGHT)
    deadline = time.monotonic() + SOON_S
    while found := _named(name):
        if time.monotonic() > deadline:
            return f"process {found[0]} runs on"
        await asyncio.sleep(0.02)
    return ""


def _named(word: str) -> list[int]:
    """Processes of this machine whose command line holds a word."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                line = (Path("/proc") / entry / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in line:
                found.append(int(entry))
    return found


async def _uid(launcher: Launcher) -> str:
    return "" if launcher.means.uids else "runs under the arena's own uid, in a user namespace"


ATTEMPTS: dict[str, Callable[[Launcher], Awaitable[str]]] = {
    "memory": _memory,
    "pids": _pids,
    "cpu": _cpu,
    "leftovers": _leftovers,
    "uid": _uid,
}


async def provoke(launcher: Launcher) -> dict[str, str]:
    """All attempts, one after the other; what was possible."""
    found = {name: await attempt(launcher) for name, attempt in ATTEMPTS.items()}
    return {name: what for name, what in found.items() if what}
