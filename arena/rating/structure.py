"""Whether ratings tell the whole story of a field: a test of additive strength, the strongest cycle, a mixture to fear.

One number a bot can say who beats whom only if strength is additive. Everything here looks at results (win 1, draw 1/2,
loss 0 for every pair of a block), as ratings do; clones count as one. It knows a finished table; not how it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.rating.crosstables import GREY
from arena.rating.field import Group, units
from arena.rating.tables import DIGITS, Table

if TYPE_CHECKING:
    from arena.rating.factors import Array
    from arena.rating.pairs import Pairs

MIN_BOARDS = 30
"""With fewer boards the test does not hold its level."""
REJECTED = 0.05


class Cycle(NamedTuple):
    """Bots in a ring: each beats the next, and the last one the first."""

    bots: tuple[str, ...]
    shares: tuple[float, ...]
    """By bot: its mean result against the next, 0.5 to 1."""
    superiority: float
    """How likely the weakest of these is above a half on all boards there could be."""


class Structure(NamedTuple):
    """What pairs of bots say beyond ratings."""

    p_value: float
    """How likely results depart so far from ratings where strength is additive."""
    cycle: Cycle | None
    """The cycle whose weakest link is the surest; None where nobody beats in a circle."""
    nash: tuple[tuple[str, float], ...]
    """By bot: its share in the mixture that no bot beats on average; the one of the largest entropy if there are many.
    Clones share the share of their group."""

    @property
    def found(self) -> bool:
        """Ratings do not tell the whole story: strength is not additive, and there is a cycle."""
        return self.p_value <= REJECTED and self.cycle is not None


def structure(table: Table) -> Structure | None:
    """What pairs say beyond a table's ratings.

    None where it cannot be said: no resamples, fewer than 30 boards, a field in parts, fewer than three bots that are
    not clones, too few pairs with 30 blocks to contradict ratings, or mixed partners.
    """
    if table.pool.kind == "mixed" or not table.resamples or table.boards < MIN_BOARDS or len(table.parts) != 1:
        return None
    from arena.rating.pairs import chance_of_misfit, fitted, pairs_of

    names = table.parts[0]
    unit = units(names, table.clones)
    pairs = pairs_of(table.blocks, dict(zip(names, unit, strict=True)))
    model = fitted(pairs)
    p_value = chance_of_misfit(pairs, model, table.pool.id, table.resamples)
    if p_value is None:
        return None
    groups = [tuple(name for name, own in zip(names, unit, strict=True) if own == index) for index in range(pairs.size)]
    weights = _nash(pairs, model)
    nash = {name: weights[index] / len(group) for index, group in enumerate(groups) for name in group}
    return Structure(
        round(p_value, DIGITS),
        _cycle(pairs, groups),
        tuple((name, round(nash[name], DIGITS)) for name in names),
    )


def _cycle(pairs: Pairs, groups: Sequence[Group]) -> Cycle | None:
    """Links from the surest to the least sure, until one closes a ring; the shortest ring that it closes."""
    import numpy as np

    links = []
    for one, other, share, blocks, sure in pairs.links():
        if blocks >= GREY and share != 0.5:
            links.append((sure, share, one, other) if share > 0.5 else (1.0 - sure, 1.0 - share, other, one))
    links.sort(key=lambda link: (-link[0], -link[1], groups[link[2]], groups[link[3]]))
    beats: dict[int, dict[int, float]] = {index: {} for index in range(pairs.size)}
    reach = np.eye(pairs.size, dtype=bool)
    for sure, share, one, other in links:
        beats[one][other] = share
        if reach[other, one]:
            ring = _shortest(beats, other, one)
            first = ring.index(min(ring))
            ring = ring[first:] + ring[:first]
            shares = [beats[bot][after] for bot, after in zip(ring, ring[1:] + ring[:1], strict=True)]
            bots = tuple(groups[index][0] for index in ring)
            return Cycle(bots, tuple(round(each, DIGITS) for each in shares), round(sure, DIGITS))
        reach |= np.outer(reach[:, one], reach[other])
    return None


def _shortest(beats: dict[int, dict[int, float]], start: int, goal: int) -> list[int]:
    """The shortest way from `start` to `goal`, both included."""
    came = {start: start}
    queue = [start]
    for here in queue:
        for there in beats[here]:
            if there not in came:
                came[there] = here
                queue.append(there)
    way = [goal]
    while way[-1] != start:
        way.append(came[way[-1]])
    return way[::-1]


def _nash(pairs: Pairs, model: Array) -> list[float]:
    """The mixture of units; a pair that never met counts with what the additive model expects of it."""
    import numpy as np

    from arena.rating.nash import max_entropy

    matrix = np.zeros((pairs.size, pairs.size))
    for index, (one, other) in enumerate(pairs.bots):
        result = pairs.shares[index] if pairs.blocks[index] else model[index]
        matrix[one, other], matrix[other, one] = result - 0.5, 0.5 - result
    return [float(weight) for weight in max_entropy(matrix)]
