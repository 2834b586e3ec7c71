import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating.fields import FOUR, MATCHES, PAIRS, THREE, free_for_all, pair_block, pair_game, round_robin, row

from arena.core.errors import ArenaFault, ConfigError
from arena.rating.blocks import blocks, draw_share, first_draw_share, sort_out
from arena.rating.pool import Pool
from arena.record.results import Verdict


def only(rows, pool):
    (block,) = blocks(rows, pool)
    return block


def test_a_partnership_has_one_score_a_game_and_a_block_is_the_sum_over_both_seatings():
    rows = [pair_game(7, 0, "fox", "owl", (80, -20)), pair_game(7, 1, "owl", "fox", (35, 10))]
    block = only(rows, PAIRS)
    assert block.bots == ("fox", "owl")
    assert block.scores == (90, 15)
    assert block.swings == (75, -75)
    assert block.ranks == (0, 1)
    assert block.id == "r0-b7-t0"


def test_a_free_for_all_block_is_the_sum_over_all_rotations():
    names = ("ant", "bee", "cat", "dog")
    rows = [
        row(
            (2, 5, 1, turn),
            tuple(names[(seat + turn) % 4] for seat in range(4)),
            tuple(float(10 * ((seat + turn) % 4) + seat) for seat in range(4)),
        )
        for turn in range(4)
    ]
    block = only(rows, FOUR)
    assert block.bots == names
    assert block.scores == (6, 46, 86, 126)
    assert block.swings == pytest.approx((6 - 86, 46 - 218 / 3, 86 - 178 / 3, 126 - 46))
    assert block.ranks == (3, 2, 1, 0)
    assert block[:3] == (2, 5, 1)


def test_a_free_for_all_of_three_has_three_rotations():
    rows = free_for_all({"a": 3, "b": 2, "c": 1}, 4, seats=3)
    assert len(list(blocks(rows, THREE))) == 4
    assert len(list(blocks(rows[:-1], THREE))) == 3


def test_a_level_block_is_decided_by_card_points():
    rows = [
        pair_game(1, 0, "fox", "owl", (-2, -2), tiebreaks=(60, 60)),
        pair_game(1, 1, "owl", "fox", (-2, -2), tiebreaks=(55, 65)),
    ]
    block = only(rows, PAIRS)
    assert block.swings == (0, 0)
    assert block.tiebreaks == (125, 115)
    assert block.ranks == (0, 1)


def test_a_block_level_in_everything_is_a_draw():
    rows = [
        pair_game(1, 0, "fox", "owl", (-2, -4), tiebreaks=(70, 50)),
        pair_game(1, 1, "owl", "fox", (-2, -4), tiebreaks=(70, 50)),
    ]
    assert only(rows, PAIRS).ranks == (0, 0)


def test_scores_go_before_card_points():
    rows = [
        pair_game(1, 0, "fox", "owl", (-2, -1), tiebreaks=(120, 0)),
        pair_game(1, 1, "owl", "fox", (-2, -2), tiebreaks=(0, 120)),
    ]
    assert only(rows, PAIRS).ranks == (1, 0)


def test_whole_matches_count_one_half_and_nothing():
    rows = [pair_game(1, 0, "fox", "owl", (300, 120)), pair_game(1, 1, "owl", "fox", (50, 50), tiebreaks=(9, 1))]
    block = only(rows, MATCHES)
    assert block.scores == (1.5, 0.5)
    assert block.tiebreaks == (0, 0)
    assert block.swings == (1, -1)


def test_whole_matches_won_in_turn_are_a_draw():
    rows = [pair_game(1, 0, "fox", "owl", (300, 120)), pair_game(1, 1, "owl", "fox", (305, -20))]
    assert only(rows, MATCHES).ranks == (0, 0)


def test_a_forfeited_deal_counts_with_the_scores_the_referee_gave():
    rows = [
        pair_game(1, 0, "fox", "owl", (-6, 0), verdict=Verdict.FORFEIT, faults=((0, "CRASH"),)),
        pair_game(1, 1, "owl", "fox", (-1, 0)),
    ]
    assert only(rows, PAIRS).scores == (-6, -1)


