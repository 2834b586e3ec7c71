"""How well bots play with strangers: each with every other, and with a second copy of itself, against the same
opponents on the same boards.

It knows blocks of a partner pool. Points depend on the opponents and on the other bots of the pool, so they compare
bots of one pool only; nothing is rated, since a bot is no partner of itself in a rating.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.rating.blocks import Block
from arena.rating.pool import Pool
from arena.rating.tables import DIGITS, MIN_BOARDS, interval

if TYPE_CHECKING:
    from arena.rating.factors import Array


class Points(NamedTuple):
    """Points per block with the interval of 2.5 to 97.5 % of the resamples; None where boards are too few."""

    mean: float
    low: float | None
    high: float | None


class Partner(NamedTuple):
    """One partner of a bot."""

    bot: str
    points: float
    blocks: int


class Stranger(NamedTuple):
    """One row."""

    bot: str
    own: Points
    """With a second copy of itself."""
    strangers: Points
    """With the others: the mean over partners, each counting the same."""
    difference: Points
    """Strangers minus own. A field of weak partners makes it negative without any fault of the bot: see `company`."""
    company: Points | None
    """What partnerships make more than half of what each of the two makes with itself, on average over partners whose
    own table was played: what understanding is worth. None without such partners."""
    partners: tuple[Partner, ...]
    """Best first."""
    blocks: int
    """With strangers."""


class PartnerPool(NamedTuple):
    """The table of a partner pool."""

    opponents: str
    """Who sat on the other side."""
    rows: tuple[Stranger, ...]
    """By points with strangers; bots that were measured and have blocks of both kinds."""
    boards: int


def partner_pool(blocks: Sequence[Block], pool: Pool, opponents: str, resamples: int) -> PartnerPool:
    """The table of a partner pool from its blocks; of others (who is out) there are none."""
    from arena.rating.bootstrap import bundles, draw_boards, rows_of

    row = rows_of(blocks)
    enough = resamples and len(row) >= MIN_BOARDS
    draws = draw_boards(pool.id, bundles(row), resamples) if enough else None
    tables = _by_pair(blocks, row, opponents)
    means = {pair: _means(*table, draws) for pair, table in tables.items()}
    count = {pair: round(float(table[1].sum())) for pair, table in tables.items()}
    rows = []
    for bot in sorted({pair[0] for pair in tables if pair[0] == pair[1]}):
        others = {pair[0] if pair[1] == bot else pair[1]: pair for pair in tables if bot in pair and pair[0] != pair[1]}
        if others:
            rows.append(_row(bot, others, means, count))
    rows.sort(key=lambda each: (-each.strangers.mean, each.bot))
    return PartnerPool(opponents, tuple(rows), len({block.board for block in blocks}))


Pair = tuple[str, str]


def _by_pair(blocks: Sequence[Block], row: dict[int, int], opponents: str) -> dict[Pair, tuple[Array, Array]]:
    """By pair, names in order: (boards) swings added up, and blocks."""
    import numpy as np

    boards = max(row.values(), default=-1) + 1
    found: dict[Pair, tuple[Array, Array]] = {}
    for block in blocks:
        first, second = block.teams
        team = second if first == (opponents, opponents) else first
        swings, counts = found.setdefault((team[0], team[1]), (np.zeros(boards), np.zeros(boards)))
        swings[row[block.board]] += block.swings[block.bots.index(team[0])]
        counts[row[block.board]] += 1.0
    return found


def _means(swings: Array, counts: Array, draws: Array | None) -> Array:
    """(1 + resamples): points per block on all boards, then on those drawn; NaN where none was drawn."""
    import numpy as np

    total, times = np.array([swings.sum()]), np.array([counts.sum()])
    if draws is not None:
        total, times = np.concatenate([total, swings @ draws]), np.concatenate([times, counts @ draws])
    means: Array = np.where(times > 0, total / np.maximum(times, 1.0), np.nan)
    return means


def _row(bot: str, others: Mapping[str, Pair], means: Mapping[Pair, Array], count: Mapping[Pair, int]) -> Stranger:
    import numpy as np

    own = means[bot, bot]
    strangers = np.mean([means[pair] for pair in others.values()], axis=0)
    known = [
        means[pair] - (own + means[partner, partner]) / 2
        for partner, pair in others.items()
        if (partner, partner) in means
    ]
    partners = [Partner(partner, round(float(means[pair][0]), DIGITS), count[pair]) for partner, pair in others.items()]
    return Stranger(
        bot,
        _points(own),
        _points(strangers),
        _points(strangers - own),
        _points(np.mean(known, axis=0)) if known else None,
        tuple(sorted(partners, key=lambda each: (-each.points, each.bot))),
        sum(each.blocks for each in partners),
    )


def _points(means: Array) -> Points:
    low, high = interval(means[1:])
    return Points(round(float(means[0]), DIGITS), low, high)


def partner_pool_to_data(made: PartnerPool | None) -> dict[str, Any] | None:  # Any: JSON
    """The table of a partner pool as JSON data; None where there is none."""
    if made is None:
        return None
    return {
        "opponents": made.opponents,
        "boards": made.boards,
        "standings": [
            {
                "bot": row.bot,
                "with_itself": row.own._asdict(),
                "with_strangers": row.strangers._asdict(),
                "difference": row.difference._asdict(),
                "company": row.company._asdict() if row.company is not None else None,
                "partners": [each._asdict() for each in row.partners],
                "blocks": row.blocks,
            }
            for row in made.rows
        ],
    }
