"""Backups: whole, private, taken while games are stored, never half there, and put back as they were."""

from __future__ import annotations

import errno
import gzip
import io
import os
import sqlite3
import tarfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import piped
from crash.disks import mounted
from crash.event import NAME
from crash.small import small, wait_for_games
from housekeeping.folders import content, filled, stored
from postgres import Server

from arena.core.errors import ArenaError, ArenaFault
from arena.runner.keeping import archive
from arena.runner.keeping.backup import WORK, back_up, check
from arena.runner.keeping.restore import restore
from arena.store.lock import Busy, coordinator_lock
from arena.store.store import Store

MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return filled(tmp_path / "here" / ".arena")


def saved(data: Path, out: Path, **more: Any) -> Path:
    more.setdefault("config", None)
    return back_up(data, data, out, MONDAY, **more).file


def test_everything_that_cannot_be_made_again_comes_back(data: Path, tmp_path: Path) -> None:
    file = saved(data, tmp_path / "monday.tar.gz")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["here", "monday.tar.gz"]
    there = tmp_path / "there" / ".arena"
    done = restore(file, there, there, MONDAY)
    wanted = {name: each for name, each in content(data).items() if name.startswith(("bots/", "games/"))}
    assert content(there) == {name: each for name, each in wanted.items() if not name.startswith("bots/.")}
    assert any(mode == 0o755 for _, mode in content(there).values())
    assert stored(there) == stored(data)
    assert (there.stat().st_mode & 0o777, (there / "arena.db").stat().st_mode & 0o777) == (0o700, 0o600)
    assert (done.aside, done.config) == (None, None)
    assert done.manifest["tournaments"] == [{"name": "spring", "state": "waiting", "games": 2}]


def test_output_and_settings_are_saved_when_they_are_asked_for(data: Path, tmp_path: Path) -> None:
    config = data.parent / "arena.toml"
    config.write_text("workers = 3\n")
    file = saved(data, tmp_path / "monday.tar.gz", config=config, logs=True)
    there = tmp_path / "there"
    assert restore(file, there, there, MONDAY).config == "workers = 3\n"
    assert (there / "logs" / "spring" / "fox.log").read_text() == "said"
    assert not (there / "builds").exists()


def test_a_cup_that_is_saved_while_it_runs_ends_elsewhere_as_it_does_here() -> None:
    bots = ("random", "basic", "cautious")  # so many that it takes a while after its first game
    here, there = (small(bots=bots, boards=4, isolation="generation") for _ in range(2))
    process = here.start("-q")
    wait_for_games(here, process)
    made = back_up(here.data, here.data, here.folder / "running.tar.gz", MONDAY, config=None)
    assert process.poll() is None, "the cup was over before it was saved"
    [event] = made.manifest["tournaments"]
    assert (event["name"], event["state"]) == (NAME, "running")
    assert process.wait(120) == 0
    outcome = here.outcome()
    assert 1 <= event["games"] < len(outcome.games)
    restore(made.file, there.data, there.data, MONDAY)
    assert len(there.keys()) == event["games"]
    assert there.run("-q").returncode == 0
    assert there.outcome() == outcome
    assert here.leftovers() == there.leftovers() == []
    here.close()
    there.close()


def test_commands_say_where_things_are(data: Path, tmp_path: Path) -> None:
    (data.parent / "arena.toml").write_text('data = "kept"\n')
    data.rename(data.parent / "kept")
    made = piped("backup", folder=data.parent)
    name = made.stdout.strip()
    assert (made.status, (data.parent / name).is_file()) == (0, True)
    assert piped("backup", "--check", name, folder=data.parent).status == 0
    (tmp_path / "new").mkdir()
    put = piped("restore", str(data.parent / name), folder=tmp_path / "new")
    assert (put.status, put.stdout) == (0, f"{tmp_path / 'new' / 'kept'}\n")
    assert (tmp_path / "new" / "arena.toml").read_text() == 'data = "kept"\n'
    again = piped("restore", str(data.parent / name), folder=tmp_path / "new")
    assert (again.status, again.error()["code"].split()[0]) == (2, "NOT_EMPTY")
    forced = piped("restore", str(data.parent / name), "--force", folder=tmp_path / "new")
    assert forced.status == 0
    assert len(list((tmp_path / "new").glob("kept.before-*"))) == 1


