"""Cycles, the test of additive strength, and the mixture that nobody beats."""

import random

import numpy as np
import pytest
from rating.fields import FOUR, PAIRS, free_for_all, pair_block, ring, round_robin, with_clone

from arena.rating import structure, table
from arena.rating.blocks import blocks
from arena.rating.nash import max_entropy
from arena.rating.pairs import fitted, pairs_of


def of(rows, pool=PAIRS, resamples=300):
    return structure(table(rows, pool, resamples=resamples))


def test_bots_that_beat_each_other_in_a_circle_are_found():
    done = of(ring(60))
    assert done.found
    assert done.cycle.bots == ("b0", "b1", "b2")
    assert all(share > 0.6 for share in done.cycle.shares)
    assert done.cycle.superiority > 0.99
    assert sum(share for _, share in done.nash) == pytest.approx(1)
    assert all(0.2 < share < 0.5 for _, share in done.nash)


def test_the_shortest_ring_of_the_surest_links_is_told():
    """Five in a ring, and the second beats the fifth by a lot: of two rings the sure one."""
    rows = [*ring(60, bots=5, edge=20)]
    rows += [game for board in range(60) for game in pair_block(board, "b5", "b0", 90, table=70)]
    cycle = of(rows).cycle
    assert "b5" not in cycle.bots
    assert len(cycle.bots) in (3, 4, 5)


def test_strength_that_is_additive_has_no_structure():
    assert not of(round_robin({f"b{index}": 9.0 * index for index in range(5)}, 60)).found
    assert not of(free_for_all({f"b{index}": 2.0 * index for index in range(5)}, 300), FOUR).found


def test_the_best_of_an_additive_field_is_the_whole_mixture():
    done = of(round_robin({"a": 40.0, "b": 0.0, "c": -40.0}, 60))
    assert done.cycle is None
    assert dict(done.nash) == {"a": 1, "b": 0, "c": 0}


def test_the_order_of_games_does_not_matter():
    rows = ring(40, bots=4)
    expected = of(rows)
    random.Random(1).shuffle(rows)
    assert of(rows) == expected


def test_a_clone_changes_nothing_and_shares_its_part_of_the_mixture():
    rows = ring(60)
    alone, doubled = of(rows), of(with_clone(rows, "b1", "twin"))
    assert doubled.cycle == alone.cycle
    assert doubled.p_value == pytest.approx(alone.p_value, abs=0.01)
    before, after = dict(alone.nash), dict(doubled.nash)
    assert after["b1"] == after["twin"] == pytest.approx(before["b1"] / 2, abs=1e-4)
    assert after["b0"] == pytest.approx(before["b0"], abs=1e-4)


def test_nothing_is_said_where_nothing_can_be():
    assert of(ring(29)) is None  # few boards
    assert of(ring(40), resamples=0) is None
    assert of(round_robin({"a": 1.0, "b": 0.0}, 60)) is None  # two bots
    chain = [game for board in range(60) for game in pair_block(board, "a", "b", board % 3 - 1)]
    chain += [game for board in range(60) for game in pair_block(board, "b", "c", board % 5 - 2, table=1)]
    assert of(chain) is None  # no pair could contradict the two others
    apart = [game for board in range(60) for game in pair_block(board, "x", "y", 3, table=9)]
    assert of([*ring(60), *apart]) is None  # two parts


def test_the_additive_model_gives_back_what_is_additive():
    done = list(blocks(round_robin({"a": 12.0, "b": 4.0, "c": -30.0}, 400), PAIRS))
    pairs = pairs_of(done, {"a": 0, "b": 1, "c": 2})
    assert pairs.bots == ((0, 1), (0, 2), (1, 2))
    assert fitted(pairs) == pytest.approx(pairs.shares, abs=0.03)
    assert pairs.moved.sum(axis=1) == pytest.approx(np.zeros(3), abs=1e-9)
    links = {(one, other): sure for one, other, _, _, sure in pairs.links()}
    assert links[0, 2] > 0.999


RING = np.array([[0.0, 0.2, -0.2], [-0.2, 0.0, 0.2], [0.2, -0.2, 0.0]])


def test_the_mixture_of_a_ring_is_even():
    assert max_entropy(RING) == pytest.approx(np.full(3, 1 / 3), abs=1e-6)


def test_the_mixture_of_an_uneven_ring():
    """Rock, paper, scissors with stakes 1, 2, 3: every stake goes to the bot that is not in it."""
    stakes = np.array([[0.0, 0.1, -0.3], [-0.1, 0.0, 0.2], [0.3, -0.2, 0.0]])
    assert max_entropy(stakes) == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=1e-6)


def test_equals_get_equal_shares_and_the_dominated_nothing():
    assert max_entropy(np.zeros((4, 4))) == pytest.approx(np.full(4, 0.25), abs=1e-5)
    twins = np.zeros((4, 4))
    for row, one in enumerate((0, 1, 2, 2)):  # the third bot of the ring twice
        for column, other in enumerate((0, 1, 2, 2)):
            twins[row, column] = RING[one, other]
    assert max_entropy(twins) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-4)
    beaten = np.zeros((3, 3))
    beaten[0, 1:], beaten[1:, 0] = 0.1, -0.1
    assert max_entropy(beaten) == pytest.approx([1, 0, 0], abs=1e-6)


def test_nobody_beats_the_mixture():
    rng = np.random.default_rng(3)
    for size in (5, 12, 25):
        half = rng.normal(size=(size, size))
        matrix = half - half.T
        weights = max_entropy(matrix)
        assert weights.sum() == pytest.approx(1)
        assert (matrix @ weights).max() < 1e-6
