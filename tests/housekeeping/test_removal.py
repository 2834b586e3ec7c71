"""Removal: files and registry go, results and the reason stay, the name is never given again."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from cli.terminal import piped
from crash.small import small, wait_for_games
from housekeeping.folders import bot_in, register
from store.samples import game

from arena.bots.manifest import read_bot
from arena.core.errors import ArenaError
from arena.runner.enroll import known_as
from arena.runner.keeping.removal import Unknown, owned_by, remove_bot, remove_person
from arena.runner.roster import Roster
from arena.store.lock import Busy, coordinator_lock
from arena.store.store import Store, utc_now
from arena.store.tokens import Tokens
from arena.store.values import Entrant, NewTournament, State, Tournament
from arena.tournament.quarantine import Quarantine

DAY = timedelta(days=1)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Ada's fox (two versions) and owl, and an elk of nobody."""
    data = tmp_path / ".arena"
    with Store.open(data) as store:
        for number, (name, owner) in enumerate((("fox", "Ada"), ("fox", ""), ("owl", "ada"), ("elk", ""))):
            register(store, data, bot_in(tmp_path / "source" / str(number), name, str(number)), owner)
    return data


def begun(store: Store, name: str = "spring", *bots: str) -> Tournament:
    """A tournament of registered bots, by default fox v1 and owl."""
    known = {f"{each.name}@{each.number}": each for each in store.registered()}
    entrants = [
        Entrant(known[bot].name, known[bot].version, f"registered:{bot}", known[bot].manifest)
        for bot in bots or ("fox@1", "owl@1")
    ]
    return store.create_tournament(
        NewTournament(name, "crowsnest", "1", "{}", {"boards": 10}, bytes(32), tuple(entrants))
    )


def test_files_go_and_results_stay(data: Path) -> None:
    for name in ("fox-r1-t1-g1-0-1.log", "fox-p1-1.log", "foxy-r1-t1-g1-0-1.log"):
        (data / "logs" / "spring").mkdir(parents=True, exist_ok=True)
        (data / "logs" / "spring" / name).write_text("said")
    with Store.open(data) as store:
        tournament = begun(store)
        store.add_games(tournament.id, [game(1, 1)])
        store.set_state(tournament.id, State.FINISHED)
        version = store.registered("fox")[0].version
        (data / "builds" / version[:32]).mkdir(parents=True)
        (data / "builds" / f"{version[:32]}.log").write_text("built")
        done = remove_bot(store, data, data, "FOX", "asked for it")
        assert (done.removal.name, done.removal.reason, done.files) == ("fox", "asked for it", 6)
        assert [str(each) for each in done.bots[0].versions] == ["fox v1", "fox v2"]
        assert [each.name for each in store.registered()] == ["elk", "owl"]
        [info] = store.games("spring", bot="fox")
        assert info.row.bots == ("fox", "owl", "fox", "owl")
        assert store.quarantines() == []
        assert [each.name for each in store.removals()] == ["fox"]
        again = remove_bot(store, data, data, "fox", "another reason")
        assert again.removal == done.removal
    assert not (data / "bots" / version).exists()
    assert list((data / "builds").iterdir()) == []
    assert [path.name for path in (data / "logs" / "spring").iterdir()] == ["foxy-r1-t1-g1-0-1.log"]


def test_the_name_is_never_given_again(data: Path, tmp_path: Path) -> None:
    with Store.open(data) as store:
        remove_bot(store, data, data, "fox", "copied")
        for attempt in (
            lambda: store.register("Fox", "a" * 64, {}),
            lambda: known_as(store, read_bot(tmp_path / "source" / "0")),
            lambda: Roster(data).find("fox@2"),
            lambda: Roster(data).versions("FOX"),
        ):
            with pytest.raises(ArenaError, match=r"'fox' was removed on .*: copied") as caught:
                attempt()
            assert caught.value.code == "REMOVED"
    with Tokens.open(data) as tokens, pytest.raises(ArenaError, match="was removed"):
        tokens.issue("fox", "Ada", 1, None)


def test_files_that_another_bot_needs_stay(data: Path, tmp_path: Path) -> None:
    with Store.open(data) as store:
        version = store.registered("fox")[0].version
        store.register("twin", version, {})
        remove_bot(store, data, data, "fox", "copied")
    assert (data / "bots" / version).is_dir()


def test_a_bot_is_out_of_what_is_not_finished_unless_it_is_run_now(data: Path) -> None:
    with Store.open(data) as store:
        waiting, stopped = begun(store, "waiting"), begun(store, "stopped", "fox@2", "elk@1")
        store.open_round(stopped.id, 1, ("fox", "elk"), 10, 20)
        store.close_round(stopped.id, 1)
        store.open_round(stopped.id, 2, ("fox", "elk"), 10, 20)
        with coordinator_lock(data, "stopped"), pytest.raises(Busy):
            remove_bot(store, data, data, "fox", "copied")
        assert len(store.registered("fox")) == 2
        [removed] = remove_bot(store, data, data, "fox", "copied").bots
        assert removed.events == ("waiting", "stopped")
        out = {each.tournament: each.quarantine for each in store.quarantines(active=True)}
        assert {name: (each.bot, each.since_round, each.reason) for name, each in out.items()} == {
            "waiting": ("fox", 1, "removed: copied"),
            "stopped": ("fox", 2, "removed: copied"),
        }
        assert store.lift(waiting.id, "fox", "let it in") is None


