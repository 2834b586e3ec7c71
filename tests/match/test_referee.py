"""The referee against scripted players in virtual time: every kind of fault in every kind of phase."""

from __future__ import annotations

import pytest
from virtual import run_virtual

from arena import games
from arena.core.drivers import final_state
from arena.core.game import SeededBoard
from arena.core.moves import LegalList, Move, bid, play
from arena.match.clock import Clock, wall_cap_ms
from arena.match.player import BadAnswer, Delay, InProcessPlayer, PlayerGone, ScriptedPlayer
from arena.match.referee import Played, Table, play_game
from arena.record.results import FaultClass, Verdict

BOARD = SeededBoard(b"\x07" * 32)
GAMES = {
    "crowsnest": games.make("crowsnest", {"max_hands": 1}),
    "goat": games.make("goat").single_deal(),
    "crow": games.make("crow_and_pitcher"),
}
ILLEGAL = bid(1_000)


DEFAULT = Clock()


def referee(players, game=GAMES["crowsnest"], clock=DEFAULT) -> Played:
    return run_virtual(play_game(Table(game, BOARD, players, range(game.seats), clock)))


def with_one(player, seat=0, game=GAMES["crowsnest"]):
    players = [ScriptedPlayer() for _ in range(game.seats)]
    players[seat] = player
    return players


def first_seat(game):
    return game.to_move(game.start(BOARD))


def honest(game):
    """The result of the same board when everyone plays default moves."""
    return game.scores(final_state(game, BOARD, lambda view, _legal: game.default_move(view)))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_without_faults_is_finished_with_the_rules_scores(name):
    game = GAMES[name]
    played = referee([ScriptedPlayer() for _ in range(game.seats)], game)
    assert played.result.verdict is Verdict.FINISHED
    assert played.result.scores == honest(game)
    assert played.result.faults == ()


@pytest.mark.parametrize("name", GAMES)
def test_everyone_always_gets_the_final_message(name):
    game = GAMES[name]
    seat = first_seat(game)
    players = with_one(ScriptedPlayer([PlayerGone("crashed", code="CRASH")]), seat, game)
    result = referee(players, game).result
    assert all(player.result is not None and player.result.forfeits == result.forfeits for player in players)


