"""Hosts that lie are found out: each promise that is broken on purpose is reported, and the tier falls."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sandbox.lies import ALLOW_ALL, bubblewrap, limits_lifted
from sandbox.simulated import doctor, open_folder

from arena.bots.sandbox import selftest
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.promises import BY_NAME, PROMISES, tier_of
from arena.bots.sandbox.provoke import ATTEMPTS, WAITING, _named, _until
from arena.bots.sandbox.report import examine_host
from arena.bots.sandbox.scripts import started
from arena.bots.sandbox.selftest import Finding
from arena.record.tiers import ORDER, Tier

pytestmark = [pytest.mark.xdist_group("sandbox"), pytest.mark.needs("tier A"), pytest.mark.timed]


def way(tier: Tier) -> Means:
    return next(means for means in selftest.candidates() if means.tier is tier)


def quick(means: Means) -> Finding:
    return asyncio.run(selftest.examine(means, full=False))


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as path:
        yield path


@pytest.mark.parametrize("tier", [Tier.A, Tier.B, Tier.C])
def test_a_filter_that_allows_everything_breaks_kernel(tier: Tier) -> None:
    found = quick(replace(way(tier), filter=ALLOW_ALL))
    assert "answers" in found.broken["kernel"] or "succeeds" in found.broken["kernel"]
    assert found.means == NONE


def test_a_host_with_such_a_filter_has_no_tier(folder: Path) -> None:
    (folder / "pyseccomp.py").write_text(FALSE_SECCOMP)
    said = doctor(words=("--quick",), PYTHONPATH=str(folder))
    assert (said.status, said.tier) == (1, "D")
    assert "answers" in said.tried("A")["kernel"]


FALSE_SECCOMP = f"""
ALLOW = MASKED_EQ = GE = 0
ERRNO = lambda number: number
Arg = lambda *words: words


class SyscallFilter:
    def __init__(self, _default): pass
    def add_rule(self, *_words): pass
    def export_bpf(self, file): file.write({ALLOW_ALL!r})
"""

TEMP = tempfile.gettempdir()
DROPPED = {
    "network": {
        "case": "--unshare-all",
        "instead": 'set -- "$@" --unshare-user --unshare-pid --unshare-ipc --unshare-uts',
    },
    "processes": {
        "case": "--unshare-all",
        "instead": 'set -- "$@" --unshare-user --unshare-net --unshare-ipc --unshare-uts',
    },
    "files": {"case": "--chdir", "instead": f'set -- "$@" --ro-bind {TEMP} {TEMP} --chdir'},
    "folder": {"case": "--remount-ro", "instead": 'set -- "$@" --chmod 0777'},
    "space": {"case": "--chdir", "instead": 'set -- "$@" --tmpfs /tmp --chdir'},
    "descriptors": {"first": "exec 200</dev/null"},
}
"""Promise -> how a bubblewrap breaks it."""


@pytest.mark.parametrize("name", DROPPED)
def test_a_bubblewrap_that_drops_options_is_found_out(name: str, folder: Path) -> None:
    means = replace(way(Tier.A), bwrap=bubblewrap(folder, **DROPPED[name]))
    found = quick(means)
    assert name in found.broken, found
    assert found.means == NONE


def test_a_host_whose_bubblewrap_leaves_the_network_falls(folder: Path) -> None:
    bubblewrap(folder, **DROPPED["network"])
    said = doctor(words=("--quick",), PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    for tier in ("A", "A'", "B"):
        assert "connected" in said.tried(tier)["network"]
    assert said.tier == "C"


def test_limits_that_are_lifted_are_found_by_the_full_test_only() -> None:
    with limits_lifted("memory", "pids", "cpu") as lifted:
        report = asyncio.run(examine_host(full=True))
    assert lifted
    assert set(report.tried[0].broken) == {"memory", "pids", "cpu"}
    assert set(report.tried[1].broken) == {"cpu"}
    assert (report.tried[0].wanted, report.quick_tier, report.tier) == (Tier.A, Tier.A, Tier.A_PRIME)
    assert any("tier A was tried and broke: cpu" in hint.what for hint in report.hints)


@pytest.mark.parametrize("name", ["memory", "pids", "cpu"])
def test_each_limit_alone_is_found(name: str) -> None:
    async def try_it() -> str:
        async with selftest.launcher_with(way(Tier.A)) as launcher:
            return await ATTEMPTS[name](launcher)

    assert asyncio.run(try_it()) == ""
    with limits_lifted(name):
        assert asyncio.run(try_it()) != ""


def test_polled_limits_hold_as_root_too() -> None:
    found = asyncio.run(selftest.examine(way(Tier.A_PRIME), full=True))
    assert set(found.broken) == {"cpu"}
    assert found.means.tier is Tier.A_PRIME


def test_what_a_box_has_begun_dies_before_it_could_see_to_that_itself(folder: Path) -> None:
    """Where no control group ends it: the first process in a box has left bubblewrap's own group, and does not die with
    bubblewrap yet."""
    begins = "/usr/bin/setsid /bin/sleep 600.125 >/dev/null 2>&1 &"
    means = replace(way(Tier.A_PRIME), bwrap=bubblewrap(folder, first=begins))

    async def course() -> None:
        async with selftest.launcher_with(means) as launcher:
            async with started(launcher, WAITING, "", Limits()):
                assert await _until(lambda: bool(_named("600.125")))
            assert await _until(lambda: not _named("600.125")), "it runs on"

    asyncio.run(course())


def test_a_tier_falls_with_each_promise_that_it_needs() -> None:
    for tier in ORDER[:-1]:
        assert tier_of(tier, frozenset()) is tier
        for promise in PROMISES:
            lost = tier_of(tier, frozenset({promise.name}))
            assert lost is (tier if tier in promise.lacking else Tier.D)
    assert tier_of(Tier.D, frozenset()) is Tier.D
    assert set(BY_NAME) == {promise.name for promise in PROMISES}
