"""Which mixture of bots no bot beats: the equilibrium of the symmetric game in which everyone picks a bot.

It knows an antisymmetric matrix; nothing of results. The mixture of the largest entropy treats equals equally and does
not depend on how the matrix was made; see D. Balduzzi and others, Re-evaluating evaluation (2018).
"""

from __future__ import annotations

import numpy as np

from arena.rating.factors import Array

NOTHING = 1e-9


def max_entropy(matrix: Array) -> Array:
    """Weights (bots) that sum to 1: of all mixtures that lose to nobody the one with the largest entropy.

    `matrix` (bots, bots), antisymmetric: what the row wins from the column on average.
    """
    size = len(matrix)
    corners = np.array([_most_of(matrix, bot) for bot in range(size)])
    inner: Array = corners.mean(axis=0)
    if np.abs(corners - inner).max() < 1e-7:
        return inner  # the only one
    bots = np.flatnonzero(inner > NOTHING)
    weights = np.zeros(size)
    weights[bots] = _spread_out(matrix[:, bots], inner[bots])
    return _whole(weights)


def _most_of(matrix: Array, bot: int) -> Array:
    """The mixture with the largest weight of one bot."""
    from scipy.optimize import linprog

    size = len(matrix)
    wish = np.zeros(size)
    wish[bot] = -1.0
    found = linprog(wish, A_ub=matrix, b_ub=np.full(size, 1e-10), A_eq=np.ones((1, size)), b_eq=[1.0], method="highs")
    return _whole(np.maximum(found.x, 0.0))


def _spread_out(columns: Array, start: Array) -> Array:
    """The mixture of the largest entropy, from one inside of the set of all."""
    from scipy.optimize import minimize

    found = minimize(
        lambda weights: float(np.sum(weights * np.log(np.maximum(weights, 1e-300)))),
        start,
        jac=lambda weights: np.log(np.maximum(weights, 1e-300)) + 1.0,
        bounds=[(1e-12, 1.0)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda weights: weights.sum() - 1.0, "jac": lambda weights: np.ones_like(weights)},
            {"type": "ineq", "fun": lambda weights: 1e-10 - columns @ weights, "jac": lambda _: -columns},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    weights: Array = np.maximum(found.x if found.success else start, 0.0)
    return weights


def _whole(weights: Array) -> Array:
    """Scaled to a sum of 1."""
    scaled: Array = weights / weights.sum()
    return scaled
