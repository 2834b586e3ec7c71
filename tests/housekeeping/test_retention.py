"""Retention: what goes by age and size, what never does, and what is said of a transcript that went."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli.terminal import piped
from crash.small import small
from hypothesis import given
from hypothesis import strategies as st

from arena.runner.keeping.limits import Retention
from arena.runner.keeping.retention import MEGABYTE, Item, Pruning, chosen, prune
from arena.store.pruning import mark, removed_at
from arena.store.store import Store
from arena.store.values import State

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
OFF = Retention(logs_mb=0)
LATER = timedelta(days=100)


def item(name: int, days: float, megabytes: float = 1, *, faulty: bool = False, bound: bool = False) -> Item:
    return Item(name, round(megabytes * MEGABYTE), NOW - timedelta(days=days), faulty, bound)


def names(items: list[Item]) -> list[object]:
    return [each.what for each in items]


def test_what_is_old_goes() -> None:
    items = [item(1, 1), item(2, 8), item(3, 9, bound=True), item(4, 10, faulty=True), item(5, 40, faulty=True)]
    going, staying = chosen(items, 7, 0, OFF, NOW)
    assert (names(going), sorted(map(str, names(staying)))) == ([2, 5], ["1", "3", "4"])


def test_what_is_too_much_goes_from_the_oldest_on_and_faults_last() -> None:
    items = [item(1, 50, faulty=True), item(2, 3), item(3, 2), item(4, 1), item(5, 60, bound=True)]
    assert names(chosen(items, 0, 4, OFF, NOW)[0]) == [2]
    assert names(chosen(items, 0, 2, OFF, NOW)[0]) == [2, 3, 4]
    assert names(chosen(items, 0, 1, OFF, NOW)[0]) == [2, 3, 4, 1]


def test_without_limits_nothing_goes() -> None:
    assert names(chosen([item(1, 1000), item(2, 1, 1000)], 0, 0, OFF, NOW)[0]) == []


items = st.builds(
    item, st.integers(1, 10**6), st.floats(0, 100), st.floats(0, 3), faulty=st.booleans(), bound=st.booleans()
)


@given(st.lists(items, max_size=20), st.integers(0, 60), st.integers(0, 20), st.integers(0, 60))
def test_whatever_the_limits_say(found: list[Item], days: int, megabytes: int, faults_days: int) -> None:
    settings = Retention(faults_days=faults_days)
    going, staying = chosen(found, days, megabytes, settings, NOW)
    assert sorted(map(repr, going + staying)) == sorted(map(repr, found))
    evidence = NOW - timedelta(days=faults_days)
    assert not any(each.bound or (each.faulty and each.at > evidence) for each in going)
    left = sum(each.bytes for each in staying)
    free = [each for each in staying if not (each.bound or (each.faulty and each.at > evidence))]
    assert not megabytes or left <= megabytes * MEGABYTE or not free
    by_size = [each for each in going if not days or each.at >= NOW - timedelta(days=days)]
    if by_size:
        assert left + by_size[-1].bytes > megabytes * MEGABYTE


def test_the_date_stands_where_the_transcript_stood() -> None:
    assert removed_at(mark(NOW)) == NOW
    assert removed_at(b"x\x9c") is None


@pytest.fixture(scope="module")
def played() -> Iterator[Path]:
    """The folder of a small cup that was played to its end."""
    event = small(isolation="generation")
    assert event.run("-q", "--workers", "1").returncode == 0
    yield event.folder
    event.close()


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    """A copy of its data, with output of a game."""
    data = tmp_path / ".arena"
    shutil.copytree(played / ".arena", data)
    return data


def ids(store: Store) -> list[str]:
    return [info.public_id for info in store.games(limit=None)]


def test_transcripts_go_and_results_stay(data: Path) -> None:
    settings = Retention(transcripts_days=30, logs_days=30)
    with Store.open(data) as store:
        before = [info.row for info in store.games(limit=None)]
        now = datetime.now(UTC)
        assert prune(data, store, settings, now).freed == 0
        told = prune(data, store, settings, now + LATER, dry_run=True)
        assert all(full.pruned is None for full in map(store.game, ids(store)) if full is not None)
        done = prune(data, store, settings, now + LATER)
        assert told == done
        assert (done.transcripts.removed, done.transcripts.kept) == (len(before), 0)
        assert done.transcripts.freed > 1000
        assert [info.row for info in store.games(limit=None)] == before
        for public_id in ids(store):
            full = store.game(public_id)
            assert full is not None
            assert full.pruned is not None
            assert full.game.result.transcript == {}
        assert prune(data, store, settings, now + LATER).transcripts.removed == 0
    assert list((data / "logs").rglob("*.log")) == []


def test_what_is_of_a_round_that_is_not_done_stays(data: Path) -> None:
    settings = Retention(transcripts_days=1, logs_days=1, transcripts_mb=1, logs_mb=1)
    with Store.open(data) as store:
        [tournament] = store.tournaments()
        store.set_state(tournament.id, State.STOPPED)
        with closing(sqlite3.connect(data / "arena.db")) as database, database:
            database.execute("UPDATE round SET closed = NULL")
        done = prune(data, store, settings, datetime.now(UTC) + LATER)
        assert (done.transcripts.removed, done.logs.removed) == (0, 0)
        store.close_round(tournament.id, 1)
        assert prune(data, store, settings, datetime.now(UTC) + LATER).transcripts.kept == 0


def test_output_of_a_sealed_board_and_of_a_fault_stays(data: Path) -> None:
    with closing(sqlite3.connect(data / "arena.db")) as database, database:
        [(first,)] = database.execute("SELECT min(id) FROM game")
        database.execute(
            "INSERT INTO fault SELECT id, 0, 0, 'basic', 'x', 'LATE', 'D', 1, 1, '', '' FROM game WHERE id = ?",
            (first,),
        )
        [(round_, table, seating)] = database.execute(
            'SELECT round, "table", seating FROM game WHERE id = ?', (first,)
        ).fetchall()
    logs = data / "logs" / "storm"
    shutil.rmtree(logs)
    logs.mkdir()
    about = logs / f"basic-r{round_}-t{table}-g{seating + 1}-0-1.log"
    other = logs / f"random-r{round_}-t{table}-g{seating + 1}-0-1.log"
    fresh = logs / "random-r1-t1-g1-1-1.log"
    for file in (about, other, fresh):
        file.write_bytes(b"said")
    now = datetime.now(UTC)
    for file in (about, other):
        os.utime(file, ((now - timedelta(days=9)).timestamp(),) * 2)
    with Store.open(data) as store:
        done = prune(data, store, Retention(logs_days=7), now)
        assert (done.logs.removed, about.exists(), other.exists(), fresh.exists()) == (1, True, False, True)
        assert prune(data, store, Retention(logs_days=7, faults_days=8), now).logs.removed == 1
    assert not about.exists()


def test_it_is_not_done_again_and_again(data: Path) -> None:
    times = iter([NOW, NOW + timedelta(minutes=5), NOW + timedelta(minutes=11)])
    with Store.open(data) as store:
        pruning = Pruning(data, store, Retention(), lambda: next(times))
        assert [pruning(number) is None for number in (1, 2, 3)] == [False, True, False]
        assert Pruning(data, store, OFF)(1) is None


def test_a_bound_that_cannot_be_kept_is_told(data: Path) -> None:
    file = data / "logs" / "storm" / "basic-r1-t1-g1-0-1.log"
    file.write_bytes(bytes(1_500_000))
    with Store.open(data) as store:
        done = prune(data, store, Retention(logs_mb=1), datetime.now(UTC))
    assert (done.logs.removed, done.logs.over_bytes > 400_000) == (0, True)


def test_commands_say_that_a_transcript_was_removed(data: Path) -> None:
    (data.parent / "arena.toml").write_text("[retention]\ntranscripts_days = 1\n")
    with Store.open(data) as store:
        first, *others = ids(store)
        [tournament] = store.tournaments()
        [one, *_] = store.kept_transcripts(tournament.id)
        store.prune_transcripts([one.game_id])
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    shown = piped("replay", "show", first, folder=data.parent)
    assert (shown.status, shown.error()["error"]) == (5, f"transcript removed on {today} by retention")
    checked = piped("replay", "verify", "--json", folder=data.parent)
    assert checked.status == 0
    said = json.loads(checked.stdout)["data"]
    assert (said["games"], said["pruned"], said["problems"]) == (len(others), 1, [])
    dry = piped("prune", "--dry-run", "--json", folder=data.parent)
    assert (dry.status, json.loads(dry.stdout)["data"]["freed"]) == (0, 0)
