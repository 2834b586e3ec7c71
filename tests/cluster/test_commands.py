"""`arena cluster` and the flags of clusters: keys, refusals, what workers state, networks of their own."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.terminal import piped
from cluster.machines import Machines, Part
from cluster.test_kills import ClusterEvent
from crash import event as event_module
from crash.small import check_goes_on, undisturbed

from arena.cli import clusters
from arena.core.errors import ConfigError

pytestmark = pytest.mark.xdist_group("cluster")
CUP = """\
name = "spring"
game = "crowsnest"
bots = ["random", "basic"]
boards = 1
"""


def refused(*words: str) -> dict[str, str]:
    ran = piped(*words)
    assert ran.status == 2, ran.stderr
    assert ran.stdout == ""
    return ran.error()


def test_a_key_is_made_for_its_owner_alone_and_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "c.pem"
    ran = piped("cluster", "key", str(file), "--json")
    assert json.loads(ran.stdout) == {"schema": "arena.cluster-key/1", "data": {"file": str(file)}}
    text = file.read_text()
    assert text.count("-----BEGIN ") == 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = refused("cluster", "key", str(file))
    assert "File exists" in again["error"]
    assert file.read_text() == text


def test_a_scheduler_that_anybody_could_use_is_refused() -> None:
    error = refused("cluster", "scheduler", "--host", "0.0.0.0", "--port", "0")
    assert error["code"].startswith("OPEN_SCHEDULER")
    assert "--insecure" in error["fix"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--wait", "5"), "--wait without --cluster"),
        (("--cluster", "local", "--tls-ca", "c.pem"), "--tls-ca with --cluster local"),
        (("--cluster", "host", "--tls-ca", "c.pem"), "--tls-cert, --tls-key is missing"),
        (
            ("--cluster", "host", "--tls-ca", "c.pem", "--tls-cert", "c.pem", "--tls-key", "c.pem"),
            "--tls-ca: No such file or directory",
        ),
    ],
)
def test_flags_that_do_not_fit_are_refused_before_anything_is_done(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    (tmp_path / "cup.toml").write_text(CUP)
    error = refused("--data", str(tmp_path / "data"), "tournament", "run", str(tmp_path / "cup.toml"), *words)
    assert message in error["error"]
    assert not (tmp_path / "data" / "arena.db").exists()


def test_a_name_with_spaces_is_no_workers_name() -> None:
    assert "no worker can be called 'a b'" in refused("cluster", "worker", "host", "--name", "a b")["error"]


def test_without_the_library_the_command_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError) as raised:
        clusters.cluster_of("local", None, None, None, None, workers=1, data=Path())
    assert raised.value.code == "NO_EXTRA"
    assert raised.value.fix == "pip install 'card-arena[cluster]'"


def test_a_scheduler_that_is_not_there_is_said() -> None:
    ran = piped("cluster", "status", "127.0.0.1:1", "--wait", "0.5")
    assert ran.status == 3
    assert ran.error()["code"].startswith("NO_CLUSTER")


def test_a_worker_gives_up_when_there_is_no_scheduler_for_too_long(tmp_path: Path) -> None:
    ran = piped("--data", str(tmp_path), "cluster", "worker", "127.0.0.1:1", "--wait", "0.5")
    assert ran.status == 3
    assert ran.error()["code"].startswith("NO_CLUSTER")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "c.pem"
    assert piped("cluster", "key", str(file)).status == 0
    return file


def test_a_cluster_with_keys_tells_its_workers_and_lets_nobody_in_without_them(key: Path, tmp_path: Path) -> None:
    tls = ("--tls-ca", str(key), "--tls-cert", str(key), "--tls-key", str(key))
    (tmp_path / "t").mkdir()
    scheduler = Part(("scheduler", "--port", "0", *tls), tmp_path / "s")
    address = scheduler.wait_for("scheduler at tls://").rpartition(" ")[2]
    worker = Part(("worker", address, "--name", "node-1", "--slots", "3", *tls), tmp_path / "w")
    try:
        worker.wait_for("worker node-1 plays 3 bouts at once")
        [row] = json.loads(piped("cluster", "status", address, "--json", *tls).stdout)["data"]
        assert (row["name"], row["slots"], row["refused"]) == ("node-1", 3, None)
        assert row["cores"] == len(os.sched_getaffinity(0))
        assert "python" in row["languages"]
        assert row["tier"] in ("A", "A'", "B", "C", "D")
        stranger = piped("cluster", "status", address.replace("tls://", "tcp://"), "--wait", "1")
        assert stranger.status == 3
    finally:
        assert worker.end() == 143
        assert scheduler.end() == 143


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def networks(*names: str) -> Iterator[dict[str, tuple[str, ...]]]:
    """Network namespaces that reach each other over one bridge: name -> what goes before a command. 10.93.7.1 up."""
    mark = f"ar{os.getpid() % 10_000}"
    _ip("netns", "add", f"{mark}hub")
    try:
        hub = ("-n", f"{mark}hub")
        _ip(*hub, "link", "add", "br0", "type", "bridge")
        _ip(*hub, "link", "set", "br0", "up")
        for number, name in enumerate(names, 1):
            space = f"{mark}{name}"
            _ip("netns", "add", space)
            _ip("-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", f"v{number}", "netns", f"{mark}hub")
            _ip(*hub, "link", "set", f"v{number}", "master", "br0", "up")
            _ip("-n", space, "address", "add", f"10.93.7.{number}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                _ip("-n", space, "link", "set", device, "up")
        yield {name: ("ip", "netns", "exec", f"{mark}{name}") for name in names}
    finally:
        for name in (*names, "hub"):
            subprocess.run(["ip", "netns", "delete", f"{mark}{name}"], check=False, capture_output=True)


@pytest.mark.long
@pytest.mark.needs("root")
@pytest.mark.needs("ip")
def test_workers_in_networks_of_their_own_play_the_same(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler, two workers and the coordinator each have a network of their own; they share a bridge only."""
    tls = ("--tls-ca", str(key), "--tls-cert", str(key), "--tls-key", str(key))
    undisturbed()
    with networks("s", "a", "b", "c") as inside:
        made = Machines(("--host", "10.93.7.1", *tls), tls, inside["s"])
        try:
            made.worker("ada", before=inside["a"])
            made.worker("bob", before=inside["b"])
            made.ready()
            event = ClusterEvent(bots=("random", "basic"), boards=2, isolation="game")
            event.cluster = made
            with monkeypatch.context() as patch:
                patch.setattr(event_module, "COMMAND", (*inside["c"], *event_module.COMMAND))
                check_goes_on(event)
            event.close()
        finally:
            made.close()
