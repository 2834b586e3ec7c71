"""Whist designs: exact where they say so, as even as can be elsewhere, and always the same."""

from __future__ import annotations

from itertools import combinations

import pytest

from arena.tournament import whist
from arena.tournament.whist import is_exact, lineups, meetings, whist_round, whist_rounds

EXACT = [4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29, 32, 33, 37, 41]


def counts(n: int) -> tuple[set[int], set[int]]:
    """How often pairs are partners, and opponents: the numbers that occur."""
    partners, opponents = meetings(list(lineups(n)))
    pairs = list(combinations(range(n), 2))
    return {partners[pair] for pair in pairs}, {opponents[pair] for pair in pairs}


@pytest.mark.parametrize("n", EXACT)
def test_everyone_partners_everyone_once_and_opposes_everyone_twice(n: int) -> None:
    assert counts(n) == ({1}, {2})
    assert is_exact(n)


@pytest.mark.parametrize("n", EXACT)
def test_an_exact_design_has_as_few_rounds_as_can_be(n: int) -> None:
    assert whist_rounds(n) == (n - 1 if n % 4 == 0 else n)
    assert len(list(lineups(n))) == n * (n - 1) // 4


@pytest.mark.parametrize("n", range(4, 26))
def test_in_a_round_nobody_sits_twice_and_over_all_rounds_all_sit_equally_often(n: int) -> None:
    sat = dict.fromkeys(range(n), 0)
    for number in range(whist_rounds(n)):
        seated = [bot for table in whist_round(n, number) for bot in table]
        assert len(seated) == len(set(seated)) == n - n % 4
        for bot in seated:
            sat[bot] += 1
    assert len(set(sat.values())) == 1


@pytest.mark.parametrize("n", [n for n in range(4, 26) if n not in EXACT])
def test_other_designs_are_even_within_one(n: int) -> None:
    for found in counts(n):
        assert max(found) - min(found) == 1
    assert not is_exact(n)


@pytest.mark.parametrize("n", [26, 36, 60])
def test_larger_designs_are_nearly_even(n: int) -> None:
    partners, opponents = counts(n)
    assert partners <= {0, 1, 2}
    assert max(opponents) - min(opponents) <= 4


@pytest.mark.parametrize("n", [*range(4, 26), 50])
def test_no_line_up_comes_twice(n: int) -> None:
    teams = [frozenset({frozenset({a, c}), frozenset({b, d})}) for a, b, c, d in lineups(n)]
    assert len(teams) == len(set(teams))


def test_a_searched_design_is_always_the_same() -> None:
    whist.initial_round.cache_clear()
    first = list(lineups(14))
    whist.initial_round.cache_clear()
    assert list(lineups(14)) == first
    assert first[0] == whist_round(14, 0)[0]


def test_the_design_of_nine_is_developed_by_two_digits() -> None:
    assert whist_round(9, 0) == ((3, 1, 6, 2), (4, 7, 8, 5))
    assert whist_round(9, 3) == ((6, 4, 0, 5), (7, 1, 2, 8)), "plus (1, 0): the first digit grows"
    assert whist_round(9, 9) == whist_round(9, 0)


def test_three_make_no_table() -> None:
    with pytest.raises(ValueError, match="no table of partners"):
        whist_round(3, 0)
