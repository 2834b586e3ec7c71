import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rating.fields import PAIRS
from rating.mixed import MIXED, MIXED_FOUR, mixed_block, whist_field

from arena.core.errors import ArenaFault, ConfigError
from arena.games import make
from arena.rating import Block, Pool, combined, crosstable, online, structure, table, table_to_data
from arena.rating.blocks import draw_share, sort_out
from arena.rating.bootstrap import fit_blocks
from arena.rating.records import records
from arena.rating.teams import rate_teams, team_messages, why_unrated
from arena.rating.trueskill_env import MU, SIGMA, Level, draw_margin, rate_groups

BOTS = {f"bot{number}": 6.0 * number for number in range(8)}


def after(levels, tied, draw):
    mu = np.array([[level.mu] for level in levels])
    var = np.array([[level.sigma**2] for level in levels])
    pi, tau = team_messages(mu, var, tied, draw_margin(draw, 4))
    pi, tau = 1 / var + pi, mu / var + tau
    return [Level(float(tau[x, 0] / pi[x, 0]), float(pi[x, 0] ** -0.5)) for x in range(len(levels))]


def by_rating(made):
    return [row.bot for row in sorted(made.standings, key=lambda row: -row.rating)]


def assert_close(own, package):
    for one, other in zip(own, package, strict=True):
        assert one.mu == pytest.approx(other.mu, abs=1e-6)
        assert one.sigma == pytest.approx(other.sigma, abs=1e-6)


level = st.builds(Level, st.floats(-10, 60), st.floats(0.2, 9))


@given(st.tuples(level, level, level, level), st.booleans(), st.sampled_from([0.001, 0.05, 0.2, 0.5]))
def test_two_against_two_agree_with_the_package(levels, tied, draw):
    package = rate_groups([levels[:2], levels[2:]], [0, 0 if tied else 1], draw=draw, tau=0)
    assert_close(after(levels, tied, draw), [each for group in package for each in group])


def test_teams_of_one_say_what_single_competitors_say():
    from arena.rating.factors import messages

    rng = np.random.default_rng(1)
    mu, var = rng.uniform(10, 40, (2, 20)), rng.uniform(1, 60, (2, 20))
    for tied in (False, True):
        for one, other in zip(team_messages(mu, var, tied, 0.7), messages(mu, var, [tied], 0.7), strict=True):
            assert one == pytest.approx(other, rel=1e-9)


def by_package(blocks, names, draw):
    """The batch fit, one block after another, every message by the package."""
    pi, tau = dict.fromkeys(names, SIGMA**-2), dict.fromkeys(names, MU * SIGMA**-2)
    said = [dict.fromkeys(block.bots, (0.0, 0.0)) for block in blocks]
    for _ in range(300):
        before = [tau[name] / pi[name] for name in names]
        for block, own in zip(blocks, said, strict=True):
            cavity = {bot: (pi[bot] - own[bot][0], tau[bot] - own[bot][1]) for bot in block.bots}
            groups = [
                [Level(cavity[bot][1] / cavity[bot][0], cavity[bot][0] ** -0.5) for bot in t] for t in block.teams
            ]
            rated = rate_groups(groups, block.places, draw=draw, tau=0)
            for bot, new in zip(itertools.chain(*block.teams), itertools.chain(*rated), strict=True):
                own[bot] = new.sigma**-2 - cavity[bot][0], new.mu * new.sigma**-2 - cavity[bot][1]
                pi[bot], tau[bot] = cavity[bot][0] + own[bot][0], cavity[bot][1] + own[bot][1]
        if max(abs(tau[name] / pi[name] - old) for name, old in zip(names, before, strict=True)) < 1e-6:
            break
    mu = np.array([tau[name] / pi[name] for name in names])
    return mu - mu.mean() + MU, np.array([pi[name] ** -0.5 for name in names])


def test_the_batch_fit_of_teams_agrees_with_the_package_one_result_after_another():
    blocks = sort_out(whist_field({f"b{number}": 4.0 * number for number in range(5)}, 4), MIXED).blocks
    names = [f"b{number}" for number in range(5)]
    mu, sigma = by_package(blocks, names, 0.05)
    levels = fit_blocks(blocks, names, 0.05).levels
    assert levels.mu[:, 0] == pytest.approx(mu, abs=1e-3)
    assert levels.sigma[:, 0] == pytest.approx(sigma, abs=1e-3)


