"""The ladder: who meets whom follows from results so far, the same whenever it is asked, and costs no more later."""

from __future__ import annotations

import pickle
import random
import time
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament import climbing
from tournament.rivals import POOLS, SECRET, check_numbering, entry, names

from arena.core.chance import Chance
from arena.core.errors import ConfigError
from arena.rating.blocks import blocks
from arena.rating.live import levels_of, online
from arena.rating.trueskill_env import TAU_LADDER, Level, draw_margin, rate
from arena.tournament import ladder as ladders
from arena.tournament.history import History
from arena.tournament.information import information
from arena.tournament.running import Running, after_pair


@pytest.mark.parametrize("places", [2, 3, 4])
def test_every_round_has_new_boards_and_everybody_sits_at_one_table_at_most(places: int) -> None:
    strength = climbing.strengths(11, 4, 1)
    _, rounds = climbing.climb(climbing.made(11, places, boards=3), strength, 12)
    check_numbering(rounds, boards=3)
    for number, bouts in enumerate(rounds, 1):
        assert len(bouts) == 11 // places
        seated = [name for bout in bouts for name in bout.lineup]
        assert len(seated) == len(set(seated))
        assert {board for bout in bouts for board in bout.boards} == {3 * number - 2, 3 * number - 1, 3 * number}


def test_many_boards_of_a_round_are_played_in_chunks() -> None:
    [bouts] = climbing.climb(climbing.made(4, boards=60), climbing.strengths(4, 1, 1), 1)[1]
    assert [len(bout.boards) for bout in bouts] == [20] * 6
    check_numbering([bouts], boards=60)


def test_with_too_few_there_is_no_table_but_no_end_either() -> None:
    schedule = climbing.made(0)
    for field in ((), ("fox@1",)):
        found = schedule.round(7, Running(POOLS[2]), field)
        assert found is not None
        assert list(found) == []
    assert (schedule.adaptive, schedule.totals().exact) == (True, False)


def test_a_ladder_needs_its_own_history_and_different_names() -> None:
    other = History(POOLS[2])
    other.close(1, [])
    with pytest.raises(ValueError, match="Running"):
        climbing.made(2).round(2, other, names(2))
    with pytest.raises(ConfigError, match="named twice"):
        ladders.ladder(entry(0).__class__(("fox@1", "Fox@1"), 2, 1, SECRET))


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.integers(0, 1000), st.sampled_from([2, 3, 4]))
def test_the_same_results_give_the_same_round_in_whatever_order_they_come(count: int, seed: int, places: int) -> None:
    strength, schedule = climbing.strengths(count, 3, seed), climbing.made(count, places)
    history, rounds = climbing.climb(schedule, strength, 5, seed=seed) if count >= places else (Running(), [])
    again = Running(POOLS[places])
    for number, bouts in enumerate(rounds, 1):
        assert list(schedule.round(number, again, tuple(reversed(tuple(strength)))) or ()) == bouts
        rows = climbing.played(bouts, places, strength, seed)
        random.Random(seed).shuffle(rows)
        again.close(number, rows, tuple(strength))
    assert (again.levels, again.met, again.played) == (history.levels, history.met, history.played)


@pytest.mark.parametrize("places", [2, 3])
def test_levels_are_those_of_the_live_rating(places: int) -> None:
    strength, found = climbing.strengths(7, 5, 3), []
    history, rounds = climbing.climb(climbing.made(7, places, boards=4), strength, 15)
    for bouts in rounds:
        found += blocks(climbing.played(bouts, places, strength, 0), POOLS[places])
    live = levels_of(online(found, POOLS[places], tau=TAU_LADDER))
    assert history.levels.keys() == live.keys()
    for name, level in live.items():
        assert history.level(name) == pytest.approx(level, abs=1e-8)


