"""Boards, ranks and checked moves, on the toy game."""

from __future__ import annotations

import pytest
from core.toy import Toy, ToyRuleset

from arena.core import drivers
from arena.core.chance import Chance
from arena.core.errors import IllegalMove, TranscriptError
from arena.core.game import DealtBoard, SeededBoard, checked_apply, ranks_of
from arena.core.moves import bid, play

BOARD = DealtBoard(
    (
        {"hands": [["A1", "A4"], ["A2", "A3"]], "dealer": 1},
        {"hands": [["A3", "A4"], ["A1", "A2"]], "dealer": 0},
    )
)


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ((30, 10, 30, 5), (0, 1, 0, 2)),
        ((0, 0), (0, 0)),
        ((-1, 2), (1, 0)),
        ((1.5, 1.0, 2.0), (1, 2, 0)),
        ((), ()),
    ],
)
def test_ranks_count_the_distinct_better_scores(scores: tuple[float, ...], ranks: tuple[int, ...]) -> None:
    assert ranks_of(scores) == ranks


def test_checked_apply_takes_a_legal_move_of_the_seat_to_move() -> None:
    game = Toy()
    state = game.start(BOARD)
    assert checked_apply(game, state, 0, play(4)).table == (4,)


def test_checked_apply_names_the_seat_whose_turn_it_is() -> None:
    game = Toy()
    with pytest.raises(IllegalMove, match="seat 1 moved, but it is seat 0's turn"):
        checked_apply(game, game.start(BOARD), 1, play(2))


def test_checked_apply_lists_what_would_have_been_legal() -> None:
    game = Toy()
    with pytest.raises(IllegalMove, match="'A2' is not legal here") as caught:
        checked_apply(game, game.start(BOARD), 0, play(2))
    assert caught.value.fix == "legal: ['A1', 'A4']"


def test_checked_apply_names_a_move_that_has_no_text() -> None:
    game = Toy()
    with pytest.raises(IllegalMove, match="77"):
        checked_apply(game, game.start(BOARD), 0, play(77))
    with pytest.raises(IllegalMove, match="'bid 5' is not legal"):
        checked_apply(game, game.start(BOARD), 0, bid(5))


def test_nothing_can_be_played_after_the_end() -> None:
    game = Toy(ToyRuleset(rounds=1))
    state = drivers.final_state(game, BOARD, lambda _view, legal: legal.moves[0])
    with pytest.raises(IllegalMove, match="the match is over"):
        checked_apply(game, state, 0, play(1))


def test_a_dealt_board_says_which_deal_is_missing() -> None:
    game = Toy()
    with pytest.raises(TranscriptError, match="deal 1 is needed, only 1 are written out"):
        drivers.final_state(game, DealtBoard(BOARD.deals[:1]), lambda _view, legal: legal.moves[0])


def test_deals_of_a_seeded_board_do_not_depend_on_play() -> None:
    game = Toy(ToyRuleset(rounds=9))
    board = SeededBoard(bytes(32))
    finals = [[*drivers.play_random(game, board, Chance(b"x", n))][-1].state for n in range(5)]
    assert len({game.deals(state) for state in finals}) == 1
    assert len({game.scores(state) for state in finals}) > 1


def test_a_written_out_board_gives_the_same_match() -> None:
    game = Toy()
    steps = list(drivers.play_random(game, SeededBoard(b"7" * 32), Chance(b"m")))
    dealt = DealtBoard(tuple(game.deal_data(deal) for deal in game.deals(steps[-1].state)))
    again = drivers.replay(game, dealt, [(step.seat, step.move) for step in steps])
    assert again._replace(board=None) == steps[-1].state._replace(board=None)


def test_sides_and_contract_defaults() -> None:
    game = Toy()
    state = game.start(BOARD)
    assert [game.side_of(seat) for seat in (0, 1)] == [0, 1]
    assert game.tiebreaks(state) == (0, 0)
    assert game.single_deal() is game
    assert game.facts(state) == []
    assert game.ranks(state) == (0, 0)
    assert game.describe() == ('{"marks":[1,2],"open":false,"rounds":2,"weights":{"1":1,"2":5},"winner":"high"}')
