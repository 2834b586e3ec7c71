import math
import random
from statistics import NormalDist

import pytest
from rating.fields import FOUR, PAIRS, free_for_all, pair_block, round_robin

from arena.rating import TAU_LADDER, Block, Change, Level, levels_of, online
from arena.rating.blocks import blocks
from arena.rating.trueskill_env import BETA, draw_margin, rate


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


def change(before, scores, draw=0.05):
    bots = tuple("abcd"[: len(scores)])
    ranks = tuple(sorted(set(scores), reverse=True).index(score) for score in scores)
    block = Block(0, 0, 0, bots, tuple(scores), (0.0,) * len(bots), ranks)
    return Change(block, tuple(before), tuple(before), draw)


SURE = [Level(32.0, 0.8), Level(20.0, 0.8)]


def test_a_result_is_surprising_when_it_had_less_than_a_chance_in_five():
    upset = change(SURE, (0, 5))
    spread = math.sqrt(2 * BETA**2 + 2 * 0.8**2)
    assert upset.outcome("b").word == "win"
    expected = NormalDist().cdf((20 - 32 - draw_margin(0.05)) / spread)
    assert upset.outcome("b").chance == pytest.approx(expected, abs=1e-6)
    assert upset.outcome("a") == ("loss", pytest.approx(expected, abs=1e-6), True)
    assert upset.outcome("b").surprising
    as_expected = change(SURE, (5, 0))
    assert not as_expected.outcome("a").surprising
    assert as_expected.outcome("a").chance + expected + draw_chance(12, spread, 0.05) == pytest.approx(1, abs=1e-6)


def draw_chance(gap, spread, draw):
    normal, margin = NormalDist(), draw_margin(draw)
    return normal.cdf((margin - gap) / spread) - normal.cdf((-margin - gap) / spread)


def test_a_draw_is_neither_surprising_win_nor_loss():
    assert change(SURE, (3, 3)).outcome("b") == ("middle", None, False)


def test_at_a_table_of_four_first_and_last_have_half_the_chance_to_surprise():
    even = [Level(25.0, 1.0)] * 4
    for bot, word in (("a", "win"), ("d", "loss")):
        outcome = change(even, (9, 5, 5, 1), 0.0001).outcome(bot)
        assert (outcome.word, outcome.surprising) == (word, False)
        assert outcome.chance == pytest.approx(0.25, abs=1e-3)
    assert change(even, (9, 5, 5, 1)).outcome("b").word == "middle"
    weak = [Level(15.0, 1.0), *even[1:]]
    assert change(weak, (9, 5, 5, 1)).outcome("a").surprising


def test_surprising_wins_are_few():
    done = list(blocks(round_robin({"a": 30, "b": 0, "c": -30}, 300), PAIRS))
    outcomes = [each.outcome(bot) for each in online(done, PAIRS) for bot in each.block.bots if each.block.board > 50]
    wins = [outcome for outcome in outcomes if outcome.word == "win"]
    rare = sum(outcome.surprising for outcome in wins) / len(wins)
    assert 0.02 < rare < 0.2