@settings(max_examples=300, deadline=None)
@given(
    st.floats(-40, 90), st.floats(0.3, 8.4), st.floats(-40, 90), st.floats(0.3, 8.4), st.floats(0.001, 0.5),
    st.sampled_from([-1, 0, 1]),
)  # fmt: skip
def test_the_closed_form_is_what_the_package_says(
    mu: float, sigma: float, other_mu: float, other_sigma: float, draw: float, lead: int
) -> None:
    one, other = Level(mu, sigma), Level(other_mu, other_sigma)
    found = after_pair(one, other, lead, draw_margin(draw))
    if found is not None:
        said = rate(("a", "b"), (one, other), ((lead,), (0,)), draw=draw, tau=TAU_LADDER, result_id="x")
        assert found[0] == pytest.approx(said[0], rel=1e-6, abs=1e-6)
        assert found[1] == pytest.approx(said[1], rel=1e-6, abs=1e-6)
    else:
        assert abs(mu - other_mu) > 30


def test_a_result_tells_most_between_equals_of_whom_little_is_known() -> None:
    margin = draw_margin(0.05)
    mu, sure = np.array([25.0, 30.0, 40.0, 60.0]), np.full(4, 1.0)
    told = information(Level(25, 1), mu, sure, margin)
    assert list(told) == sorted(told, reverse=True)
    assert told[0] > 2 * told[2] > 0
    assert (information(Level(25, 5), mu, sure, margin) > told).all()
    assert information(Level(30, 2), np.array([25.0]), np.array([3.0]), margin) == pytest.approx(
        information(Level(25, 3), np.array([30.0]), np.array([2.0]), margin)
    )


def test_the_expected_loss_of_variance_is_the_mean_over_results() -> None:
    one, other, draw = Level(27, 3), Level(24, 4), 0.2
    margin = draw_margin(draw)
    spread = float(np.sqrt(3**2 + 4**2 + 2 * (25 / 6) ** 2))
    chance = random.Random(4)
    lost = {
        lead: 3**2 + 4**2 - sum(level.sigma**2 for level in after_pair(one, other, lead, margin, tau=0) or ())
        for lead in (-1, 0, 1)
    }
    gaps = [chance.gauss(3, spread) for _ in range(40_000)]
    mean = sum(lost[(gap > margin) - (gap < -margin)] for gap in gaps) / len(gaps)
    assert information(one, np.array([24.0]), np.array([4.0]), margin)[0] == pytest.approx(mean, rel=0.02)


def test_one_table_in_five_is_drawn_at_random() -> None:
    """Two groups so far apart that only a draw brings them together, or that a draw has left both odd: half of all
    random pairs are mixed."""
    strength = {name: 0.0 if index < 10 else 80.0 for index, name in enumerate(names(20))}
    history, _ = climbing.climb(climbing.made(20), strength, 25)
    mixed = tables = 0
    for number in range(1000, 1200):
        for one, other in ladders.tables(history, names(20), 2, Chance(SECRET, "ladder", number)):
            mixed += (one < "bot10") != (other < "bot10")
            tables += 1
    assert 0.1 < mixed / tables < 0.2


def test_who_has_the_fewest_results_plays_and_one_of_those_with_most_sits_out() -> None:
    new = "bot08"
    strength = climbing.strengths(9, 3, 2)
    history, rounds = climbing.climb(
        climbing.made(9), strength, 60, field=lambda number: names(8) if number <= 30 else names(9)
    )
    assert history.played[new] == 30
    for bouts in rounds[30:]:
        assert new in {name for bout in bouts for name in bout.lineup}


def test_meetings_are_balanced_at_tables_of_four() -> None:
    strength = dict.fromkeys(names(12), 25.0)
    history, _ = climbing.climb(climbing.made(12, 4), strength, 60)
    counts = [history.met[pair] for pair in combinations(names(12), 2)]
    mean = sum(counts) / len(counts)
    assert min(counts) >= 0.4 * mean
    assert max(counts) <= 1.9 * mean
    assert set(history.played.values()) == {60}


def test_close_bots_meet_more_often_than_distant_ones_and_all_meet() -> None:
    strength = {name: 25.0 + 2.5 * index for index, name in enumerate(names(12))}
    history, _ = climbing.climb(climbing.made(12), strength, 120)
    near = sum(history.met[names(12)[i], names(12)[i + 1]] for i in range(11)) / 11
    far = sum(history.met[names(12)[i], names(12)[i + 8]] for i in range(4)) / 4
    assert near > 2 * far
    assert all(history.met[pair] for pair in combinations(names(12), 2))


