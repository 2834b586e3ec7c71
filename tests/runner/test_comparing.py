"""Stored games compared: the tables of a board, why one was lost, and that sealed cards and words stay out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cli.terminal import piped
from record.compare.boards import SECRET, a_game, a_table, throwing

from arena.core.errors import ArenaError
from arena.record.compare import WhyKind, choices_at, margin
from arena.record.results import GameKey, GameResult, Verdict
from arena.record.transcript import to_data
from arena.runner.comparing import board_tables, compared, why_of
from arena.store.store import Store
from arena.store.values import Entrant, NewTournament, State, StoredGame, Tournament, public_id
from arena.tournament.entry import Entry
from arena.tournament.round_robin import round_robin
from arena.tournament.schedule import keys_of

GAME = a_game("crowsnest")
NAMES = ("basic", "cautious", "counter", "thrower")
CONFIG = {
    "boards": 2,
    "board_plan": "shared",
    "unit": "deal",
    "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0},
}
THROWN = "cup-r1-b1-t3-1"
"""basic and thrower, the first seating: seats 1 and 3 are the thrower's."""
TURN = 1


def played(key: GameKey, bots: tuple[str, ...]) -> StoredGame:
    """A game of house bots in process; the thrower is basic, but for one move."""
    name = public_id("cup", key)
    house = ["basic" if bot == "thrower" else bot for bot in bots]
    thrown = throwing(TURN) if name == THROWN else throwing()
    noted = a_table(
        GAME, "x", house, thrown, board=key.board, change=lambda turn, move: move._replace(note=f"my cards, {turn}")
    )
    transcript = replace(noted.transcript, public_id=name, bots=bots)
    result = GameResult(
        Verdict.FINISHED,
        transcript.scores,
        transcript.ranks,
        transcript.tiebreaks,
        (),
        (),
        to_data(transcript),
    )
    return StoredGame(key, bots, result, "D", 5)


def all_games() -> list[StoredGame]:
    schedule = round_robin(Entry(NAMES, 2, 2, SECRET))
    bouts = schedule.round(1)
    assert bouts is not None
    return [
        played(key, tuple(bout.side(key.board, key.seating, seat % 2) for seat in range(4)))
        for bout in bouts
        for key in keys_of(bout)
    ]


GAMES = all_games()


