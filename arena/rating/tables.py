"""The official table of a pool: batch ratings with intervals, points per block, places as bands, provisional marks.

It knows what a row shows and when places are separated; how it is printed is the callers'. A pure function of stored
games: the same games in any order give the same table to the last digit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from arena.rating.blocks import Block, Tally, draw_share, first_draw_share, sort_out
from arena.rating.pool import Pool
from arena.record.results import GameRow

if TYPE_CHECKING:
    from arena.rating.factors import Array

RESAMPLES = 1000
DIGITS = 6
"""Decimals kept: the fit itself stops at 1e-5, and what lies beyond may differ between processors."""
MIN_BOARDS = 6
"""With fewer boards no interval is given and nothing is separated: to be ahead on five of five may be luck."""
TIED = 1e-9
"""Ratings of a resample that differ by less share the first place."""
ESTABLISHED_BLOCKS = 100
ESTABLISHED_OPPONENTS = 5
ESTABLISHED_SIGMA = 1.0
ESTABLISHED_FAULTS = 0.01
"""Faults in a game, on average: from here on a bot stays provisional."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. Intervals are 2.5 to 97.5 % of the resamples; None where boards are too few to give one."""

    place_low: int
    """The best place that the results allow ..."""
    place_high: int
    """... and the worst: equal when everyone else is clearly better or clearly worse."""
    bot: str
    rating: float
    """Mean of the batch fit; the field's mean is 25."""
    low: float | None
    high: float | None
    sigma: float
    """TrueSkill's own deviation: it only decides about the provisional mark."""
    points: float
    """Mean swing: points per block more than the opponents."""
    points_low: float | None
    points_high: float | None
    wins: int
    """Blocks won; in a free for all counted against each bot at the table."""
    draws: int
    losses: int
    blocks: int
    games: int
    """Games that count, also of blocks that are not complete yet."""
    faults: int
    """Faults in these games."""
    opponents: int
    """Bots met in a block."""
    provisional: tuple[str, ...]
    """Why the row is provisional; empty: established."""
    p_best: float | None
    """The share of resamples in which the bot has the highest rating."""

    @property
    def place(self) -> str:
        """The place, or the band of places that the results do not separate: "1", "2-3"."""
        return f"{self.place_low}" if self.place_low == self.place_high else f"{self.place_low}-{self.place_high}"

    @property
    def margin(self) -> float | None:
        """Half the width of the interval of `points`, the "±"."""
        if self.points_low is None or self.points_high is None:
            return None
        return (self.points_high - self.points_low) / 2


@dataclass(frozen=True, slots=True)
class Table:
    """A pool's table."""

    pool: Pool
    standings: tuple[Standing, ...]
    """Established bots by rating, then provisional ones by rating. Places are those in the whole field."""
    blocks: tuple[Block, ...]
    """Every rated block, in canonical order."""
    incomplete: int
    """Blocks that do not count yet: a game is missing or void."""
    boards: int
    """Boards with a rated block."""
    draw_probability: float
    resamples: int
    out: tuple[tuple[str, str], ...] = ()
    """(bot, why) of those that were taken out of the event: none of their blocks counts."""


