"""Bots that misbehave, as real processes against honest ones: what each fault costs, and whom."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from runner.bouts import GAME, Outcome, faulty, lasting, play, task, witness

from arena import games
from arena.core.game import AnyGame
from arena.match import referee
from arena.match.clock import Clock
from arena.record import transcript
from arena.record.replay import verify
from arena.record.results import FaultClass, Verdict
from arena.runner import slot
from arena.store.values import StoredGame

D, F = FaultClass.DECISION, FaultClass.FORFEIT
SEAT = 0
"""Where the faulty bot misbehaves on every board."""
FORFEIT = 2
"""The number of the verdict on the wire."""


@contextmanager
def unhurried() -> Iterator[None]:
    """The end of a process is told, and a bot leaves, however busy the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slot, "EXIT_GRACE_S", 30.0)
        patch.setattr(slot, "GOODBYE_GRACE_S", 30.0)
        yield


@pytest.fixture(name="unhurried")
def unhurried_fixture() -> Iterator[None]:
    with unhurried():
        yield


def honest(boards: int) -> Outcome:
    return play(task({"faulty": faulty(), "witness": witness()}, boards))


def check_final_messages(outcome: Outcome, board: int, absent: frozenset[int] = frozenset()) -> None:
    """Every seat whose process lived got the final message, and it says what the result says."""
    result = outcome.board(board).result
    told = outcome.told(board)
    assert set(told) == set(range(outcome.game.seats)) - absent
    for message in told.values():
        assert message["verdict"] == {Verdict.FINISHED: 1, Verdict.FORFEIT: FORFEIT, Verdict.VOID: 3}[result.verdict]
        assert message["scores"] == list(result.scores)
        assert message["ranks"] == list(result.ranks)
        seat, reason = result.forfeits[0] if result.forfeits else (None, "")
        assert (message["forfeit"], message["reason"]) == (seat, reason)


def check_forfeit(stored: StoredGame, game: AnyGame, seat: int, code: str) -> None:
    """The seat's side has the worst score and the last place, the others what the rules gave them."""
    result = stored.result
    assert result.verdict is Verdict.FORFEIT
    assert result.forfeits == ((seat, code),)
    for other in range(game.seats):
        if game.side_of(other) == game.side_of(seat):
            assert result.scores[other] == min(game.worst_score, *result.scores)
        else:
            assert result.ranks[other] < result.ranks[seat]
    verify(transcript.from_data(result.transcript))


ONCE = {
    "too_high": "ILLEGAL",
    "negative": "ILLEGAL",
    "illegal_move": "ILLEGAL",
    "garbage": "MALFORMED",
    "empty_frame": "MALFORMED",
    "empty_event": "MALFORMED",
    "empty_reply": "MALFORMED",
    "empty_move": "MALFORMED",
    "second_hello": "MALFORMED",
    "huge": "OVERSIZE",
    "wrong_game": "WRONG_GAME",
}
"""What a bot sends instead of its answer, and the code of it."""
GAMES_OF = {(mode, times): 2 + 2 * index + (times > 1) for index, mode in enumerate(ONCE) for times in (1, 3)}
"""Which game of one long bout tries what; the first game is honest, and so is the last."""
LAST = 2 + 2 * len(ONCE)


@pytest.fixture(scope="module")
def bad_answers() -> Outcome:
    plan = {str(game): [mode, times] for (mode, times), game in GAMES_OF.items()}
    with unhurried():
        return play(task({"faulty": faulty(plan), "witness": witness()}, LAST))


@pytest.fixture(scope="module")
def without_faults() -> Outcome:
    return honest(LAST)


@pytest.mark.parametrize("mode", ONCE)
def test_a_bad_answer_is_a_decision_fault_and_the_game_goes_on(bad_answers: Outcome, mode: str) -> None:
    board = GAMES_OF[mode, 1]
    result = bad_answers.board(board).result
    assert [(fault.seat, fault.code, fault.fault_class) for fault in result.faults] == [(SEAT, ONCE[mode], D)]
    assert result.verdict is Verdict.FINISHED
    check_final_messages(bad_answers, board)
    verify(transcript.from_data(result.transcript))


@pytest.mark.parametrize("mode", ONCE)
def test_the_third_bad_answer_forfeits(bad_answers: Outcome, mode: str) -> None:
    board = GAMES_OF[mode, 3]
    stored = bad_answers.board(board)
    code = ONCE[mode]
    assert [(fault.code, fault.fault_class) for fault in stored.result.faults] == [(code, D), (code, D), (code, F)]
    check_forfeit(stored, GAME, SEAT, code)
    check_final_messages(bad_answers, board)


