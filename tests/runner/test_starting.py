"""Bots that never come to the table: each way of not starting, and what it costs."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from runner.bouts import GAME, Outcome, faulty, play, task, witness

from arena import games
from arena.record import transcript
from arena.record.replay import verify
from arena.record.results import FaultClass, Verdict
from arena.runner import slot
from arena.runner.bout import BoutTask
from arena.runner.plan import Plan

CROW = games.make("crow_and_pitcher", {"rounds": 1})
MISSING = replace(faulty(), name="missing", command=("./no-such-program", "--fast"))
ENDS = {
    "missing": (MISSING, "START_FAILED", "no-such-program"),
    "exits": (faulty({"start": "exits"}), "START_FAILED", "exited with status 3; its last line: 'no luck today'"),
    "import_error": (faulty({"start": "import_error"}), "START_FAILED", "No module named 'no_such_module'"),
    "version": (faulty({"start": "version"}), "BAD_VERSION", "speaks protocol versions 2.1, 3.0, the arena speaks 1.0"),
    "reply_first": (faulty({"start": "reply_first"}), "MALFORMED", "the first event is no hello"),
    "garbage_first": (faulty({"start": "garbage_first"}), "MALFORMED", "a first frame of 4 bytes that is no BotFrame"),
}
HANGS = {
    "never_connects": (faulty({"start": "never_connects"}), "NO_HELLO", "never said hello in 4 s"),
    "no_hello": (faulty({"start": "no_hello"}), "NO_HELLO", "never said hello in 4 s"),
}
"""Name -> bot, fault code, what the detail says."""


def check(outcome: Outcome, seat: int, code: str, detail: str) -> None:
    result = outcome.board(1).result
    assert result.verdict is Verdict.FORFEIT
    assert dict(result.forfeits)[seat] == code
    [fault] = [fault for fault in result.faults if fault.seat == seat]
    assert fault.fault_class is FaultClass.FORFEIT
    assert detail in fault.detail
    assert result.scores[seat] == outcome.game.worst_score
    assert result.ranks[seat] == 1


@pytest.mark.parametrize("three", [("missing", "exits", "import_error"), ("version", "reply_first", "garbage_first")])
def test_bots_that_fail_to_start_forfeit_and_the_honest_one_wins(three: tuple[str, str, str]) -> None:
    bots = {name: replace(ENDS[name][0], name=name) for name in three}
    outcome = play(task({**bots, "witness": witness()}, 2, game=CROW))
    for seat, name in enumerate(three):
        check(outcome, seat, *ENDS[name][1:])
    for game in outcome.games:
        assert game.result.ranks == (1, 1, 1, 0)
        assert [fault.seat for fault in game.result.faults].count(3) == 0
        verify(transcript.from_data(game.result.transcript))
        told = outcome.told(game.key.board)
        assert set(told) == {3}
        assert told[3]["scores"] == list(game.result.scores)


@pytest.mark.timed
def test_bots_that_never_say_hello_forfeit_at_the_start_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slot, "MAX_STARTS", 1)
    game = games.make("crow_and_pitcher", {"rounds": 1, "players": 3})
    bots = {name: replace(bot, name=name) for name, (bot, _, _) in HANGS.items()}
    outcome = play(task({**bots, "witness": witness()}, 1, game=game, start_limit_s=4.0))
    for seat, name in enumerate(HANGS):
        check(outcome, seat, *HANGS[name][1:])
    assert outcome.board(1).result.ranks == (1, 1, 0)
    assert set(outcome.told(1)) == {2}


def test_the_start_limit_is_ten_seconds() -> None:
    defaults = [each.default for kind in (BoutTask, Plan) for each in fields(kind) if each.name == "start_limit_s"]
    assert defaults == [10.0, 10.0]


def test_a_game_nobody_started_for_is_void_and_blames_every_seat() -> None:
    outcome = play(task({"missing": MISSING, "exits": faulty({"start": "exits"}, name="exits")}, 2))
    for game in outcome.games:
        result = game.result
        assert (result.verdict, result.reason) == (Verdict.VOID, "NOBODY_STARTED")
        assert sorted(result.forfeits) == [(seat, "START_FAILED") for seat in range(GAME.seats)]
        assert result.scores == result.ranks == ()


def test_a_bot_that_plays_one_game_at_a_time_is_offered_no_more() -> None:
    """Its manifest allows four, its hello none, which counts as one."""
    outcome = play(task({"faulty": faulty({"start": "one_game"}, 4), "witness": witness(4)}, 4))
    for heard in outcome.heard:
        turns = [line["what"] for line in heard.lines]
        assert turns == ["start", "over"] * 4 + ["goodbye"]
        assert [line["game"] for line in heard.of("start")] == [1, 2, 3, 4]
