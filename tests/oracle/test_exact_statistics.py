"""Uniform games of the oracle against exact values and each other."""

import random

import pytest

from oracle import statistics
from oracle.play import play_line
from oracle.rulesets import page_ruleset


def some_figures(game, seeds, **options):
    ruleset = page_ruleset(game, options)
    return statistics.summarise(
        statistics.figures(play_line(game, ruleset, random.Random(f"{game} {seed}"))) for seed in seeds
    )


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("crow_and_pitcher", {"rounds": 1}),
        ("crow_and_pitcher", {"rounds": 1, "players": 3}),
        ("buckeye", {"max_hands": 1}),
        ("partnership", {"max_hands": 1, "lowest_bid": 110}),
        ("goat", {"max_deals": 1}),
    ],
)
def test_own_games_have_the_exact_means(game, options):
    summary = some_figures(game, range(250), **options)
    exact = statistics.exact(game, page_ruleset(game, options))
    assert len(exact) >= 1
    assert statistics.far_off(statistics.compare_exact(summary, exact)) == {}


def test_two_sets_of_own_games_agree_and_other_rules_do_not():
    first = some_figures("crow_and_pitcher", range(150), rounds=1)
    second = some_figures("crow_and_pitcher", range(150, 300), rounds=1)
    other = some_figures("crow_and_pitcher", range(150), rounds=1, void_play="must_thirst")
    assert statistics.far_off(statistics.compare(first, second)) == {}
    assert statistics.far_off(statistics.compare(first, other)) != {}


def test_exact_values_by_hand():
    # one bid only: each call is a pass or the bid, so a contract stands unless four pass
    calls, contract = statistics.auction((70,), 0, (), 0)
    assert calls == pytest.approx(1 + 1 / 2 + 1 / 4 + 1 / 8)
    assert contract == pytest.approx(70 * 15 / 16)
    # every hand of four leads one card at least, and four of one suit are 1 lead in 15
    assert 1 < statistics.first_lead() < 32 / 15
