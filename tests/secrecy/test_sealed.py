"""Sealed while a tournament goes on: cards open with their board, words with the last board of their process."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cli.terminal import Ran, piped
from secrecy.cups import NAMES

from arena.games import make
from arena.runner.outputs import logs_of, sealed
from arena.runner.sealing import Seals
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, StoredGame

pytestmark = pytest.mark.xdist_group("recorded")
CUP = "spring-of-cups"
SEALED, OPEN, MISSING = 2, 1, f"{CUP}-r1-b2-t1-2"
"""Board 2 lacks a game of the table without the first bot; boards 1 and 3 are done."""


@pytest.fixture(scope="module")
def half(recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded tournament as it was before its last game."""
    place = tmp_path_factory.mktemp("half") / "there"
    shutil.copytree(recorded, place)
    with Store.open(place / ".arena") as store:
        tournament = store.tournament(CUP)
        assert tournament is not None
        store.set_state(tournament.id, State.RUNNING)
    with closing(sqlite3.connect(place / ".arena" / "arena.db")) as raw, raw:
        [row] = raw.execute("SELECT id FROM game WHERE public_id = ?", (MISSING,)).fetchone()
        for table in ("fault", "transcript"):
            raw.execute(f"DELETE FROM {table} WHERE game_id = ?", (row,))
        raw.execute("DELETE FROM game WHERE id = ?", (row,))
    shutil.rmtree(place / ".arena" / "logs" / "thirsty-cup")  # its logs are open
    return place


def missing_game(recorded: Path) -> StoredGame:
    with Store.open(recorded / ".arena") as store:
        full = store.game(MISSING)
        assert full is not None
        return full.game


def refused(ran: Ran) -> str:
    """The sentence of a refusal, of which nothing else is printed."""
    assert (ran.status, ran.stdout) == (4, ""), ran.stderr
    error = json.loads(ran.stderr) if ran.stderr.startswith("{") else ran.error()
    assert error["code"].startswith("NOT_ALLOWED")
    return f"{error['error']} {error['fix']}"


SHOWN = [(), ("--json",), ("--csv",), ("--seat", "0", "--json"), ("--notes", "--all-hands")]


@pytest.mark.parametrize("flags", SHOWN)
def test_a_game_on_a_sealed_board_is_refused_in_every_form(half: Path, flags: tuple[str, ...]) -> None:
    told = refused(piped("replay", "show", f"{CUP}-r1-b{SEALED}-t2-1", *flags, folder=half))
    assert "sealed until all its 6 games are done" in told


def test_a_game_on_an_open_board_is_shown_without_what_its_bots_said(half: Path, recorded: Path) -> None:
    with Store.open(half / ".arena") as store:
        faulty = [info for info in store.games(CUP, limit=None) if info.row.faults and info.row.key.board != SEALED]
    game = faulty[0].public_id
    ran = piped("replay", "show", game, "--json", folder=half)
    data = json.loads(ran.stdout)["data"]
    moves = data["moves"]
    assert data["faults"]
    assert {fault["detail"] for fault in data["faults"]} == {""}, "a detail may hold the last line of a bot's output"
    assert {(move.get("note", ""), move["view_key"]) for move in moves} == {("", "")}
    assert "sealed: they open when all tables have played board 2" in ran.stderr
    told = refused(piped("replay", "show", game, "--notes", folder=half))
    assert "open when all tables have played board 2" in told
    whole = json.loads(piped("replay", "show", game, "--json", folder=recorded).stdout)["data"]["moves"]
    assert all(move["view_key"] for move in whole)
    assert any(move.get("note", "").startswith("note of ") for move in whole)
    assert [(move["seat"], move["move"]) for move in moves] == [(move["seat"], move["move"]) for move in whole]


def test_a_game_without_its_words_still_verifies(half: Path, tmp_path: Path) -> None:
    ran = piped("replay", "show", f"{CUP}-r1-b{OPEN}-t2-1", "--json", folder=half)
    (tmp_path / "open.arena").write_text(json.dumps(json.loads(ran.stdout)["data"]))
    assert piped("replay", "verify", "open.arena", folder=tmp_path).status == 0


@pytest.mark.parametrize("flags", [(), ("--json",), ("--faults", "--csv"), ("--game", f"{CUP}-r1-b{OPEN}-t2-1")])
def test_logs_are_refused_while_a_board_of_their_process_is_sealed(half: Path, flags: tuple[str, ...]) -> None:
    told = refused(piped("bot", "logs", NAMES[0], *flags, folder=half))
    assert "opens when all tables have played the boards" in told


READING = [
    ("tournament", "status", CUP),
    ("ratings", CUP, "--cross"),
    ("ratings", CUP, "--explain", NAMES[0]),
    ("replay", "list", "--csv"),
    ("replay", "list", "--tournament", CUP, "--board", str(SEALED)),
    ("replay", "verify", "--tournament", CUP),
    ("bot", "list"),
    ("bot", "show", NAMES[2]),
]


