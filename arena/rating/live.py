"""The live rating: TrueSkill block by block, in canonical order whatever the order in which blocks were completed.

It knows the order of blocks and which draw probability holds in a round; the official table is the batch fit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.rating.blocks import Block, draw_share, first_draw_share
from arena.rating.pool import Pool
from arena.rating.trueskill_env import TAU_CLOSED, Level, rate


class Change(NamedTuple):
    """What one block changed."""

    block: Block
    before: tuple[Level, ...]
    """In the order of `block.bots`."""
    after: tuple[Level, ...]


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
            after = rate(block.bots, before, block.results, draw=draw, tau=tau, result_id=block.id)
            levels.update(zip(block.bots, after, strict=True))
            yield Change(block, before, after)
        closed.extend(now)


def levels_of(changes: Iterable[Change]) -> dict[str, Level]:
    """The levels after the last change, by bot, in the order of names."""
    last = {name: level for change in changes for name, level in zip(change.block.bots, change.after, strict=True)}
    return dict(sorted(last.items()))
