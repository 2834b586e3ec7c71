"""Disks that are full, fill up, or cannot be written: a clear error, nothing lost, and the same command goes on."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from crash.disks import Disk, mounted
from crash.event import NAME, Event
from crash.small import GAMES, check_error, check_goes_on, check_said, play_some, readable, small, wait_for_games

pytestmark = [pytest.mark.xdist_group("crash"), pytest.mark.needs("root")]


@pytest.fixture
def event() -> Iterator[Event]:
    event = small()
    yield event
    event.close()


@pytest.fixture
def disk(event: Event) -> Iterator[Disk]:
    """The data folder as a disk of its own."""
    with mounted(event.data) as disk:
        yield disk


def test_a_disk_that_is_full_from_the_start(event: Event, disk: Disk) -> None:
    disk.fill()
    parts = check_error(event.run(), "DISK_FULL", 3, str(event.data))
    assert "free some space" in parts["fix"].lower()
    disk.free()
    check_goes_on(event)


def test_a_disk_with_room_for_the_lock_only(event: Event, disk: Disk) -> None:
    (event.data / "locks").mkdir(mode=0o700)
    (event.data / "locks" / f"{NAME}.lock").touch(0o600)
    (event.data / "arena.db").touch(0o600)
    disk.fill()
    check_error(event.run(), "DISK_FULL", 3, "arena.db")
    disk.free()
    check_goes_on(event)


def test_a_disk_that_becomes_full_in_the_middle(event: Event, disk: Disk) -> None:
    process = event.start("-q")
    wait_for_games(event, process)
    disk.fill()
    assert process.wait(120) == 3, event.said()
    parts = check_said(event.said(), "DISK_FULL", "arena.db")
    assert "all earlier ones are safe" in parts["error"]
    stored = event.keys()
    assert stored, "what was stored is there"
    disk.free()
    check_goes_on(event)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_read_only_disk_is_read_and_not_played_on(event: Event, disk: Disk, number: signal.Signals) -> None:
    play_some(event, number, games=GAMES - 1)
    stored = event.keys()
    beside = event.data / "arena.db-wal"
    left = beside.exists() and beside.stat().st_size > 0
    assert left == (number is signal.SIGKILL), "a killed run leaves a part of the store beside its file"
    disk.read_only()
    check_error(event.run(), "READ_ONLY", 2, str(event.data))
    assert sorted(event.keys()) == sorted(stored)
    [status] = readable(event, "tournament", "status", NAME)
    assert status["games"] == len(stored)
    assert status["state"] == "stopped"
    shown = readable(event, "ratings", NAME)
    assert [standing["bot"] for standing in shown["standings"]], "one block is complete"
    disk.writable()
    check_goes_on(event)


def test_a_disk_for_logs_that_is_full_voids_no_game(event: Event) -> None:
    with mounted(event.data / "logs", "size=1m,nr_inodes=50") as logs:
        (logs.path / NAME).mkdir()
        logs.fill()
        check_goes_on(event)


@pytest.mark.long
def test_logs_that_cannot_be_written_stop_nothing(event: Event) -> None:
    event.data.mkdir(mode=0o700)
    (event.data / "logs").write_text("no folder")
    ran = event.run()
    assert ran.returncode == 0, ran.stderr
    assert f"the bots' output is not kept: {event.data / 'logs'} cannot be written" in ran.stderr
    check_goes_on(event)


def test_a_read_only_disk_for_logs_stops_nothing(event: Event) -> None:
    with mounted(event.data / "logs") as logs:
        logs.read_only()
        ran = event.run()
        assert ran.returncode == 0, ran.stderr
        assert "the bots' output is not kept" in ran.stderr
        check_goes_on(event)


@pytest.mark.parametrize("how", ["full", pytest.param("read-only", marks=pytest.mark.long)])
def test_where_the_temporary_folder_takes_no_file_another_is_used(event: Event, how: str) -> None:
    with mounted(event.temporary) as disk:
        disk.fill() if how == "full" else disk.read_only()
        ran = event.run("-q")
        assert ran.returncode == 0, ran.stderr
        disk.writable()
        disk.free()
        check_goes_on(event)


def test_a_temporary_folder_that_fills_up(event: Event) -> None:
    with mounted(event.temporary) as disk:
        process = event.start("-q")
        wait_for_games(event, process)
        while process.poll() is None:  # a game that ends gives room back
            disk.fill()
        assert process.wait() == 3, event.said()
        check_said(event.said(), "DISK_FULL", str(event.temporary))
        disk.free()
        check_goes_on(event)