@pytest.mark.parametrize(("since", "let_in"), [(1, False), (1, True), (2, False), (2, True)])
def test_a_bot_that_was_out_for_its_conduct_is_not_let_in_after_it_was_removed(
    data: Path, since: int, let_in: bool
) -> None:
    """The round that is played is the second: it is out from there on, whatever else was noted."""
    with Store.open(data) as store:
        tournament = begun(store)
        store.open_round(tournament.id, 1, ("fox", "owl"), 5, 10)
        store.close_round(tournament.id, 1)
        store.add_quarantines(tournament.id, [Quarantine("fox", since, "3 forfeits", (), ("CRASH",))])
        store.open_round(tournament.id, 2, ("owl",), 5, 10)
        if let_in:
            assert store.lift(tournament.id, "fox", "the disk was full") is not None
        for reason in ("copied", "said twice"):
            remove_bot(store, data, data, "fox", reason)
        assert store.lift(tournament.id, "fox", "its author mended it") is None
        last = store.quarantines(tournament.id, active=True)[-1].quarantine
        assert (last.bot, last.since_round, last.reason) == ("fox", 2, "removed: copied")


@pytest.mark.parametrize("keep_bots", [False, True])
def test_nothing_names_a_person_that_was_removed(keep_bots: bool, data: Path) -> None:
    with Store.open(data) as store, Tokens.open(data) as tokens:
        signed = store.register("owl", "5" * 64, {"name": "owl", "author": "Ada", "games": ["*"]})
        begun(store, "signed", str(signed).replace(" v", "@"), "elk@1")
        tokens.issue("bat", "ADA", 1, utc_now() + DAY)
        tokens.issue("cat", "Bob", 1, utc_now() + DAY)
        assert owned_by(store, "Ada") == ["fox", "owl"]
        begun(store, "running", "owl@1", "elk@1")
        limited = {"boards": 10, "per_owner": 1, "owners": {"fox": "Ada", "cat": "Bob"}}
        store.create_tournament(NewTournament("limited", "crowsnest", "1", "{}", limited, bytes(32), ()))
        if not keep_bots:
            with coordinator_lock(data, "running"), pytest.raises(Busy):
                remove_person(store, data, data, "ada", "asked for it")
            assert owned_by(store, "Ada") == ["fox", "owl"]
        done = remove_person(store, data, data, "ada", "asked for it", keep_bots=keep_bots)
        assert (done.removal.name, done.tokens) == ("removed person 1", 1)
        left = {each.name: each.owner for each in store.registered()}
        kept = {"fox": "removed person 1", "owl": "removed person 1"} if keep_bots else {}
        assert left == {"elk": "", **kept}
        assert [(each.owner, each.revoked is None) for each in tokens.all()] == [
            ("removed person 1", False),
            ("Bob", True),
        ]
        removal = store.removal("person", "Ada")
        assert removal is not None
        assert removal.reason == "asked for it"
        assert store.removal("person", "Bob") is None
        assert remove_person(store, data, data, "bob", "left").removal.name == "removed person 2"
        with pytest.raises(Unknown):
            remove_person(store, data, data, "Eve", "left")
        for file in data.glob("arena.db*"):
            assert not re.search(rb"\bada\b", file.read_bytes(), re.IGNORECASE), f"{file} while it is open"
        found = store.tournament("limited")
        assert found is not None
        assert found.config["owners"] == {"fox": "removed person 1", "cat": "removed person 2"}
    with closing(sqlite3.connect(data / "arena.db")) as database:
        assert [line for line in database.iterdump() if re.search(r"\bada\b", line, re.IGNORECASE)] == []


def test_commands_tell_why(data: Path) -> None:
    folder = data.parent
    asked = piped("bot", "remove", "fox", "--reason", "copied", folder=folder)
    assert (asked.status, asked.error()["fix"]) == (2, "add --yes")
    done = piped("bot", "remove", "fox", "--reason", "copied", "--yes", "--json", folder=folder)
    said = json.loads(done.stdout)["data"]
    assert (done.status, said["name"], said["versions"], said["files"]) == (0, "fox", ["fox v1", "fox v2"], 2)
    shown = piped("bot", "show", "fox", folder=folder)
    assert (shown.status, shown.error()["code"].split()[0]) == (5, "REMOVED")
    assert shown.error()["error"].endswith(": copied")
    person = piped("person", "remove", "Ada", "--reason", "left", "-y", folder=folder)
    assert (person.status, person.stdout.split(" on ")[0]) == (0, "removed removed person 1")


def test_a_cup_goes_on_without_a_bot_that_was_removed() -> None:
    event = small(bots=("random", "basic", "fox"), boards=8, isolation="generation")
    source = event.folder / "source"
    bot_in(source)
    main = "from arena_house.basic.main import main\nmain()\n"
    (source / "main.py").write_text(main)
    with Store.open(event.data) as store:
        register(store, event.data, read_bot(source))
    process = event.start("-q")
    wait_for_games(event, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130, event.said()
    removed = event.command("bot", "remove", "fox", "--reason", "copied", "--yes")
    assert removed.returncode == 0, removed.stderr
    ran = event.run("-q")
    assert ran.returncode == 0, ran.stderr
    with Store.open(event.data) as store:
        [tournament] = store.tournaments()
        assert tournament.state is State.FINISHED
        assert len([row for row in store.rows(tournament.id) if "fox" not in row.bots]) == 16
    event.close()