def test_strengths_of_single_bots_are_recovered_and_the_order_plays_no_part():
    rows = whist_field(BOTS, 30)
    made = table(rows, MIXED, resamples=100)
    assert made.unrated == ""
    assert by_rating(made) == sorted(BOTS, reverse=True)
    assert {row.blocks for row in made.standings} == {30 * 7}
    assert all(row.low < row.rating < row.high for row in made.standings)
    assert sum(row.rating for row in made.standings) / 8 == pytest.approx(MU, abs=1e-3)
    random.Random(1).shuffle(rows)
    again = table(rows, MIXED, resamples=100)
    for one, other in zip(made.standings, again.standings, strict=True):
        assert one.rating == pytest.approx(other.rating, abs=1e-3)
    assert made == again
    assert {row.bot: row.place for row in made.standings}["bot7"] == "1"


def test_intervals_of_mixed_partners_contain_the_truth_about_as_often_as_they_say():
    """Equal bots: the true rating of each is the mean of the field."""
    inside = total = 0
    for seed in range(6):
        made = table(whist_field(dict.fromkeys(BOTS, 0.0), 24, seed=seed), MIXED, resamples=100)
        total += len(made.standings)
        inside += sum(row.low <= MU <= row.high for row in made.standings)
    assert inside / total >= 0.8


def test_a_block_of_mixed_partners_has_four_names_and_two_sides():
    [block] = sort_out(mixed_block(3, 2, ("d", "a", "b", "c"), 12.0), MIXED).blocks
    assert (block.bots, block.teams) == (("a", "b", "c", "d"), (("a", "c"), ("b", "d")))
    assert block.scores == (-6.0, 6.0, -6.0, 6.0)
    assert block.swings == (-12.0, 12.0, -12.0, 12.0)
    assert (block.ranks, block.places) == ((1, 0, 1, 0), (1, 0))
    assert block.lineup == ("a", "c", "b", "d")
    assert block.opponents("a") == ("b", "d")
    assert draw_share([block], 0.3) == 0.001
    record = records(block.bots, [block])
    assert record["a"][:4] == (0, 0, 1, 1)
    assert record["d"][:4] == (1, 0, 0, 1)
    assert record["a"].opponents == {"b", "d"}


def test_a_drawn_block_is_one_draw_for_each_of_the_four():
    [block] = sort_out(mixed_block(1, 1, ("a", "b", "c", "d"), 0.0), MIXED).blocks
    assert block.places == (0, 0)
    assert {record[:4] for record in records(block.bots, [block]).values()} == {(0, 1, 0, 1)}
    assert draw_share([block], 0.3) == 0.5


def test_four_rotations_make_one_block():
    rows = mixed_block(1, 1, ("a", "b", "c", "d"), 12.0, seatings=4)
    [block] = sort_out(rows, MIXED_FOUR).blocks
    assert block.swings == (12.0, -12.0, 12.0, -12.0)
    assert sort_out(rows[:3], MIXED_FOUR)[:2] == ((), 1)


def test_pools_of_mixed_partners_are_apart_and_need_two_sides_of_two():
    game = make("goat", {})
    two, four = Pool.mixed(game, "deal"), Pool.mixed(game, "deal", seatings=4)
    assert len({two.id, four.id, Pool.of(game, "deal").id, MIXED.id, PAIRS.id}) == 5
    assert (two.kind, two.seatings, four.seatings, two.name) == ("mixed", 2, 4, "goat mixed partners 2v2")
    with pytest.raises(ConfigError, match="do not make a mixed pool"):
        Pool.mixed(make("crow_and_pitcher", {}), "match")
    with pytest.raises(ConfigError, match="seatings"):
        Pool.mixed(game, "deal", seatings=3)


def test_other_partners_in_another_seating_make_no_block():
    rows = mixed_block(1, 1, ("a", "b", "c", "d"), 1.0)[:1] + mixed_block(1, 1, ("a", "c", "b", "d"), 1.0)[1:]
    with pytest.raises(ArenaFault, match="play a seating of a block"):
        sort_out(rows, MIXED)