STEPS = {
    "silent": (None, "TIMEOUT"),
    "illegal": (ILLEGAL, "ILLEGAL"),
    "unreadable": (BadAnswer("a frame that is no BotFrame", code="MALFORMED"), "MALFORMED"),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("fault", STEPS)
def test_a_decision_fault_plays_the_default_move_and_goes_on(name, fault):
    game = GAMES[name]
    seat = first_seat(game)
    step, code = STEPS[fault]
    player = ScriptedPlayer([step])
    played = referee(with_one(player, seat, game), game)
    assert played.result.verdict is Verdict.FINISHED
    assert played.result.scores == honest(game)
    [recorded] = played.result.faults
    assert (recorded.seat, recorded.code, recorded.fault_class) == (seat, code, FaultClass.DECISION)
    assert recorded.turn == 0
    assert player.rejections == [(0, code)]
    assert played.course.moves[0].fault == code


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("fault", STEPS)
def test_the_third_strike_forfeits_with_its_own_code(name, fault):
    game = GAMES[name]
    seat = first_seat(game)
    step, code = STEPS[fault]
    player = ScriptedPlayer([step] * 10)
    played = referee(with_one(player, seat, game), game)
    result = played.result
    assert result.verdict is Verdict.FORFEIT
    assert result.forfeits == ((seat, code),)
    assert [fault.fault_class for fault in result.faults] == [FaultClass.DECISION] * 2 + [FaultClass.FORFEIT]
    assert len(player.turns) == 3, "a seat that forfeited is not asked again"


def test_mixed_strikes_add_up_and_the_last_names_the_forfeit():
    seat = first_seat(GAMES["goat"])
    steps = [None, ILLEGAL, BadAnswer("?", code="MALFORMED")]
    result = referee(with_one(ScriptedPlayer(steps), seat, GAMES["goat"]), GAMES["goat"]).result
    assert result.forfeits == ((seat, "MALFORMED"),)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("code", ["CRASH", "EXIT", "DISCONNECT", "START_FAILED", "NO_HELLO"])
def test_a_player_that_is_gone_forfeits_at_once(name, code):
    game = GAMES[name]
    seat = first_seat(game)
    player = ScriptedPlayer([PlayerGone("gone", code=code)])
    result = referee(with_one(player, seat, game), game).result
    assert result.verdict is Verdict.FORFEIT
    assert result.forfeits == ((seat, code),)
    assert len(player.turns) == 1
    side = game.sides[game.side_of(seat)]
    for other in range(game.seats):
        assert result.scores[other] == (game.worst_score if other in side else honest(game)[other])
        assert (result.ranks[other] == 0) <= (other not in side)


def test_a_forfeit_after_leading_loses_all_the_same():
    """Crashing when losing, or when winning, brings the worst score."""
    game = GAMES["crow"]
    steps: list[Move | PlayerGone] = []
    state = game.start(BOARD)
    while (seat := game.to_move(state)) is not None:
        move = game.default_move(game.view(state, seat))
        if seat == 0:
            steps.append(move)
        state = game.apply(state, move)
    steps[-1] = PlayerGone("crashed on its last move", code="CRASH")
    result = referee(with_one(ScriptedPlayer(steps), 0, game), game).result
    assert result.scores[0] == game.worst_score
    assert result.ranks[0] > max(result.ranks[1:])


def test_both_sides_may_forfeit_and_both_get_the_worst():
    game = GAMES["crowsnest"]
    players = [ScriptedPlayer([PlayerGone("gone", code="CRASH")]) for _ in range(4)]
    result = referee(players, game).result
    assert result.scores == (game.worst_score,) * 4
    assert result.ranks == (0, 0, 0, 0)
    assert {seat for seat, _ in result.forfeits} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("gone", "kind"),
    [
        (PlayerGone("showed another seat's token", code="BAD_TOKEN", attempt=True), FaultClass.QUARANTINE),
        (PlayerGone("showed no token", code="BAD_TOKEN"), FaultClass.FORFEIT),
        (PlayerGone("crashed", code="CRASH"), FaultClass.FORFEIT),
    ],
)
def test_an_attempt_on_identity_or_sandbox_forfeits_and_says_so(gone, kind):
    game = GAMES["goat"]
    seat = first_seat(game)
    result = referee(with_one(ScriptedPlayer([gone]), seat, game), game).result
    assert [(fault.seat, fault.code, fault.fault_class) for fault in result.faults] == [(seat, gone.code, kind)]
    assert result.forfeits == ((seat, gone.code),)
    assert result.scores[seat] == game.worst_score


def test_a_fault_names_the_exit_that_caused_it():
    game = GAMES["goat"]
    gone = PlayerGone("crashed", code="CRASH", process="fox-r1-t1-g1-1#2-ab")
    result = referee(with_one(ScriptedPlayer([gone.again()]), first_seat(game), game), game).result
    assert [fault.process for fault in result.faults] == ["fox-r1-t1-g1-1#2-ab"]


def test_both_fault_in_one_turn_and_the_result_does_not_depend_on_who_was_first():
    """Both processes end before either was asked: each seat forfeits at its own first turn, whoever went first."""
    game = GAMES["crow"]
    gone = [PlayerGone("gone", code="CRASH"), PlayerGone("gone", code="EXIT")]
    results = []
    for order in (gone, gone[::-1]):
        players = [ScriptedPlayer([order[0]]), ScriptedPlayer([order[1]]), ScriptedPlayer(), ScriptedPlayer()]
        results.append(referee(players, game).result)
    one, other = results
    assert one.scores == other.scores
    assert one.ranks == other.ranks
    assert {seat for seat, _ in one.forfeits} == {0, 1}
    assert one.scores[:2] == (game.worst_score,) * 2
    assert one.ranks[0] == one.ranks[1] > max(one.ranks[2:])


def test_a_slow_answer_inside_the_limit_is_no_fault_and_shrinks_the_bank():
    game = GAMES["crowsnest"]
    seat = first_seat(game)
    state = game.start(BOARD)
    move = game.default_move(game.view(state, seat))
    player = ScriptedPlayer([Delay(4.0, move), Delay(4.0, play(0))])
    result = referee(with_one(player, seat, game), game).result
    assert player.turns[0].limit_ms == 5_000
    assert result.faults == () or result.faults[0].turn != 0


