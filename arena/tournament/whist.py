"""Whist designs: n competitors at tables of two partnerships, so that everyone has everyone as partner and opponent.

Knows numbers 0..n-1 instead of competitors. A design is the development of an *initial round*: in each further round
every number grows by one, modulo m. With n = 4k competitors m is n - 1 and the last one stays where it is; with any
other n m is n, and n mod 4 sit out a round.

In an exact design everyone partners everyone once and opposes everyone twice. That is so for n = 4, 8, 12, 16, 20, 21,
24, 25, 28, 32 and 33 (initial rounds found by a search, kept below), for 9 (numbers are pairs modulo 3) and for every
prime 4k + 1: with a primitive root w the tables of the initial round are w^i and -w^i against w^(i+k) and -w^(i+k), for
i = 0 .. k-1 (E. H. Moore, Tactical memoranda, American Journal of Mathematics 18, 1896). For other n the initial round
is found by swaps, drawn from a fixed stream, that make counts of partners and of opponents as even as they can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from arena.core.chance import Chance

Table = tuple[int, int, int, int]
"""By place round the table: the first and the third are partners, the second and the fourth too."""
FIXED = -1
"""Stands in an initial round for the competitor that stays where it is."""
INITIAL: dict[int, tuple[Table, ...]] = {
    4: ((FIXED, 1, 0, 2),),
    8: ((FIXED, 1, 0, 3), (2, 5, 6, 4)),
    9: ((3, 1, 6, 2), (4, 7, 8, 5)),
    12: ((FIXED, 1, 0, 3), (2, 7, 9, 6), (4, 5, 10, 8)),
    16: ((FIXED, 4, 0, 13), (1, 6, 5, 7), (2, 10, 9, 12), (3, 14, 8, 11)),
    18: ((13, 9, 10, 1), (3, 5, 2, 7), (14, 8, 0, 15), (6, 4, 12, 17)),
    20: ((FIXED, 2, 0, 13), (1, 5, 7, 4), (3, 11, 10, 15), (6, 14, 9, 16), (8, 17, 18, 12)),
    21: ((1, 2, 11, 8), (3, 7, 20, 9), (4, 16, 17, 19), (5, 10, 12, 15), (6, 13, 18, 14)),
    22: ((15, 13, 0, 8), (18, 17, 5, 1), (9, 12, 11, 20), (4, 10, 16, 14), (6, 2, 7, 21)),
    24: ((FIXED, 17, 0, 19), (1, 20, 8, 7), (2, 5, 10, 9), (3, 11, 14, 16), (4, 18, 13, 15), (6, 21, 12, 22)),
    25: ((1, 2, 15, 7), (3, 22, 13, 23), (4, 6, 21, 18), (5, 9, 8, 16), (10, 12, 19, 14), (11, 20, 17, 24)),
    28: (
        (FIXED, 3, 0, 17),
        (1, 19, 10, 22),
        (2, 25, 14, 15),
        (4, 8, 24, 9),
        (5, 11, 21, 13),
        (6, 26, 12, 7),
        (16, 18, 20, 23),
    ),
    32: (
        (FIXED, 1, 0, 27),
        (2, 12, 21, 30),
        (3, 18, 4, 28),
        (5, 24, 16, 8),
        (6, 19, 29, 23),
        (7, 14, 9, 20),
        (10, 11, 13, 25),
        (15, 17, 22, 26),
    ),
    33: (
        (1, 21, 3, 13),
        (2, 14, 8, 30),
        (4, 11, 19, 15),
        (5, 12, 25, 24),
        (6, 31, 16, 22),
        (7, 10, 26, 17),
        (9, 18, 20, 23),
        (27, 29, 28, 32),
    ),
}
"""By number of competitors; all exact but 18 and 22, which are as even as they can be."""
SWAPS = 6_000
"""Swaps tried on one initial round before starting afresh ..."""
STARTS = 5
"""... so often; the best one is taken."""
LUCKY = 10
"""In so many of a thousand swaps counts may become a little less even, so as not to get stuck."""
PARTNERS = 4
"""How much an uneven count of partners weighs; one of opponents weighs 1."""


class Initial(NamedTuple):
    """An initial round and how it is developed."""

    tables: tuple[Table, ...]
    moduli: tuple[int, ...]
    """Numbers are digits to these moduli, which grow each by itself: (m,) but for 9 competitors, (3, 3)."""


def whist_rounds(n: int) -> int:
    """How many rounds the design of n >= 4 competitors has."""
    return n - 1 if n % 4 == 0 else n


def whist_round(n: int, number: int) -> tuple[Table, ...]:
    """The tables of round `number`, from 0. Raises ValueError for fewer than 4 competitors."""
    initial = initial_round(n)
    return tuple(_moved(table, number % whist_rounds(n), initial.moduli, n - 1) for table in initial.tables)


def is_exact(n: int) -> bool:
    """Whether everyone partners everyone once and opposes everyone twice."""
    partners, opponents = meetings([table for number in range(whist_rounds(n)) for table in whist_round(n, number)])
    pairs = n * (n - 1) // 2
    return len(partners) == len(opponents) == pairs and {*partners.values()} == {1} and {*opponents.values()} == {2}


def meetings(tables: Sequence[Sequence[int]]) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """How often each pair, smaller number first, were partners and opponents at some tables."""
    partners: Counter[tuple[int, int]] = Counter()
    opponents: Counter[tuple[int, int]] = Counter()
    for a, b, c, d in tables:
        partners.update(_pair(*pair) for pair in ((a, c), (b, d)))
        opponents.update(_pair(*pair) for pair in product((a, c), (b, d)))
    return partners, opponents


@lru_cache(maxsize=16)
def initial_round(n: int) -> Initial:
    """The initial round of n competitors, always the same. Raises ValueError for fewer than 4."""
    if n < 4:
        raise ValueError(f"{n} competitors make no table of partners; expected 4 or more")
    if n in INITIAL:
        return Initial(INITIAL[n], (3, 3) if n == 9 else (whist_rounds(n),))
    if n % 4 == 1 and _is_prime(n):
        return Initial(_from_root(n), (n,))
    return Initial(_searched(n), (whist_rounds(n),))


def _from_root(prime: int) -> tuple[Table, ...]:
    k = prime // 4
    root = next(w for w in range(2, prime) if len({pow(w, i, prime) for i in range(prime - 1)}) == prime - 1)
    powers = [pow(root, i, prime) for i in range(2 * k)]
    return tuple((powers[i], powers[i + k], prime - powers[i], prime - powers[i + k]) for i in range(k))


def _is_prime(n: int) -> bool:
    return all(n % divisor for divisor in range(2, int(n**0.5) + 1))


def _moved(table: Table, by: int, moduli: Sequence[int], last: int) -> Table:
    a, b, c, d = (last if place == FIXED else _sum(place, by, moduli) for place in table)
    return a, b, c, d


def _sum(one: int, other: int, moduli: Sequence[int]) -> int:
    """Digit by digit, the last digit first."""
    total, weight = 0, 1
    for modulus in reversed(moduli):
        total += weight * ((one + other) % modulus)
        one, other, weight = one // modulus, other // modulus, weight * modulus
    return total


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _searched(n: int) -> tuple[Table, ...]:
    """The most even of a few initial rounds, each made by swapping places as long as that makes it no less even."""
    chance = Chance(b"arena whist designs", n)
    best: tuple[int, tuple[Table, ...]] | None = None
    for _ in range(STARTS):
        counts = _Counts(n, chance.shuffled([*range(n - 1), FIXED] if n % 4 == 0 else range(n)))
        for _ in range(SWAPS):
            if counts.cost == counts.least:
                break
            counts.swap(chance.below(n), chance.below(n), chance.below(1000))
        if (best is None or counts.cost < best[0]) and _all_differ(counts.tables(), n):
            best = counts.cost, counts.tables()
        if best is not None and best[0] == counts.least:
            break
    assert best is not None, "line-ups that come back are rare"
    return best[1]


class _Counts:
    """Competitors in the places of an initial round, and how often each distance on the circle is one of partners and
    of opponents: over the whole design all pairs of that distance meet so often."""

    def __init__(self, n: int, order: list[int]) -> None:
        self._m = whist_rounds(n)
        self._order = order
        self._seated = n - n % 4
        self._partners = [0] * (self._m // 2 + 1)
        self._opponents = [0] * (self._m // 2 + 1)
        self.cost = 0
        """The sum of the squares of the counts of all pairs, in units of m / 2 pairs."""
        for table in range(self._seated // 4):
            self._count(table, 1)
        self.least = PARTNERS * self._even(self._partners) + self._even(self._opponents)
        """No counts are more even than this."""

    def tables(self) -> tuple[Table, ...]:
        """The initial round."""
        o = self._order
        return tuple((o[at], o[at + 1], o[at + 2], o[at + 3]) for at in range(0, self._seated, 4))

    def swap(self, one: int, other: int, luck: int) -> None:
        """Swap two places unless the counts become less even; now and then, by luck (0 to 999), a little less."""
        before = self.cost
        self._exchange(one, other)
        if self.cost > before + (2 * PARTNERS if luck < LUCKY else 0):
            self._exchange(one, other)

    def _exchange(self, one: int, other: int) -> None:
        order = self._order
        tables = {place // 4 for place in (one, other) if place < self._seated}
        for table in tables:
            self._count(table, -1)
        order[one], order[other] = order[other], order[one]
        for table in tables:
            self._count(table, 1)

    def _count(self, table: int, sign: int) -> None:
        a, b, c, d = self._order[4 * table : 4 * table + 4]
        for one, other in ((a, c), (b, d)):
            self._add(self._partners, one, other, sign, PARTNERS)
        for one, other in ((a, b), (a, d), (c, b), (c, d)):
            self._add(self._opponents, one, other, sign, 1)

    def _add(self, counts: list[int], one: int, other: int, sign: int, weight: int) -> None:
        if one == FIXED or other == FIXED:
            return  # who stays where it is meets everybody equally often
        distance = abs(one - other)
        distance = min(distance, self._m - distance)
        half = 2 * distance == self._m  # half as many pairs are so far apart, and each of them meets twice as often
        before = counts[distance]
        after = counts[distance] = before + (2 * sign if half else sign)
        self.cost += weight * (after * after - before * before) * (1 if half else 2)

    def _even(self, counts: list[int]) -> int:
        """The least cost that counts of this sum can have."""
        half = 2 * (len(counts) - 1) == self._m
        times = sum(counts) - (counts[-1] // 2 if half else 0)
        others = len(counts) - 1 - half
        return min(
            2 * _least_squares(times - double, others) + (2 * double) ** 2
            for double in (range(times + 1) if half else (0,))
        )


def _least_squares(total: int, parts: int) -> int:
    """The least sum of squares of so many whole numbers of a sum."""
    low, more = divmod(total, parts)
    return (parts - more) * low * low + more * (low + 1) ** 2


def _all_differ(tables: Sequence[Table], n: int) -> bool:
    """Whether no line-up comes twice in the whole design."""
    m = whist_rounds(n)
    found = {
        frozenset({frozenset({a, c}), frozenset({b, d})})
        for number in range(m)
        for a, b, c, d in (_moved(table, number, (m,), n - 1) for table in tables)
    }
    return len(found) == m * len(tables)


def lineups(n: int) -> Iterator[Table]:
    """All tables of the design, round after round, all different."""
    for number in range(whist_rounds(n)):
        yield from whist_round(n, number)
