"""One standing over several pools."""

import pytest
from rating.fields import FOUR, MATCHES, PAIRS, free_for_all, pair_block, round_robin, with_clone

from arena.core.errors import ConfigError
from arena.rating import combined, table

FIELD = {"fox": 12.0, "owl": 0.0, "elk": -12.0}


def two(strengths=FIELD, other=None, boards=60, resamples=300):
    return [
        table(round_robin(strengths, boards, seed=3), PAIRS, resamples=resamples),
        table(free_for_all(other or {**FIELD, "cat": 3.0}, boards, seed=4), FOUR, resamples=resamples),
    ]


def test_a_rating_is_the_mean_of_ratings_on_one_footing():
    first, second = two()
    done = combined([first, second])
    assert done.pools == ("test pairs", "test four")
    assert done.boards == (60, 60)
    assert "mean of the ratings" in done.method
    ratings = [{row.bot: row.rating for row in each.standings} for each in (first, second)]
    shift = 25 - sum(ratings[1][bot] for bot in FIELD) / 3
    for row in done.standings:
        assert row.ratings == pytest.approx((ratings[0][row.bot], ratings[1][row.bot] + shift), abs=1e-5)
        assert row.rating == pytest.approx(sum(row.ratings) / 2, abs=1e-5)
        assert row.low < row.rating < row.high
    assert sum(row.rating for row in done.standings) == pytest.approx(75, abs=1e-4)
    assert [(row.bot, row.place) for row in done.standings] == [("fox", "1"), ("owl", "2"), ("elk", "3")]
    assert done.standings[0].p_best == 1


def test_who_has_no_block_in_some_pool_is_listed_but_not_placed():
    assert combined(two()).missing == (("cat", ("test pairs",)),)
    first, second = two()
    begun = table([*round_robin(FIELD, 60, seed=3), *pair_block(90, "fox", "cat", 1)[:1]], PAIRS, resamples=300)
    assert combined([begun, second]).missing == (("cat", ("test pairs",)),)
    placed = combined([begun, second]).standings
    assert [row.rating for row in placed] == pytest.approx([row.rating for row in combined([first, second]).standings])


def test_two_pools_say_more_than_one():
    strengths = {"a": 3.0, "b": 0.0, "c": -3.0}
    tables = [
        table(round_robin(strengths, 80, seed=seed), pool, resamples=300) for seed, pool in ((1, PAIRS), (2, MATCHES))
    ]
    widths = [row.high - row.low for row in sorted(tables[0].standings, key=lambda row: row.bot)]
    for row, width in zip(sorted(combined(tables).standings, key=lambda row: row.bot), widths, strict=True):
        assert row.high - row.low < 0.9 * width


def test_one_pool_alone_is_its_own_table():
    (first, _) = two()
    (alone,) = (combined([first]),)
    for row, own in zip(alone.standings, first.standings, strict=True):
        assert (row.bot, row.place, row.p_best) == (own.bot, own.place, own.p_best)
        assert (row.rating, row.low, row.high) == pytest.approx((own.rating, own.low, own.high), abs=1e-4)


def test_without_resamples_or_boards_nothing_is_separated():
    for tables in (two(resamples=0), two(boards=5)):
        rows = combined(tables).standings
        assert {(row.place, row.low, row.p_best) for row in rows} == {("1-3", None, None)}


def test_clones_count_once():
    rows = with_clone(round_robin(FIELD, 40, seed=3), "fox", "twin")
    other = with_clone(round_robin(FIELD, 40, seed=4), "fox", "twin")
    done = {row.bot: row for row in combined([table(rows, PAIRS), table(other, MATCHES)]).standings}
    assert done["fox"].p_best == done["twin"].p_best == pytest.approx(0.5, abs=0.01)
    assert done["fox"].place == done["twin"].place == "1-2"


def test_no_bot_in_all_pools_gives_no_standing():
    tables = [
        table(round_robin({"a": 1.0, "b": 0.0}, 10), PAIRS, resamples=50),
        table(round_robin({"c": 1.0, "d": 0.0}, 10), MATCHES, resamples=50),
    ]
    done = combined(tables)
    assert done.standings == ()
    assert [bot for bot, _ in done.missing] == ["a", "b", "c", "d"]


def test_what_cannot_be_combined_is_refused():
    first, second = two(resamples=0)
    apart = table([*pair_block(0, "a", "b", 1), *pair_block(1, "c", "d", 1)], MATCHES, resamples=0)
    for tables, words in (([], "no pools"), ([first, first], "twice"), ([second, apart], "2 parts")):
        with pytest.raises(ConfigError, match=words):
            combined(tables)
