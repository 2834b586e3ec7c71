"""The live rating: TrueSkill block by block, in canonical order whatever the order in which blocks were completed.

It knows the order of blocks and which draw probability holds in a round; the official table is the batch fit.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from arena.rating.blocks import Block, draw_share, first_draw_share
from arena.rating.pool import Pool
from arena.rating.teams import rate_teams, side_levels
from arena.rating.trueskill_env import BETA, TAU_CLOSED, Level, draw_margin, rate

SURPRISE = 0.4
"""A result is surprising when its probability was below this by the number of bots at the table: 20 % with two."""


GRID, WIDTH = 100, 6.0
"""A performance is looked at in so many steps to either side, up to so many standard deviations."""
ROOT2 = math.sqrt(2.0)
Word = Literal["win", "loss", "middle"]


class Outcome(NamedTuple):
    """How a block ended for one bot."""

    word: Word
    """First alone, last alone, or neither: a draw, or a place between in a free for all."""
    chance: float | None
    """How likely that was by the levels before; None in the middle."""
    surprising: bool


class Change(NamedTuple):
    """What one block changed."""

    block: Block
    before: tuple[Level, ...]
    """In the order of `block.bots`."""
    after: tuple[Level, ...]
    draw: float
    """The draw probability that held."""

    def outcome(self, bot: str) -> Outcome:
        """How the block ended for a bot, and how likely that was before."""
        block, own = self.block, self.block.bots.index(bot)
        rank, last = block.ranks[own], max(block.ranks)
        alone = block.places.count(rank) == 1
        word: Word = "win" if alone and rank == 0 else "loss" if alone and rank == last else "middle"
        sign = {"win": 1.0, "loss": -1.0, "middle": 0.0}[word]
        if not sign:
            return Outcome(word, None, False)
        levels, margin, sides = list(self.before), draw_margin(self.draw), len(block.bots)
        if block.teams:
            levels, margin, sides = side_levels(block, self.before), draw_margin(self.draw, 4), len(block.teams)
            own = next(side for side in range(sides) if bot in block.teams[side])
        chance = chance_to_lead([Level(sign * mu, sigma) for mu, sigma in levels], own, margin)
        return Outcome(word, chance, chance * sides < SURPRISE)


def online(blocks: Iterable[Block], pool: Pool, *, tau: float = TAU_CLOSED) -> Iterator[Change]:
    """Every block's change of levels, in canonical order.

    The draw probability of a round comes from the blocks of earlier rounds. `tau` > 0 lets levels drift, on a ladder.
    """
    levels: dict[str, Level] = {}
    closed: list[Block] = []
    for _, group in itertools.groupby(sorted(blocks), key=lambda block: block.round):
        draw = draw_share(closed, first_draw_share(pool))
        now = list(group)
        for block in now:
            before = tuple(levels.get(name, Level()) for name in block.bots)
            if block.teams:
                after = rate_teams(block, before, draw=draw, tau=tau)
            else:
                after = rate(block.bots, before, block.results, draw=draw, tau=tau, result_id=block.id)
            levels.update(zip(block.bots, after, strict=True))
            yield Change(block, before, after, draw)
        closed.extend(now)


def chance_to_lead(levels: Sequence[Level], own: int, margin: float) -> float:
    """The probability that one competitor's performance is ahead of each of the others' by more than `margin`."""
    mean, spread = levels[own].mu, math.hypot(BETA, levels[own].sigma)
    others = [(level.mu + margin, math.hypot(BETA, level.sigma)) for i, level in enumerate(levels) if i != own]
    total = weights = 0.0
    for step in range(-GRID, GRID + 1):
        here = WIDTH * step / GRID
        weight = math.exp(-0.5 * here * here)
        ahead = math.prod(0.5 * math.erfc((mu - mean - spread * here) / (ROOT2 * sd)) for mu, sd in others)
        total, weights = total + weight * ahead, weights + weight
    return total / weights


def levels_of(changes: Iterable[Change]) -> dict[str, Level]:
    """The levels after the last change, by bot, in the order of names."""
    last = {name: level for change in changes for name, level in zip(change.block.bots, change.after, strict=True)}
    return dict(sorted(last.items()))
