"""What bots of known strength would show on endless boards, and how often tables agree with it."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping

from rating.fields import FOUR, PAIRS, free_for_all, round_robin

from arena.rating import Pool, Table, table

STRENGTHS = {"a": 14.0, "b": 6.0, "c": 0.0, "d": -6.0, "e": -14.0}
FFA_STRENGTHS = {"a": 3.0, "b": 1.0, "c": 0.0, "d": -1.0, "e": -3.0}
BETA = 25 / 6
RESAMPLES = 200

Truth = Mapping[str, tuple[float, float]]
"""By bot: rating and points per block."""


def truth_of_pairs() -> Truth:
    """A block's swing is twice the difference of strengths, of what both make of the board's cards (20 each), and noise
    (20); a rating's difference is that in units of its deviation."""
    noise = 20.0 * math.sqrt(3.0)
    return {
        bot: (
            25.0 + strength * math.sqrt(2.0) * BETA / noise,
            2.0 * (strength - statistics.mean(other for name, other in STRENGTHS.items() if name != bot)),
        )
        for bot, strength in STRENGTHS.items()
    }


def truth_of_four() -> Truth:
    """A sum of four games is four times the strength, with a noise of 16; three of the four others sit at a table."""
    return {
        bot: (
            25.0 + 4.0 * strength * BETA / 16.0,
            4.0 * (strength - statistics.mean(other for name, other in FFA_STRENGTHS.items() if name != bot)),
        )
        for bot, strength in FFA_STRENGTHS.items()
    }


TRUTH = {PAIRS: truth_of_pairs(), FOUR: truth_of_four()}


def play(pool: Pool, boards: int, seed: int) -> Table:
    """A table of an event among bots of known strength."""
    made = (
        round_robin(STRENGTHS, boards, seed=seed) if pool == PAIRS else free_for_all(FFA_STRENGTHS, boards, seed=seed)
    )
    return table(made, pool, resamples=RESAMPLES)


def level(bots: int, boards: int, seed: int) -> Table:
    """A table of an event among equal bots."""
    return table(
        round_robin({f"b{index}": 0.0 for index in range(bots)}, boards, seed=seed), PAIRS, resamples=RESAMPLES
    )


def coverage(pool: Pool, boards: int, events: int) -> tuple[float, float]:
    """The shares of intervals that hold the truth: of ratings, of points per block."""
    ratings, points = [], []
    for seed in range(events):
        for row in play(pool, boards, seed).standings:
            rating, per_block = TRUTH[pool][row.bot]
            assert row.low is not None
            assert row.points_low is not None
            ratings.append(row.low <= rating <= row.high)
            points.append(row.points_low <= per_block <= row.points_high)
    return statistics.mean(ratings), statistics.mean(points)


def wrongly_separated(bots: int, boards: int, events: int) -> float:
    """The share of events among equal bots in which any two are separated."""
    return statistics.mean(
        any((row.place_low, row.place_high) != (1, bots) for row in level(bots, boards, seed).standings)
        for seed in range(events)
    )
