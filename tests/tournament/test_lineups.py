"""Free-for-all line-ups: balanced, all different, the same every time."""

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest

from arena.tournament.lineups import ALL_UP_TO, MEETINGS, bases, count_lineups, lineups, packed

SIZES = [(n, k) for k in (3, 4) for n in [*range(k, 31), 40]] + [(9, 5)]


def meetings(n: int, k: int) -> Counter[tuple[int, ...]]:
    counts = Counter(dict.fromkeys(combinations(range(n), 2), 0))
    for lineup in lineups(n, k):
        counts.update(combinations(lineup, 2))
    return counts


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_meetings_of_pairs_are_within_one_of_each_other(n: int, k: int) -> None:
    counts = meetings(n, k).values()
    assert max(counts) - min(counts) <= 1
    if comb(n, k) > ALL_UP_TO:
        assert min(counts) >= MEETINGS


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_everybody_sits_at_equally_many_tables(n: int, k: int) -> None:
    tables = Counter(competitor for lineup in lineups(n, k) for competitor in lineup)
    assert len(tables) == n
    assert len(set(tables.values())) == 1


@pytest.mark.parametrize(("n", "k"), SIZES)
def test_lineups_differ_are_ascending_and_are_counted_without_making_them(n: int, k: int) -> None:
    made = list(lineups(n, k))
    assert len(made) == len(set(made)) == count_lineups(n, k)
    assert all(list(lineup) == sorted(set(lineup)) and len(lineup) == k for lineup in made)


def test_few_competitors_play_all_combinations() -> None:
    assert list(lineups(4, 4)) == [(0, 1, 2, 3)]
    assert list(lineups(5, 4)) == list(combinations(range(5), 4))
    assert count_lineups(7, 3) == 35
    assert count_lineups(8, 3) == 24


def test_lineups_are_made_one_by_one() -> None:
    lineups(40, 4)
    assert len(list(islice(lineups(40, 4), 3))) == 3


def test_the_search_finds_the_same_design_in_every_run() -> None:
    first = bases(11, 3)
    bases.cache_clear()
    assert bases(11, 3) == first == ((1, 1, 9), (1, 5, 5), (2, 6, 3), (3, 4, 4))


@pytest.mark.parametrize(("n", "k"), [(3, 3), (4, 3), (6, 3), (7, 4), (9, 3), (12, 4), (20, 4)])
def test_packed_rounds_hold_every_lineup_once_and_nobody_twice(n: int, k: int) -> None:
    rounds = packed(n, k)
    assert sorted(lineup for one in rounds for lineup in one) == sorted(lineups(n, k))
    for one in rounds:
        seated = [competitor for lineup in one for competitor in lineup]
        assert len(seated) == len(set(seated))


def test_six_at_tables_of_three_need_ten_rounds_of_two_tables() -> None:
    assert [len(one) for one in packed(6, 3)] == [2] * 10
