"""What a bot did in its blocks, and whether that is enough for its row to be established.

It knows blocks; nothing of ratings but the sigma that it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.rating.blocks import Block, Tally

ESTABLISHED_BLOCKS = 100
ESTABLISHED_OPPONENTS = 5
ESTABLISHED_SIGMA = 1.0
ESTABLISHED_FAULTS = 0.01
"""Faults in a game, on average: from here on a bot stays provisional."""


class Record(NamedTuple):
    """What a bot did in its blocks."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    blocks: int = 0
    boards: frozenset[int] = frozenset()
    opponents: frozenset[str] = frozenset()


def records(names: Sequence[str], blocks: Iterable[Block]) -> dict[str, Record]:
    """By bot: wins, draws and losses against every other side of a block, and whom and where it met."""
    counts = {name: [0, 0, 0, 0] for name in names}
    boards: dict[str, set[int]] = {name: set() for name in names}
    opponents: dict[str, set[str]] = {name: set() for name in names}
    for block in blocks:
        ranks = block.places
        for name, own in zip(block.bots, block.ranks, strict=True):
            count = counts[name]
            count[0] += sum(rank > own for rank in ranks)
            count[1] += ranks.count(own) - 1
            count[2] += sum(rank < own for rank in ranks)
            count[3] += 1
            boards[name].add(block.board)
            opponents[name].update(block.opponents(name) if block.teams else block.bots)
    return {name: _record(counts[name], boards[name], opponents[name] - {name}) for name in names}


def _record(counts: Sequence[int], boards: Iterable[int], opponents: Iterable[str]) -> Record:
    wins, draws, losses, blocks = counts
    return Record(wins, draws, losses, blocks, frozenset(boards), frozenset(opponents))


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
