"""Events of remote bots: who is late, who leaves and comes back, who never comes, what is void, what goes on later."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from remote.event import REMOTE, Organiser, Run

from arena.cli.commands.ratings import heading
from arena.core.errors import ConfigError, TranscriptError
from arena.match.referee import Played, Table
from arena.record.replay import verify
from arena.record.results import GameRow, Verdict
from arena.record.transcript import from_data
from arena.runner import bout
from arena.runner.course import stored_cards, stored_schedule
from arena.runner.events.bulletin import bulletin_file, read
from arena.runner.events.remote_event import NOT_ENTERED, STOPPED
from arena.runner.events.rules import Rules
from arena.runner.sealing import Seals
from arena.runner.standing import left_out, tables_of, tiers_of
from arena.store.store import Store
from arena.store.tokens import Tokens
from arena.store.values import State


def rows_of(organiser: Organiser) -> list[GameRow]:
    tournament = organiser.store.tournament("open")
    assert tournament is not None
    return list(organiser.store.rows(tournament.id))


def in_rounds(rows: list[GameRow], bot: str) -> set[int]:
    """The rounds in which a bot has games."""
    return {row.key.round for row in rows if bot in row.bots}


def faults_of(rows: list[GameRow]) -> Counter[tuple[str, str]]:
    return Counter((row.bots[seat], code) for row in rows for seat, code in row.faults)


async def all_come(run: Run) -> None:
    await run.comes(*REMOTE)


def test_three_remote_bots_and_a_house_bot_make_a_table(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    run = organiser.run(Rules(), all_come)
    rows = rows_of(organiser)
    assert run.progress is not None
    assert run.progress.complete
    assert len(rows) == 12
    assert [row.key.seating for row in rows] == [0] * 12
    assert len({row.key.board for row in rows}) == 12
    assert faults_of(rows) == Counter()
    tournament = organiser.store.tournament("open")
    assert tournament is not None
    assert tournament.state is State.FINISHED
    table, _ = tables_of(organiser.store, tournament, resamples=0)
    assert {row.bot: row.blocks for row in table.standings} == dict.fromkeys((*REMOTE, "basic"), 6)
    assert table.pool.remote
    told = heading(tournament, table, tiers_of(organiser.store, tournament))
    assert told[1] == "remote pool: one seating a board, a block is one game"
    assert told[2].startswith("partners not isolated")
    assert table.incomplete == 0
    sides = Counter((row.bots[0], 0) for row in rows) + Counter((row.bots[1], 1) for row in rows)
    assert set(sides.values()) == {3}
    assert run.goodbyes == {name: ["done", "done"] for name in REMOTE}
    assert {seed for guests in run.guests.values() for guest in guests for seed in guest.seeds} == {0}
    assert read(bulletin_file(organiser.data, "open")) is None


@pytest.mark.parametrize("late", ["next_round", "refuse", "forfeit"])
def test_a_bot_that_is_late(tmp_path: Path, late: Any) -> None:
    """It dials in while the first round is played, which another bot holds up until it is there."""
    organiser = Organiser(tmp_path)
    hold = asyncio.Event()

    async def script(run: Run) -> None:
        await run.comes("fox", "owl", hold=hold)
        await run.until(lambda: run.asked("fox") or run.asked("owl"))
        if late == "forfeit":  # its games in the first round are over before it comes
            await run.games(2)
        await run.comes("elk")
        if late == "refuse":
            await asyncio.gather(*(guest.over() for guest in run.guests["elk"]))
        hold.set()

    run = organiser.run(Rules(min_bots=2, late=late, wait_s=0.3), script)
    rows = rows_of(organiser)
    assert run.progress is not None
    assert run.progress.complete
    tournament = organiser.store.tournament("open")
    assert tournament is not None
    without = left_out(organiser.store, tournament).games
    if late == "next_round":
        assert in_rounds(rows, "elk") == {2, 3}
        assert (len(rows), without, run.progress.left_out) == (10, 2, 2)
        assert faults_of(rows) == Counter()
        assert "elk is late: it may join with a later round" in run.told
    elif late == "refuse":
        assert in_rounds(rows, "elk") == set()
        assert (len(rows), without) == (6, 6)
        assert run.goodbyes["elk"] == [NOT_ENTERED, NOT_ENTERED]
        assert {row.bot for row in tables_of(organiser.store, tournament, resamples=0)[0].standings} == {
            "fox",
            "owl",
            "basic",
        }
    else:
        assert in_rounds(rows, "elk") == {1, 2, 3}
        assert (len(rows), without) == (12, 0)
        assert set(faults_of(rows)) == {("elk", "NO_HELLO")}
        assert {row.key.round for row in rows if row.verdict is Verdict.FORFEIT} == {1}
    for name in ("fox", "owl"):
        assert run.goodbyes[name] == ["done", "done"]


def test_a_bot_that_never_comes_costs_nobody_else_a_game(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, boards=1)

    async def script(run: Run) -> None:
        await run.comes("fox", "owl")

    run = organiser.run(Rules(min_bots=2), script)
    rows = rows_of(organiser)
    assert run.progress is not None
    assert (run.progress.complete, run.progress.left_out, len(rows)) == (True, 3, 3)
    assert faults_of(rows) == Counter()


def test_a_bot_that_comes_back_in_time_loses_nothing(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, boards=1)

    async def script(run: Run) -> None:
        hold = asyncio.Event()
        await run.comes("elk", hold=hold)
        await run.comes("fox", "owl")
        await run.until(lambda: run.asked("elk"))
        await run.leaves("elk")
        await run.comes("elk")

    run = organiser.run(Rules(), script, reconnect_s=20)
    rows = rows_of(organiser)
    assert run.progress is not None
    assert run.progress.complete
    assert in_rounds(rows, "elk") == {1, 2, 3}
    assert faults_of(rows) == Counter()


def test_a_bot_that_stays_away_forfeits_and_is_taken_out_in_the_end(tmp_path: Path) -> None:
    """Each absence counts once, however many games it costs: it takes three of them."""
    organiser = Organiser(tmp_path, boards=7)  # in two parts: six rounds, of which everybody plays four
    organiser.file.write_text(organiser.file.read_text().replace('"remote:owl", ', ""))

    async def script(run: Run) -> None:
        await run.comes("fox", "elk")
        await run.games(1)
        await run.leaves("elk")

    run = organiser.run(Rules(wait_s=0.05), script)
    rows = rows_of(organiser)
    tournament = organiser.store.tournament("open")
    assert tournament is not None
    [out] = organiser.store.quarantines(tournament.id)
    assert out.quarantine.bot == "elk"
    assert set(out.quarantine.codes) <= {"DISCONNECT", "NO_HELLO"}
    assert max(in_rounds(rows, "elk")) == out.quarantine.since_round - 1 < 6
    assert in_rounds(rows, "fox") >= {2, 3, 6}
    assert run.progress is not None
    assert run.progress.complete
    table, _ = tables_of(organiser.store, tournament, resamples=0)
    assert {row.bot for row in table.standings} == {"fox", "basic"}


def test_what_is_void_is_played_again_with_new_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    organiser = Organiser(tmp_path, boards=1)
    real, void = bout.play_game, []

    async def play_game(table: Table) -> Played:
        played = await real(table)
        if len(void) < 2:
            void.append(played)
            nothing = replace(played.result, verdict=Verdict.VOID, scores=(), ranks=(), tiebreaks=(), reason="OVERLOAD")
            return replace(played, result=nothing)
        return played

    monkeypatch.setattr(bout, "play_game", play_game)
    run = organiser.run(Rules(), all_come)
    assert run.progress is not None
    assert (run.progress.complete, run.progress.voids, run.progress.games) == (True, 2, 6)
    tournament = organiser.store.tournament("open")
    assert tournament is not None
    again = [info for info in organiser.store.games("open", limit=None) if info.attempt > 1]
    assert 1 <= len(again) <= 2
    seals = Seals(organiser.store, tournament)
    for info in again:
        full = organiser.store.game(info.public_id)
        assert full is not None
        transcript = from_data(full.game.result.transcript)
        board = info.row.key.board
        cards = stored_cards(tournament, board, info.attempt)
        assert cards == board + 6 * (info.attempt - 1)
        verify(transcript, secret=tournament.secret, board=cards)
        with pytest.raises(TranscriptError):
            verify(transcript, secret=tournament.secret, board=board)
        assert board in seals.open_boards()


def test_an_event_that_was_stopped_goes_on_with_those_who_dial_in_again(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    hold, until_stopped = asyncio.Event(), asyncio.Event()

    async def stopped(run: Run) -> None:
        await run.comes("fox", "owl", hold=hold)
        await run.until(lambda: run.asked("fox") or run.asked("owl"))
        await run.comes("elk", hold=until_stopped)
        hold.set()
        await run.until(lambda: run.asked("elk"))
        run.stop.press()
        until_stopped.set()

    first = organiser.run(Rules(min_bots=2), stopped)
    assert first.progress is not None
    assert not first.progress.complete
    assert first.goodbyes["owl"] == [STOPPED, STOPPED]
    before = rows_of(organiser)
    assert len(before) < 10
    second = organiser.run(Rules(min_bots=2), all_come)
    assert second.progress is not None
    assert second.progress.complete
    rows = rows_of(organiser)
    assert set(map(str, before)) <= set(map(str, rows))
    assert faults_of(rows) == Counter()
    assert in_rounds(rows, "elk") == {2, 3}
    assert len(rows) == 10
    assert second.goodbyes == {name: ["done", "done"] for name in REMOTE}


def test_a_second_ctrl_c_drops_the_games_that_wait_for_a_bot(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, boards=1)

    async def script(run: Run) -> None:
        hold = asyncio.Event()
        await run.comes(*REMOTE, hold=hold)
        await run.until(lambda: run.asked("fox"))
        run.stop.press()
        run.stop.press()
        hold.set()

    run = organiser.run(Rules(), script)
    assert run.progress is not None
    assert (run.progress.complete, run.progress.running) == (False, 0)
    assert len(rows_of(organiser)) < 6
    assert run.goodbyes["owl"] == [STOPPED, STOPPED]
    tournament = organiser.store.tournament("open")
    assert tournament is not None
    assert tournament.state is State.STOPPED


def test_words_and_cards_of_a_remote_game_open_when_its_table_is_done(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    hold = asyncio.Event()
    seen: list[tuple[frozenset[int], set[int]]] = []

    async def script(run: Run) -> None:
        await run.comes("fox", hold=hold)
        await run.comes("owl", "elk")
        await run.games(1)
        with Store.open(organiser.data) as store:
            tournament = store.tournament("open")
            assert tournament is not None
            seals = Seals(store, tournament)
            done = {row.key.board for row in store.rows(tournament.id)}
            seen.append((seals.open_boards(), done))
            playing = [bout for bout in stored_schedule(tournament).round(1) or () if "fox" in bout.lineup]
            assert seals.sealed_with(1, playing[0].table) == set(playing[0].boards)
        hold.set()

    organiser.run(Rules(), script)
    [(opened, done)] = seen
    assert opened == done


def test_a_token_with_too_few_slots_is_said_before_anybody_waits(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path)
    with Tokens.open(organiser.data) as tokens:
        tokens.revoke("owl")
        tokens.issue("owl", "", 1, None)
    with pytest.raises(ConfigError, match="owl has 2 seats at this table, its token 1 slot") as caught:
        organiser.run(Rules(), all_come)
    assert caught.value.code == "NO_TOKEN"


def test_a_bot_whose_token_was_revoked_since_loses_what_it_misses(tmp_path: Path) -> None:
    organiser = Organiser(tmp_path, boards=1)

    async def stopped(run: Run) -> None:
        await run.comes(*REMOTE)
        await run.games(1)
        run.stop.press()

    async def go_on(run: Run) -> None:
        await run.comes("fox", "owl")

    organiser.run(Rules(), stopped)
    with Tokens.open(organiser.data) as tokens:
        tokens.revoke("elk")
    run = organiser.run(Rules(wait_s=0.2), go_on)
    rows = rows_of(organiser)
    assert run.progress is not None
    assert run.progress.complete
    assert set(faults_of(rows)) == {("elk", "NO_HELLO")}