def cup(store: Store) -> Tournament:
    entrants = tuple(Entrant(name, str(place) * 64, f"house:{name}") for place, name in enumerate(NAMES))
    return store.create_tournament(
        NewTournament("cup", GAME.id, GAME.version, GAME.describe(), CONFIG, SECRET, entrants)
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament."""
    place = tmp_path_factory.mktemp("compared")
    with Store.open(place / ".arena") as store:
        made = cup(store)
        store.add_games(made.id, GAMES)
        store.set_state(made.id, State.FINISHED)
    return place


@pytest.fixture
def finished(folder: Path) -> Iterator[Store]:
    with Store.open(folder / ".arena") as store:
        yield store


def tournament_of(store: Store) -> Tournament:
    found = store.tournament("cup")
    assert found is not None
    return found


def test_the_tables_of_a_board(finished: Store) -> None:
    board = board_tables(finished, tournament_of(finished), 1)
    assert (len(board.tables), board.games, board.complete) == (12, 12, True)
    assert board.tables[0].label == "r1-t1-1"
    assert [table.public_id for table in board.tables] == [info.public_id for info in board.infos]
    assert board.tables[0].transcript.moves[0].note
    few = board_tables(finished, tournament_of(finished), 1, most=3, keep=board.tables[7].public_id)
    assert (len(few.tables), few.games, few.complete) == (3, 12, False)
    assert board.tables[7].public_id in [table.public_id for table in few.tables]
    for unknown in (0, 99):
        with pytest.raises(ArenaError, match=f"no board {unknown} in 'cup'"):
            board_tables(finished, tournament_of(finished), unknown)


def test_why_a_stored_game_was_lost(finished: Store) -> None:
    found = compared(finished, THROWN)
    side = GAME.side_of(found.own.transcript.moves[TURN].seat)
    swing = found.swings[side]
    other = compared(finished, THROWN[:-1] + "2")
    assert swing is not None
    assert swing.by == margin(found.own, side) + margin(other.own, 1 - side)
    told = found.why(side)
    assert (told.kind, told.turn, told.tables) == (WhyKind.STEP, TURN, 11)
    assert sum(count.tables for count in choices_at(found.own, TURN, found.digest)) == told.same
    assert found.losing() == tuple(each.side for each in why_of(finished, THROWN))
    for info in finished.games("cup", limit=None):
        for each in why_of(finished, info.public_id):
            assert each.tables == 11
            swings = compared(finished, info.public_id).swings
            assert not swings or (each.text.startswith("Lost this block by") == (swings[each.side].by < 0))  # type: ignore[union-attr]


def test_sealed_boards_are_refused_and_words_stay_out(tmp_path: Path) -> None:
    *most, last = GAMES
    with Store.open(tmp_path / ".arena") as store:
        made = cup(store)
        store.add_games(made.id, most)
        store.set_state(made.id, State.RUNNING)
        sealed, opened = last.key.board, 3 - last.key.board
        name = next(public_id("cup", game.key) for game in most if game.key.board == sealed)
        for ask in (partial(board_tables, store, made, sealed), partial(compared, store, name)):
            with pytest.raises(ArenaError, match="is sealed until all its 12 games are done") as refused:
                ask()
            assert refused.value.code == "NOT_ALLOWED"
        tables = board_tables(store, made, opened).tables
        assert len(tables) == 12
        for table in tables:
            assert not any(move.note or move.view_key for move in table.transcript.moves)
            assert all(table.keys)


def test_a_game_that_is_not_there_or_went(tmp_path: Path) -> None:
    with Store.open(tmp_path / ".arena") as store:
        made = cup(store)
        bare = [replace(game, result=replace(game.result, transcript={})) for game in GAMES]
        times = [made.created] * len(bare)
        store.add_games(made.id, bare, times)
        store.set_state(made.id, State.FINISHED)
        for name, code in (("cup-r9-b9-t9-9", "NO_GAME"), (THROWN, "PRUNED")):
            with pytest.raises(ArenaError) as refused:
                compared(store, name)
            assert refused.value.code == code
        board = board_tables(store, made, 1)
        assert (board.tables, board.games, board.complete) == ((), 12, False)


def test_the_command_says_the_same(folder: Path, finished: Store) -> None:
    told = why_of(finished, THROWN)
    ran = piped("replay", "show", THROWN, "--why", folder=folder)
    assert ran.status == 0, ran.stderr
    assert [line.split(": ", 1)[1] for line in ran.stdout.splitlines()] == [each.text for each in told]
    whole = data_of("replay", "show", THROWN, "--why", "--seat", str(1), "--json", folder=folder)
    assert whole["game"] == THROWN
    [side] = whole["sides"]
    assert (side["side"], side["seats"], side["bots"]) == (1, [1, 3], ["thrower", "thrower"])
    assert side["text"] == compared(finished, THROWN).why(1).text
    rows = piped("replay", "show", THROWN, "--why", "--csv", folder=folder).stdout.splitlines()
    assert rows[0] == "side,kind,text,turn,seat,tables,same,few"
    assert len(rows) == 1 + len(told)
    refused = piped("replay", "show", THROWN, "--why", "--turn", "3", folder=folder)
    assert (refused.status, refused.stdout) == (2, "")
    assert "--why is about a whole game" in refused.stderr
    assert piped("replay", "show", THROWN, "--why", "--seat", "7", folder=folder).status == 2


def data_of(*words: str, folder: Path) -> Any:
    ran = piped(*words, folder=folder)
    assert ran.status == 0, ran.stderr
    return json.loads(ran.stdout)["data"]


def test_a_game_in_a_file_has_no_other_tables(tmp_path: Path) -> None:
    file = tmp_path / "one.arena"
    file.write_text(json.dumps(dict(GAMES[0].result.transcript)))
    ran = piped("replay", "show", str(file), "--why", folder=tmp_path)
    assert ran.status == 0, ran.stderr
    assert "Nobody else has played these cards to the end." in ran.stdout
