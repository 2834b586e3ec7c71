"""The Swiss: everybody is paired once a round, nobody twice with the same where that can be, and the best comes out."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament import rivals

from arena.core.errors import ConfigError
from arena.record.results import Bout
from arena.tournament.history import History
from arena.tournament.matching import perfect
from arena.tournament.swiss import Swiss, default_rounds, swiss
from arena.tournament.swiss_pairs import draw_pairs, draw_tables


def lineups(bouts: list[Bout]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(bout.lineup for bout in bouts))


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 5).map(lambda half: 2 * half), st.data())
def test_a_perfect_matching_is_found_exactly_where_there_is_one(size: int, data: st.DataObject) -> None:
    drawn = data.draw(st.sets(st.sampled_from(list(combinations(range(size), 2)))))
    edges = [[other for other in range(size) if (min(one, other), max(one, other)) in drawn] for one in range(size)]
    found = perfect(edges)
    exists = (
        any(
            all((min(pair), max(pair)) in drawn for pair in zip(order[::2], order[1::2], strict=True))
            for order in permutations(range(size))
            if size <= 6 or (order[0] == 0 and all(order[i] < order[i + 2] for i in range(0, size - 2, 2)))
        )
        if size <= 8
        else found is not None
    )
    assert (found is not None) == exists
    if found is not None:
        assert all(found[found[one]] == one and found[one] in edges[one] for one in range(size))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 14), st.integers(0, 1000), st.integers(2, 4), st.integers(1, 4))
def test_everybody_plays_or_rests_once_a_round_and_meets_nobody_again(
    count: int, seed: int, spread: int, chunk: int
) -> None:
    schedule = swiss(rivals.entry(count, chunk=chunk))
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_chance(seed, spread))
    rivals.check_numbering(rounds, 3, chunk)
    assert len(rounds) == default_rounds(count) == schedule.totals().rounds
    assert sum(map(len, rounds)) == schedule.totals().bouts
    met: Counter[frozenset[str]] = Counter()
    rests: Counter[str] = Counter()
    for bouts in rounds:
        seated = [bot for lineup in lineups(bouts) for bot in lineup]
        assert len(seated) == len(set(seated)) == count // 2 * 2
        rests.update(set(rivals.names(count)) - set(seated))
        met.update(frozenset(lineup) for lineup in lineups(bouts))
    assert max(rests.values(), default=0) <= -(-len(rounds) // count)
    if len(rounds) <= (count + 1) // 2:
        assert set(met.values()) == {1}, "so few rounds can always be paired anew"
    standing = schedule.standing(history)
    assert sum(row.points for row in standing) == len(rounds) * (count // 2 + count % 2)
    assert [row.place for row in standing] == sorted(row.place for row in standing)
    assert {row.bot for row in standing} == set(rivals.names(count))
    assert sum(row.byes for row in standing) == sum(rests.values())


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 14), st.integers(3, 4), st.integers(0, 1000))
def test_tables_of_a_free_for_all_are_full_and_as_few_rest_as_can_be(count: int, places: int, seed: int) -> None:
    if count < places:
        count = places
    schedule = swiss(rivals.entry(count, places))
    _, rounds = rivals.play(schedule, rivals.POOLS[places], rivals.by_chance(seed))
    rivals.check_numbering(rounds, 3)
    rests: Counter[str] = Counter()
    for bouts in rounds:
        seated = [bot for lineup in lineups(bouts) for bot in lineup]
        assert len(seated) == len(set(seated)) == count // places * places
        rests.update(set(rivals.names(count)) - set(seated))
    if count % places:
        assert max(rests.values()) - min(rests[name] for name in rivals.names(count)) <= 1, "rests are spread evenly"


@settings(max_examples=15, deadline=None)
@given(st.integers(2, 9), st.integers(0, 1000), st.data())
def test_the_same_history_gives_the_same_bouts_wherever_one_goes_on(count: int, seed: int, data: st.DataObject) -> None:
    gone = data.draw(st.dictionaries(st.sampled_from(rivals.names(count)), st.integers(2, 5), max_size=count - 2))

    def field(number: int) -> tuple[str, ...]:
        return tuple(name for name in rivals.names(count) if gone.get(name, 99) > number)

    score = rivals.by_chance(seed)
    schedule = swiss(rivals.entry(count))
    _, rounds = rivals.play(schedule, rivals.TWO_SIDES, score, field)
    for stop in range(len(rounds) + 1):
        again, history = swiss(rivals.entry(count)), History(rivals.TWO_SIDES)
        for number in range(1, stop + 1):
            rows = [row for bout in rounds[number - 1] for row in rivals.rows_of(bout, rivals.TWO_SIDES, score)]
            history.close(number, reversed(rows), field(number))
        found = again.round(stop + 1, history, field(stop + 1))
        assert (list(found) if found is not None else None) == (rounds[stop] if stop < len(rounds) else None)
    for number, bouts in enumerate(rounds, 1):
        assert {bot for lineup in lineups(bouts) for bot in lineup} <= set(field(number))


@pytest.mark.parametrize("count", [2, 5, 8, 16, 33])
def test_the_strongest_wins_and_the_order_is_theirs_at_the_top(count: int) -> None:
    strengths = {name: float(number) for number, name in enumerate(rivals.names(count))}
    schedule = swiss(rivals.entry(count))
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_strength(strengths))
    first = schedule.standing(history)[0]
    assert (first.bot, first.points, first.losses) == (rivals.names(count)[-1], len(rounds), 0)
    assert schedule.standing(history)[-1].bot != first.bot


def test_opponents_have_the_same_score_where_that_can_be() -> None:
    schedule = swiss(rivals.entry(64))
    strengths = {name: float(number) for number, name in enumerate(rivals.names(64))}
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_strength(strengths))
    meetings = schedule.meetings(history)
    points: Counter[str] = Counter()
    apart = []
    for number in range(1, len(rounds) + 1):
        now = [each for each in meetings if each.round == number]
        apart.append(sum(points[each.bots[0]] != points[each.bots[1]] for each in now))
        for each in now:
            points.update(dict(zip(each.bots, map(int, each.points), strict=True)))
    assert apart[:6] == [0] * 6, "halves, quarters, ... of 64 can all be paired among themselves"
    assert max(apart) <= 16


def test_the_bye_goes_to_the_last_who_had_none_and_counts_as_a_win() -> None:
    schedule = swiss(rivals.entry(5))
    strengths = {name: float(number) for number, name in enumerate(rivals.names(5))}
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_strength(strengths), most=9)
    assert len(rounds) == 5
    rows = {row.bot: row for row in schedule.standing(history)}
    assert [row.byes for row in rows.values()] == [1] * 5
    assert rows["bot04"].points == 5, "four wins and a bye"
    assert all(row.wins + row.draws + row.losses == 4 for row in rows.values())


def test_buchholz_is_the_points_of_the_opponents_and_a_level_match_is_half_a_point() -> None:
    schedule = swiss(rivals.entry(4, rounds=1))
    history, [bouts] = rivals.play(
        schedule, rivals.TWO_SIDES, lambda bot, _board, _round: 5.0 if bot == rivals.names(4)[2] else 1.0
    )
    winner = next(lineup for lineup in lineups(bouts) if "bot02" in lineup)
    beaten = next(bot for bot in winner if bot != "bot02")
    rows = {row.bot: row for row in schedule.standing(history)}
    assert (rows["bot02"].points, rows["bot02"].buchholz, rows["bot02"].swing) == (1, 0, 8)
    assert (rows[beaten].points, rows[beaten].buchholz) == (0, 1)
    others = [row for row in rows.values() if row.bot not in winner]
    assert [(row.points, row.buchholz, row.draws, row.place) for row in others] == [(0.5, 0.5, 1, 2)] * 2


def test_a_pairing_of_which_no_block_could_be_played_is_level() -> None:
    schedule = swiss(rivals.entry(4, rounds=2))
    history = History(rivals.TWO_SIDES)
    first = list(schedule.round(1, history) or ())
    history.close(1, [])
    assert [row.points for row in schedule.standing(history)] == [0.5] * 4
    second = lineups(list(schedule.round(2, history) or ()))
    assert {frozenset(each) for each in second}.isdisjoint(frozenset(each) for each in lineups(first)), "they have met"


def test_who_met_everybody_meets_the_least_met() -> None:
    schedule = swiss(rivals.entry(4, rounds=9))
    _, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_chance(3))
    met = Counter(frozenset(lineup) for bouts in rounds for lineup in lineups(bouts))
    assert set(met.values()) == {3}, "nine rounds are three times all pairs"


def test_owners_are_kept_apart_at_the_tables_of_a_free_for_all() -> None:
    owners = {name: f"owner{number % 3}" for number, name in enumerate(rivals.names(12))}
    schedule = swiss(rivals.entry(12, 3, per_owner=1, owners=owners, rounds=6))
    _, rounds = rivals.play(schedule, rivals.POOLS[3], rivals.by_chance(4))
    for bouts in rounds:
        for lineup in lineups(bouts):
            assert len({owners[bot] for bot in lineup}) == 3


@pytest.mark.parametrize("keys", [{"rounds": 101}, {"per_owner": 1}])
def test_what_cannot_be_played_is_refused(keys: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"too many for a swiss|says nothing"):
        swiss(rivals.entry(4, **keys))
    with pytest.raises(ConfigError, match="no table of 4 can be filled"):
        swiss(rivals.entry(4, 4, per_owner=1, owners=dict.fromkeys(rivals.names(4), "ada")))


def test_two_hundred_bots_are_paired_in_time() -> None:
    schedule = swiss(rivals.entry(199, boards=1))
    assert isinstance(schedule, Swiss)
    start = time.monotonic()
    _, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_chance(1))
    assert len(rounds) == 10
    met = Counter(frozenset(lineup) for bouts in rounds for lineup in lineups(bouts))
    assert set(met.values()) == {1}
    assert time.monotonic() - start < 60, "ten rounds take a few seconds"
    table = draw_tables([0.0] * 200, [[0] * 200] * 200, [0] * 200, 4)
    assert len(table.lineups) == 50
    assert len(draw_pairs([0.0] * 200, [[0] * 200] * 200, [0] * 200).lineups) == 100
