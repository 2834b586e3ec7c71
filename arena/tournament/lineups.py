"""Balanced line-ups for a free for all: n competitors at tables of k.

Knows numbers 0..n-1 instead of competitors. Few: all combinations. Many: a cyclic design. A *base* is a cyclic word of
k gaps that sum to n; it stands for the n line-ups {i, i+g1, i+g1+g2, ...} mod n, so every competitor is in exactly k
line-ups of each base. Two competitors meet as often as their distance on the circle occurs in the bases: counts of
meetings are within 1 of each other when those of the distances 1..n/2 are, which a small search sees to. All line-ups
differ, every pair meets at least twice, and only the bases are held in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, combinations, pairwise
from math import comb

from arena.core.chance import Chance

Gaps = tuple[int, ...]
Lineup = tuple[int, ...]

ALL_UP_TO = 35
"""All combinations are played when there are no more than this: 7 competitors at tables of 3 or 4."""
MEETINGS = 2
"""At how many tables every pair meets at least when not all combinations are played."""
STEPS = 3000
"""Changes tried on one set of bases before starting afresh."""
TRIES = 6
"""Fresh starts with one number of bases before taking one base more."""


def lineups(n: int, k: int) -> Iterator[Lineup]:
    """The line-ups of n competitors at tables of k, each ascending, all different, always in the same order.

    Counts of meetings of any two pairs differ by at most 1, counts of tables of any two competitors not at all.
    """
    if comb(n, k) <= ALL_UP_TO:
        yield from combinations(range(n), k)
        return
    for gaps in bases(n, k):
        for shift in range(n):
            yield tuple(sorted((shift + place) % n for place in accumulate(gaps[:-1], initial=0)))


def count_lineups(n: int, k: int) -> int:
    """How many line-ups `lineups` gives."""
    return comb(n, k) if comb(n, k) <= ALL_UP_TO else n * len(bases(n, k))


@lru_cache(maxsize=8)
def packed(n: int, k: int) -> tuple[tuple[Lineup, ...], ...]:
    """The same line-ups in rounds in which nobody sits at two tables."""
    return pack(tuple(lineups(n, k)))


@lru_cache(maxsize=8)
def pack(some: tuple[Lineup, ...]) -> tuple[tuple[Lineup, ...], ...]:
    """Line-ups in rounds in which nobody sits at two tables: each round takes the first that still fit."""
    waiting = list(some)
    rounds = []
    while waiting:
        seated: set[int] = set()
        taken: list[Lineup] = []
        left: list[Lineup] = []
        for lineup in waiting:
            if seated.isdisjoint(lineup):
                seated.update(lineup)
                taken.append(lineup)
            else:
                left.append(lineup)
        rounds.append(tuple(taken))
        waiting = left
    return tuple(rounds)


@lru_cache(maxsize=32)
def bases(n: int, k: int) -> tuple[Gaps, ...]:
    """The bases of the cyclic design: as few as the search finds. The search is part of the schedule: it draws from a
    fixed stream, so that everybody finds the same."""
    chance = Chance(b"arena line-ups", n, k)
    pairs_needed = MEETINGS * n * (n - 1) // 2
    pairs_of_base = n * k * (k - 1) // 2
    size = -(-pairs_needed // pairs_of_base)
    while True:
        for _ in range(TRIES):
            found = _search(n, k, size, chance)
            if found:
                return tuple(sorted(found))
        size += 1


def _search(n: int, k: int, size: int, chance: Chance) -> list[Gaps] | None:
    """Hill climbing: replace one base at a time by a random one unless the meetings become less even."""
    chosen: list[Gaps] = []
    counts = [0] * (n // 2 + 1)
    for _ in range(size * TRIES):
        if len(chosen) < size and (gaps := _random_base(n, k, chance)) not in chosen:
            chosen.append(gaps)
            _count(counts, gaps, n, 1)
    if len(chosen) < size:
        return None
    for _ in range(STEPS):
        if max(counts[1:]) - min(counts[1:]) <= 1 and min(counts[1:]) >= MEETINGS:
            return chosen
        place = chance.below(size)
        gaps = _random_base(n, k, chance)
        if gaps in chosen:
            continue
        before = sum(count * count for count in counts)
        _count(counts, chosen[place], n, -1)
        _count(counts, gaps, n, 1)
        if sum(count * count for count in counts) <= before:
            chosen[place] = gaps
        else:
            _count(counts, gaps, n, -1)
            _count(counts, chosen[place], n, 1)
    return None


def _random_base(n: int, k: int, chance: Chance) -> Gaps:
    """A base without a period (one with a period would give the same line-up twice), as its smallest rotation."""
    while True:
        cuts = [0, *sorted(place + 1 for place in chance.sample(range(n - 1), k - 1)), n]
        gaps = tuple(high - low for low, high in pairwise(cuts))
        rotations = {gaps[turn:] + gaps[:turn] for turn in range(k)}
        if len(rotations) == k:
            return min(rotations)


def _count(counts: list[int], gaps: Gaps, n: int, sign: int) -> None:
    """Add the distances between the places of a base. Opposite places meet twice while the base turns once round."""
    places = list(accumulate(gaps[:-1], initial=0))
    for one, other in combinations(places, 2):
        distance = min(other - one, n - other + one)
        counts[distance] += sign * (2 if 2 * distance == n else 1)
