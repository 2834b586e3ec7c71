"""Who is separated from whom: Holm's rule, the tails it is fed with, places, and chances to be best."""

import numpy as np
import pytest
from rating.fields import PAIRS, pair_block, round_robin, with_clone

from arena.rating import table
from arena.rating.bands import holm, p_values, places, separated, shares_of_best


@pytest.mark.parametrize(
    ("tails", "fallen"),
    [
        ([0.01, 0.04, 0.03, 0.005], [True, False, False, True]),  # 0.03 > 0.05 / 2: it stands, and so do larger ones
        ([0.01, 0.02, 0.03, 0.005], [True, True, True, True]),
        ([0.04], [True]),
        ([0.051], [False]),
        ([0.03, 0.03], [False, False]),
        ([0.025, 0.05], [True, True]),
        ([], []),
    ],
)
def test_holms_rule_steps_down_from_the_smallest(tails, fallen):
    assert holm(np.array(tails, dtype=float)).tolist() == fallen


def test_tails_are_those_of_student_on_the_boards():
    tails = p_values(np.array([2.0, -2.0, 0.0]), np.array([0.9, 0.9, 1.0]), np.array([10.0, 10.0, 10.0]))
    assert tails == pytest.approx([0.0766, 0.0766, 1.0], abs=1e-3)  # t = 2 with 9 degrees of freedom


def test_a_tail_is_never_below_what_as_many_boards_could_show():
    assert p_values(np.full(3, 9.0), np.zeros(3), np.array([6.0, 10.0, 1.0])) == pytest.approx([2 / 64, 2 / 1024, 1])


def test_with_many_pairs_more_boards_are_needed():
    """Six boards of six separate two bots, 2 / 2**6 < 0.05; among four bots the first of six pairs needs 8 boards."""
    names = ("a", "b", "c", "d")
    pairs = [(one, other) for at, one in enumerate(names) for other in names[at + 1 :]]
    found = {}
    for boards in (7, 9):
        rows = [
            game
            for board in range(boards)
            for number, (one, other) in enumerate(pairs)
            for game in pair_block(board, one, other, 50, table=number)
        ]
        found[boards] = [standing.place for standing in table(rows, PAIRS, resamples=50).standings]
    assert found == {7: ["1-4"] * 4, 9: ["1", "2", "3", "4"]}


def test_who_is_between_two_that_are_separated_from_it_separates_them():
    ratings = np.array([30.0, 25.0, 20.0])
    noise = np.random.default_rng(1).normal(size=300)
    samples = ratings[:, None] + np.stack([noise, 0 * noise, -noise])
    above = separated(ratings, samples, [50, 50, 50], [0, 1, 2])
    assert above.tolist() == [[False, True, True], [False, False, True], [False, False, False]]
    assert places(above) == [(1, 1), (2, 2), (3, 3)]


def test_many_more_bots_can_be_separated_than_resamples_could_count():
    """Of 12 bots there are 66 pairs: a share of 200 resamples could never be below 0.05 / 66."""
    strengths = {f"b{index:02}": 40.0 * index for index in range(12)}
    done = table(round_robin(strengths, 40), PAIRS, resamples=200)
    assert {standing.bot: standing.place for standing in done.standings} == {
        f"b{index:02}": str(12 - index) for index in range(12)
    }


def test_clones_share_the_chance_to_be_best_and_take_nothing_from_the_others():
    rows = round_robin({"a": 4.0, "b": 2.0, "c": 0.0}, 40, seed=5)
    before = {row.bot: row for row in table(rows, PAIRS, resamples=300).standings}
    done = table(with_clone(rows, "a", "a2"), PAIRS, resamples=300)
    after = {row.bot: row for row in done.standings}
    assert done.clones == (("a", "a2"),)
    assert after["a"].p_best == after["a2"].p_best
    assert after["a"].p_best + after["a2"].p_best == pytest.approx(before["a"].p_best, abs=0.05)
    assert after["a"].place == after["a2"].place
    assert after["a"].rating == pytest.approx(after["a2"].rating, abs=1e-4)


def test_a_unit_leads_once():
    samples = np.array([[3.0, 1.0], [3.0, 1.0], [2.0, 5.0]])
    assert shares_of_best(samples, [0, 0, 1], 1e-9) == [0.25, 0.25, 0.5]
    assert shares_of_best(samples, [0, 1, 2], 1e-9) == [0.25, 0.25, 0.5]
    assert shares_of_best(np.array([[1.0], [1.0], [1.0]]), [0, 0, 1], 1e-9) == [0.25, 0.25, 0.5]
