"""What the doctor says would lift a tier, on machines that are made up; and what its page says of limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.bots.sandbox import hints as module
from arena.bots.sandbox.hints import Facts, forbidding, hints
from arena.bots.sandbox.limits import BOT, BUILD
from arena.bots.sandbox.means import NONE, Means
from arena.bots.sandbox.promises import PROMISES
from arena.bots.sandbox.report import lacks, quick_tier, way
from arena.bots.sandbox.selftest import Finding
from arena.record.tiers import ORDER, Tier

GOOD = Facts("", "", "", "/usr/bin/bwrap", "", 7, False, False)
PAGE = (Path(__file__).parents[2] / "docs/sandbox.md").read_text(encoding="utf-8")
START = {"start": "bwrap: No permissions to create new namespace"}


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    (tmp_path / "sys/user").mkdir(parents=True)
    (tmp_path / "sys/kernel").mkdir()
    (tmp_path / "sys/user/max_user_namespaces").write_text("10000\n")
    return tmp_path


def said(tier: Tier, facts: Facts, broken: dict[Tier, dict[str, str]], proc: Path) -> str:
    return "\n".join(f"{hint.what} -> {hint.lift}" for hint in hints(tier, facts, broken, proc))


def test_nothing_lifts_the_best_tier(proc: Path) -> None:
    assert hints(Tier.A, GOOD, {}, proc) == []


@pytest.mark.parametrize(
    ("setting", "value", "lift"),
    [
        ("user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
        ("kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor profile"),
    ],
)
def test_settings_that_forbid_namespaces_are_named(proc: Path, setting: str, value: str, lift: str) -> None:
    assert list(forbidding(proc)) == []
    (proc / "sys" / setting).write_text(f"{value}\n")
    text = said(Tier.C, GOOD, {Tier.A: START}, proc)
    assert f"{setting.replace('/', '.')} is {value}" in text
    assert lift in text
    assert "cannot make its namespaces" not in text


def test_a_container_that_filters_calls_is_told_of_its_profile(proc: Path) -> None:
    text = said(Tier.D, GOOD._replace(filtered=True), {Tier.A: START, Tier.B: START}, proc)
    assert "No permissions to create new namespace" in text
    assert "seccomp=unconfined" in text
    assert "seccomp=unconfined" not in said(Tier.D, GOOD, {Tier.A: START, Tier.B: START}, proc)


def test_a_masked_proc_is_told_and_nothing_of_namespaces(proc: Path) -> None:
    text = said(Tier.B, GOOD, {Tier.A: {"start": "bwrap: Can't mount proc"}}, proc)
    assert "systempaths=unconfined" in text
    assert "namespaces" not in text.replace("hostUsers", "")


def test_what_is_not_installed_is_named(proc: Path) -> None:
    facts = GOOD._replace(bwrap="", seccomp="libseccomp cannot be loaded", landlock=0)
    text = said(Tier.D, facts, {}, proc)
    assert "apt-get install bubblewrap" in text
    assert "apt-get install libseccomp2" in text
    assert "Landlock" in text


def test_what_root_would_bring_is_named(proc: Path) -> None:
    facts = GOOD._replace(uids="not root", groups="/sys/fs/cgroup cannot be written")
    text = said(Tier.A_PRIME, facts, {}, proc)
    assert "run the arena as root" in text
    assert "Delegate=yes" in text


def test_swap_that_nobody_counts_is_named_when_memory_is_not_held(proc: Path) -> None:
    facts = GOOD._replace(swap_uncounted=True)
    assert "swapoff" in said(Tier.A_PRIME, facts, {Tier.A: {"memory": "it lived"}}, proc)
    assert "swapoff" not in said(Tier.A_PRIME, facts, {Tier.A: {"pids": "it lived"}}, proc)


def test_facts_are_read_from_the_machine(proc: Path) -> None:
    (proc / "self").mkdir()
    (proc / "self/status").write_text("Name:\tarena\nSeccomp:\t2\n")
    (proc / "meminfo").write_text("MemTotal: 5 kB\nSwapTotal: 0 kB\n")
    (proc / "sys/user/max_user_namespaces").write_text("0\n")
    facts = module.find_facts(proc)
    assert (facts.filtered, facts.swap_uncounted) == (True, False)
    assert facts.namespaces == "user.max_user_namespaces is 0"


def test_the_quick_tier_is_the_first_that_holds_without_provoked_limits() -> None:
    a, b = Means(Tier.A, "/bwrap"), Means(Tier.B, "/bwrap")
    assert quick_tier([Finding(NONE, a, {"memory": "lived"}), Finding(b, b, {})]) is Tier.A
    assert quick_tier([Finding(NONE, a, {"network": "out"}), Finding(b, b, {})]) is Tier.B
    assert quick_tier([Finding(NONE, a, START), Finding(NONE, b, {"files": "read"})]) is Tier.D
    assert quick_tier([]) is Tier.D


def test_lacks_and_ways_are_said_in_words() -> None:
    full = Means(Tier.A, "/bwrap", groups=True, uids=True)
    assert lacks(full, {}) == []
    assert way(full) == "bubblewrap, seccomp, own /proc, control groups, own uids"
    assert lacks(NONE, {})[0].startswith("everything")
    assert way(NONE) == "no sandbox"
    polled = Means(Tier.B, "/bwrap", proc=False)
    assert len(lacks(polled, {})) == 4
    assert way(polled) == "bubblewrap, seccomp, polled limits"
    landlock = Means(Tier.C, proc=False, groups=True, uids=True, landlock=True)
    assert any("Landlock" in text for text in lacks(landlock, {}))
    assert "sockets that are open" in lacks(landlock, {"sockets": "connected"})[-1]


def size(megabytes: int) -> str:
    return f"{megabytes // 1024} GiB" if megabytes % 1024 == 0 else f"{megabytes} MiB"


def test_the_page_states_the_limits() -> None:
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in PAGE.splitlines() if line.startswith("| ")}
    memory = next(line for name, line in rows.items() if name.startswith("memory"))
    assert f"| {size(BOT.memory_mb)} | {size(BUILD.memory_mb)} |" in memory
    assert f"| {BOT.pids} | {BUILD.pids} |" in rows["processes and threads"]
    assert f"| {BOT.cpus:.0f} | {BUILD.cpus:.0f} |" in rows["processors"]
    assert BOT.tmp_mb == BOT.shm_mb
    assert f"| {BOT.tmp_mb} MiB each | {BUILD.tmp_mb} MiB; {BUILD.shm_mb} MiB |" in rows["`/tmp`; `/dev/shm`"]
    assert f"| {BOT.inodes:,} | {BUILD.inodes:,} |".replace(",", " ") in rows["files and folders in each of these"]
    assert f"| {BOT.files} | {BUILD.files} |" in rows["open descriptors of a process"]
    assert f"| {size(BOT.file_mb)} | {size(BUILD.file_mb)} |" in rows["one file"]


def test_the_page_has_a_row_for_every_tier_and_promises_are_told_apart() -> None:
    assert [line.split(" | ")[0] for line in PAGE.splitlines() if line[:4].strip("| ") in ORDER] == [
        f"| {tier}" for tier in ORDER
    ]
    assert len({promise.name for promise in PROMISES}) == len(PROMISES)