def test_a_forfeited_match_is_nothing_and_both_forfeiting_is_nothing_for_both():
    rows = [
        pair_game(1, 0, "fox", "owl", (-120, 40), verdict=Verdict.FORFEIT),
        pair_game(1, 1, "owl", "fox", (-120, -120), verdict=Verdict.FORFEIT),
    ]
    assert only(rows, MATCHES).scores == (0, 1)


def test_a_block_exists_only_when_all_its_games_do():
    rows = pair_block(1, "fox", "owl", 5)
    assert list(blocks(rows[:1], PAIRS)) == []
    found = sort_out(rows[1:], PAIRS)
    assert (found.blocks, found.incomplete) == ((), 1)
    assert found.tallies["fox"].games == 1


def test_a_void_game_makes_no_block():
    void = pair_game(1, 1, "owl", "fox", (0, 0))._replace(verdict=Verdict.VOID, scores=(), ranks=(), tiebreaks=())
    found = sort_out([pair_block(1, "fox", "owl", 5)[0], void], PAIRS)
    assert (found.blocks, found.incomplete) == ((), 1)
    assert sort_out([void], PAIRS).incomplete == 1


def test_a_void_game_that_was_played_again_counts_once():
    rows = pair_block(1, "fox", "owl", 5)
    void = rows[1]._replace(verdict=Verdict.VOID, scores=(), ranks=(), tiebreaks=(), faults=((0, "WALL"),))
    found = sort_out([void, *rows], PAIRS)
    assert (len(found.blocks), found.incomplete) == (1, 0)
    assert found.tallies["owl"] == (2, 0)


def test_a_repeated_game_is_refused():
    rows = pair_block(1, "fox", "owl", 5)
    with pytest.raises(ArenaFault, match="is there twice") as caught:
        sort_out([*rows, rows[0]], PAIRS)
    assert caught.value.code == "REPEATED_GAME"


def test_the_same_bots_in_the_same_seats_of_a_board_again_are_refused_in_another_round_and_table():
    rows = pair_block(1, "fox", "owl", 5)
    again = [game._replace(key=game.key._replace(round=4, table=2)) for game in rows]
    with pytest.raises(ArenaFault, match="is there twice") as caught:
        sort_out([*rows, *again], PAIRS)
    assert caught.value.where == "round 0, board 1, table 0, seating 0 and round 4, board 1, table 2, seating 0"


def test_a_block_in_which_a_bot_meets_itself_is_never_rated():
    found = sort_out([*pair_block(1, "fox", "fox", 5), *pair_block(1, "fox", "owl", 5, table=1)], PAIRS)
    assert [block.bots for block in found.blocks] == [("fox", "owl")]
    assert found.incomplete == 0
    assert found.tallies["fox"].games == 2


def test_a_free_for_all_with_a_bot_twice_is_never_rated():
    names = ("a", "b", "a", "c")
    rows = [
        row((0, 0, 0, turn), tuple(names[(seat + turn) % 4] for seat in range(4)), (4, 3, 2, 1)) for turn in range(4)
    ]
    assert list(blocks(rows, FOUR)) == []


def test_mixed_partners_are_none_of_this_pool():
    with pytest.raises(ArenaFault, match="different bots"):
        sort_out([row((0, 0, 0, 0), ("a", "b", "c", "d"), (1, 0, 1, 0))], PAIRS)


def test_games_of_other_seats_are_none_of_this_pool():
    with pytest.raises(ArenaFault, match="none of pool"):
        sort_out([row((0, 0, 0, 0), ("a", "b", "c"), (1, 0, 1))], FOUR)


def test_a_seating_that_does_not_exist_is_refused():
    with pytest.raises(ArenaFault, match="seating 2"):
        sort_out([pair_game(0, 2, "fox", "owl", (1, 0))], PAIRS)


def test_other_bots_in_another_seating_are_refused():
    with pytest.raises(ArenaFault, match=r"\['elk', 'owl'\] play a seating"):
        sort_out([pair_game(0, 0, "fox", "owl", (1, 0)), pair_game(0, 1, "owl", "elk", (1, 0))], PAIRS)


