"""A store on a PostgreSQL server: what must hold there as in a file, and every way in which it can go wrong."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import threading
from pathlib import Path

import postgres
import pytest
from store.samples import CRASH, forfeit, game, new_tournament

from arena.core.errors import ArenaError, ArenaFault, ConfigError
from arena.record.results import GameKey
from arena.store import postgres as dialect
from arena.store.database import open_database
from arena.store.place import masked
from arena.store.server_failures import server_fault
from arena.store.store import Store

pytestmark = pytest.mark.needs("postgres")


@pytest.fixture
def url(server: postgres.Server) -> str:
    return server.new_schema()


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_all_spellings_of_the_url_open_the_same_store(url: str, scheme: str) -> None:
    with Store.open(url) as store:
        store.create_tournament(new_tournament())
    with Store.open(url.replace("postgresql", scheme, 1), create=False) as store:
        assert [one.name for one in store.tournaments()] == ["spring"]


@pytest.mark.parametrize(
    "text", ["mysql://x/y", "postgresql+pg8000://x/y", "postgresql://", "sqlite://", "post://a:b@c"]
)
def test_other_urls_are_refused_with_the_right_shape(text: str) -> None:
    with pytest.raises(ConfigError, match="no store can be at this URL") as refused:
        Store.open(text)
    assert "postgresql://USER@HOST:5432/DATABASE" in refused.value.fix


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ada:hush@host/db",
        "postgresql://ada:hu%40/sh@hush@host:5432/db?x=1",
        "postgresql://host/db?user=ada&password=hush&x=1",
        "could not connect to postgresql://ada:hush@host/db: no",
    ],
)
def test_passwords_are_never_shown(text: str) -> None:
    assert "sh" not in masked(text)
    assert "***" in masked(text)
    assert masked("sqlite:////a/b.db") == "sqlite:////a/b.db"


def test_what_is_not_stored_yet_is_said_and_nothing_is_made(url: str) -> None:
    with pytest.raises(ConfigError, match="the database has no tables") as refused:
        Store.open(url, create=False)
    assert refused.value.code == "NO_STORE"
    Store.open(url).close()
    with Store.open(url, create=False) as store:
        assert store.tournaments() == []


def test_a_reader_sees_one_moment_and_cannot_write(url: str) -> None:
    with Store.open(url) as store, Store.open(url) as other:
        number = store.create_tournament(new_tournament()).id
        store.add_games(number, [game(1, board) for board in range(1, 700)])
        rows = store.rows(number)
        next(rows)
        other.add_games(number, [game(2, 1)])
        assert len(list(rows)) == 698
        with (
            pytest.raises(ArenaFault, match="cannot be written") as fault,
            store._database.read() as connection,
        ):
            connection.exec_driver_sql("DELETE FROM game")
        assert fault.value.code == "READ_ONLY"


def test_two_processes_may_make_the_store_at_once_and_number_versions_apart(url: str) -> None:
    script = """
import sys
from arena.store.store import Store
with Store.open(sys.argv[1]) as store:
    for number in range(10):
        store.register("fox", f"{sys.argv[2]}{number:063d}", {})
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    both = [subprocess.Popen([sys.executable, "-c", script, url, letter], env=environment) for letter in "ab"]
    assert [one.wait(60) for one in both] == [0, 0]
    with Store.open(url) as store:
        assert [each.number for each in store.registered("fox")] == list(range(1, 21))


