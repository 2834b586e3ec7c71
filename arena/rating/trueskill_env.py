"""The one caller of the `trueskill` package: levels before and scores in, levels after out.

It knows the package's traps (order of ties, groups and ranks that drift apart, a backend to be pinned,
FloatingPointError) and nothing of blocks, pools or tables. The package is imported when something is rated, not before.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from arena.core.chance import Chance, digest

if TYPE_CHECKING:
    import trueskill

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
TAU_CLOSED = 0.0
"""A closed tournament: bots do not change, so levels are not stirred."""
TAU_LADDER = MU / 3000
"""An open-ended ladder."""

Score = tuple[float, ...]
"""What a competitor reached, higher is better, compared from the left: points, then what decides level points."""


class Level(NamedTuple):
    """What is believed of a competitor's strength: mean and standard deviation."""

    mu: float = MU
    sigma: float = SIGMA


def ranks_from(scores: Sequence[Score]) -> tuple[int, ...]:
    """Places from scores: 0 best, equal scores share a place, places without gaps.

    Raises ValueError for NaN, which compares with nothing and would make a place of its own.
    """
    for score in scores:
        if any(math.isnan(part) for part in score):
            raise ValueError(f"score {score!r} is not a number; expected points that can be compared")
    order = sorted(set(scores), reverse=True)
    return tuple(order.index(score) for score in scores)


def feeding_order(names: Sequence[str], ranks: Sequence[int], result_id: str) -> tuple[int, ...]:
    """Indices of the competitors, best first; tied ones in an order drawn from the result's id.

    The package is not symmetric in ties of three or more, so the order must be drawn, and the same wherever it is asked
    for: it depends on `result_id` and the names alone, not on the order in which they are given.
    """
    by_name = sorted(range(len(names)), key=lambda index: names[index])
    drawn = Chance(digest(b"arena.rating", result_id), "ties").shuffled(by_name)
    return tuple(sorted(drawn, key=lambda index: ranks[index]))


def rate(
    names: Sequence[str],
    before: Sequence[Level],
    scores: Sequence[Score],
    *,
    draw: float,
    tau: float,
    result_id: str,
) -> tuple[Level, ...]:
    """Levels after one result among single competitors, in the order of `names`.

    `draw` is the draw probability, above 0. Raises ValueError when a competitor meets itself, when lengths differ, for
    NaN and for a sigma that is not positive.
    """
    if not len(names) == len(before) == len(scores):
        raise ValueError(f"{len(names)} names, {len(before)} levels and {len(scores)} scores; expected one of each")
    if len(set(names)) < len(names):
        raise ValueError(f"the same competitor twice in {list(names)!r}; a bot against itself is never rated")
    if not 0 < draw < 1:
        raise ValueError(f"draw probability {draw!r}; expected a number between 0 and 1, both excluded")
    ranks = ranks_from(scores)
    order = feeding_order(names, ranks, result_id)
    rated = rate_groups([[before[index]] for index in order], [ranks[index] for index in order], draw=draw, tau=tau)
    after = dict(zip(order, rated, strict=True))
    return tuple(after[index][0] for index in range(len(names)))


def rate_groups(
    groups: Sequence[Sequence[Level]],
    ranks: Sequence[int],
    weights: Sequence[Sequence[float]] | None = None,
    *,
    draw: float,
    tau: float,
) -> list[tuple[Level, ...]]:
    """Levels after one result among groups that win together; ranks: 0 best, equal means tied.

    Where the package gives up because the levels are too far apart (near a gap of 230), an expected win of one group
    over another changes nothing, and everything else is computed again with more digits.
    """
    for group in groups:
        for level in group:
            if not (math.isfinite(level.mu) and 0 < level.sigma < math.inf):
                raise ValueError(f"{level!r} is no level; expected a finite mu and a positive sigma")
    try:
        return _call(_environment(draw, tau, precise=False), groups, ranks, weights)
    except FloatingPointError:
        if _expected(groups, ranks):
            return [tuple(group) for group in groups]
        return _call(_environment(draw, tau, precise=True), groups, ranks, weights)


def draw_margin(draw: float, players: int = 2) -> float:
    """How close the performances of two sides must be for a draw, at this draw probability; `players` of both."""
    return _quantile((draw + 1) / 2) * math.sqrt(players) * BETA


def _call(
    env: trueskill.TrueSkill,
    groups: Sequence[Sequence[Level]],
    ranks: Sequence[int],
    weights: Sequence[Sequence[float]] | None,
) -> list[tuple[Level, ...]]:
    ready = [tuple(env.create_rating(*level) for level in group) for group in groups]
    rated = env.rate(ready, list(ranks), [tuple(row) for row in weights] if weights is not None else None)
    return [tuple(Level(rating.mu, rating.sigma) for rating in group) for group in rated]


def _expected(groups: Sequence[Sequence[Level]], ranks: Sequence[int]) -> bool:
    """One of two groups won, and it was the one with the higher level."""
    if len(groups) != 2 or ranks[0] == ranks[1]:
        return False
    first, second = (sum(level.mu for level in group) for group in groups)
    return (first > second) == (ranks[0] < ranks[1])


@functools.lru_cache(maxsize=64)
def _environment(draw: float, tau: float, precise: bool) -> trueskill.TrueSkill:
    import trueskill

    backend = _precise_backend() if precise else (_cdf, _pdf, _quantile)
    return trueskill.TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=tau, draw_probability=draw, backend=backend)


Function = Callable[[float], float]


def _precise_backend() -> tuple[Function, Function, Function]:
    import mpmath

    return mpmath.ncdf, mpmath.npdf, _quantile


# The backend is pinned: the package's own cdf is good to seven digits only, and it would take scipy where it finds it.


def _cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _pdf(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


_quantile = NormalDist().inv_cdf
