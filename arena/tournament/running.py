"""The history of an open-ended event as a running sum: what it takes does not grow with the rounds.

The levels are those of the live rating, block by block in canonical order. Knows blocks and competitors; not who meets
whom next.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from arena.rating.blocks import Block, blocks, first_draw_share
from arena.rating.pool import Pool
from arena.rating.trueskill_env import BETA, TAU_LADDER, Level, draw_margin, rate
from arena.record.results import GameRow
from arena.tournament.history import History, totals_of

PLAIN = 6.0
"""So many standard deviations from the expected the update of a pair is computed plainly; beyond, with more care."""
LEAST, MOST = 0.001, 0.5
"""Bounds of the draw probability, as in every table."""


class Running(History):
    """The closed rounds of a ladder: levels and counts of all of them, tables and field of the last one only."""

    def __init__(self, pool: Pool | None = None) -> None:
        super().__init__(pool)
        self.levels: dict[str, Level] = {}
        """By everybody who has played a block: the live rating."""
        self.played: Counter[str] = Counter()
        """By bot: blocks."""
        self.met: Counter[tuple[str, str]] = Counter()
        """By pair, in the order of their names: blocks in which they met."""
        self._ties = self._places = 0

    @property
    def draw(self) -> float:
        """The draw probability after the closed rounds: the share of tied adjacent places."""
        if not self._places:
            return first_draw_share(self._pool) if self._pool is not None else LEAST
        return min(max(self._ties / self._places, LEAST), MOST)

    def level(self, bot: str) -> Level:
        """What is believed of a bot; of a new one as little as of any."""
        return self.levels.get(bot, Level())

    def close(self, number: int, rows: Iterable[GameRow], field: Sequence[str] = ()) -> None:
        """Add the games of the next round and who took part. Raises ValueError when it is not the next one."""
        if self._pool is None or number != self.closed + 1:
            raise ValueError(f"round {number!r} cannot be added after round {self.closed}")
        at: dict[tuple[int, int], list[Block]] = {}
        draw = self.draw
        for block in blocks(rows, self._pool):
            at.setdefault((block.round, block.table), []).append(block)
            self._add(block, draw)
        self.tables = {place: totals_of(found) for place, found in at.items()}
        self.fields = {number: tuple(field)} if field else {}
        self.closed = number

    def _add(self, block: Block, draw: float) -> None:
        before = [self.level(name) for name in block.bots]
        after = rated(block, before, draw)
        self.levels.update(zip(block.bots, after, strict=True))
        self.played.update(block.bots)
        self.met.update(combinations(block.bots, 2))
        self._ties += len(block.ranks) - len(set(block.ranks))
        self._places += len(block.ranks) - 1


def rated(block: Block, before: Sequence[Level], draw: float) -> Sequence[Level]:
    """The levels of a block's bots after it, on a ladder, as the `trueskill` package gives them."""
    if len(before) == 2:
        found = after_pair(before[0], before[1], block.ranks[1] - block.ranks[0], draw_margin(draw))
        if found is not None:
            return found
    return rate(block.bots, before, block.results, draw=draw, tau=TAU_LADDER, result_id=block.id)


def after_pair(
    one: Level, other: Level, lead: int, margin: float, tau: float = TAU_LADDER
) -> tuple[Level, Level] | None:
    """Two levels after one result, in closed form; None where that would lose digits.

    `lead`: above 0 the first won, below 0 the second, 0 a draw. `margin`: `draw_margin` of the draw probability.
    """
    if lead < 0:
        turned = after_pair(other, one, 1, margin, tau)
        return turned and (turned[1], turned[0])
    first, second = one.sigma**2 + tau**2, other.sigma**2 + tau**2
    spread = math.sqrt(first + second + 2 * BETA**2)
    gap, room = (one.mu - other.mu) / spread, margin / spread
    if abs(gap) > PLAIN:
        return None
    v, w = _win(gap - room) if lead else _draw(gap, room)
    return (
        Level(one.mu + first / spread * v, math.sqrt(first * (1 - first / spread**2 * w))),
        Level(other.mu - second / spread * v, math.sqrt(second * (1 - second / spread**2 * w))),
    )


def _win(x: float) -> tuple[float, float]:
    v = _density(x) / _below(x)
    return v, v * (v + x)


def _draw(gap: float, room: float) -> tuple[float, float]:
    size = abs(gap)
    upper, lower = room - size, -room - size
    inside = _below(upper) - _below(lower)
    v = (_density(lower) - _density(upper)) / inside
    return (-v if gap < 0 else v), v * v + (upper * _density(upper) - lower * _density(lower)) / inside


def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


def _below(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))
