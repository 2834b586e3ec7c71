import numpy as np
import pytest
from rating.fields import FOUR, PAIRS, free_for_all, round_robin

from arena.rating.blocks import blocks
from arena.rating.bootstrap import draw_boards, fit_blocks, kind_of, resample


def test_boards_are_drawn_as_often_as_there_are_boards_and_fixed_by_the_pools_id():
    draws = draw_boards(PAIRS.id, 30, 200)
    assert draws.shape == (30, 200)
    assert np.all(draws.sum(axis=0) == 30)
    assert np.array_equal(draws, draw_boards(PAIRS.id, 30, 200))
    assert not np.array_equal(draws, draw_boards(FOUR.id, 30, 200))
    assert draws.mean(axis=1) == pytest.approx(np.ones(30), abs=0.3)


def test_the_generator_is_the_same_everywhere():
    assert draw_boards("0123456789abcdef", 4, 3).tolist() == GENERATOR


GENERATOR = [[1.0, 1.0, 1.0], [2.0, 1.0, 0.0], [1.0, 0.0, 2.0], [0.0, 2.0, 1.0]]


@pytest.mark.parametrize(
    ("rows", "pool"),
    [
        (round_robin({"a": 12, "b": 4, "c": 1, "d": -25}, 20), PAIRS),
        (free_for_all({"a": 4, "b": 1, "c": 0, "d": -6, "e": -9}, 25), FOUR),
    ],
    ids=["pairs", "four"],
)
def test_a_resample_is_the_fit_of_the_boards_that_were_drawn(rows, pool):
    done = list(blocks(rows, pool))
    names = sorted({bot for block in done for bot in block.bots})
    full = fit_blocks(done, names, 0.03)
    samples = resample(full, done, names, pool, 8)
    boards = sorted({block.board for block in done})
    draws = draw_boards(pool.id, len(boards), 8)
    for column in range(8):
        times = {board: int(draws[index, column]) for index, board in enumerate(boards)}
        drawn = [block for block in done for _ in range(times[block.board])]
        refit = fit_blocks(drawn, names, 0.03)
        assert samples.ratings[:, column] == pytest.approx(refit.levels.mu[:, 0], abs=0.02)
        for index, name in enumerate(names):
            swings = [block.swings[block.bots.index(name)] for block in drawn if name in block.bots]
            assert samples.points[index, column] == pytest.approx(sum(swings) / len(swings))


def test_a_bot_whose_boards_were_not_drawn_has_no_points():
    done = list(blocks(free_for_all({f"b{index}": index for index in range(12)}, 6), FOUR))
    names = sorted({bot for block in done for bot in block.bots})
    samples = resample(fit_blocks(done, names, 0.02), done, names, FOUR, 100)
    assert np.isnan(samples.points).any()
    assert np.isfinite(samples.ratings).all()


def test_ties_are_part_of_what_a_block_says():
    (block, *_) = blocks(free_for_all({"a": 0, "b": 0, "c": 0, "d": 0}, 1), FOUR)
    tied = block._replace(ranks=(0, 1, 1, 2))
    place = {"a": 0, "b": 1, "c": 2, "d": 3}
    assert kind_of(tied, place).ties == (False, True, False)
    assert kind_of(tied, place) == kind_of(tied._replace(board=9, round=3), place)
    assert kind_of(tied, place).bots in ((0, 1, 2, 3), (0, 2, 1, 3))
