"""How every bot of a tournament did: its live rating block by block, and against whom it did how well.

Made of all games of a tournament at once, as JSON data; a large one is made in a process of its own (`python -m
arena.web.botpages.chronicle`), so that the server goes on answering.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from arena.rating import online
from arena.rating.blocks import Block, sort_out
from arena.rating.crosstables import cell_of
from arena.rating.live import Change
from arena.rating.tables import without
from arena.rating.teams import why_unrated
from arena.rating.trueskill_env import TAU_CLOSED, TAU_LADDER
from arena.runner.course import format_of, stored_pool
from arena.runner.standing import out_of
from arena.store.snapshots import packed
from arena.store.store import Store
from arena.store.values import Tournament

RECENT = 1000
"""So many blocks of a bot are listed, the newest ones."""
POINTS = 240
"""So many points of a rating are kept."""
ROUNDS = 3
"""From so many rounds on a point stands for a round, else for blocks."""
SURE = 1.959964
"""Half a 95 % interval in standard deviations."""
Data = dict[str, Any]  # Any: JSON


class Point(NamedTuple):
    """A live rating after some blocks."""

    x: int
    """Round, or number of blocks."""
    mu: float
    sigma: float
    block: str
    """The last block of the point, "r1-b3-t2"; those since the point before belong to it."""
    blocks: int
    """How many they are."""


class Step(NamedTuple):
    """What one block changed for one bot."""

    block: str
    round: int
    board: int
    table: int
    opponents: tuple[str, ...]
    swing: float
    word: str
    """win, loss or middle."""
    before: float
    before_sigma: float
    after: float
    after_sigma: float


def chronicle(store: Store, tournament: Tournament) -> Data:
    """Ratings over time and opponents of all bots of a tournament.

    `bots`: by name `points` and `steps` as lists of the values of `Point` and `Step`, `blocks` (how many there are in
    all), `opponents` (by name: swing, low, high, blocks, superiority, grey). `axis`: "round" or "block". `unrated`: why
    there are no ratings.
    """
    pool, out = stored_pool(tournament), out_of(store, tournament)
    found = sort_out(without(store.rows(tournament.id), out), pool)
    unrated = why_unrated(found.blocks) if pool.kind == "mixed" and found.blocks else ""
    axis = "round" if len({block.round for block in found.blocks}) >= ROUNDS else "block"
    bots: dict[str, Data] = {name: {"points": [], "steps": [], "blocks": 0, "opponents": {}} for name in found.tallies}
    if not unrated:
        tau = TAU_LADDER if format_of(tournament.config).ladder else TAU_CLOSED
        for name, follow in _followed(online(found.blocks, pool, tau=tau), by_round=axis == "round").items():
            bots[name].update(points=follow.sampled(), steps=list(follow.steps), blocks=follow.blocks)
    for name, opponents in _opponents(found.blocks).items():
        bots[name]["opponents"] = opponents
    return {"bots": bots, "axis": axis, "unrated": unrated}


class _Follow:
    """One bot's way through the blocks."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.steps: list[Step] = []
        self.blocks = 0

    def add(self, change: Change, name: str, *, by_round: bool) -> None:
        block = change.block
        own = block.bots.index(name)
        before, after = change.before[own], change.after[own]
        self.blocks += 1
        x = block.round if by_round else self.blocks
        count = 1
        if by_round and self.points and self.points[-1].x == x:
            count += self.points.pop().blocks
        self.points.append(Point(x, round(after.mu, 4), round(after.sigma, 4), block.id, count))
        self.steps.append(
            Step(
                block.id, block.round, block.board, block.table, block.opponents(name), round(block.swings[own], 4),
                _word(block, own), round(before.mu, 4), round(before.sigma, 4), round(after.mu, 4),
                round(after.sigma, 4),
            )
        )  # fmt: skip
        if len(self.steps) >= 2 * RECENT:
            del self.steps[:RECENT]

    def sampled(self) -> list[Point]:
        """At most POINTS of them, evenly, the last one included; each counts the blocks since the one before."""
        self.steps = self.steps[-RECENT:]
        every = -(-len(self.points) // POINTS) or 1
        kept = []
        count = 0
        for place, point in enumerate(self.points, 1):
            count += point.blocks
            if place % every == 0 or place == len(self.points):
                kept.append(point._replace(blocks=count))
                count = 0
        return kept


def _word(block: Block, own: int) -> str:
    """How a block ended for one of its bots; as `Change.outcome`, which says how likely that was and takes longer."""
    rank, last = block.ranks[own], max(block.ranks)
    if block.places.count(rank) != 1:
        return "middle"
    return "win" if rank == 0 else "loss" if rank == last else "middle"


def _followed(changes: Iterable[Change], *, by_round: bool) -> dict[str, _Follow]:
    found: dict[str, _Follow] = defaultdict(_Follow)
    for change in changes:
        for name in change.block.bots:
            found[name].add(change, name, by_round=by_round)
    return found


def _opponents(blocks: Sequence[Block]) -> dict[str, dict[str, Data]]:
    """By bot, by opponent: how the blocks went that both played."""
    met: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for block in blocks:
        score = dict(zip(block.bots, block.scores, strict=True))
        for bot in block.bots:
            for opponent in block.opponents(bot):
                met[bot, opponent][block.board].append(score[bot] - score[opponent])
    found: dict[str, dict[str, Data]] = defaultdict(dict)
    for (bot, opponent), by_board in sorted(met.items()):
        boards = list(by_board.values())
        cell = cell_of(boards)
        half = margin(boards)
        found[bot][opponent] = {
            "swing": cell.swing,
            "low": None if half is None else round(cell.swing - half, 4),
            "high": None if half is None else round(cell.swing + half, 4),
            "blocks": cell.blocks,
            "superiority": cell.superiority,
            "grey": cell.grey,
        }
    return dict(found)


def margin(groups: Sequence[Sequence[float]]) -> float | None:
    """Half the width of the 95 % interval of the mean of values that come in groups, of which each counts as one
    observation of chance: all blocks of a board, all deals of a game. None with fewer than two groups."""
    count = sum(map(len, groups))
    if len(groups) < 2 or not count:
        return None
    mean = math.fsum(value for group in groups for value in group) / count
    spread = math.fsum(math.fsum(value - mean for value in group) ** 2 for group in groups)
    return SURE * math.sqrt(spread * len(groups) / (len(groups) - 1)) / count


# As a process of its own


def main() -> int:
    """Reads an order on stdin, writes the compressed chronicle to stdout."""
    os.nice(10)
    order: Mapping[str, str] = json.loads(sys.stdin.buffer.read())
    with Store.open(order["store"], create=False) as store:
        tournament = store.tournament(order["tournament"])
        if tournament is None:
            return 1
        sys.stdout.buffer.write(packed(chronicle(store, tournament)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