def test_the_bot_is_told_of_each_answer_that_was_not_taken(bad_answers: Outcome) -> None:
    [first] = [heard for heard in bad_answers.heard if heard.bot == "faulty" and heard.copy == 1]
    for (mode, times), board in GAMES_OF.items():
        reasons = [line["reason"] for line in first.of("rejected") if line["game"] == board]
        assert len(reasons) == times
        assert all(reason.startswith(f"{ONCE[mode]}: ") for reason in reasons)
        assert not any("protobuf" in reason or "Traceback" in reason for reason in reasons)


@pytest.mark.parametrize("board", [1, LAST])
def test_games_beside_the_faulty_ones_are_the_same_bit_for_bit(
    bad_answers: Outcome, without_faults: Outcome, board: int
) -> None:
    assert lasting(bad_answers.board(board)) == lasting(without_faults.board(board))
    assert not bad_answers.board(board).result.faults


def test_the_process_lives_on_through_bad_answers(bad_answers: Outcome) -> None:
    assert [heard.start for heard in bad_answers.heard] == [1] * 4
    assert all(heard.of("goodbye") for heard in bad_answers.heard)


SHORT = Clock(bank_ms=60_000, increment_ms=0, cap_ms=1_500)
"""A bot that answers at all answers by it, also on a busy machine."""


@pytest.mark.timed
def test_silence_and_lateness() -> None:
    plan = {"2": ["silent", 1], "3": ["silent", 3], "4": ["late", 1], "5": ["late", 3]}
    outcome = play(task({"faulty": faulty(plan, 6), "witness": witness(6)}, 6, clock=SHORT))
    calm = play(task({"faulty": faulty(at_once=6), "witness": witness(6)}, 6, clock=SHORT))
    for board in (1, 6):
        assert lasting(outcome.board(board)) == lasting(calm.board(board)), "a game at the same time, with other seats"
    expected = {
        2: [("TIMEOUT", D)],
        3: [("TIMEOUT", D), ("TIMEOUT", D), ("TIMEOUT", F)],
        4: [("LATE", D)],
        5: [("LATE", D), ("LATE", D), ("TIMEOUT", F)],
    }
    for board, faults in expected.items():
        stored = outcome.board(board)
        assert [(fault.code, fault.fault_class) for fault in stored.result.faults] == faults
        assert {fault.seat for fault in stored.result.faults} == {SEAT}
        assert all(1_450 <= fault.elapsed_ms < 10_000 for fault in stored.result.faults)
        check_final_messages(outcome, board)
        if len(faults) == 3:
            check_forfeit(stored, GAME, SEAT, "TIMEOUT")
        else:
            assert stored.result.verdict is Verdict.FINISHED


ENDINGS = {
    "exit": "EXIT",
    "status": "CRASH",
    "exception": "CRASH",
    "segfault": "CRASH",
    "disconnect": "DISCONNECT",
    "half_close": "DISCONNECT",
}


@pytest.mark.timed
@pytest.mark.parametrize("mode", ENDINGS)
def test_a_bot_that_leaves_forfeits_and_is_started_again(without_faults: Outcome, mode: str) -> None:
    outcome = play(task({"faulty": faulty({"2": [mode, 1]}), "witness": witness()}))
    for board in (1, 3):
        assert lasting(outcome.board(board)) == lasting(without_faults.board(board))
    check_forfeit(outcome.board(2), GAME, SEAT, ENDINGS[mode])
    [fault] = outcome.board(2).result.faults
    assert fault.fault_class is F
    assert fault.elapsed_ms < 5_000
    check_final_messages(outcome, 2, absent=frozenset({SEAT}))
    assert sorted((heard.bot, heard.copy, heard.start) for heard in outcome.heard) == [
        ("faulty", 1, 1),
        ("faulty", 1, 2),
        ("faulty", 2, 1),
        ("witness", 1, 1),
        ("witness", 2, 1),
    ]


@pytest.mark.usefixtures("unhurried")
def test_a_bot_that_crashes_on_its_last_card_loses_and_the_winner_has_its_points(without_faults: Outcome) -> None:
    outcome = play(task({"faulty": faulty({"2": ["crash_losing", 1]}), "witness": witness()}))
    check_forfeit(outcome.board(2), GAME, SEAT, "CRASH")
    check_final_messages(outcome, 2, absent=frozenset({SEAT}))
    with_it, without = outcome.board(2).result, without_faults.board(2).result
    assert [with_it.scores[seat] for seat in (1, 3)] == [without.scores[seat] for seat in (1, 3)], (
        "its last card was forced"
    )
    assert "signal 9" in with_it.faults[0].detail


@pytest.mark.timed
def test_a_bot_that_stops_itself_times_out_and_is_ended_all_the_same() -> None:
    clock = SHORT._replace(cap_ms=1_000)
    outcome = play(task({"faulty": faulty({"2": ["stop", 1]}), "witness": witness()}, 2, clock=clock))
    check_forfeit(outcome.board(2), GAME, SEAT, "TIMEOUT")
    check_final_messages(outcome, 2, absent=frozenset({SEAT}))


