import itertools
import random

import numpy as np
import pytest

from arena.rating.batch import Fit, Kind, counted
from arena.rating.trueskill_env import MU, SIGMA, Level, rate_groups


def fit(kinds, size, draw=0.05):
    table = counted(kinds)
    ready = Fit([kind for kind, _ in table], size, draw)
    levels, _ = ready.run(np.array([[float(count)] for _, count in table]), ready.silent())
    return levels.mu[:, 0], levels.sigma[:, 0]


def by_package(kinds, size, draw=0.05):
    """The same fit, one result after another, every message by the package."""
    pi, tau = [SIGMA**-2] * size, [MU * SIGMA**-2] * size
    said = [dict.fromkeys(kind.bots, (0.0, 0.0)) for kind in kinds]
    for _ in range(400):
        before = [t / p for t, p in zip(tau, pi, strict=True)] + [p**-0.5 for p in pi]
        for kind, own in zip(kinds, said, strict=True):
            cavity = {bot: (pi[bot] - own[bot][0], tau[bot] - own[bot][1]) for bot in kind.bots}
            groups = [[Level(t / p, p**-0.5)] for p, t in cavity.values()]
            ranks = list(itertools.accumulate([0, *(int(not tied) for tied in kind.ties)]))
            for bot, (level,) in zip(kind.bots, rate_groups(groups, ranks, draw=draw, tau=0), strict=True):
                own[bot] = level.sigma**-2 - cavity[bot][0], level.mu * level.sigma**-2 - cavity[bot][1]
                pi[bot], tau[bot] = cavity[bot][0] + own[bot][0], cavity[bot][1] + own[bot][1]
        mu = [t / p for t, p in zip(tau, pi, strict=True)]
        if max(abs(new - old) for new, old in zip(mu + [p**-0.5 for p in pi], before, strict=True)) < 1e-6:
            break
    return np.array(mu) - np.mean(mu) + MU, np.array(pi) ** -0.5


def win(one, other):
    return Kind((one, other), (False,))


def draw(one, other):
    return Kind((one, other), (True,))


def some_pairs(size, rounds, seed):
    rng = random.Random(seed)
    kinds = []
    for _ in range(rounds):
        for one, other in itertools.combinations(range(size), 2):
            edge = other - one + rng.gauss(0, 3)
            kinds.append(draw(one, other) if abs(edge) < 0.3 else win(one, other) if edge > 0 else win(other, one))
    return kinds


def some_tables(size, seats, rounds, seed):
    rng = random.Random(seed)
    kinds = []
    for _ in range(rounds):
        strength = {bot: bot + rng.gauss(0, 3) for bot in rng.sample(range(size), seats)}
        kinds.append(
            Kind(tuple(sorted(strength, key=strength.__getitem__)), tuple(rng.random() < 0.2 for _ in range(seats - 1)))
        )
    return kinds


@pytest.mark.parametrize(
    ("kinds", "size"),
    [
        (some_pairs(4, 6, 1), 4),
        (some_tables(4, 4, 8, 2), 4),
        (some_tables(5, 3, 12, 3), 5),
        ([win(0, 1)], 2),
        ([draw(0, 1)] * 9, 2),
    ],
    ids=["pairs", "four", "three", "one block", "draws"],
)
def test_the_fit_is_that_of_the_package_message_by_message(kinds, size):
    mu, sigma = fit(kinds, size)
    package_mu, package_sigma = by_package(kinds, size)
    assert mu == pytest.approx(package_mu, abs=1e-3)
    assert sigma == pytest.approx(package_sigma, abs=1e-3)


def test_one_result_is_one_update():
    mu, sigma = fit([win(0, 1)], 2, draw=0.05)
    assert (mu[0], sigma[0]) == pytest.approx((29.299763687395235, 7.182756247412037), abs=1e-4)


def test_the_order_of_results_does_not_matter_at_all():
    kinds = some_tables(6, 4, 40, 4)
    mu, sigma = fit(kinds, 6)
    random.Random(1).shuffle(kinds)
    again, sigma_again = fit(kinds, 6)
    assert np.array_equal(mu, again)
    assert np.array_equal(sigma, sigma_again)


def test_the_names_of_bots_do_not_matter():
    kinds = some_pairs(5, 10, 5)
    other = [3, 0, 4, 1, 2]
    mu, _ = fit(kinds, 5)
    renamed, _ = fit([Kind(tuple(other[bot] for bot in kind.bots), kind.ties) for kind in kinds], 5)
    assert renamed[other] == pytest.approx(mu, abs=1e-4)


@pytest.mark.parametrize(
    ("kinds", "size"),
    [
        ([win(0, 1)] * 600 + [win(1, 0)] * 400, 2),
        ([win(0, 1)] * 100, 2),
        ([win(0, bot) for bot in range(1, 9)] * 20 + [win(bot, 0) for bot in range(1, 9)] * 15, 9),
        ([win(bot, bot + 1) for bot in range(9)] * 30, 10),
        ([Kind((0, 1, 2, 3), (False,) * 3)] * 100, 4),
        ([win(0, 1), win(1, 2), win(2, 0)] * 50, 3),
        ([win(0, 1)] * 50 + [win(2, 3)] * 50, 4),
    ],
    ids=["two bots", "always the same", "gauntlet", "chain", "same ranking", "circle", "islands"],
)
def test_the_fit_settles(kinds, size):
    table = counted(kinds)
    ready = Fit([kind for kind, _ in table], size, 0.02)
    counts = np.array([[float(count)] for _, count in table])
    levels, state = ready.run(counts, ready.silent())
    further, _ = ready.run(counts, state, sweeps=1, precision=0)
    assert further.mu == pytest.approx(levels.mu, abs=1e-5)
    assert levels.mu.mean() == pytest.approx(25)
    assert np.all(levels.sigma > 0)
    assert np.all(np.abs(levels.mu - 25) < 60)


def test_weightings_side_by_side_are_fits_of_their_own():
    table = counted(some_pairs(4, 8, 6) + some_pairs(4, 8, 7))
    ready = Fit([kind for kind, _ in table], 4, 0.05)
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 4, (len(table), 5)).astype(float)
    levels, _ = ready.run(counts, ready.silent(5), precision=1e-9)
    for column in range(5):
        kept = [(kind, int(times)) for (kind, _), times in zip(table, counts[:, column], strict=True) if times]
        mu, sigma = fit([kind for kind, times in kept for _ in range(times)], 4)
        assert levels.mu[:, column] == pytest.approx(mu, abs=1e-3)
        assert levels.sigma[:, column] == pytest.approx(sigma, abs=1e-3)


def test_a_field_without_results_stays_where_it_began():
    ready = Fit([], 3, 0.05)
    levels, _ = ready.run(np.zeros((0, 1)), ready.silent())
    assert levels.mu[:, 0] == pytest.approx([25, 25, 25])
    assert levels.sigma[:, 0] == pytest.approx([25 / 3] * 3)
