import random
import statistics
from dataclasses import replace

import pytest
from rating.fields import FOUR, MATCHES, PAIRS, THREE, free_for_all, pair_block, pair_game, round_robin, row

from arena.rating import table
from arena.rating.blocks import Tally
from arena.rating.records import Record, provisional
from arena.rating.tables import MIN_BOARDS

FIELD = {"counter": 14.0, "cautious": 4.0, "basic": 2.0, "random": -25.0}


def rows_of(done):
    return {standing.bot: standing for standing in done.standings}


def test_the_same_games_in_any_order_give_the_same_table_to_the_last_digit():
    for rows, pool in ((round_robin(FIELD, 30), PAIRS), (free_for_all(FIELD, 30), FOUR)):
        expected = table(rows, pool)
        for seed in range(2):
            random.Random(seed).shuffle(rows)
            assert table(iter(rows), pool) == expected


@pytest.mark.parametrize(
    ("rows", "pool"),
    [(round_robin(FIELD, 30), PAIRS), (free_for_all(FIELD, 30), FOUR)],
    ids=["pairs", "four"],
)
def test_ratings_do_not_depend_on_the_labels_of_boards_rounds_and_tables(rows, pool):
    expected = rows_of(table(rows, pool, resamples=0))
    boards = list(range(30))
    random.Random(3).shuffle(boards)
    relabelled = [
        game._replace(
            key=game.key._replace(
                round=boards[game.key.board] % 7, board=boards[game.key.board], table=9 - game.key.table
            )
        )
        for game in rows
    ]
    for bot, standing in rows_of(table(relabelled, pool, resamples=0)).items():
        assert standing.rating == pytest.approx(expected[bot].rating, abs=1e-3)
        assert standing.points == expected[bot].points


def test_bots_that_are_level_share_the_chance_to_be_best():
    rows = [row for board in range(10) for row in pair_block(board, "fox", "owl", 0)]
    assert [standing.p_best for standing in table(rows, PAIRS).standings] == [0.5, 0.5]


def test_a_row_shows_what_the_blocks_say():
    rows = [row for board in range(10) for row in pair_block(board, "fox", "owl", (7, 0, -3, 7, 7)[board % 5])]
    fox, owl = table(rows, PAIRS).standings
    assert (fox.bot, fox.wins, fox.draws, fox.losses, fox.blocks, fox.games) == ("fox", 6, 2, 2, 10, 20)
    assert (owl.bot, owl.wins, owl.draws, owl.losses) == ("owl", 2, 2, 6)
    assert fox.points == pytest.approx(3.6)
    assert owl.points == pytest.approx(-3.6)
    assert fox.rating + owl.rating == pytest.approx(50)
    assert fox.low < fox.rating < fox.high
    assert fox.points_low < fox.points < fox.points_high
    assert fox.margin == pytest.approx((fox.points_high - fox.points_low) / 2)
    assert fox.p_best + owl.p_best == pytest.approx(1)
    assert fox.opponents == 1


def test_in_a_free_for_all_a_block_counts_against_every_other_bot():
    names = ("a", "b", "c", "d")
    rows = [
        row(
            (0, 0, 0, turn),
            tuple(names[(seat + turn) % 4] for seat in range(4)),
            tuple(float((9, 5, 5, 1)[(seat + turn) % 4]) for seat in range(4)),
        )
        for turn in range(4)
    ]
    done = rows_of(table(rows, FOUR))
    assert [(done[bot].wins, done[bot].draws, done[bot].losses) for bot in names] == [
        (3, 0, 0),
        (1, 1, 1),
        (1, 1, 1),
        (0, 0, 3),
    ]
    assert done["a"].points == pytest.approx(4 * (9 - 11 / 3))


def test_different_strengths_are_separated_and_equal_ones_share_a_band():
    done = table(round_robin({"strong": 30, "twin1": 0, "twin2": 0, "weak": -30}, 60, seed=2), PAIRS)
    assert [(standing.bot[:4], standing.place) for standing in done.standings] == [
        ("stro", "1"),
        ("twin", "2-3"),
        ("twin", "2-3"),
        ("weak", "4"),
    ]
    assert done.standings[0].low > done.standings[1].high
    assert done.standings[0].p_best == 1


def test_random_is_last_and_separated_in_tables_of_the_size_of_a_demo():
    for rows, pool in (
        (round_robin(FIELD, 30), PAIRS),
        (free_for_all({"counter": 4, "cautious": 1, "basic": 0, "random": -6}, 30), FOUR),
    ):
        done = table(rows, pool)
        assert done.standings[-1].bot == "random"
        assert done.standings[-1].place == "4"
        assert all(done.standings[-1].high < standing.low for standing in done.standings[:-1])


def test_bands_of_bots_that_are_not_separated_overlap_and_stay_in_the_field():
    done = table(round_robin({f"b{index}": 3.0 * index for index in range(8)}, 25), PAIRS, resamples=300)
    for one in done.standings:
        assert 1 <= one.place_low <= one.place_high <= 8
        for other in done.standings:
            if one.place_high < other.place_low:
                assert one.rating > other.rating
    assert done.standings[0].place_low == 1
    assert done.standings[-1].place_high == 8


def test_few_boards_separate_nothing_and_have_no_interval():
    rows = [row for board in range(MIN_BOARDS - 1) for row in pair_block(board, "fox", "owl", 50)]
    done = table(rows, PAIRS)
    assert [
        (standing.place, standing.low, standing.points_high, standing.margin, standing.p_best)
        for standing in done.standings
    ] == [("1-2", None, None, None, None)] * 2
    rows += pair_block(MIN_BOARDS, "fox", "owl", 50)
    assert [standing.place for standing in table(rows, PAIRS).standings] == ["1", "2"]


