"""How much the next result between competitors is expected to tell, from what is believed of their levels.

It knows levels and the draw margin; nothing of schedules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.rating.trueskill_env import BETA, Level

if TYPE_CHECKING:
    from arena.rating.factors import Array

DIGITS = 9
"""Decimals kept, so that a choice does not hang on a processor's last bit."""


def information(own: Level, mu: Array, sigma: Array, margin: float) -> Array:
    """By opponent: by how much a result against it is expected to lower the variance of both levels together.

    `mu` and `sigma` are those of the opponents; `margin` is the draw margin. The variance that a TrueSkill update takes
    away, weighted by how likely win, draw and loss are.
    """
    import numpy as np

    from arena.rating import factors

    mine, theirs = own.sigma**2, sigma**2
    total = mine + theirs + 2 * BETA**2
    spread = np.sqrt(total)
    gap, room = (own.mu - mu) / spread, margin / spread
    win, loss = factors.normal_cdf(gap - room), factors.normal_cdf(-gap - room)
    draw = np.maximum(1.0 - win - loss, 0.0)
    sharper = win * factors.win(gap, room)[1] + loss * factors.win(-gap, room)[1] + draw * factors.draw(gap, room)[1]
    found: Array = np.round((mine**2 + theirs**2) / total * sharper, DIGITS)
    return found
