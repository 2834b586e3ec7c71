"""What a bot does in which role, against counts made another way."""

from __future__ import annotations

from collections import Counter

import pytest
from web.game.cups import FAMILIES, games_of, names_of

from arena.match.clock import Clock
from arena.record.compare.tables import course
from arena.record.replay import game_of
from arena.record.results import Verdict
from arena.record.transcript import Transcript, from_data
from arena.web.botpages.split import Split, split_of
from arena.web.botpages.split.counts import Sample
from arena.web.botpages.split.deals import deals_of


def told(family: str) -> list[Transcript]:
    return [from_data(dict(game.result.transcript)) for game in games_of(family)]


def samples(family: str, bot: str) -> list[Sample]:
    return [
        Sample(each.public_id.split("-t")[0], each, tuple(seat for seat, name in enumerate(each.bots) if name == bot))
        for each in told(family)
        if bot in each.bots
    ]


def split(family: str, bot: str) -> Split:
    return split_of(samples(family, bot))


def value(found: Split, group: str, label: str) -> tuple[int, float]:
    return next((row.n, row.value) for row in found.rows if (row.group, row.label) == (group, label))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_seat_after_the_dealer_is_counted_once_a_deal_and_seat(family: str) -> None:
    from arena.games import make

    found = split(family, "basic")
    rows = [row for row in found.rows if row.group == "seat after the dealer"]
    seats = sum(len(sample.seats) * len(list(deals_of(sample.transcript))) for sample in samples(family, "basic"))
    assert sum(row.n for row in rows) == seats > 0
    assert len(rows) <= make(family, {}).seats


def test_points_of_all_bots_by_seat_add_up_to_nothing() -> None:
    total = 0.0
    for bot in names_of(game_of(told("crow_and_pitcher")[0])):
        for row in split("crow_and_pitcher", bot).rows:
            total += row.n * row.value if row.group == "seat after the dealer" else 0
    assert total == pytest.approx(0, abs=1e-6)


def test_bids_of_all_declarers_are_those_of_the_facts() -> None:
    made: Counter[bool] = Counter()
    bids = []
    for each in told("crowsnest"):
        *_, (last, _) = course(each)
        for facts in game_of(each).facts(last):
            if facts["declarer"] is not None:
                made[facts["made"]] += 1
                bids.append(facts["bid"])
    told_made = told_count = told_bids = 0.0
    beaten = 0.0
    for bot in names_of(game_of(told("crowsnest")[0])):
        found = split("crowsnest", bot)
        count, share = (
            value(found, "as declarer", "bids made")
            if any(row.label == "bids made" for row in found.rows)
            else (0, 0.0)
        )
        told_count, told_made = told_count + count, told_made + count * share
        if count:
            told_bids += count * value(found, "as declarer", "bid")[1]
        count, share = value(found, "as defender", "bids beaten")
        beaten += count * share
    assert told_count == len(bids)
    assert told_bids == pytest.approx(sum(bids))
    assert told_made == pytest.approx(made[True])
    assert beaten == pytest.approx(made[False])


@pytest.mark.parametrize("family", FAMILIES)
def test_every_trick_is_led_by_somebody(family: str) -> None:
    led = sum(row.n for bot in set(names_of(game_of(told(family)[0]))) for row in split(family, bot).rows
              if row.group == "leads")  # fmt: skip
    tricks = 0
    for each in told(family):
        for play in deals_of(each):
            if "tricks" in play.facts:
                tricks += sum(play.facts["tricks"]) if play.facts.get("declarer", 0) is not None else 0
            else:
                tricks += play.facts["full"] + play.facts["taken_pitchers"] + play.facts["thirst_led"]
    assert led == tricks > 0


def test_tricks_of_the_crow_are_those_of_the_facts() -> None:
    expected = Counter[str]()
    for each in told("crow_and_pitcher"):
        for play in deals_of(each):
            for key in ("full", "taken_pitchers", "thirst_led"):
                expected[key] += play.facts[key]
    found = Counter[str]()
    words = {"pitcher full": "full", "pitcher not full": "taken_pitchers", "led by thirst": "thirst_led"}
    for bot in names_of(game_of(told("crow_and_pitcher")[0])):
        for row in split("crow_and_pitcher", bot).rows:
            if row.group == "tricks won in a round":
                found[words[row.label]] += round(row.n * row.value)
    assert found == expected


def test_answers_of_goat_are_those_of_the_moves() -> None:
    expected: Counter[str] = Counter()
    for each in told("goat"):
        for move in each.moves:
            if each.bots[move.seat] == "basic":
                expected[move.move.split()[0]] += 1
    found = split("goat", "basic")
    count, beats = value(found, "answers", "beats")
    assert count == expected["beat"] + expected["drop"]
    assert round(count * beats) == expected["beat"]
    assert value(found, "answers", "drops")[1] == pytest.approx(1 - beats)


def test_times_are_those_of_the_moves_and_void_games_count_for_nothing() -> None:
    [row] = split("crowsnest", "basic").times
    moves = [
        (move.elapsed_ms, turn)
        for sample in samples("crowsnest", "basic")
        for turn, move in enumerate(sample.transcript.moves)
        if move.seat in sample.seats
    ]
    assert row.moves == len(moves)
    assert row.longest == max(moves)[0]
    assert row.p50 == sorted(moves)[len(moves) // 2][0]
    import dataclasses

    void = [each._replace(transcript=dataclasses.replace(each.transcript, verdict=Verdict.VOID))
            for each in samples("crowsnest", "basic")]  # fmt: skip
    assert split_of(void) == Split(0, (), ())


def test_the_bank_left_is_the_smallest_at_the_end_of_a_game() -> None:
    slow = Clock(bank_ms=50, increment_ms=1, cap_ms=50)
    for clock in (Clock(), slow):
        lefts = []
        for sample in samples("crowsnest", "basic"):
            for seat in sample.seats:
                bank = float(clock.bank_ms)
                for move in sample.transcript.moves:
                    if move.seat == seat:
                        bank = max(0.0, bank - move.elapsed_ms) + clock.increment_ms
                lefts.append((bank, sample.transcript.public_id))
        [row] = split_of([each._replace(clock=clock) for each in samples("crowsnest", "basic")]).times
        assert (row.bank, row.bank_where) == min(lefts)
    [row] = split("crowsnest", "basic").times
    assert (row.bank, row.bank_where) == (None, "")


def test_intervals_hold_a_board_as_one_observation() -> None:
    one = split("crowsnest", "basic")
    assert all(row.low is None and row.high is None for row in one.rows)
    several = [each._replace(group=each.transcript.public_id) for each in samples("crowsnest", "basic")]
    assert all(row.low is not None and row.low <= row.value <= (row.high or 0) + 1e-9 for row in split_of(several).rows)
    assert all(row.grey == (row.n < 30) for row in one.rows)
