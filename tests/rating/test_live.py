import random

import pytest
from rating.fields import FOUR, PAIRS, free_for_all, pair_block, round_robin

from arena.rating import TAU_LADDER, Level, levels_of, online
from arena.rating.blocks import blocks
from arena.rating.trueskill_env import rate


def in_rounds(rows):
    """The same games, four boards a round."""
    return [row._replace(key=row.key._replace(round=row.key.board // 4)) for row in rows]


def test_live_ratings_follow_canonical_order_whatever_the_order_of_completion():
    done = list(blocks(in_rounds(round_robin({"a": 9, "b": 3, "c": 0}, 12)), PAIRS))
    expected = list(online(done, PAIRS))
    random.Random(2).shuffle(done)
    assert list(online(done, PAIRS)) == expected
    assert [change.block for change in expected] == sorted(done)


def test_a_change_tells_block_before_and_after():
    first, second = online(blocks([*pair_block(0, "fox", "owl", 5), *pair_block(1, "fox", "owl", -5)], PAIRS), PAIRS)
    assert first.before == (Level(), Level())
    assert first.after == rate(("fox", "owl"), first.before, [(1,), (0,)], draw=0.05, tau=0, result_id="r0-b0-t0")
    assert first.after[0].mu == pytest.approx(29.299763687395235)
    assert second.before == first.after
    assert levels_of([first, second]) == dict(zip(("fox", "owl"), second.after, strict=True))


def test_the_draw_probability_of_a_round_comes_from_closed_rounds():
    rows = in_rounds([row for board in range(8) for row in pair_block(board, "fox", "owl", board % 2)])
    changes = list(online(blocks(rows, PAIRS), PAIRS))
    drawn = changes[4]
    assert drawn.block.round == 1
    again = rate(drawn.block.bots, drawn.before, drawn.block.results, draw=0.5, tau=0, result_id=drawn.block.id)
    assert drawn.after == again


def test_tau_keeps_levels_moving_on_a_ladder():
    done = list(blocks(round_robin({"a": 9, "b": 0}, 40), PAIRS))
    closed, ladder = levels_of(online(done, PAIRS)), levels_of(online(done, PAIRS, tau=TAU_LADDER))
    assert all(ladder[bot].sigma > closed[bot].sigma for bot in ("a", "b"))


def test_a_free_for_all_is_rated_live():
    done = list(blocks(free_for_all({"a": 9, "b": 4, "c": 0, "d": -8, "e": -20}, 60), FOUR))
    levels = levels_of(online(done, FOUR))
    assert sorted(levels, key=lambda bot: -levels[bot].mu) == ["a", "b", "c", "d", "e"]
