"""One standing over several pools: the mean of a bot's ratings in all of them.

It knows finished tables; not how they came about. Levels of different pools cannot be compared as they stand, so each
pool's ratings are first measured against the same bots: those that are in all pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.core.errors import ConfigError
from arena.rating.field import units
from arena.rating.tables import DIGITS, TIED, Table, interval

if TYPE_CHECKING:
    from arena.rating.factors import Array

METHOD = (
    "the mean of the ratings in all pools, each pool counting the same; in every pool 25 is the mean of the bots that "
    "are in all pools; intervals from boards drawn in each pool by itself"
)


class CombinedStanding(NamedTuple):
    """One row."""

    place_low: int
    place_high: int
    bot: str
    rating: float
    """25: the mean of those placed."""
    low: float | None
    """2.5 % of the resamples; None without intervals in some pool."""
    high: float | None
    ratings: tuple[float, ...]
    """By pool, on the same footing as `rating`."""
    p_best: float | None
    provisional: tuple[str, ...]
    """Names of the pools in which the bot is provisional."""

    @property
    def place(self) -> str:
        """The place, or the band of places that the results do not separate: "1", "2-3"."""
        return f"{self.place_low}" if self.place_low == self.place_high else f"{self.place_low}-{self.place_high}"


class Combined(NamedTuple):
    """A standing over several pools."""

    pools: tuple[str, ...]
    """Names, in the order given."""
    method: str
    """How it was made, in words."""
    standings: tuple[CombinedStanding, ...]
    """By rating; bots that are in all pools."""
    missing: tuple[tuple[str, tuple[str, ...]], ...]
    """(bot, pools without a block of it), by name: not placed."""
    boards: tuple[int, ...]
    """By pool."""


def combined(tables: Sequence[Table]) -> Combined:
    """The standing over pools, each once. A bot is placed when it has a block in every one of them.

    Bots are separated as in one table; the boards of two bots are their boards in the pool where they have the fewest.
    Without resamples, or in pools of fewer than six boards, nothing is separated. Raises ConfigError for no table, one
    pool twice, a pool without ratings, or a pool whose field falls into parts that never met: there is nothing that its
    ratings could be measured against.
    """
    _check(tables)
    pools = tuple(table.pool.name for table in tables)
    rows = [{row.bot: row for row in table.standings} for table in tables]
    played = [{name: row for name, row in of.items() if row.blocks} for of in rows]
    known = sorted({name for of in rows for name in of})
    names = [name for name in known if all(name in of for of in played)]
    missing = tuple(
        (name, tuple(pool for pool, of in zip(pools, played, strict=True) if name not in of))
        for name in known
        if name not in names
    )
    boards = tuple(table.boards for table in tables)
    standings = _standings(tables, pools, names) if names else ()
    return Combined(pools, METHOD, standings, missing, boards)


def _check(tables: Sequence[Table]) -> None:
    if not tables:
        raise ConfigError("a combined standing of no pools", fix="give one table or more")
    ids = [table.pool.id for table in tables]
    for table in tables:
        if ids.count(table.pool.id) > 1:
            raise ConfigError(f"pool {table.pool.name!r} is there twice", fix="every pool counts once")
        if table.unrated:
            raise ConfigError(
                f"pool {table.pool.name!r} has no ratings: {table.unrated}", fix="combine pools that have ratings"
            )
        if len(table.parts) > 1:
            raise ConfigError(
                f"the field of pool {table.pool.name!r} falls into {len(table.parts)} parts that never met",
                fix="combine pools in which all bots are linked by blocks",
            )


def _standings(tables: Sequence[Table], pools: Sequence[str], names: Sequence[str]) -> tuple[CombinedStanding, ...]:
    import numpy as np

    from arena.rating import bands

    rows = [{row.bot: row for row in table.standings} for table in tables]
    footing = [_centred(np.array([[of[name].rating] for name in names])) for of in rows]
    ratings = np.concatenate(footing, axis=1)
    means = ratings.mean(axis=1)
    sure = all(of[name].low is not None for of in rows for name in names)
    samples = _samples(tables, names) if sure else means[:, None]
    fewest = [min(_boards(table, name) for table in tables) if sure else 0 for name in names]
    unit = units(names, _clones(tables, names))
    places = bands.places(bands.separated(means, samples, fewest, unit))
    best = bands.shares_of_best(samples, unit, TIED) if sure else [None] * len(names)
    standings = []
    for index, name in enumerate(names):
        low, high = interval(samples[index]) if sure else (None, None)
        share = best[index]
        standings.append(
            CombinedStanding(
                *places[index],
                name,
                round(float(means[index]), DIGITS),
                low,
                high,
                tuple(round(float(each), DIGITS) for each in ratings[index]),
                None if share is None else round(share, DIGITS),
                tuple(pool for pool, of in zip(pools, rows, strict=True) if of[name].provisional),
            )
        )
    return tuple(sorted(standings, key=lambda row: (-row.rating, row.bot)))


def _centred(ratings: Array) -> Array:
    """(bots, any): with the mean of the bots at 25."""
    from arena.rating.trueskill_env import MU

    centred: Array = ratings - ratings.mean(axis=0) + MU
    return centred


def _samples(tables: Sequence[Table], names: Sequence[str]) -> Array:
    """(bots, resamples): resamples of pools are independent of each other, so the first goes with the first."""
    import numpy as np

    drawn = []
    for table in tables:
        assert table.samples is not None
        place = {name: index for index, name in enumerate(table.samples.bots)}
        drawn.append(_centred(table.samples.ratings[[place[name] for name in names]]))
    count = min(each.shape[1] for each in drawn)
    means: Array = np.mean([each[:, :count] for each in drawn], axis=0)
    return means


def _boards(table: Table, name: str) -> int:
    return len({block.board for block in table.blocks if name in block.bots})


def _clones(tables: Sequence[Table], names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Bots that are clones of each other in every pool."""
    groups = [{name: group[0] for group in table.clones for name in group} for table in tables]
    same: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        same.setdefault(tuple(of.get(name, name) for of in groups), []).append(name)
    return tuple(tuple(group) for group in same.values() if len(group) > 1)