def test_a_bot_on_both_sides_is_not_rated():
    assert sort_out(mixed_block(1, 1, ("a", "a", "b", "c"), 1.0), MIXED).blocks == ()


def test_fixed_partnerships_get_no_ratings_and_the_table_says_why():
    fixed = whist_field({"a": 9, "b": 3, "c": 0, "d": -5}, 12, tables=[(0, 2, 1, 3)])
    made = table(fixed, MIXED, resamples=50)
    assert "1 of the 3 differences between 4 bots" in made.unrated
    assert all(row.rating != row.rating and row.low is None for row in made.standings)
    assert [row.bot for row in made.standings] == ["a", "b", "c", "d"]
    assert made.standings[0].points == made.standings[1].points == -made.standings[3].points > 0
    assert made.standings[0].points_low < made.standings[0].points < made.standings[0].points_high
    data = table_to_data(made)
    assert data["unrated"] == made.unrated
    assert {row["rating"] for row in data["standings"]} == {None}
    assert data["pool"]["kind"] == "mixed"
    with pytest.raises(ConfigError, match="has no ratings"):
        combined([made])
    assert table(fixed, MIXED, resamples=0).standings[0].points_low is None


def test_three_line_ups_of_four_bots_tell_them_apart():
    made = table(whist_field({"a": 9, "b": 3, "c": 0, "d": -5}, 12), MIXED, resamples=0)
    assert made.unrated == ""
    ranked = by_rating(made)
    assert (ranked[0], ranked[-1]) == ("a", "d")


def test_a_bot_with_a_copy_of_itself_makes_no_ratings():
    found = sort_out(mixed_block(1, 1, ("a", "c", "a", "b"), 4.0), MIXED).blocks
    assert "second copy of itself" in why_unrated(found)
    assert found[0].swings == (4.0, -4.0, -4.0)
    with pytest.raises(ValueError, match="same competitor twice"):
        rate_teams(found[0], [Level()] * 3, draw=0.05, tau=0)


def test_the_live_rating_moves_partners_together():
    found = sort_out(whist_field(BOTS, 2), MIXED).blocks
    first = next(online(found, MIXED))
    package = rate_groups([[Level()] * 2] * 2, first.block.places, draw=0.05, tau=0)
    moved = {
        bot: level
        for team, levels in zip(first.block.teams, package, strict=True)
        for bot, level in zip(team, levels, strict=True)
    }
    assert_close(first.after, [moved[bot] for bot in first.block.bots])
    outcome = first.outcome(first.block.bots[0])
    assert outcome.word in ("win", "loss")
    assert 0.475 < outcome.chance < 0.5, "a draw is a little less likely than 5 % while nobody is known"


def test_upsets_of_a_strong_pair_are_surprising():
    [block] = sort_out(mixed_block(1, 1, ("a", "b", "c", "d"), -5.0), MIXED).blocks
    from arena.rating import Change

    strong, weak = Level(40, 1), Level(10, 1)
    change = Change(block, (strong, weak, strong, weak), (strong,) * 4, 0.05)
    assert change.outcome("a").surprising
    assert change.outcome("a").word == "loss"
    assert change.outcome("b").chance == change.outcome("d").chance < 0.01


def test_the_crosstable_holds_opponents_only():
    rows = mixed_block(1, 1, ("a", "b", "c", "d"), 4.0) + mixed_block(2, 1, ("a", "b", "c", "d"), 8.0)
    cross = crosstable(rows, MIXED)
    assert cross.cell("a", "c") is None
    assert cross.cell("a", "b").swing == 6.0
    assert cross.cell("d", "c").swing == -6.0
    assert cross.cell("a", "d").blocks == 2


def test_structure_says_nothing_of_mixed_partners():
    assert structure(table(whist_field(BOTS, 31), MIXED, resamples=20)) is None


def test_a_block_with_teams_sorts_and_equals_as_others():
    plain = Block(1, 1, 1, ("a", "b"), (1.0, 0.0), (0.0, 0.0), (0, 1))
    assert (plain.sides, plain.lineup, plain.places) == ((("a",), ("b",)), ("a", "b"), (0, 1))
    assert plain.opponents("a") == ("b",)
