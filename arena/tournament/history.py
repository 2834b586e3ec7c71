"""What the closed rounds of an event came to: the games folded into totals of each table, so that rounds can depend on
results without anybody reading all games again.

A pure function of the games, whatever their order within a round; knows blocks, not how they are rated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.rating.blocks import Block, Side, blocks
from arena.rating.pool import Pool
from arena.record.results import GameRow


class TableTotals(NamedTuple):
    """All complete blocks of one line-up at one table in one round, or several such added up."""

    bots: tuple[str, ...]
    """Competitors in the order of their names; what follows is in the same order."""
    blocks: int
    points: tuple[float, ...]
    """Blocks won, draws counted half; in a free for all against each other bot, divided by their number."""
    swings: tuple[float, ...]
    """Sums of swings."""
    squares: tuple[float, ...]
    """Sums of squared swings."""
    results: tuple[tuple[tuple[int, ...], int], ...]
    """(ranks, how often), in order of ranks: all that a rating needs."""
    teams: tuple[Side, ...] = ()
    """Of mixed partners: who sat with whom, see `Block`; they are different line-ups of the same bots."""

    @property
    def lineup(self) -> tuple[str, ...]:
        """Names the line-up: the bots in the order of their names, partners one after the other."""
        return tuple(name for team in self.teams for name in team) if self.teams else self.bots

    def of(self, bot: str) -> tuple[float, float]:
        """Points and sum of swings of a bot."""
        index = self.bots.index(bot)
        return self.points[index], self.swings[index]


class History:
    """The closed rounds of one event, in order."""

    def __init__(self, pool: Pool | None = None) -> None:
        """`pool`: what the event is rated in; None for events in which nothing depends on results."""
        self._pool = pool
        self.closed = 0
        """The last round that is closed."""
        self.tables: dict[tuple[int, int], TableTotals] = {}
        """By (round, table); tables without a complete block are not there."""
        self.fields: dict[int, tuple[str, ...]] = {}
        """By closed round: who took part; rounds of which nobody said so are not there."""

    @classmethod
    def of(
        cls,
        pool: Pool,
        rows: Iterable[GameRow],
        fields: Mapping[int, Sequence[str]] | None = None,
        *,
        closed: int | None = None,
    ) -> History:
        """The history of stored games, in whatever order they come. `fields`: by round, who took part; `closed`: the
        last round that is closed, if it is not the last of which there are games."""
        history = cls(pool)
        by_round: dict[int, list[GameRow]] = {}
        for row in rows:
            by_round.setdefault(row.key.round, []).append(row)
        last = max(by_round, default=0) if closed is None else closed
        for number in range(1, last + 1):
            history.close(number, by_round.get(number, ()), (fields or {}).get(number, ()))
        return history

    def close(self, number: int, rows: Iterable[GameRow], field: Sequence[str] = ()) -> None:
        """Add the games of the next round and who took part. Raises ValueError when it is not the next one."""
        if self._pool is None or number != self.closed + 1:
            raise ValueError(f"round {number!r} cannot be added after round {self.closed}")
        at: dict[tuple[int, int], list[Block]] = {}
        for block in blocks(rows, self._pool):
            at.setdefault((block.round, block.table), []).append(block)
        self.tables.update({place: totals_of(found) for place, found in at.items()})
        if field:
            self.fields[number] = tuple(field)
        self.closed = number

    def of_round(self, number: int) -> Iterator[TableTotals]:
        """The tables of a round, in order."""
        for _, totals in sorted((place, totals) for place, totals in self.tables.items() if place[0] == number):
            yield totals

    def lineups_of(self, number: int) -> dict[tuple[str, ...], TableTotals]:
        """The line-ups of one round with all their tables, by `TableTotals.lineup`."""
        found: dict[tuple[str, ...], list[TableTotals]] = {}
        for totals in self.of_round(number):
            found.setdefault(totals.lineup, []).append(totals)
        return {bots: added(tables) for bots, tables in found.items()}

    def lineups(self, since: int = 1) -> dict[tuple[str, ...], TableTotals]:
        """All blocks of each line-up from round `since` on, by `TableTotals.lineup`."""
        found: dict[tuple[str, ...], list[TableTotals]] = {}
        for (number, _), totals in sorted(self.tables.items()):
            if number >= since:
                found.setdefault(totals.lineup, []).append(totals)
        return {bots: added(tables) for bots, tables in found.items()}

    def blocks_of(self) -> Mapping[str, int]:
        """How many blocks each bot has played."""
        counts: Counter[str] = Counter()
        for totals in self.tables.values():
            for bot in totals.bots:
                counts[bot] += totals.blocks
        return counts


NOTHING = History()
"""No round is closed."""


def totals_of(found: Iterable[Block]) -> TableTotals:
    """The totals of blocks of one line-up; at least one."""
    return added([_of_block(block) for block in found])


def added(several: list[TableTotals]) -> TableTotals:
    """Totals of one line-up, added up; at least one. Raises ValueError for different line-ups."""
    bots = several[0].bots
    if any(each.lineup != several[0].lineup for each in several):
        raise ValueError(f"different line-ups cannot be added: {sorted({each.lineup for each in several})}")
    results: Counter[tuple[int, ...]] = Counter()
    for each in several:
        results.update(dict(each.results))
    return TableTotals(
        bots,
        sum(each.blocks for each in several),
        _columns([each.points for each in several]),
        _columns([each.swings for each in several]),
        _columns([each.squares for each in several]),
        tuple(sorted(results.items())),
        several[0].teams,
    )


def _columns(rows: list[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def _of_block(block: Block) -> TableTotals:
    ranks, swings = block.places, block.swings
    points = tuple(
        (sum(rank > own for rank in ranks) + 0.5 * (ranks.count(own) - 1)) / (len(ranks) - 1) for own in block.ranks
    )
    squares = tuple(each * each for each in swings)
    return TableTotals(block.bots, 1, points, swings, squares, ((block.ranks, 1),), block.teams)