def test_seatings_that_are_no_duplicate_are_refused():
    rows = [
        row((0, 0, 0, turn), bots, (4, 3, 2, 1))
        for turn, bots in enumerate(
            [("a", "b", "c", "d"), ("a", "c", "d", "b"), ("c", "d", "a", "b"), ("d", "a", "b", "c")]
        )
    ]
    with pytest.raises(ArenaFault, match="no duplicate"):
        sort_out(rows, FOUR)


def test_blocks_come_in_canonical_order_whatever_the_order_of_the_games():
    rows = round_robin({"a": 3, "b": 2, "c": 1}, 5)
    expected = list(blocks(rows, PAIRS))
    random.Random(1).shuffle(rows)
    assert list(blocks(iter(rows), PAIRS)) == expected
    assert [block[:3] for block in expected] == [(0, board, table) for board in range(5) for table in range(3)]


@given(st.lists(st.integers(-200, 200), min_size=16, max_size=16))
def test_swings_of_a_block_sum_to_nothing(scores):
    names = ("a", "b", "c", "d")
    rows = [
        row(
            (0, 0, 0, turn),
            tuple(names[(seat + turn) % 4] for seat in range(4)),
            tuple(float(score) for score in scores[4 * turn : 4 * turn + 4]),
        )
        for turn in range(4)
    ]
    block = only(rows, FOUR)
    assert sum(block.scores) == sum(scores)
    assert sum(block.swings) == pytest.approx(0, abs=1e-9)


def test_faults_are_counted_by_bot_over_all_games_that_count():
    rows = [
        pair_game(0, 0, "fox", "owl", (1, 0), faults=((0, "LATE"), (2, "LATE"), (1, "ILLEGAL"))),
        pair_game(0, 1, "owl", "fox", (1, 0), faults=((3, "TIMEOUT"),)),
        pair_game(1, 0, "fox", "owl", (1, 0), faults=((1, "LATE"),)),
    ]
    assert sort_out(rows, PAIRS).tallies == {"fox": (3, 3), "owl": (3, 2)}


def test_draw_share_is_that_of_drawn_blocks_within_limits():
    rows = [game for board in range(10) for game in pair_block(board, "fox", "owl", board % 5)]
    assert draw_share(list(blocks(rows, PAIRS)), 0.05) == pytest.approx(0.2)
    assert draw_share(list(blocks(pair_block(1, "fox", "owl", 5), PAIRS)), 0.05) == 0.001
    assert draw_share(list(blocks(pair_block(1, "fox", "owl", 0), PAIRS)), 0.05) == 0.5
    assert draw_share([], first_draw_share(PAIRS)) == 0.05
    assert draw_share([], first_draw_share(FOUR)) == 0.02


def test_draw_share_of_a_free_for_all_is_that_of_tied_adjacent_places():
    names = ("a", "b", "c", "d")
    rows = [
        row(
            (0, 0, 0, turn),
            tuple(names[(seat + turn) % 4] for seat in range(4)),
            tuple(float((9, 5, 5, 1)[(seat + turn) % 4]) for seat in range(4)),
        )
        for turn in range(4)
    ]
    assert draw_share(list(blocks(rows, FOUR)), 0.02) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("kind", "unit", "sides"),
    [
        ("pairs", "deal", ((0,), (1,), (2,))),
        ("free_for_all", "deal", ((0, 2), (1, 3))),
        ("pairs", "deal", ((0, 2), (1, 4))),
        ("mixed", "deal", ((0,), (1,))),
        ("teams", "deal", ((0, 2), (1, 3))),
        ("pairs", "board", ((0, 2), (1, 3))),
    ],
)
def test_a_pool_that_cannot_be_is_refused(kind, unit, sides):
    with pytest.raises(ConfigError):
        Pool("x", "goat", "{}", kind, unit, sides)


def test_a_pools_id_tells_pools_apart_and_ignores_its_name():
    assert Pool("other", "goat", "{}", "pairs", "deal", ((0, 2), (1, 3))).id == PAIRS.id
    assert len({PAIRS.id, MATCHES.id, FOUR.id, THREE.id}) == 4
    assert Pool("x", "goat", "{}", "pairs", "deal", ((0, 2), (1, 3)), "5s+0.1").id != PAIRS.id
