"""The circle method: everybody meets everybody once, nobody plays twice in a round."""

from collections import Counter

import pytest

from arena.tournament.pairings import all_pairs, circle_round, circle_rounds


@pytest.mark.parametrize("n", range(2, 31))
def test_every_pair_meets_exactly_once(n: int) -> None:
    met = Counter(all_pairs(n))
    assert set(met.values()) == {1}
    assert set(met) == {(one, other) for other in range(n) for one in range(other)}


@pytest.mark.parametrize("n", range(2, 31))
def test_nobody_plays_twice_in_a_round_and_at_most_one_sits_out(n: int) -> None:
    for number in range(circle_rounds(n)):
        seated = [competitor for pair in circle_round(n, number) for competitor in pair]
        assert len(seated) == len(set(seated)) == n - n % 2


@pytest.mark.parametrize("n", [3, 5, 7])
def test_with_an_odd_number_each_sits_out_once(n: int) -> None:
    out = [set(range(n)) - {c for pair in circle_round(n, number) for c in pair} for number in range(circle_rounds(n))]
    assert sorted(competitor for one in out for competitor in one) == list(range(n))
