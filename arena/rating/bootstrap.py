"""How far ratings and points would move on other boards: resampling whole boards, all results on one board together.

It knows blocks and the fit, and gives for every bot its rating and its points per block in each resample; what is made
of them (intervals, bands) is the table's.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.batch import Fit, Kind, Levels, Messages, counted
from arena.rating.blocks import Block, Side
from arena.rating.factors import Array
from arena.rating.pool import Pool
from arena.rating.trueskill_env import feeding_order

SETTLED = 0.002
"""Resamples start from the full fit and are swept until nothing moves by more than this ..."""
SWEEPS = 60
"""... or this often."""
INNER = 3
"""Passes over the chain of one ranking: the fit repeats them in every sweep anyway."""
BUNDLES = 2000
"""With more boards than this, boards are drawn in so many bundles: memory stays flat, and a bundle is as independent of
the others as a board."""
AT_ONCE = 60_000
"""Numbers in one array while resampling: keeps memory small and the processor's caches warm."""


class FullFit(NamedTuple):
    """The fit of all blocks, ready to be resampled."""

    fit: Fit
    kind_of: tuple[int, ...]
    """By block: the index of its kind in `fit.kinds`."""
    state: Messages
    levels: Levels
    """One weighting: (bots, 1)."""


class Resamples(NamedTuple):
    """By bot and resample."""

    ratings: Array
    points: Array
    """NaN where none of the bot's boards was drawn."""


def fit_blocks(blocks: Sequence[Block], names: Sequence[str], draw: float) -> FullFit:
    """The batch fit of all blocks among the bots `names` (sorted)."""
    place = {name: index for index, name in enumerate(names)}
    known: dict[tuple[tuple[str, ...], tuple[int, ...], tuple[Side, ...]], Kind] = {}
    kinds = []
    for block in blocks:
        kind = known.get((block.bots, block.ranks, block.teams))
        if kind is None:
            kind = known[block.bots, block.ranks, block.teams] = kind_of(block, place)
        kinds.append(kind)
    table = counted(kinds)
    column = {kind: index for index, (kind, _) in enumerate(table)}
    fit = Fit([kind for kind, _ in table], len(names), draw)
    counts = np.array([[float(count)] for _, count in table]).reshape(-1, 1)
    levels, state = fit.run(counts, fit.silent())
    return FullFit(fit, tuple(column[kind] for kind in kinds), state, levels)


def kind_of(block: Block, place: dict[str, int]) -> Kind:
    """What a block says, without where it was played. Ties are fed in an order drawn from competitors and ranks."""
    if block.teams:
        sides = [side for _, side in sorted(zip(block.places, block.teams, strict=True))]
        tied = len(set(block.places)) == 1
        return Kind(tuple(place[name] for side in sides for name in side), (tied,), len(sides[0]))
    named = ",".join(f"{name}={rank}" for name, rank in zip(block.bots, block.ranks, strict=True))
    order = feeding_order(block.bots, block.ranks, named)
    ranks = [block.ranks[index] for index in order]
    ties = tuple(one == other for one, other in itertools.pairwise(ranks))
    return Kind(tuple(place[block.bots[index]] for index in order), ties)


