"""Results of every pair of bots, the additive model of them, and how likely their misfit is.

The model is that of the ratings: the share of wins of one bot against another is the normal distribution function at
the difference of their strengths, with the ratings' prior. It knows units (bots, or groups of clones) by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from arena.rating.blocks import Block
from arena.rating.bootstrap import bundles, draw_boards, rows_of
from arena.rating.crosstables import GREY
from arena.rating.factors import Array, normal_cdf, normal_pdf
from arena.rating.trueskill_env import BETA, SIGMA

PRIOR = 2.0 * BETA**2 / SIGMA**2
"""Precision of a strength, in units of the noise of a difference of two performances."""
STEPS, CLOSE = 100, 1e-10
SURE = 1e-6
"""The model's shares are kept this far from 0 and 1."""
AT_ONCE = 4_000_000
"""Numbers in one array while resampling."""


class Pairs(NamedTuple):
    """Every pair of units, met or not."""

    size: int
    """Units."""
    bots: tuple[tuple[int, int], ...]
    shares: Array
    """By pair: the first one's mean result, win 1, draw 1/2, loss 0; 1/2 where they never met."""
    blocks: Array
    """By pair: how often they met."""
    moved: Array
    """(pairs, boards): by how much a board moved `shares`, or a bundle of boards; a row sums to 0."""

    def links(self) -> Iterator[tuple[int, int, float, int, float]]:
        """By pair that met: first, second, share, blocks, and how likely the share is above 1/2 on all boards."""
        boards = self.moved.shape[1]
        errors = np.sqrt((self.moved**2).sum(axis=1) * boards / (boards - 1))
        gaps = self.shares - 0.5
        scaled = np.divide(gaps, errors, out=np.sign(gaps) * 40.0, where=errors > 0)
        sure = normal_cdf(scaled)
        for index, (one, other) in enumerate(self.bots):
            if self.blocks[index]:
                yield one, other, float(self.shares[index]), int(self.blocks[index]), float(sure[index])


def pairs_of(blocks: Sequence[Block], unit: Mapping[str, int]) -> Pairs:
    """The pairs of the units of bots in their blocks; bots of one unit are no pair."""
    size = max(unit.values()) + 1
    bots = tuple((one, other) for one in range(size) for other in range(one + 1, size))
    place = {pair: index for index, pair in enumerate(bots)}
    row = rows_of(blocks)
    won, met = (np.zeros((len(bots), bundles(row))) for _ in range(2))
    for block in blocks:
        seats = [(unit[name], rank) for name, rank in zip(block.bots, block.ranks, strict=True)]
        board = row[block.board]
        for one, rank in seats:
            for other, behind in seats:
                if one < other:
                    index = place[one, other]
                    met[index, board] += 1.0
                    won[index, board] += (rank < behind) + 0.5 * (rank == behind)
    count = met.sum(axis=1)
    often = np.maximum(count, 1.0)
    shares = np.where(count > 0, won.sum(axis=1) / often, 0.5)
    return Pairs(size, bots, shares, count, (won - met * shares[:, None]) / often[:, None])


def fitted(pairs: Pairs) -> Array:
    """By pair: the share that the additive model expects, fitted to all pairs by the number of their blocks."""
    strength = np.zeros(pairs.size)
    signs = _signs(pairs)
    for _ in range(STEPS):
        expected, density, weight = _model(signs @ strength, pairs)
        slope = signs.T @ (weight * (pairs.shares - expected)) - PRIOR * strength
        step = np.linalg.solve(_information(signs, weight * density), slope)
        step *= min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-300))
        strength += step
        if np.abs(step).max() < CLOSE:
            break
    strengths: Array = _model(signs @ strength, pairs)[0]
    return strengths


def chance_of_misfit(pairs: Pairs, expected: Array, pool_id: str, resamples: int) -> float | None:
    """How likely shares depart so far from the additive model where it holds; None where nothing could contradict it.

    The statistic is the sum over pairs with 30 blocks of (share - expected)^2 / variance. Its distribution comes from
    boards drawn with replacement: by how much the same residuals move there, over their variance there (a studentised
    bootstrap; the model's fit to each resample is linear in the shares).
    """
    used = pairs.blocks >= GREY
    if used.sum() < pairs.size or pairs.size < 3:
        return None
    from scipy.special import ndtri

    signs = _signs(pairs)
    _, density, weight = _model(ndtri(expected), pairs)
    told = signs.T @ (weight[:, None] * pairs.moved)
    moved = pairs.moved - density[:, None] * (signs @ np.linalg.solve(_information(signs, weight * density), told))
    moved = moved[used]
    floor = (0.5 / pairs.blocks[used]) ** 2  # half a block: shares of 0 and 1 have no spread of their own
    variance = np.maximum((moved**2).sum(axis=1), floor)
    seen = float(((pairs.shares - expected)[used] ** 2 / variance).sum())
    boards = moved.shape[1]
    draws = draw_boards(pool_id, boards, resamples)
    beyond = 0
    step = max(1, AT_ONCE // len(moved))
    for start in range(0, resamples, step):
        drawn = draws[:, start : start + step]
        away = moved @ drawn
        spread = np.maximum((moved**2) @ drawn - away**2 / boards, floor[:, None])
        beyond += int(((away**2 / spread).sum(axis=0) >= seen).sum())
    return (1 + beyond) / (1 + resamples)


def _signs(pairs: Pairs) -> Array:
    """(pairs, units): +1 for the first, -1 for the second."""
    signs = np.zeros((len(pairs.bots), pairs.size))
    for index, (one, other) in enumerate(pairs.bots):
        signs[index, one], signs[index, other] = 1.0, -1.0
    return signs


def _model(gaps: Array, pairs: Pairs) -> tuple[Array, Array, Array]:
    """By pair: the expected share, how fast it grows with the gap, and the weight of a departure in the fit."""
    expected = np.clip(normal_cdf(gaps), SURE, 1.0 - SURE)
    density = normal_pdf(gaps)
    return expected, density, pairs.blocks * density / (expected * (1.0 - expected))


def _information(signs: Array, weight: Array) -> Array:
    return (signs.T * weight) @ signs + PRIOR * np.eye(signs.shape[1])
