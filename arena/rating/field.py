"""What a field looks like before anyone is rated: who met whom, who behaves like whom, who is a version of whom.

It knows blocks and names; nothing of ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.rating.blocks import Block, Side

CLONE_BLOCKS = 30
"""So many level blocks against each other, and two bots may be called clones."""

Group = tuple[str, ...]
"""Names of bots, sorted."""


class Design(NamedTuple):
    """Whether results can tell single bots apart, given who sat with and against whom."""

    rank: int
    bots: int

    @property
    def full(self) -> bool:
        """Every difference between two bots has an influence on some result of its own: rank bots - 1."""
        return self.rank >= self.bots - 1


def design_rank(lineups: Iterable[Sequence[Side]]) -> Design:
    """The rank of the matrix with a row for each pair of sides that met: +1 for bots of one side, -1 of the other.

    A line-up holds the sides of one table, each the bots on it (`Block.sides`; for mixed partners two bots a side).
    With fixed partnerships the rank stays below bots - 1: who of two partners is the better one shows nowhere.
    """
    import numpy as np

    found = {tuple(sorted(tuple(sorted(side)) for side in lineup)) for lineup in lineups}
    names = sorted({bot for lineup in found for side in lineup for bot in side})
    place = {name: index for index, name in enumerate(names)}
    rows: set[tuple[int, ...]] = set()
    for first, *others in found:
        for other in others:
            row = [0] * len(names)
            for bot in first:
                row[place[bot]] += 1
            for bot in other:
                row[place[bot]] -= 1
            rows.add(tuple(row))
    matrix = np.array(sorted(rows), dtype=float).reshape(len(rows), len(names))
    return Design(int(np.linalg.matrix_rank(matrix.T @ matrix)) if rows else 0, len(names))


def parts(blocks: Iterable[Block]) -> tuple[Group, ...]:
    """The bots that are linked by blocks, directly or through others; the largest part first, then by name.

    More than one: no result says anything about a bot of one part against a bot of another.
    """
    return tuple(sorted(_linked(block.bots for block in blocks), key=lambda group: (-len(group), group)))


def clones(blocks: Sequence[Block]) -> tuple[Group, ...]:
    """Groups of bots that behave identically, by name.

    Two bots do when all of at least 30 blocks between them were level in everything, and each had the same scores as
    the other wherever both met the same opponent on the same board. Only tables of two sides can show it: at larger
    ones the same bot fares differently behind other neighbours.
    """
    if any(len(block.bots) != 2 or block.teams for block in blocks):
        return ()
    level: Counter[tuple[str, ...]] = Counter()
    different: set[tuple[str, ...]] = set()
    for block in blocks:
        own, other = block.results
        if own == other:
            level[block.bots] += 1
        else:
            different.add(block.bots)
    likely = [pair for pair, count in level.items() if count >= CLONE_BLOCKS and pair not in different]
    if not likely:
        return ()
    elsewhere = _results_of({bot for pair in likely for bot in pair}, blocks)
    return tuple(sorted(_linked(pair for pair in likely if _agree(elsewhere[pair[0]], elsewhere[pair[1]]))))


def family_of(name: str) -> str:
    """Whose version a bot is: what stands before "@" in "fox@3"; itself for any other name."""
    return name.partition("@")[0]


def families(names: Iterable[str], given: Mapping[str, str] | None = None) -> dict[str, Group]:
    """Families of two or more: family -> its bots. `given`: bot -> family, for those that their names do not tell."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault((given or {}).get(name) or family_of(name), []).append(name)
    return {family: tuple(members) for family, members in sorted(found.items()) if len(members) > 1}


def units(names: Sequence[str], groups: Iterable[Group]) -> list[int]:
    """By bot, a number 0, 1, ...: the same for all bots of a group."""
    first = {name: group[0] for group in groups for name in group}
    heads = [first.get(name, name) for name in names]
    number = {head: index for index, head in enumerate(dict.fromkeys(heads))}
    return [number[head] for head in heads]


Elsewhere = dict[tuple[int, str], object]
"""(board, opponent) -> what both scored."""


def _results_of(bots: Collection[str], blocks: Iterable[Block]) -> dict[str, Elsewhere]:
    found: dict[str, Elsewhere] = {bot: {} for bot in bots}
    for block in blocks:
        for own in (0, 1):
            bot, opponent = block.bots[own], block.bots[1 - own]
            if bot in found:
                found[bot][block.board, opponent] = (block.results[own], block.results[1 - own])
    return found


def _agree(one: Elsewhere, other: Elsewhere) -> bool:
    return all(one[where] == other[where] for where in one.keys() & other.keys())


def _linked(links: Iterable[Sequence[str]]) -> list[Group]:
    """The connected groups."""
    head: dict[str, str] = {}

    def head_of(name: str) -> str:
        while head.setdefault(name, name) != name:
            head[name] = head[head[name]]
            name = head[name]
        return name

    for link in links:
        first = head_of(link[0])
        for name in link[1:]:
            head[head_of(name)] = first
    groups: dict[str, list[str]] = {}
    for name in sorted(head):
        groups.setdefault(head_of(name), []).append(name)
    return [tuple(group) for group in groups.values()]
