"""Bots that never begin, leave, crash, stop or will not leave, in boxes: what it costs whom, and nothing is left."""

from __future__ import annotations

import secrets
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from runner.bouts import FOLDER, faulty, task
from runner.test_faults import SHORT
from sandbox.rows import BOARD, GAME, SEAT, Played, Row, check, play, play_task, row

from arena.bots.kept import keep
from arena.bots.manifest import read_bot
from arena.bots.version import content_hash
from arena.record.results import FaultClass, Verdict
from arena.store.values import StoredGame

pytestmark = [pytest.mark.needs("bwrap"), pytest.mark.needs("root"), pytest.mark.timed]

CAP_S = SHORT.cap_ms / 1000
FATAL = {
    "exit": row("exit", "EXIT"),
    "segfault": row("segfault", "CRASH", 2.0, boards=2),
    "stops itself": row("stop", "TIMEOUT", CAP_S, clock=SHORT, boards=2),
    "stops all it can": row("greed.stops_all", "TIMEOUT", CAP_S, clock=SHORT, boards=2),
    "kills all it can": row("greed.kills_all", "CRASH", 2.0, boards=2),
    "loses": row("crash_losing", "CRASH", boards=2),
    "leaves others behind": row("greed.leaves_and_exits", "EXIT", 3.0, also="DISCONNECT", boards=2),
}


@pytest.mark.parametrize("name", FATAL)
def test_a_bot_that_ends_in_mid_game_forfeits(name: str) -> None:
    wanted: Row = FATAL[name]
    check(wanted, play(wanted))


STARTS = {
    "exits": ("exits", "START_FAILED", 30.0),
    "fails to load": ("import_error", "START_FAILED", 30.0),
    "greedy": ("do:greed.memory", "MEMORY", 30.0),
    "silent": ("never_connects", "NO_HELLO", 12.0),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_bot_that_never_begins_forfeits(name: str) -> None:
    mode, code, limit_s = STARTS[name]
    played = play(Row({"start": mode}, boards=1, start_limit_s=limit_s), beside=False)
    [stored] = played.outcome.games
    assert stored.result.verdict is Verdict.FORFEIT
    assert stored.result.forfeits == ((SEAT, code),)
    assert [fault.fault_class for fault in stored.result.faults] == [FaultClass.FORFEIT]
    assert played.took_s < 5 * limit_s
    assert set(played.outcome.told(1)) == {1, 2}


def test_a_bot_that_will_not_leave_is_ended_after_the_goodbye() -> None:
    played = play(Row({"end": "do:greed.deaf"}, boards=1), beside=False)
    assert [game.result.verdict for game in played.outcome.games] == [Verdict.FINISHED]
    assert not played.found
    assert [ending.signal for ending in played.exits] == [9]


def test_two_bots_that_end_at_the_same_moment_both_forfeit() -> None:
    """Whichever is seen first, the result is the same; the third has its game."""
    mark = secrets.token_hex(8)
    told = {"at": time.time() + 7.0, "mark": mark}
    plans = {
        "hostile": {str(BOARD): ["do:greed.at_once", 1], "told": {**told, "status": 0}},
        "other": {str(BOARD): ["do:greed.at_once", 1], "told": {**told, "status": 7}},
    }
    bots = {name: faulty(plan, name=name) for name, plan in plans.items()} | {"third": faulty(name="third")}
    played: Played = play_task(task(bots, 2, game=GAME), mark, beside=False)
    result = played.outcome.board(BOARD).result
    assert result.verdict is Verdict.FORFEIT
    assert sorted(result.forfeits) == [(0, "EXIT"), (1, "CRASH")]
    assert result.ranks == (1, 1, 0)
    assert set(played.outcome.told(BOARD)) == {2}


def test_a_bot_that_is_replaced_while_its_game_runs_plays_on_as_it_was(tmp_path: Path) -> None:
    """Its kept copy is what is played: in the game that runs, and by the process that is started afterwards."""
    mine = tmp_path / "mine"
    shutil.copytree(FOLDER, mine, ignore=shutil.ignore_patterns("__pycache__"))
    mark = secrets.token_hex(8)
    plan = {"told": {"mark": mark}}
    registered = replace(read_bot(mine), name="hostile")
    kept = replace(keep(registered, tmp_path / "kept"), command=faulty(plan).command)
    bots = {"hostile": kept, "first": faulty(name="first"), "second": faulty(name="second")}

    def spoil(_game: StoredGame) -> None:
        (mine / "main.py").write_text("raise SystemExit('another bot')")

    played = play_task(task(bots, 1, 2, GAME), mark, beside=False, then=spoil)
    assert [game.result.verdict for game in played.outcome.games] == [Verdict.FINISHED] * 2
    assert content_hash(mine) != registered.version == content_hash(kept.folder)
