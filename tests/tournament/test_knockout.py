"""Knockouts: the strongest wins whatever the bracket, level matches go on, who has gone loses by walkover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament import rivals

from arena.core.errors import ConfigError
from arena.tournament.bracket import double, order_of_seeds, single
from arena.tournament.entry import Entry
from arena.tournament.gauntlet import gauntlet
from arena.tournament.history import History
from arena.tournament.knockout import double_knockout, knockout
from arena.tournament.outcome import outcome, outcome_to_data
from arena.tournament.schedule import Schedule
from arena.tournament.swiss import swiss

MAKES = {"knockout": knockout, "double_knockout": double_knockout}
KINDS = st.sampled_from(sorted(MAKES))


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_the_best_meet_as_late_as_can_be(size: int) -> None:
    order = order_of_seeds(size)
    assert sorted(order) == list(range(size))
    while size > 1:
        pairs = list(zip(order[::2], order[1::2], strict=True))
        assert all(sum(pair) == size - 1 for pair in pairs)
        order, size = [min(pair) for pair in pairs], size // 2
    assert order == [0]


@pytest.mark.parametrize("seeds", range(2, 34))
def test_brackets_have_the_matches_they_need(seeds: int) -> None:
    size = 2 ** ceil(log2(seeds))
    for bracket, matches in ((single(seeds), size - 1), (double(seeds), 2 * size - 1)):
        assert len(bracket.matches) == matches
        assert sorted(match for stage in bracket.stages for match in stage) == list(range(matches))
        stage_of = {match: number for number, stage in enumerate(bracket.stages) for match in stage}
        taken: Counter[tuple[str, int]] = Counter()
        for number, match in enumerate(bracket.matches):
            for source in match.sources:
                if source.kind != "seed":
                    assert stage_of[source.number] < stage_of[number]
                taken[source] += not match.reset
        assert set(taken.values()) == {1}, "everybody goes into one match only"


@settings(max_examples=60, deadline=None)
@given(KINDS, st.integers(2, 17), st.randoms(use_true_random=False))
def test_the_strongest_wins_and_the_second_is_in_the_final(kind: str, count: int, shuffler: object) -> None:
    values = list(range(count))
    shuffler.shuffle(values)  # type: ignore[attr-defined]
    strengths = dict(zip(rivals.names(count), map(float, values), strict=True))
    schedule = MAKES[kind](rivals.entry(count))
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_strength(strengths))
    rivals.check_numbering(rounds, 3)
    found = outcome(schedule, history)
    assert found is not None
    best, second = sorted(strengths, key=strengths.__getitem__)[-1:-3:-1]
    assert (found.over, found.winners) == (True, (best,))
    assert f"{best} wins the " in found.words
    rows = schedule.standing(schedule.course(history))
    assert (rows[0].bot, rows[0].place, rows[0].lost, rows[0].out) == (best, 1, 0, "")
    assert all(row.out for row in rows[1:])
    matches = sum(len({bout.lineup for bout in bouts}) for bouts in rounds)
    if kind == "double_knockout":
        assert (rows[1].bot, rows[1].place) == (second, 2), "a second chance brings the second best to the final"
        assert matches == 2 * count - 2
        assert all(row.lost == 2 for row in rows[1:])
    else:
        assert matches == count - 1 == schedule.totals().pairings + schedule.totals().bouts
        assert all(row.lost == 1 for row in rows[1:])
    assert len(rounds) == schedule.totals().rounds


@settings(max_examples=60, deadline=None)
@given(KINDS, st.integers(2, 9), st.integers(0, 1000), st.integers(0, 2), st.data())
def test_the_same_history_gives_the_same_bouts_wherever_one_goes_on(
    kind: str, count: int, seed: int, extra: int, data: st.DataObject
) -> None:
    gone = data.draw(st.dictionaries(st.sampled_from(rivals.names(count)), st.integers(1, 5), max_size=count))

    def field(number: int) -> tuple[str, ...]:
        return tuple(name for name in rivals.names(count) if gone.get(name, 99) >= number)

    score = rivals.by_chance(seed, 2)
    schedule = MAKES[kind](rivals.entry(count, boards=2, extra=extra))
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, score, field)
    rivals.check_numbering(rounds, 2)
    for stop in range(len(rounds) + 1):
        again, before = MAKES[kind](rivals.entry(count, boards=2, extra=extra)), History(rivals.TWO_SIDES)
        for number in range(1, stop + 1):
            rows = [row for bout in rounds[number - 1] for row in rivals.rows_of(bout, rivals.TWO_SIDES, score)]
            before.close(number, reversed(rows), field(number))
        found = again.round(stop + 1, before, field(stop + 1))
        assert (list(found) if found is not None else None) == (rounds[stop] if stop < len(rounds) else None)
    for number, bouts in enumerate(rounds, 1):
        assert {bot for bout in bouts for bot in bout.lineup} <= set(field(number) or rivals.names(count))
    found = outcome(schedule, history, field(len(rounds) + 1))
    assert found is not None
    assert found.over
    assert len(found.winners) == 1
    data_ = outcome_to_data(found)
    assert data_["winners"] == list(found.winners)
    assert data_["standing"][0]["bot"] == found.winners[0]
    assert {row["place"] for row in data_["standing"]} <= set(range(1, count + 1))


def test_a_level_match_goes_on_then_swing_then_the_better_seed_decide() -> None:
    one, two = rivals.names(2)

    def told(scores: dict[tuple[str, int], float], extra: int = 2) -> tuple[str, str, int]:
        schedule = knockout(rivals.entry(2, boards=2, extra=extra))
        history, rounds = rivals.play(
            schedule, rivals.TWO_SIDES, lambda bot, board, _round: scores.get((bot, board), 0.0)
        )
        [fate] = [fate for fate in schedule.course(history).fates if fate is not None]
        assert fate.rounds == tuple(range(1, len(rounds) + 1))
        return fate.winner, fate.by, len(rounds)

    assert told({(two, 1): 1}) == (two, "blocks", 1)
    assert told({(two, 1): 1, (one, 2): 1, (two, 3): 1}) == (two, "extra", 2)
    assert told({(two, 5): 1}) == (two, "extra", 3)
    assert told({(two, 1): 2, (one, 2): 1}) == (two, "swing", 3)
    assert told({(two, 1): 2, (one, 2): 1}, extra=0) == (two, "swing", 1)
    assert told({}) == (one, "seed", 3)


def test_who_has_gone_loses_by_walkover_and_nothing_is_played_for_it() -> None:
    strengths = {name: -float(number) for number, name in enumerate(rivals.names(4))}

    def field(number: int) -> tuple[str, ...]:
        return rivals.names(4) if number == 1 else rivals.names(4)[1:]

    schedule = knockout(rivals.entry(4))
    history, rounds = rivals.play(schedule, rivals.TWO_SIDES, rivals.by_strength(strengths), field)
    found = outcome(schedule, history, field(2))
    assert found is not None
    assert (len(rounds), found.winners) == (1, ("bot01",))
    assert found.words == "bot01 wins the final against bot00, by walkover"
    still = outcome(schedule, history, rivals.names(4))
    assert still is not None
    assert (still.over, still.winners, still.words) == (False, (), "to be played in round 2: bot00 - bot01")


def test_in_a_double_knockout_a_loser_of_the_first_final_plays_a_second_one() -> None:
    schedule = double_knockout(rivals.entry(4))
    history, rounds = rivals.play(
        schedule,
        rivals.TWO_SIDES,
        lambda bot, _board, number: 0.0 if bot == "bot00" and number == 4 else 9.0 - int(bot[3:]),
    )
    assert len(rounds) == 5
    fates = {fate.title: fate for fate in schedule.course(history).fates if fate is not None}
    assert fates["final"].winner == "bot01"
    assert (fates["second final"].winner, schedule.winner(schedule.course(history))) == ("bot00", "bot00")


def test_seeds_are_the_order_of_the_bots_or_those_that_were_found_out() -> None:
    first = list(knockout(rivals.entry(4)).round(1) or ())
    assert [bout.lineup for bout in first] == [("bot00", "bot03"), ("bot01", "bot02")]
    other = knockout(rivals.entry(4, seeds=["bot02", "bot01", "bot03", "bot00"]))
    assert [bout.lineup for bout in other.round(1) or ()] == [("bot02", "bot00"), ("bot01", "bot03")]


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ConfigError, match="a double_knockout needs two sides: here 4 bots sit at a table"):
        double_knockout(rivals.entry(4, 4))
    with pytest.raises(ConfigError, match="the seeds are not the bots"):
        knockout(rivals.entry(3, seeds=["bot00", "bot01"]))


@pytest.mark.parametrize("make", [knockout, double_knockout, swiss, gauntlet])
def test_whole_matches_are_played_in_every_format(make: Callable[[Entry], Schedule]) -> None:
    strengths = {name: float(number) for number, name in enumerate(rivals.names(6))}
    schedule = make(rivals.entry(6, candidates=["bot00", "bot05"]))
    history, rounds = rivals.play(schedule, rivals.MATCHES, rivals.by_strength(strengths))
    found = outcome(schedule, history, over=True)
    assert found is not None
    assert (found.over, found.winners) == (True, ("bot05",))
    assert {swing for totals in history.tables.values() for swing in totals.swings} <= {-6.0, 6.0}, "3 boards, 2 games"
    assert {bout.boards[-1] - bout.boards[0] for bouts in rounds for bout in bouts} == {2}
