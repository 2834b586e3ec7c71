"""Which bots the results separate, with the chance of any wrong separation in the whole field held to 5 %.

It knows ratings, their resamples and how many boards stand behind them; not where they come from.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.rating.factors import Array

ALPHA = 0.05
LEVEL = 1e-3
"""Ratings that differ by less are level: a fit is no more exact than this."""

Above = NDArray[np.bool_]
"""(bots, bots): whether the first is separated from the second, and above it."""


def separated(ratings: Array, samples: Array, boards: Sequence[int], units: Sequence[int]) -> Above:
    """Who is above whom beyond doubt. Bots of one unit (clones) count once in the correction, and are level.

    `ratings` (bots), `samples` (bots, resamples); `boards` by bot: 0 leaves a bot out, `units` by bot: 0, 1, ...
    Two bots are also separated when a third one is separated from both and between them.
    """
    size = max(units, default=-1) + 1
    member = np.zeros((size, len(units)))
    member[list(units), range(len(units))] = 1.0
    member /= member.sum(axis=1, keepdims=True)
    seen = [min(boards[bot] for bot in range(len(units)) if units[bot] == unit) for unit in range(size)]
    above = _units_separated(member @ ratings, member @ samples, seen)
    for middle in range(size):
        above |= np.outer(above[:, middle], above[middle])
    chosen: Above = above[np.ix_(units, units)]
    return chosen


def _units_separated(ratings: Array, samples: Array, boards: Sequence[int]) -> Above:
    size = len(ratings)
    one, other = np.triu_indices(size, 1)
    gaps = ratings[one] - ratings[other]
    spread = np.atleast_2d(np.cov(samples)) if samples.shape[1] > 1 else np.zeros((size, size))
    variances = np.maximum(np.diag(spread)[one] + np.diag(spread)[other] - 2 * spread[one, other], 0.0)
    pairs = np.minimum(np.array(boards, dtype=float)[one], np.array(boards, dtype=float)[other])
    sure = holm(p_values(gaps, variances, pairs))
    above = np.zeros((size, size), dtype=bool)
    above[one, other] = sure & (gaps > 0)
    above[other, one] = sure & (gaps < 0)
    return above


def p_values(gaps: Array, variances: Array, boards: Array) -> Array:
    """How likely a gap of this size is between equal bots, two-sided; 1 where fewer than two boards stand behind it.

    From Student's distribution with boards - 1 degrees of freedom and the bootstrap's variance, corrected for a
    bootstrap of n boards being (n - 1) / n too narrow: the share of resamples on the other side of 0 could never be
    below 1 / resamples. Never below 2 / 2**boards, what is left when a gap points the same way on every single board.
    """
    from scipy.special import stdtr

    freedom = np.maximum(boards - 1.0, 1.0)
    errors = np.sqrt(np.maximum(variances, 1e-12) * (freedom + 1.0) / freedom)
    tails = 2.0 * stdtr(freedom, -np.abs(gaps) / errors)
    known = (boards >= 2) & (np.abs(gaps) >= LEVEL)
    found: Array = np.where(known, np.maximum(tails, 2.0 ** (1.0 - boards)), 1.0)
    return found


def holm(tails: Array, alpha: float = ALPHA) -> NDArray[np.bool_]:
    """Which of m hypotheses fall so that all true ones stand with probability 1 - alpha: Holm's step-down rule.

    S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
    """
    order = np.argsort(tails, kind="stable")
    steps = alpha / np.arange(len(tails), 0, -1)
    failed = tails[order] > steps
    fallen = np.zeros(len(tails), dtype=bool)
    fallen[order[: int(np.argmax(failed)) if failed.any() else len(tails)]] = True
    return fallen


def places(above: Above) -> list[tuple[int, int]]:
    """By bot: the best and the worst place that remain when only bots that are separated from it are put over or under
    it. Bots that are not separated always share a place."""
    size = len(above)
    return [(1 + int(above[:, bot].sum()), size - int(above[bot].sum())) for bot in range(size)]


def shares_of_best(samples: Array, units: Sequence[int], tied: float) -> list[float]:
    """By bot: in which share of the resamples it has the highest rating. A unit counts once and its bots share it.

    Units within `tied` of the highest share a resample.
    """
    size = max(units) + 1
    member = np.zeros((size, len(units)))
    member[list(units), range(len(units))] = 1.0
    members = member.sum(axis=1)
    means = member @ samples / members[:, None]
    leading = means >= means.max(axis=0) - tied
    shares = (leading / leading.sum(axis=0)).mean(axis=1) / members
    return [float(shares[unit]) for unit in units]
