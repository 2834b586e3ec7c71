"""The official table of a pool: batch ratings with intervals, points per block, places as bands, provisional marks.

It knows what a row shows; how bots are separated is in `bands`, how it is printed is the callers'. A pure function of
stored games: the same games in any order give the same table to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from arena.rating.blocks import Block, Sorted, Tally, draw_share, first_draw_share, sort_out
from arena.rating.field import Group, clones, families, parts, units
from arena.rating.pool import Pool
from arena.rating.records import provisional, records
from arena.rating.rows import Standing
from arena.rating.teams import why_unrated
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


class Samples(NamedTuple):
    """The resampled ratings behind a table's intervals."""

    bots: tuple[str, ...]
    ratings: Array
    """(bots, resamples)"""


class Disabled(NamedTuple):
    """A bot that an organiser took out of an event: it plays no more and keeps its blocks."""

    bot: str
    reason: str
    """Since when and why, in words."""
    at: datetime
    """When that was ordered, aware."""


@dataclass(frozen=True, slots=True)
class Table:
    """A pool's table."""

    pool: Pool
    standings: tuple[Standing, ...]
    """Established bots by rating, then provisional ones by rating; one part of the field after the other where it falls
    apart. Places are those in the whole field, or part."""
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
    parts: tuple[Group, ...] = ()
    """The bots that blocks link, the largest part first: more than one cannot be compared with each other."""
    clones: tuple[Group, ...] = ()
    """Bots that behave identically."""
    families: Mapping[str, Group] = field(default_factory=dict)
    """Versions of one bot: family -> bots, for families of two or more."""
    samples: Samples | None = field(default=None, compare=False, repr=False)
    """None without resamples."""
    unrated: str = ""
    """Why there are no ratings, in words: of mixed partners whose results cannot tell single bots apart. Rows are then
    in the order of points per block and nothing is separated."""
    disabled: tuple[Disabled, ...] = ()


def table(
    rows: Iterable[GameRow] | Sorted,
    pool: Pool,
    *,
    resamples: int = RESAMPLES,
    out: Mapping[str, str] | None = None,
    family: Mapping[str, str] | None = None,
) -> Table:
    """The table of a pool from its stored games, in whatever order they come, or sorted out already.

    With `resamples` 0 no interval is made and nothing is separated. `out`: bots that were taken out of the event ->
    why; all their blocks are left out, as if they had never entered. `family`: bot -> its family, where its name (what
    stands before "@") does not tell. Raises ArenaFault as `sort_out` does.
    """
    out = out or {}
    found = rows if isinstance(rows, Sorted) else sort_out(without(rows, out), pool)
    names = tuple(found.tallies)
    draw = draw_share(found.blocks, first_draw_share(pool))
    apart, alike = parts(found.blocks), clones(found.blocks)
    standings: tuple[Standing, ...] = ()
    samples = None
    unrated = why_unrated(found.blocks) if pool.kind == "mixed" and found.blocks else ""
    if unrated:
        standings = _unrated(found.blocks, found.tallies, pool, resamples)
    elif found.blocks:
        standings, samples = _standings(found.blocks, found.tallies, pool, draw, resamples, apart, alike)
    return Table(
        pool,
        standings,
        found.blocks,
        found.incomplete,
        len({block.board for block in found.blocks}),
        draw,
        resamples,
        tuple(sorted(out.items())),
        apart,
        alike,
        families(names, family),
        samples,
        unrated,
    )


def without(rows: Iterable[GameRow], out: Container[str]) -> Iterable[GameRow]:
    """The games in which nobody sits who was taken out."""
    return (row for row in rows if not any(bot in out for bot in row.bots))


