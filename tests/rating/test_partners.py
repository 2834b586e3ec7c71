import pytest
from rating.fields import PAIRS, pair_block
from rating.mixed import MIXED, mixed_block, whist_field

from arena.rating import table
from arena.rating.blocks import sort_out
from arena.rating.partners import outstanding, partner_table, partners_to_data
from arena.rating.strangers import partner_pool, partner_pool_to_data

BOTS = {f"bot{number}": 4.0 * number for number in range(8)}
GOOD = frozenset({"bot1", "bot5"})


def test_a_partnership_that_is_good_together_shows_a_residual():
    made = partner_table(table(whist_field(BOTS, 40, together={GOOD: 24.0}), MIXED, resamples=200))
    good = made.of("bot5", "bot1")
    assert good.blocks == 40
    assert good.residual > 10
    assert good.low > 0
    assert good.stands_out
    assert not good.grey
    assert all(good.residual > each.residual for each in made.partnerships if each != good)
    assert outstanding(made)[0] == f"bot1 + bot5 {good.residual:+.1f}"
    assert len(made.partnerships) == 28


def test_strengths_are_points_and_residuals_small_where_nothing_was_planted():
    made = partner_table(table(whist_field(BOTS, 40), MIXED, resamples=200))
    assert [bot for bot, _ in made.strengths] == sorted(BOTS, reverse=True)
    for bot, points in made.strengths:
        assert points == pytest.approx(BOTS[bot] - 14.0, abs=3.0)
    assert all(abs(each.residual) < 8 for each in made.partnerships)
    assert sum(each.stands_out for each in made.partnerships) <= 1


def test_residuals_are_what_the_fit_leaves():
    """Noiseless and additive: nothing is left, and the swing is the difference of the sides."""
    made = partner_table(table(whist_field(BOTS, 6, noise=0.0), MIXED, resamples=20))
    assert all(each.residual == pytest.approx(0.0, abs=1e-6) for each in made.partnerships)
    assert all(each.grey and not each.stands_out for each in made.partnerships)
    top = made.of("bot6", "bot7")
    assert top.swing > 0
    assert top.blocks == 6


def test_four_bots_have_no_residuals_since_the_fit_explains_everything():
    made = partner_table(table(whist_field({"a": 9, "b": 3, "c": 0, "d": -5}, 12), MIXED, resamples=20))
    assert {each.residual for each in made.partnerships} == {None}
    assert [bot for bot, _ in made.strengths] == ["a", "b", "c", "d"]


def test_fixed_partnerships_have_points_only():
    rows = whist_field({"a": 9, "b": 3, "c": 0, "d": -5}, 8, tables=[(0, 2, 1, 3)])
    made = partner_table(table(rows, MIXED, resamples=20))
    assert made.strengths == ()
    assert [(each.bots, each.residual) for each in made.partnerships] == [(("a", "b"), None), (("c", "d"), None)]
    assert made.of("a", "c") is None
    data = partners_to_data(made)
    assert data["partnerships"][0]["bots"] == ["a", "b"]
    assert data["partnerships"][0]["points_per_block"] == made.partnerships[0].swing


def test_pairs_have_no_partners():
    assert partner_table(table(pair_block(1, "a", "b", 5.0), PAIRS, resamples=0)) is None
    assert partners_to_data(None) is None


SWING = {("x", "x"): 10.0, ("y", "y"): 0.0, ("x", "y"): 2.0, ("x", "z"): 4.0, ("y", "z"): -2.0, ("z", "z"): -4.0}
"""Points of a pair against two of `o`: x and y do not understand each other, x and z do."""


def pool_rows(pairs, boards=8):
    return [
        game
        for board in range(boards)
        for number, pair in enumerate(pairs)
        for game in mixed_block(board, number, (pair[0], "o", pair[1], "o"), SWING[pair] + (-1) ** board)
    ]


def test_a_partner_pool_tells_what_strangers_cost():
    made = partner_pool(sort_out(pool_rows(SWING), MIXED).blocks, MIXED, "o", 200)
    assert [row.bot for row in made.rows] == ["x", "z", "y"]
    assert (made.opponents, made.boards) == ("o", 8)
    x = made.rows[0]
    assert (x.own.mean, x.strangers.mean, x.difference.mean) == (10.0, 3.0, -7.0)
    assert x.company.mean == pytest.approx(((2 - 5) + (4 - 3)) / 2)
    assert (x.difference.low, x.difference.high) == pytest.approx((-7.0, -7.0)), "the boards' luck is in both"
    assert x.own.low < 10.0 < x.own.high
    assert [partner[:2] for partner in x.partners] == [("z", 4.0), ("y", 2.0)]
    assert x.blocks == 16
    data = partner_pool_to_data(made)
    assert data["standings"][0]["with_strangers"]["mean"] == 3.0
    assert data["standings"][0]["partners"][0] == {"bot": "z", "points": 4.0, "blocks": 8}


def test_who_is_only_a_partner_has_no_row():
    pairs = [("x", "x"), ("x", "y"), ("x", "z")]
    made = partner_pool(sort_out(pool_rows(pairs, boards=3), MIXED).blocks, MIXED, "o", 200)
    [x] = made.rows
    assert x.company is None
    assert x.own[1:] == (None, None), "three boards give no interval"
    assert partner_pool((), MIXED, "o", 200).rows == ()


def test_a_partner_pool_makes_a_table_without_ratings():
    made = table(pool_rows(SWING), MIXED, resamples=20)
    assert "second copy of itself" in made.unrated
    assert {row.bot for row in made.standings} == {"x", "y", "z", "o"}
    assert partner_table(made) is not None


@pytest.mark.long
def test_residuals_of_equal_bots_are_rarely_marked_and_their_intervals_hold():
    """20 events of 8 equal bots: the figures of docs/partners.md."""
    marked = inside = total = 0
    for seed in range(20):
        made = partner_table(table(whist_field(dict.fromkeys(BOTS, 0.0), 40, seed=seed), MIXED, resamples=200))
        marked += any(each.stands_out for each in made.partnerships)
        inside += sum(each.low <= 0 <= each.high for each in made.partnerships)
        total += len(made.partnerships)
    assert marked <= 3
    assert 0.91 <= inside / total <= 0.98


@pytest.mark.parametrize("bots", [8, 9, 12, 20])
def test_what_remains_of_a_real_gain_follows_from_the_number_of_bots(bots):
    names = {f"bot{number:02}": 0.0 for number in range(bots)}
    rows = whist_field(names, 3, together={frozenset({"bot01", "bot03"}): 100.0}, noise=0.0)
    made = partner_table(table(rows, MIXED, resamples=0))
    assert made.of("bot01", "bot03").residual == pytest.approx(100 * (bots - 4) / bots, abs=1e-3)
