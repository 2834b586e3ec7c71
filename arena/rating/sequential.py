"""Is one bot stronger than another? A sequential probability ratio test on block swings, which may be looked at early.

With z = mean swing / standard deviation of a swing, it weighs z = 0.1 ("stronger") against z = 0 ("not stronger") with
5 % error of either kind. Looking at an ordinary interval again and again until it excludes 0 has 35 % false alarms.
Knows sums of swings only; not who played, nor how.
"""

from __future__ import annotations

import enum
import math
from typing import NamedTuple

Z0, Z1 = 0.0, 0.1
ERROR = 0.05
BOUND = math.log((1 - ERROR) / ERROR)
"""The evidence that decides, either way: 2.944."""
LEAST = 50
"""Blocks before anything is decided: the deviation must be known first."""
MOST = 3000
"""Blocks after which it is given up."""
SAME = 200
"""Blocks without a single swing after which two bots are said to behave identically."""


class Decision(enum.Enum):
    """What came out."""

    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    IDENTICAL = "behaves identically"
    UNDECIDED = "undecided"


class Evidence(NamedTuple):
    """How a test stands."""

    blocks: int
    mean: float
    """Mean swing of a block."""
    deviation: float
    """Standard deviation of a swing."""
    likelihood: float
    """The logarithm of the ratio of likelihoods: +BOUND or more says stronger, -BOUND or less says not."""
    decision: Decision | None
    """None: go on."""


def evidence(blocks: int, total: float, squares: float, *, most: int = MOST) -> Evidence:
    """How a test stands after `blocks` swings with their sum and the sum of their squares.

    Decided at the first look at which the evidence suffices: ask after every closed round, and stop then.
    """
    mean = total / blocks if blocks else 0.0
    spread = max(0.0, squares - total * mean)
    deviation = math.sqrt(spread / (blocks - 1)) if blocks > 1 else 0.0
    if deviation <= 1e-9 * max(1.0, abs(mean)):
        return Evidence(blocks, mean, 0.0, 0.0, _without_spread(blocks, mean, most))
    likelihood = (Z1 - Z0) * (total / deviation - blocks * (Z0 + Z1) / 2)
    decision = None
    if blocks >= LEAST and abs(likelihood) >= BOUND:
        decision = Decision.STRONGER if likelihood > 0 else Decision.NOT_STRONGER
    elif blocks >= most:
        decision = Decision.UNDECIDED
    return Evidence(blocks, mean, deviation, likelihood, decision)


def _without_spread(blocks: int, mean: float, most: int) -> Decision | None:
    """Every swing was the same: 0 for two bots that do the same."""
    if blocks < min(SAME, most):
        return None
    if mean == 0:
        return Decision.IDENTICAL if blocks >= SAME else Decision.UNDECIDED
    return Decision.STRONGER if mean > 0 else Decision.NOT_STRONGER