class Record(NamedTuple):
    """What a bot did in its blocks."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    blocks: int = 0
    boards: frozenset[int] = frozenset()
    opponents: frozenset[str] = frozenset()


def table(
    rows: Iterable[GameRow], pool: Pool, *, resamples: int = RESAMPLES, out: Mapping[str, str] | None = None
) -> Table:
    """The table of a pool from its stored games, in whatever order they come.

    With `resamples` 0 no interval is made and nothing is separated. `out`: bots that were taken out of the event ->
    why; all their blocks are left out, as if they had never entered. Raises ArenaFault as `sort_out` does.
    """
    out = out or {}
    found = sort_out((row for row in rows if out.keys().isdisjoint(row.bots)), pool)
    names = tuple(found.tallies)
    draw = draw_share(found.blocks, first_draw_share(pool))
    standings = _standings(found.blocks, names, found.tallies, pool, draw, resamples) if found.blocks else ()
    boards = len({block.board for block in found.blocks})
    return Table(pool, standings, found.blocks, found.incomplete, boards, draw, resamples, tuple(sorted(out.items())))


def _standings(
    blocks: Sequence[Block],
    names: Sequence[str],
    tallies: dict[str, Tally],
    pool: Pool,
    draw: float,
    resamples: int,
) -> tuple[Standing, ...]:
    from arena.rating import bootstrap

    full = bootstrap.fit_blocks(blocks, names, draw)
    points, played = bootstrap.points_by_board(
        blocks, names, {board: index for index, board in enumerate(sorted({block.board for block in blocks}))}
    )
    means = points.sum(axis=1) / played.sum(axis=1).clip(1.0) / bootstrap.divisor(blocks)
    samples = bootstrap.resample(full, blocks, names, pool, resamples) if resamples else None
    records = {name: record_of(name, blocks) for name in names}
    sure = [len(records[name].boards) >= MIN_BOARDS and samples is not None for name in names]
    ratings = full.levels.mu[:, 0]
    bands = _bands(samples.ratings if samples else None, ratings, sure)
    best = _shares_of_best(samples.ratings) if samples and all(sure) else [None] * len(names)
    standings = []
    for index, name in enumerate(names):
        record, tally = records[name], tallies[name]
        sigma = round(float(full.levels.sigma[index, 0]), DIGITS)
        low, high = interval(samples.ratings[index]) if samples and sure[index] else (None, None)
        points_low, points_high = interval(samples.points[index]) if samples and sure[index] else (None, None)
        standings.append(
            Standing(
                *bands[index],
                name,
                round(float(ratings[index]), DIGITS),
                low,
                high,
                sigma,
                round(float(means[index]), DIGITS),
                points_low,
                points_high,
                record.wins,
                record.draws,
                record.losses,
                record.blocks,
                tally.games,
                tally.faults,
                len(record.opponents),
                provisional(record, tally, sigma, len(names)),
                best[index],
            )
        )
    return tuple(sorted(standings, key=lambda row: (bool(row.provisional), -row.rating, row.bot)))


def record_of(name: str, blocks: Iterable[Block]) -> Record:
    """Wins, draws and losses against every other bot of a block, and whom and where a bot met."""
    wins = draws = losses = count = 0
    boards: set[int] = set()
    opponents: set[str] = set()
    for block in blocks:
        if name not in block.bots:
            continue
        own = block.bots.index(name)
        count += 1
        boards.add(block.board)
        opponents.update(block.bots)
        others = [rank for index, rank in enumerate(block.ranks) if index != own]
        wins += sum(rank > block.ranks[own] for rank in others)
        draws += sum(rank == block.ranks[own] for rank in others)
        losses += sum(rank < block.ranks[own] for rank in others)
    return Record(wins, draws, losses, count, frozenset(boards), frozenset(opponents - {name}))


def provisional(record: Record, tally: Tally, sigma: float, field: int) -> tuple[str, ...]:
    """Why a bot's row is provisional, in words; empty when it is established."""
    reasons = []
    if record.blocks < ESTABLISHED_BLOCKS:
        reasons.append(f"{record.blocks} of {ESTABLISHED_BLOCKS} blocks")
    needed = min(ESTABLISHED_OPPONENTS, field - 1)
    if len(record.opponents) < needed:
        reasons.append(f"{len(record.opponents)} of {needed} opponents")
    if sigma > ESTABLISHED_SIGMA:
        reasons.append(f"sigma {sigma:.2f} above {ESTABLISHED_SIGMA:g}")
    if tally.games and tally.faults / tally.games >= ESTABLISHED_FAULTS:
        reasons.append(f"{tally.faults} faults in {tally.games} games, {ESTABLISHED_FAULTS:.0%} or more")
    return tuple(reasons)


def interval(samples: Array) -> tuple[float, float] | tuple[None, None]:
    """2.5 and 97.5 % of the samples that are numbers; (None, None) where none is."""
    import numpy as np

    finite = samples[np.isfinite(samples)]
    if not finite.size:
        return None, None
    low, high = np.quantile(finite, [0.025, 0.975])
    return round(float(low), DIGITS), round(float(high), DIGITS)


def _bands(samples: Array | None, ratings: Array, sure: Sequence[bool]) -> list[tuple[int, int]]:
    """By bot: the places that remain when only bots that are separated from it are put above or below it.

    Two bots are separated when the 95 % interval of the difference of their ratings excludes 0, or when a third one is
    separated from both and between them. Bots that are not separated always share a place of their bands.
    """
    size = len(ratings)
    above = [[False] * size for _ in range(size)]
    for one, other in itertools.permutations(range(size), 2):
        if samples is not None and sure[one] and sure[other] and ratings[one] > ratings[other]:
            low, _ = interval(samples[one] - samples[other])
            above[one][other] = low is not None and low > 0
    for middle, one, other in itertools.product(range(size), repeat=3):
        above[one][other] |= above[one][middle] and above[middle][other]
    return [(1 + sum(above[each][bot] for each in range(size)), size - sum(above[bot])) for bot in range(size)]


def _shares_of_best(samples: Array) -> list[float | None]:

    leading = samples >= samples.max(axis=0) - TIED
    shares = (leading / leading.sum(axis=0)).mean(axis=1)
    return [round(float(share), DIGITS) for share in shares]
