"""Control groups of every version: which there are, what is written in which order, what is believed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sandbox.fake_groups import V2, KernelPath, host

from arena.bots.sandbox import cgroups
from arena.bots.sandbox.cgroups import Group, Mounts, NoGroups, find_mounts, prepare, sweep

V1 = ("memory", "pids", "cpu", "cpuacct", "freezer")
OWN = "/user.slice/arena.scope"


def kernel(mounts: Mounts) -> Mounts:
    """The same with paths that answer as the kernel does."""
    return replace(
        mounts,
        unified=KernelPath(mounts.unified) if mounts.unified else None,
        top=KernelPath(mounts.top) if mounts.top else None,
        v1={name: KernelPath(path) for name, path in mounts.v1.items()},
    )


def v2(folder: Path, own: str = OWN, pids: str = "") -> Mounts:
    mounts = kernel(find_mounts(host(folder, v2=V2, own=own)))
    assert mounts.unified is not None
    Path(mounts.unified / "cgroup.procs").write_text(pids)
    return mounts


def values(*names: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in KernelPath.written if name in names]


def test_versions_are_told_apart(tmp_path: Path) -> None:
    for name, version, more in (
        ("a", "v1", {"v1": V1}),
        ("b", "v2", {"v2": V2}),
        ("c", "hybrid", {"v1": V1, "v2": ()}),
    ):
        (tmp_path / name).mkdir()
        mounts = find_mounts(host(tmp_path / name, own=OWN, **more))
        assert mounts.version == version
        if mounts.unified is not None:
            assert mounts.unified == tmp_path / name / "unified" / OWN.lstrip("/")
        assert mounts.v1 == {each: tmp_path / name / each / OWN.lstrip("/") for each in more.get("v1", ())}


def test_a_mount_of_a_part_of_the_hierarchy_is_understood(tmp_path: Path) -> None:
    proc = tmp_path / "proc"
    proc.mkdir()
    (tmp_path / "m/inner").mkdir(parents=True)
    (proc / "cgroup").write_text("5:cpu,cpuacct:/docker/1/inner\n")
    (proc / "mountinfo").write_text(f"1 0 0:1 /docker/1 {tmp_path}/m rw - cgroup cgroup rw,cpu,cpuacct\n")
    assert find_mounts(proc).v1 == {"cpu": tmp_path / "m/inner", "cpuacct": tmp_path / "m/inner"}


def test_without_any_there_are_none(tmp_path: Path) -> None:
    with pytest.raises(NoGroups, match="no control groups are mounted"):
        find_mounts(host(tmp_path))
    (tmp_path / "other").mkdir()
    with pytest.raises(NoGroups, match="controllers are not here"):
        prepare(kernel(find_mounts(host(tmp_path / "other", v2=("pids",)))))


def test_v1_writes_memory_before_memory_and_swap(tmp_path: Path) -> None:
    mounts = prepare(kernel(find_mounts(host(tmp_path, v1=V1, own=OWN))))
    Group("arena-x", mounts).limit(1 << 26, 16, 0.5)
    memory = values("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
    assert memory == [("memory.limit_in_bytes", "67108864"), ("memory.memsw.limit_in_bytes", "67108864")]
    assert values("pids.max") == [("pids.max", "16")]
    assert values("cpu.cfs_quota_us") == [("cpu.cfs_quota_us", "50000")]


def test_hybrid_limits_in_v1_and_kills_in_v2(tmp_path: Path) -> None:
    mounts = prepare(kernel(find_mounts(host(tmp_path, v1=V1, v2=(), own=OWN))))
    group = Group("arena-x", mounts)
    group.limit(1 << 26, 16, 1.0)
    group.kill()
    assert values("cgroup.kill") == [("cgroup.kill", "1")]
    assert values("memory.limit_in_bytes")
    assert values("memory.max") == []


def test_v2_limits(tmp_path: Path) -> None:
    group = Group("arena-x", prepare(v2(tmp_path)))
    group.limit(1 << 26, 16, 0.5)
    assert values("memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.max") == [
        ("memory.max", "67108864"),
        ("memory.swap.max", "0"),
        ("memory.oom.group", "1"),
        ("pids.max", "16"),
        ("cpu.max", "50000 100000"),
    ]


@pytest.mark.parametrize(
    "file", ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "pids.max", "cpu.cfs_quota_us"]
)
def test_a_v1_limit_that_does_not_read_back_is_not_there(tmp_path: Path, file: str) -> None:
    group = Group("arena-x", prepare(kernel(find_mounts(host(tmp_path, v1=V1)))))
    KernelPath.deaf = {file}
    with pytest.raises(NoGroups, match=f"{file} reads"):
        group.limit(1 << 26, 16, 1.0)


@pytest.mark.parametrize("file", ["memory.max", "memory.swap.max", "pids.max", "cpu.max"])
def test_a_v2_limit_that_does_not_read_back_is_not_there(tmp_path: Path, file: str) -> None:
    group = Group("arena-x", prepare(v2(tmp_path)))
    KernelPath.deaf = {file}
    with pytest.raises(NoGroups, match=f"{file} reads"):
        group.limit(1 << 26, 16, 1.0)


def test_an_own_folder_without_processes_passes_on(tmp_path: Path) -> None:
    mounts = v2(tmp_path)
    assert prepare(mounts).unified == mounts.unified


def test_a_folder_with_processes_passes_nothing_on_and_the_root_does(tmp_path: Path) -> None:
    mounts = v2(tmp_path, pids="7")
    Path(tmp_path / "unified/is_root").touch()
    assert prepare(mounts).unified == tmp_path / "unified"


def test_a_containers_root_is_emptied_into_a_leaf(tmp_path: Path) -> None:
    mounts = v2(tmp_path, own="/", pids="1\n7")
    assert prepare(mounts).unified == tmp_path / "unified"
    assert (tmp_path / "unified/cgroup.procs").read_text() == ""
    assert (tmp_path / "unified/arena-main/cgroup.procs").read_text().split() == ["1", "7"]


def test_from_the_leaf_groups_are_made_beside_it(tmp_path: Path) -> None:
    mounts = v2(tmp_path, own="/a.scope/arena-main", pids="7")
    assert mounts.unified is not None
    Path(mounts.unified.parent / "cgroup.procs").write_text("")
    Path(mounts.unified.parent / "cgroup.subtree_control").write_text("")
    Path(mounts.unified.parent / "cgroup.controllers").write_text(" ".join(V2))
    assert prepare(mounts).unified == tmp_path / "unified/a.scope"


def test_a_delegated_folder_is_emptied_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = v2(tmp_path, pids="7")
    Path(tmp_path / "unified/cgroup.procs").write_text("1")
    with pytest.raises(NoGroups, match="cannot be passed on"):
        prepare(mounts)
    assert mounts.unified is not None
    assert (mounts.unified / "cgroup.procs").read_text() == "7"
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"1" if name == "user.delegate" else b"")
    assert prepare(mounts).unified == mounts.unified
    assert (mounts.unified / "arena-main/cgroup.procs").read_text() == "7"


def test_a_kernel_that_passes_nothing_on_without_an_error_is_not_believed(tmp_path: Path) -> None:
    mounts = v2(tmp_path)
    KernelPath.deaf = {"cgroup.subtree_control"}
    with pytest.raises(NoGroups, match="cannot be passed on"):
        prepare(mounts)


def test_evidence_of_v2(tmp_path: Path) -> None:
    mounts = prepare(v2(tmp_path))
    group = Group("arena-x", mounts)
    folder = tmp_path / "unified" / OWN.lstrip("/") / "arena-x"
    (folder / "memory.events").write_text("low 0\noom 2\noom_kill 1\noom_group_kill 1\n")
    (folder / "pids.events").write_text("max 3\n")
    (folder / "cpu.stat").write_text("usage_usec 1500000\nnr_throttled 4\n")
    assert group.evidence() == cgroups.Evidence(1, 3, 1.5)


@contextmanager
def real_group(name: str) -> Iterator[Group]:
    mounts = prepare(find_mounts())
    group = Group(f"{cgroups.mark(os.getpid())}-{name}", mounts)
    try:
        yield group
    finally:
        assert group.remove()


@pytest.mark.needs("root")
def test_a_real_group_holds_kills_and_goes() -> None:
    with real_group("holds") as group:
        group.limit(1 << 26, 16, 0.5)
        with subprocess.Popen(["/bin/sh", "-c", "sleep 60 & sleep 60"]) as process:
            assert not group.holds(process.pid)
            group.take(process.pid)
            assert group.holds(process.pid)
            assert process.pid in group.processes()
            group.kill()
            assert process.wait(timeout=10) == -9
    assert group.processes() == []


@pytest.mark.needs("root")
def test_groups_of_the_dead_are_swept_and_those_of_the_living_are_not() -> None:
    mounts = prepare(find_mounts())
    mine, namespace = cgroups.mark(os.getpid()), os.stat("/proc/self/ns/pid").st_ino
    living = Group(f"{mine}-living", mounts)
    dead = Group(f"arena-{namespace}-{os.getpid()}-1-dead", mounts)  # the pid was given again since
    foreign = Group(f"arena-1-{os.getpid()}-1-foreign", mounts)
    try:
        assert sweep(mounts) >= 1
        left = {path.name for folder in mounts.v1.values() or [mounts.unified] for path in folder.glob("arena-*")}
        assert living.name in left
        assert foreign.name in left
        assert dead.name not in left
    finally:
        for group in (living, dead, foreign):
            assert group.remove()