@pytest.mark.usefixtures("unhurried")
def test_both_sides_may_crash_in_the_same_game() -> None:
    both = {"faulty": faulty({"2": ["exit", 1]}), "other": faulty({"2": ["segfault", 1]}, name="other")}
    outcome = play(task(both))
    result = outcome.board(2).result
    assert result.verdict is Verdict.FORFEIT
    assert sorted(result.forfeits) == [(0, "EXIT"), (1, "CRASH")]
    assert result.scores == (GAME.worst_score,) * 4
    assert result.ranks == (0, 0, 0, 0)
    assert set(outcome.told(2)) == {2, 3}
    assert [outcome.board(board).result.verdict for board in (1, 3)] == [Verdict.FINISHED] * 2


@pytest.mark.usefixtures("unhurried")
def test_a_crash_ends_every_game_of_the_process() -> None:
    outcome = play(task({"faulty": faulty({"2": ["status", 1]}, 4), "witness": witness(4)}, 4))
    assert {game.result.forfeits for game in outcome.games} <= {((SEAT, "CRASH"),), ()}
    check_forfeit(outcome.board(2), GAME, SEAT, "CRASH")
    for board in range(1, 5):
        check_final_messages(outcome, board, absent=frozenset(outcome.board(board).result.forfeits and {SEAT}))


@pytest.mark.usefixtures("unhurried")
def test_a_bot_is_started_three_times_and_then_forfeits_what_remains() -> None:
    outcome = play(task({"faulty": faulty({"1": ["exit", 1]}), "witness": witness()}, 5))
    assert [game.result.forfeits for game in outcome.games] == [
        ((SEAT, "EXIT"),),
        ((SEAT, "EXIT"),),
        ((SEAT, "EXIT"),),
        ((SEAT, "START_FAILED"),),
        ((SEAT, "START_FAILED"),),
    ]
    assert [heard.start for heard in outcome.heard if heard.bot == "faulty" and heard.copy == 1] == [1, 2, 3]


@pytest.mark.usefixtures("unhurried")
def test_a_bot_that_cannot_start_again_forfeits_what_remains() -> None:
    outcome = play(task({"faulty": faulty({"start": "second_exits", "1": ["exit", 1]}), "witness": witness()}, 3))
    assert [game.result.forfeits for game in outcome.games] == [
        ((SEAT, "EXIT"),),
        ((SEAT, "START_FAILED"),),
        ((SEAT, "START_FAILED"),),
    ]
    assert "no luck today" in outcome.board(2).result.faults[0].detail


FAMILIES = {
    "goat": games.make("goat").single_deal(),
    "crow": games.make("crow_and_pitcher", {"rounds": 1, "players": 3}),
}


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize(("mode", "code"), [("exit", "EXIT"), ("garbage", "MALFORMED")])
def test_faults_cost_the_same_in_every_game(name: str, mode: str, code: str) -> None:
    game = FAMILIES[name]
    bots = {"faulty": faulty({"1": [mode, 3]})}
    bots |= {f"witness{side}": witness(name=f"witness{side}") for side in range(1, len(game.sides))}
    outcome = play(task(bots, 2, game=game))
    check_forfeit(outcome.board(1), game, SEAT, code)
    check_final_messages(outcome, 1, absent=frozenset({SEAT} if mode == "exit" else ()))
    second = outcome.board(2).result
    if mode == "exit":  # the process that was started again has a first game, too
        assert second.forfeits == ((SEAT, code),)
    else:
        assert second.verdict is Verdict.FINISHED


def test_a_game_beyond_its_wall_cap_is_void_and_every_seat_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    caps = iter([None, 1_000.0])
    monkeypatch.setattr(referee, "wall_cap_ms", lambda *_: next(caps))
    outcome = play(task({"faulty": faulty({"2": ["silent", 1]}), "witness": witness()}, 2))
    assert outcome.board(1).result.verdict is Verdict.FINISHED
    result = outcome.board(2).result
    assert (result.verdict, result.reason) == (Verdict.VOID, "WALL")
    assert result.scores == result.ranks == result.forfeits == ()
    assert {message["verdict"] for message in outcome.told(2).values()} == {3}
    assert {message["reason"] for message in outcome.told(2).values()} == {"WALL"}
    assert set(outcome.told(2)) == {0, 1, 2, 3}


@pytest.mark.usefixtures("unhurried")
def test_bouts_leave_no_descriptor_open() -> None:
    """Sockets and pipes, too: what one bout opens it closes, also when bots crash."""
    counts = []
    for _ in range(2):
        play(task({"faulty": faulty({"1": ["exit", 1]}), "witness": witness()}, 2))
        counts.append(len(os.listdir("/proc/self/fd")))
    assert counts[1] <= counts[0]