def _standings(
    blocks: Sequence[Block],
    tallies: Mapping[str, Tally],
    pool: Pool,
    draw: float,
    resamples: int,
    apart: Sequence[Group],
    alike: Sequence[Group],
) -> tuple[tuple[Standing, ...], Samples | None]:
    from arena.rating import bands, bootstrap

    names = tuple(tallies)
    full = bootstrap.fit_blocks(blocks, names, draw)
    means = bootstrap.points_per_block(blocks, names)
    drawn = bootstrap.resample(full, blocks, names, pool, resamples) if resamples else None
    done = records(names, blocks)
    boards = [len(done[name].boards) if len(done[name].boards) >= MIN_BOARDS and drawn else 0 for name in names]
    part = _part_of(names, apart)
    ratings = _anchored(full.levels.mu, part)
    samples = _anchored(drawn.ratings, part) if drawn else ratings
    unit = units(names, alike)
    places: dict[int, tuple[int, int]] = {}
    for number in sorted(set(part)):
        members = [index for index in range(len(names)) if part[index] == number]
        above = bands.separated(
            ratings[members, 0],
            samples[members],
            [boards[index] for index in members],
            _renumbered([unit[index] for index in members]),
        )
        places.update(zip(members, bands.places(above), strict=True))
    best = bands.shares_of_best(samples, unit, TIED) if all(boards) and not any(part) else [None] * len(names)
    standings = []
    for index, name in enumerate(names):
        record, tally = done[name], tallies[name]
        sigma = round(float(full.levels.sigma[index, 0]), DIGITS)
        low, high = interval(samples[index]) if boards[index] else (None, None)
        points_low, points_high = interval(drawn.points[index]) if drawn and boards[index] else (None, None)
        share = best[index]
        standings.append(
            Standing(
                *places[index],
                name,
                round(float(ratings[index, 0]), DIGITS),
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
                None if share is None else round(share, DIGITS),
                part[index],
            )
        )
    ordered = sorted(standings, key=lambda row: (row.part, bool(row.provisional), -row.rating, row.bot))
    return tuple(ordered), Samples(names, samples) if drawn else None


def _unrated(blocks: Sequence[Block], tallies: Mapping[str, Tally], pool: Pool, resamples: int) -> tuple[Standing, ...]:
    """Rows without ratings, by points per block."""
    from arena.rating import bootstrap

    names = tuple(tallies)
    means = bootstrap.points_per_block(blocks, names)
    draws = bootstrap.draw_boards(pool.id, bootstrap.bundles(bootstrap.rows_of(blocks)), resamples)
    points = bootstrap.resampled_points(blocks, names, draws)
    done = records(names, blocks)
    standings = []
    for index, name in enumerate(names):
        record, tally = done[name], tallies[name]
        low, high = interval(points[index]) if len(record.boards) >= MIN_BOARDS else (None, None)
        standings.append(
            Standing(
                1,
                len(names),
                name,
                math.nan,
                None,
                None,
                math.nan,
                round(float(means[index]), DIGITS),
                low,
                high,
                *record[:4],
                *tally,
                len(record.opponents),
                provisional(record, tally, math.nan, len(names)),
                None,
            )
        )
    return tuple(sorted(standings, key=lambda row: (bool(row.provisional), -row.points, row.bot)))


def _part_of(names: Sequence[str], apart: Sequence[Group]) -> list[int]:
    """By bot: 0 in a field that is linked, else the number of its part. Who has no block yet counts to the first."""
    if len(apart) < 2:
        return [0] * len(names)
    number = {name: index for index, group in enumerate(apart, 1) for name in group}
    return [number.get(name, 1) for name in names]


def _anchored(mu: Array, part: Sequence[int]) -> Array:
    """Ratings with the mean of every part at 25; a field in one part has it there already."""
    import numpy as np

    from arena.rating.trueskill_env import MU

    anchored = mu.copy()
    for number in set(part) - {0}:
        members = np.flatnonzero(np.array(part) == number)
        anchored[members] += MU - anchored[members].mean(axis=0)
    return anchored


def _renumbered(numbers: Sequence[int]) -> list[int]:
    place = {number: index for index, number in enumerate(dict.fromkeys(numbers))}
    return [place[number] for number in numbers]


def interval(samples: Array) -> tuple[float, float] | tuple[None, None]:
    """2.5 and 97.5 % of the samples that are numbers; (None, None) where none is."""
    import numpy as np

    finite = samples[np.isfinite(samples)]
    if not finite.size:
        return None, None
    low, high = np.quantile(finite, [0.025, 0.975])
    return round(float(low), DIGITS), round(float(high), DIGITS)
