"""Opening: modes of files, settings of SQLite, migrations, and every way it can go wrong."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event
from store.samples import game, new_tournament

from arena.core.errors import ArenaFault, ConfigError
from arena.store import sqlite
from arena.store.database import open_database
from arena.store.store import Store
from arena.store.values import Tournament


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """In a folder: everything here is about files and SQLite; see test_server for the other."""
    with Store.open(folder) as opened:
        yield opened


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folder_and_files_are_for_their_owner_only(store: Store, spring: Tournament, folder: Path) -> None:
    assert mode(folder) == 0o700
    assert {path.name for path in folder.iterdir()} == {"arena.db", "arena.db-wal", "arena.db-shm"}
    assert {mode(path) for path in folder.iterdir()} == {0o600}


def test_an_open_folder_is_closed_to_others(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    (folder / "arena.db").touch(0o644)
    Store.open(folder).close()
    assert mode(folder) == 0o700
    assert mode(folder / "arena.db") == 0o600


def test_a_file_or_a_url_opens_the_same_store(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "results.db"
    with Store.open(file) as store:
        store.create_tournament(new_tournament())
        assert store.where == str(file)
    with Store.open(f"sqlite:///{file}") as store:
        assert [one.name for one in store.tournaments()] == ["spring"]
    assert mode(file) == 0o600


def test_sqlite_waits_syncs_and_keeps_foreign_keys(folder: Path) -> None:
    opened = open_database(folder)
    with opened.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    opened.close()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_an_error_rolls_the_whole_transaction_back(folder: Path) -> None:
    opened = open_database(folder)

    def insert_and_fail() -> None:
        with opened.write() as connection:
            connection.exec_driver_sql("INSERT INTO bot (name, version, source, manifest) VALUES ('a', 'b', 'c', '{}')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        insert_and_fail()
    with opened.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM bot").scalar() == 0
    opened.close()


def test_an_interrupted_first_migration_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("alembic.command.upgrade", interrupted)
        with pytest.raises(KeyboardInterrupt):
            Store.open(folder)
    with Store.open(folder) as store:
        assert store.tournaments() == []


def test_two_processes_may_make_the_store_at_once(folder: Path) -> None:
    script = "import sys; from arena.store.store import Store; Store.open(sys.argv[1]).close()"
    both = [subprocess.Popen([sys.executable, "-c", script, str(folder)], env=_environment()) for _ in range(2)]
    assert [one.wait(60) for one in both] == [0, 0]


def test_a_new_file_that_another_process_just_reads_is_waited_for(folder: Path) -> None:
    """SQLite itself does not wait there, whatever it is told."""
    folder.mkdir()
    other = sqlite3.connect(folder / "arena.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN")
    other.execute("SELECT * FROM sqlite_master").fetchall()
    release = threading.Timer(0.2, other.execute, ["ROLLBACK"])
    release.start()
    with Store.open(folder) as store:
        assert store.tournaments() == []
    release.join()
    other.close()


def test_readers_see_whole_batches_while_another_process_writes(store: Store, spring: Tournament, folder: Path) -> None:
    script = """
import sys
from arena.store.store import Store
from store.samples import game
with Store.open(sys.argv[1]) as store:
    for batch in range(30):
        store.add_games(int(sys.argv[2]), [game(1, batch * 10 + n) for n in range(1, 11)])
"""
    writer = subprocess.Popen([sys.executable, "-c", script, str(folder), str(spring.id)], env=_environment())
    counts = []
    while writer.poll() is None:
        counts.append(sum(1 for _ in store.rows(spring.id)))
    assert writer.returncode == 0
    assert store.count(spring.id) == 300
    assert counts == sorted(counts)
    assert all(count % 10 == 0 for count in counts)


def test_killed_while_writing_whole_batches_survive(store: Store, spring: Tournament, folder: Path) -> None:
    script = """
import sys
from arena.store.store import Store
from store.samples import game
with Store.open(sys.argv[1]) as store:
    for batch in range(100_000):
        store.add_games(int(sys.argv[2]), [game(1, batch * 10 + n) for n in range(1, 11)])
        print(batch, flush=True)