def test_nothing_is_overwritten(data: Path, tmp_path: Path) -> None:
    file = saved(data, tmp_path / "monday.tar.gz")
    before = file.read_bytes()
    with pytest.raises(ArenaError, match="is there already"):
        saved(data, file)
    assert file.read_bytes() == before
    with pytest.raises(ArenaError, match="never overwrites"):
        restore(file, data, data, MONDAY)


def test_with_force_what_was_there_is_moved_aside_unless_a_tournament_runs(data: Path, tmp_path: Path) -> None:
    file = saved(data, tmp_path / "monday.tar.gz")
    with Store.open(data) as store:
        store.retire("fox")
    before = stored(data)
    with coordinator_lock(data, "spring"), pytest.raises(Busy, match="spring"):
        restore(file, data, data, MONDAY, force=True)
    assert stored(data) == before
    done = restore(file, data, data, MONDAY, force=True)
    assert done.aside is not None
    assert stored(done.aside) == before
    assert stored(data) != before


def altered(file: Path, change: str) -> None:
    """Spoil a backup in one way."""
    data = file.read_bytes()
    if change == "cut off":
        file.write_bytes(data[: len(data) * 2 // 3])
    elif change == "a byte":
        file.write_bytes(data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :])
    elif change == "no backup":
        file.write_bytes(gzip.compress(b"something else"))
    else:
        parts = {}
        with tarfile.open(file) as tar:
            for info in tar:
                opened = tar.extractfile(info)
                assert opened is not None
                parts[info.name] = opened.read()
        name = next(each for each in parts if each.endswith("main.py"))
        if change == "a part":
            parts[name] += b"#"
        elif change == "one less":
            del parts[name]
        elif change == "one more":
            parts = {"data/bots/more": b"", **parts}
        else:
            parts = {"../outside": b"", **parts}
        with tarfile.open(file, "w:gz") as tar:
            for name, text in parts.items():
                info = tarfile.TarInfo(name)
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text))


@pytest.mark.parametrize(
    "change", ["cut off", "a byte", "no backup", "a part", "one less", "one more", "one that leads out"]
)
def test_what_is_not_as_it_was_written_is_refused(change: str, data: Path, tmp_path: Path) -> None:
    file = saved(data, tmp_path / "monday.tar.gz")
    altered(file, change)
    there = tmp_path / "there"
    for attempt in (lambda: check(file), lambda: restore(file, there, there, MONDAY)):
        with pytest.raises(ArenaError) as caught:
            attempt()
        assert caught.value.code == "BAD_BACKUP"
    assert not there.exists()
    assert not (tmp_path / "outside").exists()


def test_a_backup_of_a_newer_arena_is_refused(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / "arena.db")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    file = saved(data, tmp_path / "monday.tar.gz")
    with pytest.raises(ArenaError) as caught:
        restore(file, tmp_path / "there", tmp_path / "there", MONDAY)
    assert caught.value.code == "STORE_NEWER"


def test_a_damaged_store_is_not_saved(data: Path, tmp_path: Path) -> None:
    with (data / "arena.db").open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 4096)
    with pytest.raises(ArenaFault) as caught:
        saved(data, tmp_path / "monday.tar.gz")
    assert caught.value.code == "STORE_CORRUPT"
    assert [path.name for path in tmp_path.iterdir()] == ["here"]