def test_no_owner_has_more_bots_at_a_table_than_allowed() -> None:
    owners = {name: "Ada" if index < 5 else "Bob" if index < 8 else "" for index, name in enumerate(names(12))}
    schedule = climbing.made(12, 4, per_owner=1, owners=owners)
    _, rounds = climbing.climb(schedule, climbing.strengths(12, 3, 1), 25)
    for bouts in rounds:
        assert bouts
        for bout in bouts:
            counts = Counter(owners[name] for name in bout.lineup if owners[name])
            assert max(counts.values(), default=0) <= 1


def test_a_new_bot_has_its_place_after_fifteen_rounds() -> None:
    wrong = []
    for seed in range(4):
        strength = climbing.strengths(20, 5, seed)
        new = "bot19"
        history, _ = climbing.climb(
            climbing.made(20, boards=4),
            strength,
            35,
            seed=seed,
            field=lambda number: [name for name in names(20) if number > 20 or name != "bot19"],
        )
        assert history.played[new] == 60
        ranked = sorted(strength, key=lambda name: -history.level(name).mu)
        wrong.append(abs(ranked.index(new) - sorted(strength, key=lambda name: -strength[name]).index(new)))
    assert sum(wrong) / len(wrong) <= 2.5, "places from the true one"


def test_a_round_costs_no_more_time_or_memory_after_hundreds_of_rounds() -> None:
    strength, schedule, history = climbing.strengths(8, 4, 1), climbing.made(8), Running(POOLS[2])
    times, sizes = {0: time.perf_counter()}, {}
    for number in range(1, 601):
        bouts = list(schedule.round(number, history, tuple(strength)) or ())
        history.close(number, climbing.played(bouts, 2, strength, 0), tuple(strength))
        if number % 200 == 0:
            times[number] = time.perf_counter()
            sizes[number] = len(pickle.dumps(history))
    assert times[600] - times[400] < 5 * (times[200] - times[0])
    assert sizes[600] < 1.2 * sizes[200], "counts grow in place"
    assert (len(history.tables), list(history.fields)) == (4, [600])


@pytest.mark.timed
def test_a_round_of_three_hundred_bots_is_drawn_at_once() -> None:
    history, field = Running(POOLS[2]), names(300)
    chance = random.Random(3)
    history.levels = {name: Level(chance.gauss(25, 6), chance.uniform(0.7, 3)) for name in field}
    history.met.update({pair: chance.randrange(5) for pair in combinations(field, 2)})
    start = time.perf_counter()
    made = ladders.tables(history, field, 2, Chance(SECRET, "ladder", 1))
    assert len(made) == 150
    assert time.perf_counter() - start < 5


@pytest.mark.long
def test_fewer_games_than_at_random_for_the_same_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty bots with a spread of 8, one board a round; the error is that of the batch fit, as it is published."""
    from arena.rating.bootstrap import fit_blocks

    def errors(uniform: int, marks: tuple[int, ...]) -> list[float]:
        monkeypatch.setattr(ladders, "UNIFORM", uniform)
        squares: dict[int, list[float]] = {number: [] for number in marks}
        for seed in range(20):
            strength, found = climbing.strengths(20, 8, seed), []
            _, rounds = climbing.climb(climbing.made(20), strength, marks[-1], seed=seed)
            truth = np.array([strength[name] for name in names(20)])
            for number, bouts in enumerate(rounds, 1):
                found += blocks(climbing.played(bouts, 2, strength, seed), POOLS[2])
                if number in squares:
                    mu = fit_blocks(found, names(20), 0.05).levels.mu[:, 0]
                    squares[number].append(float(np.mean((mu - mu.mean() - truth + truth.mean()) ** 2)))
        return [float(np.sqrt(np.mean(squares[number]))) for number in marks]

    informed, at_random = errors(5, (40, 60, 80)), errors(1, (40, 60, 80))
    print(f"error after 40, 60, 80 rounds: informed {informed}, at random {at_random}")  # noqa: T201
    assert informed[1] < at_random[2], "60 rounds tell as much as 80 at random"
