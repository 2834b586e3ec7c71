"""A store that is locked or damaged: a clear error, nothing lost, and the same command goes on after mending."""

from __future__ import annotations

import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from crash.event import NAME, Event
from crash.small import GAMES, check_error, check_goes_on, check_said, play_some, readable, small, wait_for_games

pytestmark = pytest.mark.xdist_group("crash")


@pytest.fixture(scope="module")
def begun() -> Iterator[Event]:
    """A tournament that was stopped after a block."""
    event = small()
    play_some(event, signal.SIGINT, games=GAMES - 1)
    yield event
    event.close()


@pytest.fixture
def event(begun: Event) -> Iterator[Event]:
    """Its store, which is put back after a test."""
    backup = begun.folder / "backup"
    shutil.copytree(begun.data, backup)
    yield begun
    shutil.rmtree(begun.data)
    backup.rename(begun.data)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program writes and does not come to an end."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def test_a_store_that_another_process_keeps_locked(event: Event) -> None:
    stored = event.keys()
    with locked(event.data / "arena.db"):
        parts = check_error(event.run(), "STORE_LOCKED", 3, "arena.db")
        assert "more than 10 s" in parts["error"]
        assert readable(event, "ratings", NAME)["standings"], "it can be read meanwhile"
    assert event.keys() == stored
    check_goes_on(event)


@pytest.mark.long
def test_a_store_that_becomes_locked_in_the_middle() -> None:
    event = small()
    process = event.start("-q")
    wait_for_games(event, process)
    with locked(event.data / "arena.db"):
        assert process.wait(120) == 3, event.said()
        check_said(event.said(), "STORE_LOCKED", "arena.db")
    check_goes_on(event)
    event.close()


def overwritten(start: float, end: float) -> Callable[[bytes], bytes]:
    def overwrite(data: bytes) -> bytes:
        first, last = int(len(data) * start), int(len(data) * end)
        return data[:first] + b"\xa5" * (last - first) + data[last:]

    return overwrite


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "a text file": lambda data: b"name,score\n" * (len(data) // 11),
    "cut in half": lambda data: data[: len(data) // 2],
    "its middle overwritten": overwritten(0.2, 0.8),
    "its start overwritten": overwritten(0, 0.01),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_store_is_refused_and_left_as_it_is(event: Event, damage: str) -> None:
    file = event.data / "arena.db"
    damaged = DAMAGES[damage](file.read_bytes())
    file.write_bytes(damaged)
    parts = check_error(event.run(), "STORE_CORRUPT", 3, "arena.db")
    assert "backup" in parts["fix"]
    check_error(event.command("ratings", NAME), "STORE_CORRUPT", 3, "arena.db")
    assert file.read_bytes() == damaged, "whoever mends it finds it as it was"


def test_after_a_backup_is_put_back_the_tournament_goes_on(event: Event) -> None:
    file = event.data / "arena.db"
    good = file.read_bytes()
    file.write_bytes(DAMAGES["its middle overwritten"](good))
    check_error(event.run(), "STORE_CORRUPT", 3, "arena.db")
    file.write_bytes(good)
    check_goes_on(event)


def test_a_transcript_that_was_damaged_is_said(event: Event) -> None:
    assert event.run("-q").returncode == 0
    with closing(sqlite3.connect(event.data / "arena.db")) as connection, connection:
        connection.execute("UPDATE transcript SET data = substr(data, 1, 40) || x'a5a5a5' || substr(data, 44)")
        [public_id] = connection.execute("SELECT public_id FROM game LIMIT 1").fetchone()
    check_error(event.command("replay", "show", public_id), "STORE_CORRUPT", 3, "arena.db")