@pytest.mark.parametrize("form", ["", "--json"])
def test_no_other_command_prints_cards_words_or_keys_of_a_sealed_board(half: Path, recorded: Path, form: str) -> None:
    sealed_things = set(things_of_the_board(recorded))
    assert len(sealed_things) > 30
    for words in READING:
        ran = piped(*words, *([form] if form and "--csv" not in words else []), folder=half)
        assert ran.status == 0, (words, ran.stderr)
        found = [thing for thing in sealed_things if thing in ran.stdout + ran.stderr]
        assert found == [], words


def things_of_the_board(recorded: Path) -> Iterator[str]:
    """View keys, notes, hands in part, and what the bots wrote, of all games on the sealed board."""
    with Store.open(recorded / ".arena") as store:
        tournament = store.tournament(CUP)
        assert tournament is not None
        yield tournament.secret.hex()
        for info in store.games(CUP, board=SEALED, limit=None):
            full = store.game(info.public_id)
            assert full is not None
            told = full.game.result.transcript
            for move in told["moves"]:
                yield move["view_key"]
            for hand in told["deals"][0]["hands"]:
                yield " ".join(hand[:2])
                yield f'"{hand[0]}", "{hand[1]}"'
    yield "note of "
    yield "frame "


def test_everything_opens_with_the_last_game_though_the_tournament_goes_on(half: Path, recorded: Path) -> None:
    place = half.parent / "whole"
    shutil.copytree(half, place)
    with Store.open(place / ".arena") as store:
        tournament = store.tournament(CUP)
        assert tournament is not None
        assert Seals(store, tournament).sealed_with(1, 1) == {SEALED}
        logs = [log for log in logs_of(place / ".arena" / "logs", NAMES[0]) if log.event == CUP]
        assert set(sealed(store, logs)) == {log.file for log in logs}
        store.add_games(tournament.id, [missing_game(recorded)])
        assert sealed(store, logs) == {}
    assert piped("replay", "show", MISSING, "--notes", folder=place).status == 0
    assert piped("bot", "logs", NAMES[0], folder=place).status == 0


def test_words_wait_for_the_boards_of_their_own_bout_alone(recorded: Path, tmp_path: Path) -> None:
    with Store.open(recorded / ".arena") as store:
        done = store.tournament(CUP)
        assert done is not None
        played = missing_game(recorded)
    with Store.open(tmp_path) as store:
        entrants = tuple(Entrant(name, "f" * 64, f"house:{name}") for name in ("one", "two"))
        config = dict(done.config, boards=30)
        new = NewTournament("long", done.game, done.game_version, done.ruleset, config, done.secret, entrants)
        long = store.create_tournament(new)
        seals = Seals(store, long)
        first, second = seals.played_with(1, 1), seals.played_with(2, 1)
        assert first.isdisjoint(second)
        assert len(first | second) == 30
        bots = ("one", "two", "one", "two")
        games = [
            StoredGame(played.key._replace(round=1, board=board, table=1, seating=seating), bots, played.result, "D", 1)
            for board in first
            for seating in (0, 1)
        ]
        store.add_games(long.id, games[:-1])
        assert Seals(store, long).sealed_with(1, 1) == {games[-1].key.board}
        store.add_games(long.id, games[-1:])
        assert Seals(store, long).sealed_with(1, 1) == frozenset()
        assert Seals(store, long).sealed_with(2, 1) == second
        store.set_state(long.id, State.FINISHED)
        assert Seals(store, store.tournament("long") or long).sealed_with(2, 1) == frozenset()


def test_the_data_folder_is_its_owners_alone(recorded: Path) -> None:
    data = recorded / ".arena"
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    logs = list((data / "logs").rglob("*.log"))
    assert logs
    assert {stat.S_IMODE(log.stat().st_mode) for log in logs} == {0o600}


@pytest.mark.parametrize("format", ["swiss", "knockout", "ladder", "sequential"])
def test_words_of_a_round_without_a_stored_game_are_sealed_too(format: str, tmp_path: Path) -> None:
    config = {"format": format, "boards": 4, "board_plan": "per_round", "unit": "deal"}
    entrants = tuple(Entrant(name, f"{number:064}", f"house:{name}") for number, name in enumerate(("basic", "random")))
    ruleset = make("crowsnest", {"max_hands": 1}).describe()
    log = tmp_path / "logs" / "early" / "basic-r1-t1-g1-1-1.log"
    log.parent.mkdir(parents=True)
    log.write_text("my hand is R10 B5")
    with Store.open(tmp_path) as store:
        event = store.create_tournament(NewTournament("early", "crowsnest", "1", ruleset, config, bytes(32), entrants))
        store.open_round(event.id, 1, ("basic", "random"), 4, 8)
        store.set_state(event.id, State.STOPPED)
        assert list(sealed(store, logs_of(tmp_path / "logs", "basic"))) == [log]
        store.close_round(event.id, 1)
        assert sealed(store, logs_of(tmp_path / "logs", "basic")) == {}
