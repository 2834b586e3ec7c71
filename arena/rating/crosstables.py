"""Who does how well against whom: mean swing, blocks and likelihood of superiority for every pair of bots.

It knows blocks only; ratings play no part in it.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

from arena.rating.blocks import Sorted, sort_out
from arena.rating.pool import Pool
from arena.record.results import GameRow

DIGITS = 6
GREY = 30
"""Cells with fewer blocks are shown grey."""


class Cell(NamedTuple):
    """One bot against another, in the blocks that both played."""

    swing: float
    """Mean of own block sum minus the other's."""
    blocks: int
    superiority: float | None
    """How likely the mean swing is above 0 on all boards there could be; None with fewer than two boards."""
    grey: bool
    """Too few blocks to lean on."""


class _Met(NamedTuple):
    """The blocks of two bots: 16 bytes each."""

    boards: array[int]
    swings: array[float]


class Crosstable(NamedTuple):
    """Every pair of bots."""

    bots: tuple[str, ...]
    """By mean swing against the other bots, best first."""
    cells: tuple[tuple[Cell | None, ...], ...]
    """By bot, then by opponent; None on the diagonal and where two never met."""

    def cell(self, bot: str, opponent: str) -> Cell | None:
        """The cell of two bots by name."""
        return self.cells[self.bots.index(bot)][self.bots.index(opponent)]


def crosstable(rows: Iterable[GameRow] | Sorted, pool: Pool) -> Crosstable:
    """The crosstable of a pool from its stored games, in whatever order they come, or sorted out already.

    Raises ArenaFault as `sort_out`.
    """
    found = rows if isinstance(rows, Sorted) else sort_out(rows, pool)
    met: dict[tuple[str, str], _Met] = {}
    for block in found.blocks:
        for (bot, score), (opponent, other) in itertools.combinations(zip(block.bots, block.scores, strict=True), 2):
            if block.teams and opponent not in block.opponents(bot):
                continue
            if (bot, opponent) not in met:
                met[bot, opponent] = _Met(array("q"), array("d"))
            boards, swings = met[bot, opponent]
            boards.append(block.board)
            swings.append(score - other)
    cells = {}
    for (bot, opponent), pair in met.items():
        cells[bot, opponent] = cell_of(_by_board(pair, 1.0))
        cells[opponent, bot] = cell_of(_by_board(pair, -1.0))
    strength = {bot: _mean([cell.swing for (own, _), cell in cells.items() if own == bot]) for bot in found.tallies}
    bots = tuple(sorted(found.tallies, key=lambda bot: (-strength[bot], bot)))
    return Crosstable(bots, tuple(tuple(cells.get((bot, opponent)) for opponent in bots) for bot in bots))


def cell_of(swings: Sequence[Sequence[float]]) -> Cell:
    """The cell of the swings on each board. All blocks of one board count as one observation of chance."""
    flat = [swing for board in swings for swing in board]
    mean = math.fsum(flat) / len(flat)
    return Cell(round(mean, DIGITS), len(flat), _superiority(swings, mean, len(flat)), len(flat) < GREY)


def _superiority(swings: Sequence[Sequence[float]], mean: float, count: int) -> float | None:
    boards = len(swings)
    if boards < 2:
        return None
    spread = math.fsum(math.fsum(swing - mean for swing in board) ** 2 for board in swings)
    error = math.sqrt(spread * boards / (boards - 1)) / count
    if error == 0.0:
        return 0.5 if mean == 0 else float(mean > 0)
    return round(NormalDist().cdf(mean / error), DIGITS)


def _by_board(met: _Met, sign: float) -> list[list[float]]:
    """The swings of two bots on each board, as one or the other sees them."""
    found: dict[int, list[float]] = {}
    for board, swing in zip(*met, strict=True):
        found.setdefault(board, []).append(sign * swing)
    return list(found.values())


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else -math.inf
