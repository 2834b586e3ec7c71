"""A referee that stood still blames nobody."""

from __future__ import annotations

import asyncio
import time

from match.test_referee import BOARD, GAMES, first_seat, with_one
from virtual import run_virtual

from arena.match.heartbeat import Heartbeat
from arena.match.player import ScriptedPlayer
from arena.match.referee import Table, play_game
from arena.record.results import Verdict


def test_a_loop_that_runs_is_not_late():
    async def quiet():
        async with Heartbeat() as heart:
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(30)
            return heart.paused_since(began)

    assert not run_virtual(quiet())


def test_a_loop_that_stood_still_is_noticed_then_and_later_but_not_for_what_began_after():
    async def busy():
        loop = asyncio.get_running_loop()
        async with Heartbeat() as heart:
            began = loop.time()
            time.sleep(0.6)
            at_once = heart.paused_since(began)
            await asyncio.sleep(0.2)
            return at_once, heart.paused_since(began), heart.paused_since(loop.time())

    assert asyncio.run(busy()) == (True, True, False)


def played(player, *, paused):
    game = GAMES["goat"]
    players = with_one(player, first_seat(game), game)
    return run_virtual(play_game(Table(game, BOARD, players, range(4), paused_since=lambda _began: paused)))


def test_a_deadline_that_passed_while_the_referee_stood_still_voids_the_game():
    result = played(ScriptedPlayer([None]), paused=True).result
    assert (result.verdict, result.reason, result.scores) == (Verdict.VOID, "LAG", ())
    assert result.faults == ()


def test_a_deadline_that_passed_while_the_referee_ran_is_the_bots():
    result = played(ScriptedPlayer([None]), paused=False).result
    assert [fault.code for fault in result.faults] == ["TIMEOUT"]


def test_a_pause_without_a_fault_changes_nothing():
    assert played(ScriptedPlayer(), paused=True).result.verdict is Verdict.FINISHED
