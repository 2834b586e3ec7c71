import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.factors import messages, normal_cdf
from arena.rating.trueskill_env import Level, draw_margin, rate_groups


def after(levels, ties, draw):
    """Levels after one result by the numpy factors."""
    mu = np.array([[level.mu] for level in levels])
    var = np.array([[level.sigma**2] for level in levels])
    pi, tau = messages(mu, var, ties, draw_margin(draw))
    pi, tau = 1 / var + pi, mu / var + tau
    return [Level(float(tau[x, 0] / pi[x, 0]), float(pi[x, 0] ** -0.5)) for x in range(len(levels))]


def by_package(levels, ties, draw):
    ranks = [0]
    for tied in ties:
        ranks.append(ranks[-1] + (not tied))
    return [group[0] for group in rate_groups([[level] for level in levels], ranks, draw=draw, tau=0)]


def assert_agree(levels, ties, draw):
    for own, package in zip(after(levels, ties, draw), by_package(levels, ties, draw), strict=True):
        assert own.mu == pytest.approx(package.mu, abs=1e-6)
        assert own.sigma == pytest.approx(package.sigma, abs=1e-6)


level = st.builds(Level, st.floats(-10, 60), st.floats(0.2, 9))


@given(level, level, st.booleans(), st.sampled_from([0.001, 0.05, 0.2, 0.5]))
def test_two_sides_agree_with_the_package(one, other, tied, draw):
    assert_agree([one, other], [tied], draw)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_free_for_all_agrees_with_the_package(seats):
    rng = random.Random(seats)
    for _ in range(60):
        levels = [Level(rng.uniform(0, 50), rng.uniform(0.3, 9)) for _ in range(seats)]
        assert_agree(levels, [rng.random() < 0.3 for _ in range(seats - 1)], rng.choice([0.001, 0.02, 0.2]))


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("gap", [150, 200, 300, 1000])
def test_surprises_over_huge_gaps_agree_with_the_package(gap, tied):
    assert_agree([Level(0, 1), Level(gap, 2)], [tied], 0.05)


def test_an_expected_win_over_a_huge_gap_says_nothing():
    assert after([Level(1000, 1), Level(0, 1)], [False], 0.05) == [Level(1000, 1), Level(0, 1)]


def test_results_side_by_side_do_not_disturb_one_another():
    rng = np.random.default_rng(2)
    mu, var = rng.uniform(10, 40, (4, 30)), rng.uniform(1, 60, (4, 30))
    together = messages(mu, var, [False, True, False], 0.5)
    for result in range(30):
        alone = messages(mu[:, [result]], var[:, [result]], [False, True, False], 0.5)
        for one, many in zip(alone, together, strict=True):
            assert np.array_equal(one[:, 0], many[:, result])


def test_normal_cdf_keeps_its_shape_and_its_tail():
    assert normal_cdf(np.array([[0.0, -10.0], [10.0, -30.0]])) == pytest.approx(
        np.array([[0.5, 7.619853024160527e-24], [1.0, 4.906713927148187e-198]]), rel=1e-10
    )