def test_the_bank_limits_the_move_once_it_is_low():
    game = GAMES["goat"]
    seat = first_seat(game)
    clock = Clock(bank_ms=1_000, increment_ms=100, cap_ms=5_000)
    players = with_one(ScriptedPlayer([None, None]), seat, game)
    result = referee(players, game, clock).result
    first, second = players[seat].turns[:2]
    assert first.limit_ms == 1_000
    assert second.limit_ms == 100
    assert [fault.elapsed_ms for fault in result.faults] == [1_000, 100]


def test_an_answer_after_the_limit_that_was_read_before_the_timer_fired_is_late():
    class Late(ScriptedPlayer):
        async def choose(self, turn):
            answer = await super().choose(turn)
            return answer._replace(read_at=answer.read_at + 6) if turn.number == 0 else answer

    game = GAMES["goat"]
    seat = first_seat(game)
    result = referee(with_one(Late(), seat, game), game).result
    assert [(fault.code, fault.fault_class) for fault in result.faults] == [("LATE", FaultClass.DECISION)]


def test_a_timeout_whose_answer_comes_before_the_end_is_called_late():
    game = GAMES["goat"]
    seat = first_seat(game)
    played = referee(with_one(ScriptedPlayer([None], late=[0]), seat, game), game)
    assert [fault.code for fault in played.result.faults] == ["LATE"]
    assert played.course.moves[0].fault == "LATE"


def test_a_third_strike_that_turns_out_late_forfeits_as_late():
    game = GAMES["crow"]
    seat = first_seat(game)
    numbers = []
    state = game.start(BOARD)
    for number in range(game.max_moves):
        if (mover := game.to_move(state)) is None:
            break
        if mover == seat:
            numbers.append(number)
        state = game.apply(state, game.default_move(game.view(state, mover)))
    result = referee(with_one(ScriptedPlayer([None] * 3, late=numbers[:3]), seat, game), game).result
    assert result.forfeits == ((seat, "LATE"),)
    assert [fault.code for fault in result.faults] == ["LATE"] * 3


def test_without_a_clock_thinking_for_ten_minutes_is_no_fault():
    game = GAMES["goat"]
    seat = first_seat(game)
    move = game.default_move(game.view(game.start(BOARD), seat))
    player = ScriptedPlayer([Delay(600, move)])
    result = referee(with_one(player, seat, game), game, None).result
    assert result.faults == ()
    assert player.turns[0].limit_ms is None


def test_a_forced_seat_is_asked_like_any_other():
    game = GAMES["crow"]
    asked: list[int] = []

    def choose(view, legal):
        assert isinstance(legal, LegalList)
        asked.append(len(legal.moves))
        return legal.moves[0]

    played = referee([InProcessPlayer(choose) for _ in range(4)], game)
    assert len(asked) == len(played.course.moves) == 108
    assert asked.count(1) > 0


def test_faults_of_one_game_do_not_touch_the_one_beside_it():
    """The honest game beside a faulty one has the result it has alone."""
    import asyncio

    game = GAMES["goat"]
    alone = referee([ScriptedPlayer() for _ in range(4)], game).result

    async def both():
        honest_players = [ScriptedPlayer() for _ in range(4)]
        faulty = with_one(ScriptedPlayer([None, ILLEGAL, PlayerGone("gone", code="CRASH")]), first_seat(game), game)
        return await asyncio.gather(
            play_game(Table(game, BOARD, honest_players, range(4))), play_game(Table(game, BOARD, faulty, range(4)))
        )

    beside, _ = run_virtual(both())
    assert beside.result == alone


def test_a_game_beyond_its_wall_cap_is_void_and_everyone_is_told():
    class Stalling(ScriptedPlayer):
        """Swallows the cancellation at its deadline, as no honest adapter does."""

        async def choose(self, turn):
            import asyncio

            self.turns.append(turn)
            for _ in range(2):
                try:
                    await asyncio.sleep(10_000)
                except asyncio.CancelledError:
                    if len(self.turns) > 1 or _ == 1:
                        raise
            raise AssertionError("cancelled twice by then")

    game = GAMES["goat"]
    players = with_one(Stalling(), first_seat(game), game)
    result = referee(players, game).result
    assert result.verdict is Verdict.VOID
    assert result.reason == "WALL"
    cap = wall_cap_ms(Clock(), game.seats, game.max_moves, 10_000)
    assert result.evidence == {"turn": 0, "asked": first_seat(game), "cap_ms": cap}
    assert all(player.result is not None for player in players)
