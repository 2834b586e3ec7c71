"""Whether intervals cover, separations are right, and order plays no part, in events of bots of known strength.

A short version runs always, with wide bounds; the long one gives the figures of docs/ratings.md.
"""

from __future__ import annotations

import random
import statistics

import pytest
from rating.fields import FOUR, PAIRS, free_for_all, ring, round_robin
from rating.simulated.truth import STRENGTHS, coverage, wrongly_separated

from arena.rating import Pool, structure, table


def test_intervals_cover_the_truth_in_a_few_events():
    ratings, points = coverage(PAIRS, 40, 15)
    assert ratings > 0.8
    assert points > 0.8


def test_equal_bots_are_hardly_ever_separated_in_a_few_events():
    assert wrongly_separated(6, 20, 15) <= 2 / 15


@pytest.mark.long
@pytest.mark.parametrize(("pool", "boards", "events"), [(PAIRS, 40, 400), (PAIRS, 100, 300), (FOUR, 100, 100)])
def test_intervals_cover_the_truth_in_95_of_100(pool: Pool, boards: int, events: int):
    ratings, points = coverage(pool, boards, events)
    assert 0.92 <= ratings <= 0.98
    assert 0.92 <= points <= 0.98


@pytest.mark.long
@pytest.mark.parametrize(("bots", "boards", "events"), [(4, 30, 400), (8, 30, 150), (4, 100, 150)])
def test_any_two_equal_bots_are_separated_in_at_most_5_of_100_events(bots: int, boards: int, events: int):
    assert wrongly_separated(bots, boards, events) <= 0.07


@pytest.mark.long
def test_two_equal_bots_among_others_are_separated_in_at_most_5_of_100_events():
    field = {"strong": 60.0, "twin1": 0.0, "twin2": 0.0, "weak": -60.0}
    wrong = []
    for seed in range(200):
        places = {
            row.bot: row.place for row in table(round_robin(field, 40, seed=seed), PAIRS, resamples=200).standings
        }
        wrong.append(places["twin1"] != places["twin2"])
    assert statistics.mean(wrong) <= 0.07


@pytest.mark.long
@pytest.mark.parametrize("spread", [0.0, 8.0, 25.0])
def test_ratings_tell_the_whole_story_of_additive_fields_in_95_of_100(spread: float):
    field = {f"b{index}": spread * index for index in range(5)}
    alarms = []
    for seed in range(150):
        found = structure(table(round_robin(field, 60, seed=seed), PAIRS, resamples=200))
        assert found is not None
        alarms.append(found.p_value <= 0.05)
    assert statistics.mean(alarms) <= 0.08


@pytest.mark.long
def test_a_circle_is_found_in_most_events():
    found = [structure(table(ring(60, seed=seed), PAIRS, resamples=200)) for seed in range(100)]
    assert statistics.mean(each is not None and each.found for each in found) > 0.8


@pytest.mark.long
@pytest.mark.parametrize(
    ("rows", "pool"),
    [
        (round_robin(STRENGTHS, 100), PAIRS),
        (free_for_all({f"b{index}": float(index) for index in range(9)}, 200), FOUR),
    ],
    ids=["pairs", "four"],
)
def test_ratings_do_not_depend_on_order(rows, pool):
    expected = table(rows, pool)
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert table(rows, pool) == expected
    boards = list(range(200))
    random.Random(9).shuffle(boards)
    turned = [game._replace(key=game.key._replace(round=1, board=boards[game.key.board])) for game in rows]
    ratings = {row.bot: row.rating for row in table(turned, pool, resamples=0).standings}
    for row in expected.standings:
        assert ratings[row.bot] == pytest.approx(row.rating, abs=1e-3)
