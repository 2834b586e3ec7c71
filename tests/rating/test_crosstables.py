import random

import pytest
from rating.fields import FOUR, PAIRS, free_for_all, pair_block, round_robin

from arena.rating import crosstable
from arena.rating.blocks import blocks
from arena.rating.crosstables import cell_of


def test_a_cell_has_mean_swing_and_blocks_of_the_two_bots_alone():
    rows = [*pair_block(0, "fox", "owl", 10), *pair_block(1, "fox", "owl", -4), *pair_block(2, "fox", "elk", 90)]
    cross = crosstable(rows, PAIRS)
    assert cross.cell("fox", "owl")[:2] == (3, 2)
    assert cross.cell("owl", "fox")[:2] == (-3, 2)
    assert cross.cell("elk", "owl") is None
    assert cross.cell("fox", "fox") is None
    assert cross.bots == ("fox", "owl", "elk")


def test_a_cell_and_its_mirror_agree():
    cross = crosstable(round_robin({"a": 3, "b": 1, "c": -2}, 20), PAIRS)
    for bot in cross.bots:
        for opponent in cross.bots:
            if bot != opponent:
                one, other = cross.cell(bot, opponent), cross.cell(opponent, bot)
                assert one.swing == -other.swing
                assert one.blocks == other.blocks == 20
                assert one.superiority + other.superiority == pytest.approx(1)


def test_a_cell_is_grey_below_thirty_blocks():
    rows = round_robin({"a": 3, "b": 1}, 30)
    assert not crosstable(rows, PAIRS).cell("a", "b").grey
    assert crosstable(rows[:-2], PAIRS).cell("a", "b").grey


def test_in_a_free_for_all_a_cell_is_the_difference_in_blocks_both_played():
    rows = free_for_all({"a": 6, "b": 3, "c": 0, "d": -3, "e": -6}, 40)
    cell = crosstable(rows, FOUR).cell("a", "e")
    both = [block for block in blocks(rows, FOUR) if {"a", "e"} <= set(block.bots)]
    differences = [block.scores[block.bots.index("a")] - block.scores[block.bots.index("e")] for block in both]
    assert cell.blocks == len(both)
    assert cell.swing == pytest.approx(sum(differences) / len(both), abs=1e-6)


def test_the_order_of_games_does_not_matter():
    rows = round_robin({"a": 3, "b": 1, "c": -2}, 20)
    expected = crosstable(rows, PAIRS)
    random.Random(4).shuffle(rows)
    assert crosstable(rows, PAIRS) == expected


@pytest.mark.parametrize(
    ("swings", "superiority"),
    [
        ([[5]], None),
        ([[5, 7]], None),
        ([[5], [5]], 1.0),
        ([[-5], [-5]], 0.0),
        ([[0], [0]], 0.5),
        ([[4], [-4]], 0.5),
        ([[1], [3]], 0.97725),
        ([[1, 1], [3, 3]], 0.97725),
    ],
)
def test_likelihood_of_superiority_takes_boards_as_what_chance_decides(swings, superiority):
    assert cell_of(swings).superiority == (pytest.approx(superiority, abs=1e-5) if superiority is not None else None)
