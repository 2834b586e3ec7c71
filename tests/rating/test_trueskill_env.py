import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating import trueskill_env
from arena.rating.trueskill_env import Level, feeding_order, ranks_from, rate, rate_groups

GOLDEN = json.loads((Path(__file__).parent / "data" / "trueskill_golden.json").read_text())["cases"]
RULES = {"draw": 0.05, "tau": 0.0, "result_id": "r0-b0-t0"}


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_golden_case(case):
    groups = [[Level(*level) for level in group] for group in case["groups"]]
    ranks = case["ranks"] if case["ranks"] is not None else range(len(groups))
    rated = rate_groups(
        groups, ranks, case["weights"], draw=case["env"].get("pdraw", 0.1), tau=case["env"].get("tau", 25 / 300)
    )
    assert [len(group) for group in rated] == [len(group) for group in groups]
    for group, expected in zip(rated, case["expected"], strict=True):
        for level, (mu, sigma) in zip(group, expected, strict=True):
            assert level.mu == pytest.approx(mu, abs=1e-8)
            assert level.sigma == pytest.approx(sigma, abs=1e-8)


def test_there_are_23_golden_cases():
    assert len(GOLDEN) == 23


points = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(points, points), min_size=1, max_size=8))
def test_ranks_order_as_scores_do(scores):
    ranks = ranks_from(scores)
    for rank, score in zip(ranks, scores, strict=True):
        for other_rank, other in zip(ranks, scores, strict=True):
            assert (rank < other_rank) == (score > other)
            assert (rank == other_rank) == (score == other)
    assert set(ranks) == set(range(len(set(scores))))


def test_ranks_of_nan_are_refused():
    with pytest.raises(ValueError, match="not a number"):
        ranks_from([(1.0,), (math.nan,)])


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=5), st.randoms())
def test_levels_stay_with_their_competitors_in_any_order(scores, rng):
    names = [f"bot{index}" for index in range(len(scores))]
    before = [Level(20 + 3 * index, 3 + index) for index in range(len(scores))]
    rated = dict(zip(names, rate(names, before, [(float(score),) for score in scores], **RULES), strict=True))
    order = list(range(len(scores)))
    rng.shuffle(order)
    again = rate([names[i] for i in order], [before[i] for i in order], [(float(scores[i]),) for i in order], **RULES)
    assert dict(zip([names[i] for i in order], again, strict=True)) == rated


@given(st.lists(st.integers(-2, 2), min_size=2, max_size=5))
def test_equal_newcomers_end_in_the_order_of_their_scores(scores):
    after = rate([f"b{i}" for i in range(len(scores))], [Level()] * len(scores), [(s,) for s in scores], **RULES)
    for one, level in zip(scores, after, strict=True):
        assert level.sigma < Level().sigma
        for other, other_level in zip(scores, after, strict=True):
            if one > other:
                assert level.mu > other_level.mu


def test_ties_of_three_are_fed_in_an_order_drawn_from_the_result():
    names, ranks = ["a", "b", "c", "d"], [1, 0, 1, 1]
    orders = {feeding_order(names, ranks, f"r0-b{board}-t0") for board in range(50)}
    assert {order[0] for order in orders} == {1}
    assert {order[1:] for order in orders} == {(0, 2, 3), (0, 3, 2), (2, 0, 3), (2, 3, 0), (3, 0, 2), (3, 2, 0)}
    assert feeding_order(names, ranks, "x") == feeding_order(names, ranks, "x")


def test_the_same_competitor_twice_is_refused():
    with pytest.raises(ValueError, match="same competitor twice"):
        rate(["a", "a"], [Level(), Level()], [(1,), (0,)], **RULES)


@pytest.mark.parametrize("level", [Level(25, 0), Level(25, -1), Level(math.nan, 1), Level(25, math.nan)])
def test_a_level_without_a_positive_sigma_or_a_finite_mu_is_refused(level):
    with pytest.raises(ValueError, match="no level"):
        rate(["a", "b"], [level, Level()], [(1,), (0,)], **RULES)


def test_scores_that_are_not_a_number_are_refused():
    with pytest.raises(ValueError, match="not a number"):
        rate(["a", "b"], [Level(), Level()], [(1, 0), (0, math.nan)], **RULES)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ValueError, match="expected one of each"):
        rate(["a", "b"], [Level()], [(1,), (0,)], **RULES)


@pytest.mark.parametrize("draw", [0.0, 1.0, -0.1, math.nan])
def test_a_draw_probability_at_the_edge_is_refused(draw):
    with pytest.raises(ValueError, match="draw probability"):
        rate(["a", "b"], [Level(), Level()], [(1,), (0,)], draw=draw, tau=0, result_id="x")


def test_an_expected_win_over_a_huge_gap_changes_nothing():
    before = [Level(500, 1), Level(0, 1)]
    assert rate(["a", "b"], before, [(1,), (0,)], **RULES) == tuple(before)


@pytest.mark.parametrize("scores", [[(0,), (1,)], [(1,), (1,)]], ids=["upset", "draw"])
def test_a_surprise_over_a_huge_gap_moves_both_alike_and_far(scores):
    high, low = rate(["a", "b"], [Level(500, 1), Level(0, 1)], scores, **RULES)
    assert 485 < high.mu < 490
    assert 10 < low.mu < 15
    assert high.mu - 500 == pytest.approx(-low.mu)
    assert high.sigma == pytest.approx(low.sigma)


def test_a_free_for_all_over_huge_gaps_is_rated():
    first, second, third = rate(
        ["a", "b", "c"], [Level(600, 1), Level(0, 1), Level(300, 1)], [(0,), (1,), (1,)], **RULES
    )
    assert first.mu < 599
    assert second.mu > 1
    assert all(0 < level.sigma <= 1 for level in (first, second, third))


def test_the_backend_is_pinned_and_exact_in_the_tail():
    env = trueskill_env._environment(0.05, 0.0, precise=False)
    assert env.cdf(-10) == pytest.approx(7.619853024160527e-24, rel=1e-12)
    assert not getattr(env.cdf, "__module__", "").startswith(("scipy", "trueskill"))


def test_draw_of_equals_never_raises_sigma():
    rng = random.Random(5)
    for draw in (0.001, 0.05, 0.5):
        sigma = rng.uniform(1, 8)
        for level in rate(["a", "b"], [Level(25, sigma)] * 2, [(3,), (3,)], draw=draw, tau=0, result_id="x"):
            assert level.sigma < sigma
