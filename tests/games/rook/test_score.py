"""Score of a hand."""

from __future__ import annotations

import pytest
from games.rook.scripting import (
    SEVENTY_FIFTY,
    VARIANT_IDS,
    E,
    N,
    S,
    W,
    deal,
    game,
    run,
    seventy_fifty_hand,
    start,
    turned,
)

from arena.core.chance import Chance
from arena.core.drivers import final_state, random_move
from arena.core.game import SeededBoard
from arena.games.rook.scoring import score_hand

POINTS = dict(zip(VARIANT_IDS, [120, 120, 120, 200, 150, 180], strict=True))
NO_MAJORITY = (S, W) * 7
LAST_W = (S, S, S, S, S, S, S, S, W)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_points_of_a_hand_are_all_captured(variant: str) -> None:
    """The law of every finished hand: both teams together capture the points of a hand (Partnership: 100 at 7-7)."""
    rook = game(variant, max_hands=1)
    chance = Chance(b"p" * 32, variant)
    for number in range(40):
        end = final_state(rook, SeededBoard(bytes([number]) * 32), lambda _view, legal: random_move(chance, legal))
        (facts,) = rook.facts(end)
        level = variant == "partnership" and facts["tricks"] == [7, 7]
        assert sum(facts["captured"]) == (100 if level else POINTS[variant])
        assert sum(facts["tricks"]) == rook.ruleset.hand
        team = facts["declarer"] % 2
        won = facts["captured"][team] >= facts["bid"]
        assert facts["made"] is won
        scores = rook.scores(end)
        made = facts["bid"] if variant == "crowsnest" else facts["captured"][team]
        assert scores[team] == (made if won else -facts["bid"])
        assert scores[1 - team] == facts["captured"][1 - team]
        assert scores[2:] == scores[:2]
        assert min(scores) >= rook.worst_score


@pytest.mark.parametrize(
    ("variant", "declarers"),
    [("crowsnest", 70), ("tournament", 70), ("partnership", 75), ("one_high", 75), ("red_one", 75), ("buckeye", 75)],
)
def test_declarers_who_make_it_score_the_bid_in_crowsnest_and_captured_in_all_others(
    variant: str, declarers: int
) -> None:
    rules = game(variant, trick_bonus=0, last_bonus=0).ruleset
    expected = 70 if variant == "crowsnest" else 75
    assert score_hand(rules, S, 70, (75, 45), 0, LAST_W).gained == (expected, 45)
    assert score_hand(rules, E, 70, (45, 75), 0, LAST_W).gained == (45, expected)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_else_the_bid_is_subtracted(variant: str) -> None:
    rules = game(variant, trick_bonus=0, last_bonus=0).ruleset
    assert score_hand(rules, S, 80, (75, 45), 0, LAST_W).gained == (-80, 45)
    assert score_hand(rules, W, 80, (45, 75), 0, LAST_W).gained == (45, -80)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_exactly_the_bid_makes_it(variant: str) -> None:
    rules = game(variant, trick_bonus=0, last_bonus=0).ruleset
    assert score_hand(rules, S, 75, (75, 45), 0, LAST_W).gained == (75, 45)


def test_counters_of_the_discard_count_for_the_winner_of_the_last_trick_whoever_declared() -> None:
    rules = game("tournament").ruleset
    score = score_hand(rules, S, 70, (60, 30), 30, LAST_W)
    assert score.captured == (60, 60)
    assert score.gained == (-70, 60)
    assert score_hand(rules, S, 70, (60, 30), 30, (S,) * 9).gained == (90, 30)


def test_partnership_20_for_most_tricks() -> None:
    rules = game("partnership").ruleset
    assert score_hand(rules, S, 70, (50, 50), 0, (S,) * 8 + (W,) * 6).captured == (70, 50)
    assert score_hand(rules, S, 70, (50, 50), 0, (N,) * 6 + (E,) * 8).captured == (50, 70)


def test_partnership_nobody_gets_the_bonus_at_7_7_and_100_points_are_captured() -> None:
    rules = game("partnership").ruleset
    score = score_hand(rules, S, 70, (60, 40), 0, NO_MAJORITY)
    assert score.captured == (60, 40)
    assert score.gained == (-70, 40)


def test_one_high_20_for_the_last_trick() -> None:
    rules = game("one_high").ruleset
    assert score_hand(rules, S, 70, (100, 80), 0, NO_MAJORITY).captured == (100, 100)
    assert score_hand(rules, S, 70, (100, 60), 20, (*NO_MAJORITY[1:], S)).captured == (140, 60)


def test_the_bonus_helps_to_make_the_bid() -> None:
    assert score_hand(game("partnership").ruleset, S, 70, (50, 50), 0, (S,) * 14).gained == (70, 50)


def test_scores_may_be_negative() -> None:
    rook = game()
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY), deal(rook, dealer=W))
    state = run(rook, state, seventy_fifty_hand(75))
    assert rook.scores(state) == (50, -75, 50, -75)


def test_scores_add_up_over_hands() -> None:
    rook = game()
    hand = deal(rook, dealer=S, **SEVENTY_FIFTY)
    state = run(rook, start(rook, hand, turned(hand, 1), turned(hand, 2)), seventy_fifty_hand(70) * 2)
    assert rook.scores(state) == (120, 120, 120, 120)
    assert [result.captured for result in state.so_far.results] == [(50, 70), (70, 50)]


def test_facts_of_a_finished_hand() -> None:
    rook = game()
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY), deal(rook, dealer=W))
    assert rook.facts(state) == []
    state = run(rook, state, seventy_fifty_hand(75))
    assert rook.facts(state) == [
        {
            "hand": 0,
            "redeals": 0,
            "dealer": S,
            "declarer": W,
            "bid": 75,
            "made": False,
            "trump": "green",
            "discard_points": 0,
            "tricks": [2, 7],
            "captured": [50, 70],
            "gained": [50, -75],
        }
    ]


def test_facts_of_a_passed_out_hand() -> None:
    rook = game(all_pass="zero")
    state = run(rook, start(rook, deal(rook, dealer=S), deal(rook, dealer=W)), "pass pass pass pass")
    (facts,) = rook.facts(state)
    assert (facts["declarer"], facts["bid"], facts["made"], facts["trump"]) == (None, 0, None, None)
    assert (facts["captured"], facts["gained"], facts["tricks"]) == ([0, 0], [0, 0], [0, 0])
