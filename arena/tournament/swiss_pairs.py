"""Who meets whom in one round of a Swiss: inside score groups, nobody again, as far as that can be.

Knows numbers in the order of the standing, their scores, and how often they met; not how they came to that. The pairing
is the same for everybody: nothing is drawn here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, count, product
from typing import NamedTuple

from arena.tournament.matching import FREE, augment, perfect

Met = Sequence[Sequence[int]]
"""How often each has met each."""
Pair = tuple[int, int]
NEAR = 4
"""So many of the next pairs with different scores are tried together with a third one."""


class Draw(NamedTuple):
    """One round."""

    lineups: tuple[tuple[int, ...], ...]
    """In the order of the standing of their first."""
    resting: tuple[int, ...]
    """Who has no table."""


def draw_pairs(scores: Sequence[float], met: Met, byes: Sequence[int]) -> Draw:
    """The pairs of a round of two sides; of an odd number the last who had the fewest byes rests.

    Nobody meets anybody again if any pairing allows that; else those who met least often do. From the top of the
    standing each gets the best opponent with whom that still holds: one with the same score, and there the one half a
    score group further down; then the nearest score. Last, two or three pairs exchange opponents where that brings the
    scores of opponents closer together.
    """
    size = len(scores)
    fewest = min(byes, default=0)
    rests: list[tuple[int, ...]] = [()]
    if size % 2:
        rests = [(one,) for one in reversed(range(size)) if byes[one] == fewest]
    for most in count():
        for resting in rests:
            places = [one for one in range(size) if one not in resting]
            found = _paired([scores[one] for one in places], [[met[a][b] for b in places] for a in places], most)
            if found is not None:
                return Draw(tuple((places[one], places[other]) for one, other in found), resting)
    raise AssertionError("who may meet anybody can be paired")


def _paired(scores: Sequence[float], met: Met, most: int) -> list[Pair] | None:
    size = len(scores)
    edges = [[b for b in range(size) if b != a and met[a][b] <= most] for a in range(size)]
    mates = perfect(edges)
    if mates is None:
        return None
    alive = [True] * size
    pairs: list[Pair] = []
    for one in range(size):
        if not alive[one]:
            continue
        for other in _wanted(one, scores, met, alive, edges[one]):
            if _settle(mates, edges, alive, one, other):
                pairs.append((one, other))
                break
    _exchange(pairs, lambda a, b: (met[a][b] ** 2, (scores[a] - scores[b]) ** 2))
    return sorted(pairs)


def _wanted(one: int, scores: Sequence[float], met: Met, alive: Sequence[bool], edges: Sequence[int]) -> list[int]:
    """Whom one would like to meet, the best first. One is the first that is alive."""
    group = [each for each in range(one, len(scores)) if alive[each] and scores[each] == scores[one]]
    middle = group[len(group) // 2]
    return sorted(
        (each for each in edges if alive[each]),
        key=lambda each: (
            met[one][each],
            scores[one] - scores[each],
            abs(each - middle) if scores[each] == scores[one] else each,
        ),
    )


def _settle(mates: list[int], edges: Sequence[Sequence[int]], alive: list[bool], one: int, other: int) -> bool:
    """Pair two for good if all others can still be paired; false: they cannot, nothing is changed."""
    first, second = mates[one], mates[other]
    alive[one] = alive[other] = False
    if first == other:
        return True
    mates[first] = mates[second] = FREE
    if augment(mates, edges, first, alive):
        mates[one], mates[other] = other, one
        return True
    mates[first], mates[second] = one, other
    alive[one] = alive[other] = True
    return False


def _exchange(pairs: list[Pair], cost: Callable[[int, int], tuple[float, float]]) -> None:
    """Let two pairs exchange opponents while that lowers their cost together, and two that cost something with any
    third."""

    def of(some: Iterable[Pair]) -> tuple[float, float]:
        costs = [cost(*pair) for pair in some]
        return sum(each[0] for each in costs), sum(each[1] for each in costs)

    def better(places: Sequence[int]) -> bool:
        now = of(pairs[place] for place in places)
        if now == (0, 0):
            return False
        for change in _matchings(sorted(one for place in places for one in pairs[place])):
            if of(change) < now:
                for place, pair in zip(places, change, strict=True):
                    pairs[place] = pair
                return True
        return False

    while True:
        if sum(better(two) for two in combinations(range(len(pairs)), 2)):
            continue
        dear = [place for place, pair in enumerate(pairs) if cost(*pair) > (0, 0)]
        near = [(one, other) for index, one in enumerate(dear) for other in dear[index + 1 : index + 1 + NEAR]]
        if not any(better((*two, third)) for two in near for third in range(len(pairs)) if third not in two):
            return


def _matchings(some: Sequence[int]) -> Iterator[tuple[Pair, ...]]:
    """All ways to pair some numbers, ascending."""
    if not some:
        yield ()
    for other in some[1:]:
        for rest in _matchings([one for one in some[1:] if one != other]):
            yield (some[0], other), *rest


def draw_tables(
    scores: Sequence[float],
    met: Met,
    byes: Sequence[int],
    places: int,
    fits: Callable[[Sequence[int]], bool] = lambda _: True,
) -> Draw:
    """The tables of a round of a free for all, from the top of the standing; those who had the fewest byes rest, the
    last first.

    At each table the next of the standing are joined one by one by whom they met least often, looking no further than
    the next two tables' worth of the standing. `fits`: whether these may sit at one table; where nobody does who is
    left, tables exchange bots, and only if that does not help either a table does not fit.
    """
    size = len(scores)
    ready = sorted(range(size), key=lambda one: (byes[one], -one))
    resting = tuple(sorted(ready[: size % places]))
    waiting = [one for one in range(size) if one not in resting]
    tables = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < places:
            fitting = [one for one in waiting if fits([*table, one])] or waiting
            near = fitting[: 2 * places]
            chosen = min(near, key=lambda one: (sum(met[one][each] for each in table), one))
            table.append(chosen)
            waiting.remove(chosen)
        tables.append(table)
    _mend(tables, fits)
    return Draw(tuple(tuple(sorted(table)) for table in tables), resting)


def _mend(tables: list[list[int]], fits: Callable[[Sequence[int]], bool]) -> None:
    """Exchange bots between tables until all fit, from the nearest table on; as far as single exchanges go."""
    for bad, table in enumerate(tables):
        others = sorted((each for each in range(len(tables)) if each != bad), key=lambda each: abs(each - bad))
        for other, place, seat in product(others, range(len(table)), range(len(table))):
            if fits(table):
                break
            mine, theirs = list(table), list(tables[other])
            mine[place], theirs[seat] = theirs[seat], mine[place]
            if fits(mine) and (fits(theirs) or not fits(tables[other])):
                tables[bad][:], tables[other][:] = mine, theirs
