"""Line-ups of a free for all in which no owner has more bots than allowed, as balanced as that leaves them.

Knows numbers 0..n-1 and the owner of each. Few: all combinations that are allowed. Many: tables are filled one by one,
whoever was at the fewest tables first, with those met least often, until everybody met everybody twice who may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from arena.tournament.entry import Entry, fits_owners
from arena.tournament.lineups import ALL_UP_TO, MEETINGS, Lineup


def owned_lineups(entry: Entry) -> tuple[Lineup, ...] | None:
    """The line-ups of an entry whose owners are limited; None where they are not."""
    if not entry.keys.get("per_owner") or not entry.keys.get("owners"):
        return None
    numbers = {name: number for number, name in enumerate(entry.competitors)}
    fits = fits_owners(entry)
    allowed = frozenset(
        (numbers[one], numbers[other]) for one, other in combinations(entry.competitors, 2) if fits((one, other))
    )
    limit = entry.keys["per_owner"]
    owner_of = entry.keys["owners"]
    owners = tuple(str(owner_of.get(name, "")).casefold() for name in entry.competitors)
    return _lineups(entry.places, owners, limit, allowed)


@lru_cache(maxsize=8)
def _lineups(
    places: int, owners: tuple[str, ...], limit: int, allowed: frozenset[tuple[int, int]]
) -> tuple[Lineup, ...]:
    def fits(table: Sequence[int]) -> bool:
        return all(not owners[each] or sum(owners[other] == owners[each] for other in table) <= limit for each in table)

    if comb(len(owners), places) <= ALL_UP_TO:
        return tuple(each for each in combinations(range(len(owners)), places) if fits(each))
    return _filled(len(owners), places, fits, set(allowed))


def _filled(
    n: int, places: int, fits: Callable[[Sequence[int]], bool], wanted: set[tuple[int, int]]
) -> tuple[Lineup, ...]:
    """Tables until every wanted pair met MEETINGS times, or cannot meet so often at different tables."""
    tables: list[Lineup] = []
    seen: set[Lineup] = set()
    sat = [0] * n
    met = [[0] * n for _ in range(n)]
    missing = [{other for other in range(n) if (min(one, other), max(one, other)) in wanted} for one in range(n)]
    while any(missing):
        first = min((one for one in range(n) if missing[one]), key=lambda one: (sat[one], one))
        second = min(missing[first], key=lambda one: (met[first][one], sat[one], one))
        table = [first, second]
        while len(table) < places:
            free = [
                one
                for one in range(n)
                if one not in table
                and fits([*table, one])
                and (len(table) < places - 1 or tuple(sorted([*table, one])) not in seen)
            ]
            if not free:
                break
            table.append(min(free, key=lambda one: (sum(met[one][each] for each in table), sat[one], one)))
        if len(table) < places:
            missing[first].discard(second)
            missing[second].discard(first)
            continue
        lineup = tuple(sorted(table))
        seen.add(lineup)
        tables.append(lineup)
        for one, other in combinations(lineup, 2):
            met[one][other] = met[other][one] = met[one][other] + 1
            if met[one][other] >= MEETINGS:
                missing[one].discard(other)
                missing[other].discard(one)
        for one in lineup:
            sat[one] += 1
    return tuple(tables)
