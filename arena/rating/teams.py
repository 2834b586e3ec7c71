"""Sides of several bots: what one result of two teams says about each of their bots, and when that can be told at all.

It knows numbers and names of sides; not boards or tables. A team's performance is the sum of its bots' performances, as
in the `trueskill` package, so that the message made here is what `env.rate` would say (tests hold it to 1e-6).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arena.rating.blocks import Block
from arena.rating.field import design_rank
from arena.rating.trueskill_env import BETA, Level, rate_groups

if TYPE_CHECKING:
    from arena.rating.factors import Array, Message


def team_messages(mu: Array, var: Array, tied: bool, margin: float) -> Message:
    """What results of two teams say about the levels of their bots, as Gaussian messages (precision, precision x mean).

    `mu` and `var` (bots x results) are the levels without these results: first the bots of the better team, then as
    many of the other. `margin`: how close the sums of performances are in a draw.
    """
    import numpy as np

    from arena.rating.factors import truncate

    size = len(mu) // 2
    sign = np.repeat([1.0, -1.0], size)[:, None]
    gap, spread = (sign * mu).sum(axis=0), (var + BETA * BETA).sum(axis=0)
    pi, tau = truncate(gap, spread, tied, margin)
    others = spread - var  # of all performances but for the own level: the own noise stays in
    weaker = 1.0 / (1.0 + pi * others)
    return pi * weaker, sign * weaker * (tau - pi * (gap - sign * mu))


def rate_teams(block: Block, before: Sequence[Level], *, draw: float, tau: float) -> tuple[Level, ...]:
    """Levels after a block of mixed partners, in the order of its bots, by the package.

    Raises ValueError where a bot has two seats of a side.
    """
    at = dict(zip(block.bots, before, strict=True))
    if doubled(block):
        raise ValueError(f"the same competitor twice in {block.teams!r}; a bot is no partner of itself in a rating")
    rated = rate_groups([[at[bot] for bot in team] for team in block.teams], block.places, draw=draw, tau=tau)
    after = {
        bot: level
        for team, levels in zip(block.teams, rated, strict=True)
        for bot, level in zip(team, levels, strict=True)
    }
    return tuple(after[bot] for bot in block.bots)


def side_levels(block: Block, levels: Sequence[Level]) -> list[Level]:
    """By side: the level of one competitor whose performance would be spread like that of the side."""
    at = dict(zip(block.bots, levels, strict=True))
    found = []
    for side in block.sides:
        spread = sum(at[bot].sigma ** 2 + BETA**2 for bot in side)
        found.append(Level(sum(at[bot].mu for bot in side), math.sqrt(spread - BETA**2)))
    return found


def doubled(block: Block) -> bool:
    """Whether a bot has two seats of a side in a pool of mixed partners."""
    return any(len(set(team)) < len(team) for team in block.teams)


def why_unrated(blocks: Iterable[Block]) -> str:
    """Why results of mixed partners make no ratings of single bots, in words; empty where they do."""
    found = list(blocks)
    if any(map(doubled, found)):
        return "a bot sat with a second copy of itself, and is no partner of itself in a rating"
    design = design_rank({block.teams for block in found})
    if design.full:
        return ""
    return (
        f"who sat with whom tells {design.rank} of the {design.bots - 1} differences between {design.bots} bots: "
        "of partners that only sit together nobody can say who is the better one"
    )