def test_without_resamples_there_are_ratings_but_no_intervals():
    rows = round_robin(FIELD, 20)
    quick, full = table(rows, PAIRS, resamples=0), table(rows, PAIRS)
    assert [standing.rating for standing in quick.standings] == [standing.rating for standing in full.standings]
    assert {standing.low for standing in quick.standings} == {None}
    assert {standing.place for standing in quick.standings} == {"1-4"}


def test_without_blocks_there_is_a_table_without_rows():
    done = table(pair_block(1, "fox", "owl", 5)[:1], PAIRS)
    assert (done.standings, done.blocks, done.incomplete) == ((), (), 1)
    assert table([], THREE).standings == ()


def test_a_bot_whose_blocks_are_not_complete_stands_where_it_began():
    rows = round_robin({"a": 9, "b": 0}, 10) + pair_block(50, "a", "new", 5)[:1]
    new = rows_of(table(rows, PAIRS))["new"]
    assert (new.blocks, new.games, new.points, new.low, new.place) == (0, 1, 0, None, "1-3")


def test_whole_matches_are_rated_by_blocks_won():
    rows = [row for board in range(20) for row in pair_block(board, "fox", "owl", 300 if board % 4 else -5)]
    fox, owl = table(rows, MATCHES).standings
    assert (fox.bot, fox.wins, fox.losses) == ("fox", 15, 5)
    assert fox.points == pytest.approx(0.5)
    assert owl.rating < fox.rating


FINE = Record(wins=60, losses=40, blocks=100, opponents=frozenset("abcde"))


def test_established_is_a_bot_with_blocks_opponents_a_small_sigma_and_few_faults():
    assert provisional(FINE, Tally(200, 1), 1.0, 20) == ()


@pytest.mark.parametrize(
    ("record", "tally", "sigma", "field", "why"),
    [
        (FINE._replace(blocks=99), Tally(198, 0), 0.5, 20, "99 of 100 blocks"),
        (FINE._replace(opponents=frozenset("abcd")), Tally(200, 0), 0.5, 20, "4 of 5 opponents"),
        (FINE._replace(opponents=frozenset("ab")), Tally(200, 0), 0.5, 4, "2 of 3 opponents"),
        (FINE, Tally(200, 0), 1.01, 20, "sigma 1.01 above 1"),
        (FINE, Tally(200, 2), 0.5, 20, "2 faults in 200 games, 1% or more"),
    ],
)
def test_anything_less_is_provisional_and_says_why(record, tally, sigma, field, why):
    assert provisional(record, tally, sigma, field) == (why,)


def test_a_small_field_asks_for_its_own_size_of_opponents():
    assert provisional(FINE._replace(opponents=frozenset("abc")), Tally(200, 0), 0.5, 4) == ()


def test_provisional_rows_stand_below_established_ones():
    rows = round_robin({"a": 5, "b": 0, "c": -40}, 60)
    faulty = [
        game._replace(faults=((game.bots.index("a"), "LATE"),)) if "a" in game.bots and game.key.board < 5 else game
        for game in rows
    ]
    done = table(faulty, PAIRS)
    assert [standing.bot for standing in done.standings] == ["b", "c", "a"]
    assert done.standings[2].rating > done.standings[0].rating
    assert done.standings[2].provisional == ("20 faults in 240 games, 1% or more",)
    assert done.standings[2].faults == 20
    assert done.standings[2].place in ("1", "1-2")


def test_a_forfeiting_bot_pays_with_its_score_and_its_faults():
    rows = [
        game
        for board in range(12)
        for game in (
            pair_game(board, 0, "fox", "owl", (-120, 30), faults=((0, "CRASH"),)),
            pair_game(board, 1, "owl", "fox", (20, 10)),
        )
    ]
    owl, fox = table(rows, PAIRS).standings
    assert (fox.bot, fox.points, fox.faults, owl.faults) == ("fox", -160, 12, 0)


@pytest.mark.long
def test_intervals_of_points_cover_the_truth():
    covered = []
    for seed in range(200):
        strengths = {"a": 10.0, "b": 0.0, "c": -10.0}
        for standing in table(round_robin(strengths, 40, seed=seed), PAIRS, resamples=200).standings:
            others = [value for bot, value in strengths.items() if bot != standing.bot]
            truth = 2 * (strengths[standing.bot] - statistics.mean(others))  # both sides gain what the edge is
            covered.append(standing.points_low <= truth <= standing.points_high)
    assert 0.91 < statistics.mean(covered) < 0.98


def test_all_blocks_of_who_was_taken_out_are_left_out_as_if_it_had_never_entered():
    """Also those in which it behaved, and in a free for all those of the others at its tables."""
    for rows, pool in (
        (round_robin({"fox": 10, "owl": 0, "elk": -10, "bad": 30}, 12), PAIRS),
        (free_for_all({"fox": 5, "owl": 0, "elk": -5, "cat": 1, "bad": 30}, 40), FOUR),
    ):
        done = table(rows, pool, resamples=50, out={"bad": "since round 2: 3 forfeits"})
        clean = table([row for row in rows if "bad" not in row.bots], pool, resamples=50)
        assert done == replace(clean, out=(("bad", "since round 2: 3 forfeits"),))
        assert "bad" not in rows_of(done)
        assert done.incomplete == 0
    assert table(rows, pool, resamples=0, out=dict.fromkeys(("fox", "owl", "elk", "cat", "bad"), "out")).standings == ()
