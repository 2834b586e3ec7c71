"""The sequential test: its formula, its ends, and that looking early does not change its error rates."""

import math

import numpy as np
import pytest

from arena.rating.sequential import BOUND, LEAST, MOST, SAME, Decision, Evidence, evidence


def of(swings: list[float], most: int = MOST) -> Evidence:
    return evidence(len(swings), math.fsum(swings), math.fsum(each * each for each in swings), most=most)


def test_the_bound_is_that_of_five_per_cent() -> None:
    assert round(BOUND, 3) == 2.944


def test_the_likelihood_is_that_of_two_normal_distributions() -> None:
    swings = [12.0, -5.0, 30.0, 0.0, 8.0, -14.0, 22.0] * 20
    got = of(swings)
    deviation = np.std(swings, ddof=1)
    scaled = np.array(swings) / deviation
    expected = np.sum(-((scaled - 0.1) ** 2) / 2 + scaled**2 / 2)
    assert got.likelihood == pytest.approx(expected)
    assert (got.mean, got.deviation) == (pytest.approx(np.mean(swings)), pytest.approx(deviation))


def test_nothing_is_decided_before_fifty_blocks() -> None:
    swings = [100.0, 90.0] * (LEAST // 2)
    assert of(swings[:-1]).decision is None
    assert of(swings).decision is Decision.STRONGER
    assert of([-each for each in swings]).decision is Decision.NOT_STRONGER


def test_it_is_given_up_at_the_most() -> None:
    swings = [31.0, -29.0] * 100  # between the two: evidence near 0
    assert abs(of(swings).likelihood) < BOUND
    assert of(swings).decision is None
    assert of(swings, most=200).decision is Decision.UNDECIDED


def test_two_hundred_blocks_without_a_swing_are_identical() -> None:
    assert of([0.0] * (SAME - 1)).decision is None
    assert of([0.0] * SAME).decision is Decision.IDENTICAL
    assert of([0.0] * 60, most=60).decision is Decision.UNDECIDED
    assert of([5.0] * SAME).decision is Decision.STRONGER


def test_nothing_played_says_nothing() -> None:
    assert evidence(0, 0.0, 0.0) == Evidence(0, 0.0, 0.0, 0.0, None)


def decided(z: float, runs: int, seed: int, look: int = 100) -> dict[Decision, float]:
    """How often each decision falls in simulated tests of a true z, looked at every `look` blocks."""
    drawn = np.random.default_rng(seed)
    counts = dict.fromkeys(Decision, 0)
    for _ in range(runs):
        swings = drawn.normal(z * 40.0, 40.0, MOST)
        totals, squares = np.cumsum(swings), np.cumsum(swings**2)
        for blocks in range(look, MOST + 1, look):
            found = evidence(blocks, float(totals[blocks - 1]), float(squares[blocks - 1])).decision
            if found is not None:
                counts[found] += 1
                break
    return {decision: count / runs for decision, count in counts.items()}


@pytest.mark.parametrize(("z", "wrong"), [(0.0, Decision.STRONGER), (0.1, Decision.NOT_STRONGER)])
def test_looking_early_keeps_the_error_rates(z: float, wrong: Decision) -> None:
    assert decided(z, 400, 1)[wrong] <= 0.08  # 5 % and three deviations of 400 runs


@pytest.mark.long
@pytest.mark.parametrize("look", [25, 100])
@pytest.mark.parametrize(("z", "wrong"), [(0.0, Decision.STRONGER), (0.1, Decision.NOT_STRONGER)])
def test_the_error_rates_are_those_that_are_promised(z: float, wrong: Decision, look: int) -> None:
    assert decided(z, 10_000, 2, look)[wrong] <= 0.05 + 0.02