"""
    writer = subprocess.Popen(
        [sys.executable, "-c", script, str(folder), str(spring.id)], env=_environment(), stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    told = [int(writer.stdout.readline()) for _ in range(20)]
    writer.kill()
    told += [int(line) for line in writer.stdout.read().splitlines()]
    writer.stdout.close()
    writer.wait()
    count = store.count(spring.id)
    assert count % 10 == 0
    assert count >= (told[-1] + 1) * 10
    assert [row.key.board for row in store.rows(spring.id)] == list(range(1, count + 1))


def test_nothing_stored_is_said_with_the_path(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"there is no .*arena\.db") as refused:
        Store.open(folder, create=False)
    assert refused.value.code == "NO_STORE"
    assert not folder.exists()


def test_a_newer_store_is_refused_and_left_alone(folder: Path) -> None:
    Store.open(folder).close()
    with sqlite3.connect(folder / "arena.db") as raw:
        raw.execute("UPDATE alembic_version SET version_num = '0999'")
    raw.close()
    with pytest.raises(ConfigError, match=r"newer arena .*'0999'.*'0009'") as refused:
        Store.open(folder)
    assert refused.value.code == "STORE_NEWER"
    assert "upgrade" in refused.value.fix


def test_a_file_that_is_no_database_is_said_to_be_damaged(folder: Path) -> None:
    folder.mkdir()
    (folder / "arena.db").write_bytes(b"this is no database\n" * 400)
    with pytest.raises(ArenaFault, match="no database") as fault:
        Store.open(folder)
    assert fault.value.code == "STORE_CORRUPT"
    assert fault.value.where == str(folder / "arena.db")


def test_damage_inside_the_file_is_said(folder: Path) -> None:
    with Store.open(folder) as store:
        number = store.create_tournament(new_tournament()).id
        store.add_games(number, [game(1, board) for board in range(1, 400)])
    file = folder / "arena.db"
    data = bytearray(file.read_bytes())
    data[4096 * 60 :] = b"\xa5" * (len(data) - 4096 * 60)
    file.write_bytes(data)
    with Store.open(folder) as store, pytest.raises(ArenaFault, match="damaged") as fault:
        list(store.rows(number))
    assert fault.value.code == "STORE_CORRUPT"


def test_a_full_disk_stores_nothing_of_the_batch_and_keeps_the_rest(folder: Path) -> None:
    with Store.open(folder) as store:
        number = store.create_tournament(new_tournament()).id
        store.add_games(number, [game(1, 1)])

        def fill(connection: sqlite3.Connection, _entry: object) -> None:
            connection.execute("PRAGMA max_page_count = 80")

        store._database.engine.dispose()
        event.listen(store._database.engine, "connect", fill)
        with pytest.raises(ArenaFault, match="disk is full") as fault:
            store.add_games(number, [game(1, board) for board in range(2, 2000)])
        assert fault.value.code == "DISK_FULL"
        assert fault.value.saw == "database or disk is full"
        assert list(store.keys(number)) == [(1, 1, 1, 0)]
        assert store.add_games(number, [game(1, 2)]) == 1


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = os.geteuid() == 0 and _run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk))
    if not mounted:  # the limit of file sizes is the nearest thing for those who may not mount
        assert _fill_limited(tmp_path / "limited") in ("DISK_FULL", "STORE")
        return
    try:
        with Store.open(disk / ".arena") as store:
            number = store.create_tournament(new_tournament()).id
            with pytest.raises(ArenaFault) as fault:
                _fill(store, number)
            assert fault.value.code == "DISK_FULL"
            assert store.count(number) % 50 == 0
    finally:
        assert _run("umount", str(disk))


def test_files_may_not_grow_any_more(tmp_path: Path) -> None:
    assert _fill_limited(tmp_path / ".arena") in ("DISK_FULL", "STORE")


def _fill(store: Store, number: int) -> None:
    for board in range(1, 100_000, 50):
        store.add_games(number, [game(1, board + n) for n in range(50)])


def _fill_limited(folder: Path) -> str:
    script = """
import resource, signal, sys
from arena.core.errors import ArenaFault
from arena.store.store import Store
from store.samples import game, new_tournament
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Store.open(sys.argv[1]) as store:
    number = store.create_tournament(new_tournament()).id
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    try:
        for board in range(1, 100_000, 50):
            store.add_games(number, [game(1, board + n) for n in range(50)])
    except ArenaFault as fault:
        print(fault.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], env=_environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_read_only_store_is_said_so(store: Store, spring: Tournament) -> None:
    def protect(connection: sqlite3.Connection, _entry: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    store._database.engine.dispose()
    event.listen(store._database.engine, "connect", protect)
    with pytest.raises(ArenaFault, match="read-only") as fault:
        store.add_games(spring.id, [game(1, 1)])
    assert fault.value.code == "READ_ONLY"
    assert store.count(spring.id) == 0


def test_a_store_locked_for_long_is_said_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_MS", 50)
    with Store.open(folder) as store:
        other = sqlite3.connect(folder / "arena.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ArenaFault, match="locked") as fault:
            store.create_tournament(new_tournament())
        assert fault.value.code == "STORE_LOCKED"
        other.execute("ROLLBACK")
        other.close()
        assert store.create_tournament(new_tournament()).name == "spring"


def test_a_short_lock_is_waited_for(store: Store, folder: Path) -> None:
    other = sqlite3.connect(folder / "arena.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.2, other.execute, ["ROLLBACK"])
    release.start()
    assert store.create_tournament(new_tournament()).name == "spring"
    release.join()
    other.close()


def test_a_folder_that_cannot_be_made_is_said_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArenaFault, match="cannot be opened") as fault:
        Store.open(tmp_path / "file" / ".arena")
    assert fault.value.code == "STORE_UNREADABLE"


def test_importing_the_values_and_the_lock_loads_no_sqlalchemy() -> None:
    script = "import sys, arena.store.values, arena.store.lock; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], env=_environment(), check=False).returncode == 0


def test_opening_an_existing_store_loads_no_alembic(store: Store, folder: Path) -> None:
    script = "import sys; from arena.store.store import Store; Store.open(sys.argv[1]).close(); "
    script += "sys.exit('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, str(folder)], env=_environment(), check=False)
    assert done.returncode == 0


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _run(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
