"""The coordinator lock between real processes."""

import fcntl
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from postgres import Server

from arena.core.errors import ArenaFault
from arena.store.lock import Busy, Holder, coordinator_lock, holder, lock_file, site_lock

HOLD = """
import sys, time
from pathlib import Path
from arena.store.lock import coordinator_lock
with coordinator_lock(Path(sys.argv[1]), "spring"):
    print("held", flush=True)
    sys.stdin.read()
"""


def start_holder(folder: Path, script: str = HOLD, *words: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str], signal_: int = 0) -> None:
    if signal_:
        process.send_signal(signal_)
    process.communicate(timeout=30)


def test_a_second_coordinator_is_refused_with_pid_and_host(folder: Path) -> None:
    first = start_holder(folder)
    with (
        pytest.raises(Busy, match=f"process {first.pid} on {socket.gethostname()}") as busy,
        coordinator_lock(folder, "spring"),
    ):
        pytest.fail("two coordinators")
    assert busy.value.code == "BUSY"
    assert holder(folder, "spring") == Holder(first.pid, socket.gethostname())
    end(first)
    assert holder(folder, "spring") is None
    with coordinator_lock(folder, "spring"):
        pass


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_lock_dies_with_its_holder(folder: Path, number: signal.Signals) -> None:
    first = start_holder(folder)
    end(first, number)
    assert holder(folder, "spring") is None
    with coordinator_lock(folder, "spring"):
        assert holder(folder, "spring") == Holder(os.getpid(), socket.gethostname())


def test_a_program_started_by_a_dead_holder_does_not_keep_the_lock(folder: Path) -> None:
    script = HOLD.replace('print("held"', 'import subprocess; subprocess.Popen(["sleep", "60"]); print("held"')
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "held\n"
    process.kill()
    process.wait()
    assert holder(folder, "spring") is None
    os.killpg(process.pid, signal.SIGKILL)
    process.stdin.close()
    process.stdout.close()


def test_other_tournaments_are_free(folder: Path) -> None:
    with coordinator_lock(folder, "spring"), coordinator_lock(folder, "autumn"):
        assert holder(folder, "spring") == holder(folder, "autumn")


def test_in_one_process_too_only_one_holds_it(folder: Path) -> None:
    with coordinator_lock(folder, "spring"), pytest.raises(Busy), coordinator_lock(folder, "spring"):
        pytest.fail("two coordinators")


def test_who_only_looks_refuses_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`holder` has the lock for a moment, shared; who begins in that moment is alone all the same."""
    file = lock_file(folder, "spring")
    file.parent.mkdir(parents=True)
    looking = os.open(file, os.O_RDONLY | os.O_CREAT)
    fcntl.flock(looking, fcntl.LOCK_SH)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        os.close(looking)

    monkeypatch.setattr("arena.store.lock.time.sleep", wait)
    with coordinator_lock(folder, "spring"):
        assert holder(folder, "spring") == Holder(os.getpid(), socket.gethostname())
    assert len(waits) == 1


def test_whoever_looks_all_the_time_keeps_nobody_waiting_for_ever(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.lock.LOOKED_S", 0.05)
    file = lock_file(folder, "spring")
    file.parent.mkdir(parents=True)
    looking = os.open(file, os.O_RDONLY | os.O_CREAT)
    fcntl.flock(looking, fcntl.LOCK_SH)
    with pytest.raises(Busy), coordinator_lock(folder, "spring"):
        pytest.fail("it was never free")
    os.close(looking)


def test_an_error_inside_lets_go(folder: Path) -> None:
    with pytest.raises(KeyError), coordinator_lock(folder, "spring"):
        raise KeyError
    assert holder(folder, "spring") is None


def test_nobody_holds_what_was_never_locked(folder: Path) -> None:
    assert holder(folder, "spring") is None


def test_a_held_lock_without_a_signature_is_still_held(folder: Path) -> None:
    with coordinator_lock(folder, "spring"):
        lock_file(folder, "spring").write_text("")
        assert holder(folder, "spring") == Holder(0, "unknown")
        with pytest.raises(Busy, match="unknown"), coordinator_lock(folder, "spring"):
            pytest.fail("two coordinators")


def test_lock_files_are_for_their_owner_only(folder: Path) -> None:
    with coordinator_lock(folder, "spring"):
        file = lock_file(folder, "spring")
        assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, file.parent, file)] == [0o700, 0o700, 0o600]


def test_a_folder_that_cannot_be_made_is_a_fault_of_the_arena(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(ArenaFault, match="lock of tournament 'spring' cannot be made"),
        coordinator_lock(tmp_path / "file", "spring"),
    ):
        pytest.fail("no lock was taken")


SHARED = HOLD.replace('"spring")', '"spring", sys.argv[2])')


@pytest.mark.needs("postgres")
def test_on_a_server_the_lock_holds_on_every_machine(tmp_path: Path, server: Server) -> None:
    """Two data folders, as on two machines, and one store: one coordinator."""
    url = server.new_schema()
    here, there = tmp_path / "here", tmp_path / "there"
    first = start_holder(here, SHARED, url)
    assert holder(there, "spring") is None, "its folder alone tells nothing"
    assert holder(there, "spring", url) == Holder(first.pid, socket.gethostname())
    with (
        pytest.raises(Busy, match=f"process {first.pid} on {socket.gethostname()}") as busy,
        coordinator_lock(there, "spring", url),
    ):
        pytest.fail("two coordinators")
    assert busy.value.where.startswith("postgresql")
    with coordinator_lock(there, "autumn", url), coordinator_lock(there, "spring", server.new_schema()):
        assert holder(here, "autumn", url) == Holder(os.getpid(), socket.gethostname())
    end(first, signal.SIGKILL)
    wait_until_free(there, url)
    with coordinator_lock(there, "spring", url):
        assert holder(here, "spring", url) == Holder(os.getpid(), socket.gethostname())
    assert holder(there, "spring", url) is None


def wait_until_free(folder: Path, url: str) -> None:
    """The server notices the end of a connection at once, but not in the same moment."""
    deadline = time.monotonic() + 60
    while holder(folder, "spring", url) is not None:
        assert time.monotonic() < deadline, "the lock outlives its holder"
        time.sleep(0.05)


@pytest.mark.needs("postgres")
def test_on_a_server_what_was_let_go_is_free_at_once(tmp_path: Path, server: Server) -> None:
    url = server.new_schema()
    for _ in range(20):
        with coordinator_lock(tmp_path, "spring", url):
            pass


@pytest.mark.needs("postgres")
def test_a_server_that_is_not_there_is_said_without_its_password(tmp_path: Path) -> None:
    url = f"postgresql://ada:hush@/arena?host={tmp_path}"
    with pytest.raises(ArenaFault, match="cannot be reached") as gone, coordinator_lock(tmp_path, "spring", url):
        pytest.fail("no lock was taken")
    assert gone.value.code == "STORE_GONE"
    assert "hush" not in repr(gone.value.__dict__)


def test_one_server_a_folder(tmp_path: Path) -> None:
    with (
        site_lock(tmp_path),
        pytest.raises(Busy, match=rf"this folder is served already by process {os.getpid()} on"),
        site_lock(tmp_path),
    ):
        pass
    with site_lock(tmp_path):
        assert holder(tmp_path, "spring") is None
