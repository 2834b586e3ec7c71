"""Rounds of a free for all in which everybody plays: every design counted."""

from collections import Counter
from itertools import combinations

import pytest

from arena.tournament.entry import Entry
from arena.tournament.planes import full_rounds
from arena.tournament.round_robin import round_robin

KNOWN = [(9, 3, 4, 1), (16, 4, 5, 1), (25, 5, 6, 1)] + [
    (n, 4, n - (n % 4 == 0), 3) for n in (8, 9, 12, 13, 17, 20, 21, 24, 25, 28, 29, 32, 33, 37)
]


@pytest.mark.parametrize(("n", "k", "rounds", "times"), KNOWN)
def test_everybody_plays_in_every_round_and_meets_everybody_equally_often(
    n: int, k: int, rounds: int, times: int
) -> None:
    found = full_rounds(n, k)
    assert found is not None
    assert len(found) == rounds
    met: Counter[tuple[int, ...]] = Counter()
    for tables in found:
        seated = [each for table in tables for each in table]
        assert len(seated) == len(set(seated)) == n // k * k
        assert all(table == tuple(sorted(table)) and len(table) == k for table in tables)
        met.update(pair for table in tables for pair in combinations(table, 2))
    assert set(met.values()) == {times}
    assert len(met) == n * (n - 1) // 2
    assert len({table for tables in found for table in tables}) == sum(map(len, found)), "no line-up comes twice"


@pytest.mark.parametrize(("n", "k"), [(9, 2), (5, 4), (10, 3), (10, 4), (18, 4), (41, 4)])
def test_there_is_none_for_other_numbers(n: int, k: int) -> None:
    assert full_rounds(n, k) is None


def test_a_round_robin_with_boards_of_each_round_uses_them() -> None:
    names = tuple(f"bot{number}" for number in range(9))
    schedule = round_robin(Entry(names, 3, 2, bytes(32), "per_round"))
    assert schedule.totals() == (4, 8, 12, 12, 24, 72, True)
    first = list(schedule.round(1))
    assert {bot for bout in first for bot in bout.lineup} == set(names)
    assert {bout.boards for bout in first} == {(1, 2)}
