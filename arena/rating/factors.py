"""The TrueSkill update for many results at once, in numpy: one chain of win and draw factors per result.

It knows numbers only: means, variances, places. The schedule of messages is that of the `trueskill` package for single
competitors, so that a message made here is what `env.rate` would say (tests hold it to 1e-6); unlike the package it has
no gap in level at which it gives up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.rating.trueskill_env import BETA

Array = NDArray[np.float64]
Message = tuple[Array, Array]
"""A Gaussian as (precision, precision x mean); precision 0 says nothing."""
INNER = 10
"""Passes over the chain of one ranking of three or more, as in the package."""
FAR = -30.0
"""Below this the normal tail comes from its series: soon the cdf itself would no longer be a positive number."""
ROOT2 = math.sqrt(2.0)
PEAK = 1.0 / math.sqrt(2.0 * math.pi)


def messages(mu: Array, var: Array, ties: Sequence[bool], margin: float, inner: int = INNER) -> Message:
    """What results say about their competitors' levels, as Gaussian messages.

    `mu` and `var` (places x results) are the levels without these results, best place first; `ties[x]` says whether
    places x and x + 1 are tied, alike in all results. Multiplying a message with its level gives the level after.
    """
    last = len(ties) - 1
    pi = 1.0 / (var + BETA * BETA)  # performances, before anyone is compared
    tau = pi * mu
    nothing = np.zeros_like(pi[0])
    from_right: list[Message] = [(nothing, nothing)] * (last + 2)  # to place x, from its difference to place x + 1
    from_left: list[Message] = [(nothing, nothing)] * (last + 2)  # to place x, from its difference to place x - 1
    said: list[Message] = [(nothing, nothing)] * (last + 1)  # about the difference of places x and x + 1

    def left_of(x: int) -> Message:
        return _moments(pi[x] + from_left[x][0], tau[x] + from_left[x][1])

    def right_of(x: int) -> Message:
        return _moments(pi[x + 1] + from_right[x + 1][0], tau[x + 1] + from_right[x + 1][1])

    def cut(x: int) -> None:
        (left_mu, left_var), (right_mu, right_var) = left_of(x), right_of(x)
        said[x] = truncate(left_mu - right_mu, left_var + right_var, ties[x], margin)

    def tell_left(x: int) -> None:
        from_right[x] = _through(said[x], *right_of(x), +1.0)

    def tell_right(x: int) -> None:
        from_left[x + 1] = _through(said[x], *left_of(x), -1.0)

    for _ in range(inner if last else 1):
        for x in range(last):
            cut(x)
            tell_right(x)
        for x in range(last, 0, -1):
            cut(x)
            tell_left(x)
    if last == 0:
        cut(0)
    tell_left(0)
    tell_right(last)
    told_pi = np.stack([a[0] + b[0] for a, b in zip(from_left, from_right, strict=True)])
    told_tau = np.stack([a[1] + b[1] for a, b in zip(from_left, from_right, strict=True)])
    weaker = 1.0 / (1.0 + BETA * BETA * told_pi)  # of a performance, said of the level behind it
    return weaker * told_pi, weaker * told_tau


def _moments(pi: Array, tau: Array) -> tuple[Array, Array]:
    """Mean and variance."""
    return tau / pi, 1.0 / pi


def truncate(mean: Array, var: Array, tied: bool, margin: float) -> Message:
    """The message of "this difference is within the margin" (tied) or "above it" to a difference N(mean, var)."""
    root = np.sqrt(var)
    v, w = (draw if tied else win)(mean / root, margin / root)
    left = np.maximum(1.0 - w, 1e-12)
    return w / (var * left), (mean * w / var + v / root) / left


def _through(said: Message, mean: Array, var: Array, sign: float) -> Message:
    """The message about a difference, passed on to one of its two terms, the other being N(mean, var)."""
    weaker = 1.0 / (1.0 + said[0] * var)
    pi = said[0] * weaker
    return pi, pi * mean + sign * said[1] * weaker


def win(gap: Array, margin: Array) -> tuple[Array, Array]:
    """How much a win by more than `margin` moves (v) and sharpens (w) a gap of unit variance."""
    x = gap - margin
    near = np.maximum(x, FAR)
    v = normal_pdf(near) / normal_cdf(near)
    far = x < FAR
    if far.any():
        v[far] = 1.0 / _tail(x[far])
    return v, v * (v + x)


def draw(gap: Array, margin: Array) -> tuple[Array, Array]:
    """How much a draw, a gap within `margin`, moves (v) and sharpens (w) a gap of unit variance."""
    size = np.abs(gap)
    upper, lower = margin - size, -margin - size
    far = upper < FAR
    a, b = np.where(far, 0.0, upper), np.where(far, -1.0, lower)
    room, top, bottom = normal_cdf(a) - normal_cdf(b), normal_pdf(a), normal_pdf(b)
    if far.any():  # everything divided by the density at the upper end
        a[far], b[far] = upper[far], lower[far]
        top[far], bottom[far] = 1.0, np.exp(-2.0 * margin[far] * size[far])
        room[far] = _tail(a[far]) - bottom[far] * _tail(b[far])
    v = (bottom - top) / room
    return np.where(gap < 0, -v, v), v * v + (a * top - b * bottom) / room


def normal_cdf(x: Array) -> Array:
    """The standard normal distribution function, good to the last digits in the lower tail too."""
    scaled = (x.ravel() / -ROOT2).tolist()
    return 0.5 * np.fromiter(map(math.erfc, scaled), np.float64, x.size).reshape(x.shape)


def normal_pdf(x: Array) -> Array:
    """The standard normal density."""
    return PEAK * np.exp(-0.5 * x * x)


def _tail(x: Array) -> Array:
    """cdf(x) / density(x) far below zero, by its series."""
    square = x**-2
    return (1.0 - square * (1.0 - square * (3.0 - square * 15.0))) / -x