def test_killed_while_writing_whole_batches_survive(url: str) -> None:
    script = """
import sys
from arena.store.store import Store
from store.samples import game
with Store.open(sys.argv[1]) as store:
    for batch in range(100_000):
        store.add_games(int(sys.argv[2]), [game(1, batch * 10 + n) for n in range(1, 11)])
        print(batch, flush=True)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with Store.open(url) as store:
        number = store.create_tournament(new_tournament()).id
        writer = subprocess.Popen(
            [sys.executable, "-c", script, url, str(number)], env=environment, stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(10)]
        writer.kill()
        told += [int(line) for line in writer.stdout.read().splitlines()]
        writer.stdout.close()
        writer.wait()
        assert store.add_games(number, [game(2, 1)]) == 1, "the dead writer's transaction is gone"
        count = store.count(number) - 1
    assert count % 10 == 0
    assert count >= (told[-1] + 1) * 10


def test_writers_come_one_after_the_other_and_wait_at_most_so_long(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "LOCK_MS", 100)
    with Store.open(url) as store:
        number = store.create_tournament(new_tournament()).id
        other = open_database(url)
        with (
            other.write(),
            pytest.raises(ArenaFault, match="another process kept the store locked") as fault,
        ):
            store.add_games(number, [game(1, 1)])
        assert fault.value.code == "STORE_LOCKED"
        monkeypatch.setattr(dialect, "LOCK_MS", 60_000)
        store._database.engine.dispose()  # connections keep the patience that they were made with
        with other.write():
            assert store.count(number) == 0, "readers never wait"
            waiting = threading.Thread(target=store.add_games, args=(number, [game(1, 1)]))
            waiting.start()
        waiting.join(60)
        assert store.count(number) == 1
        other.close()


def test_odd_texts_and_duplicates_are_stored_as_in_a_file(url: str) -> None:
    with Store.open(url) as store:
        number = store.create_tournament(new_tournament()).id
        one = game(1, 1)
        odd = dataclasses.replace(one, result=dataclasses.replace(one.result, faults=(CRASH,)))
        assert store.add_games(number, [odd, odd, forfeit(1, 2), game(1, 2)]) == 2
        assert next(store.faults(number)).detail == "exit status -11 \\x00 \\ud800"
        assert list(store.keys(number)) == [GameKey(1, 1, 1, 0), GameKey(1, 2, 1, 0)]
        assert [info.row.key.board for info in store.games(bot="elk_")] == []


def test_a_missing_database_or_user_is_said(server: postgres.Server) -> None:
    with pytest.raises(ConfigError, match="no database of this name") as refused:
        Store.open(server.url("nowhere"))
    assert (refused.value.code, "createdb" in refused.value.fix) == ("NO_STORE", True)
    with pytest.raises(ConfigError, match="does not let this user in") as denied:
        Store.open(server.url().replace("postgres@", "nobody:hush@"))
    assert denied.value.code == "STORE_DENIED"
    assert "hush" not in str(denied.value.__dict__)


def test_a_user_that_may_only_read_can_read_and_is_told_so_when_it_writes(server: postgres.Server, url: str) -> None:
    with Store.open(url) as store:
        number = store.create_tournament(new_tournament()).id
        store.add_games(number, [game(1, 1)])
    schema = url.rpartition("%3D")[2]
    server.run("CREATE ROLE reader LOGIN")
    server.run(f"GRANT USAGE ON SCHEMA {schema} TO reader")
    server.run(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO reader")
    with Store.open(url.replace("postgres@", "reader@")) as store:
        assert store.count(number) == 1
        with pytest.raises(ArenaFault, match="may only read") as fault:
            store.add_games(number, [game(1, 2)])
        assert fault.value.code == "READ_ONLY"


def test_a_newer_store_is_refused_and_left_alone(server: postgres.Server, url: str) -> None:
    Store.open(url).close()
    server.run(f"UPDATE {url.rpartition('%3D')[2]}.alembic_version SET version_num = '0999'")
    with pytest.raises(ConfigError, match=r"newer arena .*'0999'") as refused:
        Store.open(url)
    assert refused.value.code == "STORE_NEWER"


def test_a_server_that_goes_is_said_and_one_that_comes_back_is_used_again() -> None:
    with postgres.running() as own, Store.open(own.url()) as store:
        number = store.create_tournament(new_tournament()).id
        store.add_games(number, [game(1, 1)])
        rows = store.rows(number)
        next(rows)
        own.control("-m", "fast", "stop")
        with pytest.raises(ArenaFault, match="cannot be reached, or has gone") as gone:
            store.add_games(number, [game(1, 2)])
        assert gone.value.code == "STORE_GONE"
        rows.close()
        with pytest.raises(ArenaFault, match="cannot be reached"):
            Store.open(own.url())
        own.start()
        assert store.add_games(number, [game(1, 2)]) == 1
        assert store.count(number) == 2


class Said(Exception):
    """An error as the driver raises it."""

    def __init__(self, sqlstate: str | None) -> None:
        super().__init__("words of the server")
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "DISK_FULL"), ("53300", "STORE_LOCKED"), ("40001", "STORE_LOCKED"), ("40P01", "STORE_LOCKED"),
        ("57P01", "STORE_GONE"), ("08006", "STORE_GONE"), ("XX001", "STORE_CORRUPT"), ("25006", "READ_ONLY"),
        ("42501", "READ_ONLY"), ("28P01", "STORE_DENIED"), ("3D000", "NO_STORE"), ("22012", "STORE"), (None, "STORE"),
    ],
)  # fmt: skip
def test_every_kind_of_trouble_has_its_code(state: str | None, code: str) -> None:
    found: ArenaError = server_fault(Said(state), "postgresql://host/db")
    assert (found.code, found.where) == (code, "postgresql://host/db")
    assert "words of the server" in found.saw
    assert found.fix or code == "STORE"


def test_without_the_driver_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="psycopg") as refused:
        Store.open("postgresql://host/db")
    assert (refused.value.code, refused.value.fix) == ("NO_EXTRA", "pip install 'card-arena[postgres]'")


def test_commands_use_the_store_that_is_set_and_show_no_password(tmp_path: Path, url: str) -> None:
    (tmp_path / "arena.toml").write_text(f'store = "{url.replace("postgres@", "postgres:hush@")}"\n')
    with Store.open(url) as store:
        store.create_tournament(new_tournament())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}

    def arena(*words: str) -> str:
        command = [sys.executable, "-m", "arena.cli", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    assert "remote" not in arena("token", "list")
    assert "spring" not in arena("replay", "list")
    assert arena("token", "issue", "fox").startswith("arena_")
    assert "fox" in arena("token", "list")
    assert not (tmp_path / ".arena" / "arena.db").exists()