def resample(full: FullFit, blocks: Sequence[Block], names: Sequence[str], pool: Pool, resamples: int) -> Resamples:
    """Ratings and points per block on boards drawn with replacement; the draw is seeded from the pool's id."""
    row = rows_of(blocks)
    draws = draw_boards(pool.id, bundles(row), resamples)
    drawn_with = _column((row[block.board] for block in blocks), blocks)
    results = _sums(np.array(full.kind_of, dtype=np.intp), drawn_with, None, (len(full.fit.kinds), bundles(row)))
    ratings = []
    step = max(1, AT_ONCE // max(1, sum(len(kind.bots) for kind in full.fit.kinds)))
    for start in range(0, resamples, step):
        counts = results @ draws[:, start : start + step]
        state = full.fit.repeated(full.state, counts.shape[1])
        levels, _ = full.fit.run(counts, state, sweeps=SWEEPS, precision=SETTLED, inner=INNER)
        ratings.append(levels.mu)
    return Resamples(np.concatenate(ratings, axis=1), resampled_points(blocks, names, draws))


def resampled_points(blocks: Sequence[Block], names: Sequence[str], draws: Array) -> Array:
    """Points per block, by bot and resample, on the boards that were drawn; see `draw_boards`."""
    points, played = points_by_board(blocks, names, rows_of(blocks))
    total, times = points @ draws, played @ draws
    per_block: Array = np.where(times > 0, total / np.maximum(times, 1.0), math.nan) / divisor(blocks)
    return per_block


def rows_of(blocks: Sequence[Block]) -> dict[int, int]:
    """Board -> 0, 1, ...: what is drawn together. Every board alone, or, when there are many, one of `BUNDLES`."""
    return {board: index % BUNDLES for index, board in enumerate(sorted({block.board for block in blocks}))}


def bundles(row: dict[int, int]) -> int:
    """How many there are to draw from."""
    return max(row.values(), default=-1) + 1


def points_per_block(blocks: Sequence[Block], names: Sequence[str]) -> Array:
    """By bot: the mean swing; 0 without blocks."""
    points, played = points_by_board(blocks, names, dict.fromkeys({block.board for block in blocks}, 0))
    means: Array = points[:, 0] / played[:, 0].clip(1.0) / divisor(blocks)
    return means


def points_by_board(blocks: Sequence[Block], names: Sequence[str], row: dict[int, int]) -> tuple[Array, Array]:
    """(bots, boards): swings times `divisor`, and blocks. Whole or half numbers: sums are exact in any order."""
    place = {name: index for index, name in enumerate(names)}
    shape = (len(names), bundles(row))
    points, played = np.zeros(shape), np.zeros(shape)
    if blocks and blocks[0].teams:
        for block in blocks:
            for name, swing in zip(block.bots, block.swings, strict=True):
                points[place[name], row[block.board]] += swing
                played[place[name], row[block.board]] += 1.0
        return points, played
    places = len(blocks[0].bots) if blocks else 0
    column = _column((row[block.board] for block in blocks), blocks)
    total = np.fromiter((sum(block.scores) for block in blocks), np.float64, len(blocks))
    for at in range(places):
        who = _column((place[block.bots[at]] for block in blocks), blocks)
        score = np.fromiter((block.scores[at] for block in blocks), np.float64, len(blocks))
        points += _sums(who, column, places * score - total, shape)
        played += _sums(who, column, None, shape)
    return points, played


def _column(values: Iterable[int], blocks: Sequence[Block]) -> NDArray[np.intp]:
    return np.fromiter(values, np.intp, len(blocks))


def _sums(row: NDArray[np.intp], column: NDArray[np.intp], values: Array | None, shape: tuple[int, int]) -> Array:
    """What falls on each place of an array, added up; None: counted."""
    flat = np.bincount(row * shape[1] + column, values, shape[0] * shape[1])
    sums: Array = flat.reshape(shape).astype(np.float64)
    return sums


def divisor(blocks: Sequence[Block]) -> float:
    """What `points_by_board` is to be divided by: the number of opponents at a table; 1 where sides are teams."""
    return 1.0 if blocks[0].teams else float(len(blocks[0].bots) - 1)


def draw_boards(pool_id: str, boards: int, resamples: int) -> Array:
    """(boards, resamples): how often each board is drawn, `boards` draws a resample.

    Made from the raw output of PCG64, which numpy keeps the same in all versions; always the same for one pool id.
    """
    raw = np.random.PCG64(int(pool_id, 16)).random_raw(boards * resamples)
    drawn = ((raw >> np.uint64(32)) * np.uint64(boards)) >> np.uint64(32)
    flat = drawn.astype(np.intp) * resamples + np.tile(np.arange(resamples), boards)
    return np.bincount(flat, minlength=boards * resamples).reshape(boards, resamples).astype(np.float64)