def test_a_disk_that_fills_up_leaves_nothing(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = saved(data, tmp_path / "monday.tar.gz")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(archive, "_take", full)
    for attempt in (
        lambda: saved(data, tmp_path / "other.tar.gz"),
        lambda: restore(file, tmp_path / "there", tmp_path / "there", MONDAY),
        lambda: restore(file, data, data, MONDAY, force=True),
    ):
        with pytest.raises(ArenaFault) as caught:
            attempt()
        assert caught.value.code == "DISK_FULL"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "monday.tar.gz"]
    assert [path.name for path in data.parent.iterdir() if path.name.startswith(".")] == [".arena"]
    assert stored(data)


@pytest.mark.needs("root")
def test_a_real_disk_that_is_full_leaves_nothing(data: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "small", "size=64k") as disk:
        with pytest.raises(ArenaFault) as caught:
            saved(data, disk.path / "monday.tar.gz")
        assert (caught.value.code, list(disk.path.iterdir())) == ("DISK_FULL", [])


def test_what_a_killed_backup_left_is_cleared_away(data: Path, tmp_path: Path) -> None:
    left = tmp_path / f"{WORK}killed"
    left.mkdir()
    (left / "arena.db").write_bytes(b"half")
    saved(data, tmp_path / "monday.tar.gz")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "monday.tar.gz"]


def test_a_version_whose_files_are_gone_is_named(data: Path, tmp_path: Path) -> None:
    [kept] = [path for path in (data / "bots").iterdir() if path.is_dir()]
    kept.rename(data / "elsewhere")
    done = back_up(data, data, tmp_path / "monday.tar.gz", MONDAY, config=None)
    assert done.missing == ("fox v1",)


@pytest.mark.needs("postgres")
def test_a_store_on_a_server_is_saved_and_put_back_by_its_tools(tmp_path: Path, server: Server) -> None:
    place, data = server.new_schema(), tmp_path / "here" / ".arena"
    schema = place.rpartition("%3D")[2]
    filled(data, place)
    before = stored(place)
    file = back_up(data, place, tmp_path / "monday.tar.gz", MONDAY, config=None).file
    there = tmp_path / "there"
    with pytest.raises(ArenaError) as caught:
        restore(file, there, place, MONDAY)
    assert caught.value.code == "NOT_EMPTY"
    with pytest.raises(ArenaError) as caught:
        restore(file, there, there, MONDAY)
    assert caught.value.code == "WRONG_STORE"
    with Store.open(place) as store:
        store.retire("fox")
    restore(file, tmp_path / "forced", place, MONDAY, force=True)
    assert stored(place) == before
    server.run("CREATE DATABASE other")
    server.run(f"CREATE SCHEMA {schema}", "other")
    other = place.replace("/postgres?", "/other?")
    restore(file, there, other, MONDAY)
    assert stored(other) == before
    assert [path.name for path in there.iterdir()] == ["bots", "games"]


@pytest.mark.needs("postgres")
def test_without_the_tools_of_the_server_the_command_is_named(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = server.new_schema()
    filled(tmp_path / "here", place)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ArenaError) as caught:
        back_up(tmp_path / "here", place, tmp_path / "monday.tar.gz", MONDAY, config=None)
    assert (caught.value.code, "pg_dump --format=custom" in caught.value.fix) == ("NO_TOOL", True)


@pytest.mark.parametrize(
    "manifest",
    [
        b"[" * 100_000,
        b"[]",
        b'{"schema":"arena.backup/1","parts":[],"store":"sqlite","revision":[1]}',
        b'{"schema":"arena.backup/1","parts":[],"store":"sqlite","revision":"0001"}',
    ],
    ids=["too deep", "a list", "no revision", "no store"],
)
def test_a_hostile_manifest_is_refused(manifest: bytes, tmp_path: Path) -> None:
    file = tmp_path / "monday.tar.gz"
    with tarfile.open(file, "w:gz") as tar:
        info = tarfile.TarInfo("manifest.json")
        info.size = len(manifest)
        tar.addfile(info, io.BytesIO(manifest))
    with pytest.raises(ArenaError) as caught:
        restore(file, tmp_path / "there", tmp_path / "there", MONDAY)
    assert caught.value.code == "BAD_BACKUP"
    assert not (tmp_path / "there").exists()
