"""An arena that was short of time blames nobody: its loop stood still, or the host took the processors away."""

from __future__ import annotations

import asyncio
import time

import pytest
from match.test_referee import BOARD, GAMES, first_seat, with_one
from virtual import run_virtual

from arena.match.heartbeat import Heartbeat, Reading
from arena.match.player import PlayerGone, ScriptedPlayer
from arena.match.referee import Table, play_game
from arena.record.results import Verdict
from arena.runner.host import read_host


def test_a_loop_that_runs_is_not_late():
    async def quiet():
        async with Heartbeat() as heart:
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(30)
            return heart.overload_since(began)

    assert run_virtual(quiet()) is None


@pytest.mark.timed
def test_a_loop_that_stood_still_is_noticed_then_and_later_but_not_for_what_began_after():
    async def busy():
        loop = asyncio.get_running_loop()
        async with Heartbeat() as heart:
            began = loop.time()
            time.sleep(0.6)
            at_once = heart.overload_since(began)
            await asyncio.sleep(0.2)
            return at_once, heart.overload_since(began), heart.overload_since(loop.time())

    at_once, later, after = asyncio.run(busy())
    for evidence in (at_once, later):
        assert evidence["cause"] == "loop"
        assert 250 < evidence["lag_ms"] < 3_000
    assert after is None


class Host:
    """A host of two processors, the second of which loses a share of its time from one moment to another."""

    def __init__(self, share, first=0.0, last=1e9):
        self.share, self.first, self.last = share, first, last

    def __call__(self):
        now = asyncio.get_running_loop().time()
        began = 1000.0
        taken = max(0.0, min(now, began + self.last) - (began + self.first)) * self.share
        return Reading((0.0, taken), (1.5, 1.0, 0.5), 2 * taken)


async def asked_after(host, wait_s, began_s):
    """What is known after `wait_s` seconds of what began at `began_s`."""
    async with Heartbeat(host) as heart:
        start = asyncio.get_running_loop().time()
        await asyncio.sleep(wait_s)
        return heart.overload_since(start + began_s)


def test_stolen_time_is_overload_above_a_fifth_of_a_processor():
    evidence = run_virtual(asked_after(Host(0.3), 10, 5))
    assert evidence["cause"] == "steal"
    assert evidence["steal_percent"] == pytest.approx(30, abs=1)
    assert evidence["over_ms"] == pytest.approx(5_000, abs=300)
    assert evidence["load"] == [1.5, 1.0, 0.5]
    assert evidence["waited_percent"] == pytest.approx(60, abs=2)
    assert run_virtual(asked_after(Host(0.15), 10, 5)) is None


def test_stolen_time_of_another_moment_is_no_excuse():
    assert run_virtual(asked_after(Host(0.9, 0, 3), 10, 5)) is None
    assert run_virtual(asked_after(Host(0.9, 4.9, 5.1), 10, 5)) is None, "a tenth of a second of five"
    assert run_virtual(asked_after(Host(0.9, 6, 9), 10, 5))["cause"] == "steal"


def test_a_short_move_is_judged_over_two_tenths_of_a_second():
    evidence = run_virtual(asked_after(Host(0.5), 10, 9.95))
    assert evidence["over_ms"] >= 200


def test_a_host_that_counts_nothing_excuses_nothing():
    assert run_virtual(asked_after(lambda: None, 10, 5)) is None
    assert run_virtual(asked_after(lambda: Reading(()), 10, 5)) is None


def test_the_real_host_can_be_read():
    before, after = read_host(), read_host()
    assert len(before.stolen_s) == len(after.stolen_s) > 0
    assert all(one <= other for one, other in zip(before.stolen_s, after.stolen_s, strict=True))
    assert len(before.load) == 3
    assert before.waited_s is None or before.waited_s <= (after.waited_s or 0)


SHOWN = {"cause": "loop", "lag_ms": 700}


def played(player, *, paused):
    game = GAMES["goat"]
    players = with_one(player, first_seat(game), game)
    return run_virtual(
        play_game(Table(game, BOARD, players, range(4), overload_since=lambda _began: SHOWN if paused else None))
    )


def test_a_deadline_that_passed_while_the_referee_stood_still_voids_the_game():
    result = played(ScriptedPlayer([None]), paused=True).result
    assert (result.verdict, result.reason, result.scores) == (Verdict.VOID, "LAG", ())
    assert result.faults == ()
    seat = first_seat(GAMES["goat"])
    assert result.evidence == {
        "turn": 0,
        "asked": seat,
        "code": "TIMEOUT",
        "waited_ms": 5_000,
        "limit_ms": 5_000,
        **SHOWN,
    }


def test_a_start_limit_that_passed_while_the_arena_was_short_of_time_voids_the_game():
    gone = PlayerGone("never said hello", code="NO_HELLO", overload=SHOWN)
    result = played(ScriptedPlayer([gone]), paused=False).result
    assert (result.verdict, result.reason, result.faults) == (Verdict.VOID, "LAG", ())
    assert result.evidence == {"turn": 0, "asked": first_seat(GAMES["goat"]), **SHOWN}


def test_a_deadline_that_passed_while_the_referee_ran_is_the_bots():
    result = played(ScriptedPlayer([None]), paused=False).result
    assert [fault.code for fault in result.faults] == ["TIMEOUT"]


def test_a_pause_without_a_fault_changes_nothing():
    assert played(ScriptedPlayer(), paused=True).result.verdict is Verdict.FINISHED
