"""Scores: points of cards and pitchers, the match, its ranks, sums that always hold."""

from __future__ import annotations

import pytest
from games.crow.tables import at, cards, crow, dealt, defaults_to_the_end

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import SeededBoard
from arena.games.crow.tricks import points_of


@pytest.mark.parametrize(
    ("card_points", "expected"), [("face", (2, 10, -2, -10)), ("flat", (1, 1, -1, -1)), ("inverse", (10, 2, -10, -2))]
)
def test_card_points(card_points: str, expected: tuple[int, ...]) -> None:
    assert tuple(points_of(card, card_points) for card in cards("R2 B10 T2 T10")) == expected


@pytest.mark.parametrize(("card_points", "score"), [("face", 8 - 5), ("flat", 2 - 5), ("inverse", 16 - 5)])
def test_a_taken_pitcher_scores_minus_five_whatever_the_card_points(card_points: str, score: int) -> None:
    hands = ["B3", "B5", "T2 R2 R3 R4 R5 R6 R7 R8 R9", "G2 R10 T3 T4 T5 T6 T7 T8 T9"]
    game = crow(card_points=card_points)
    state = at(game, dealt(hands, pitchers=(12,)), moves="B3 B5 T2 G2")
    assert game.scores(state) == (score, 0, 0, 0)


def test_the_pack_holds_162_of_stones_and_minus_54_of_thirst() -> None:
    points = [points_of(card, "face") for card in crow().ruleset.pack()]
    assert sum(point for point in points if point > 0) == 162
    assert sum(point for point in points if point < 0) == -54


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("void_play", ["any", "must_thirst"])
def test_round_scores_add_up_to_108_less_lost_stones_and_taken_pitchers(players: int, void_play: str) -> None:
    game = crow(players=players, void_play=void_play)
    for number in range(10):
        *_, last = play_random(game, SeededBoard(bytes([number]) * 32), Chance(b"any", number))
        for facts in game.facts(last.state):
            assert sum(facts["scores"]) == 108 - facts["lost_points"] - 5 * facts["taken_pitchers"]
            assert facts["full"] + facts["taken_pitchers"] + facts["thirst_led"] == game.ruleset.tricks


def test_a_match_is_three_rounds_whose_scores_add_up() -> None:
    game = crow()
    state = defaults_to_the_end(game, game.start(SeededBoard(bytes(32))))
    rounds = [facts["scores"] for facts in game.facts(state)]
    assert len(rounds) == 3
    assert game.scores(state) == tuple(map(sum, zip(*rounds, strict=True)))
    assert state.results == tuple(points for scores in rounds for points in scores)
    assert game.tiebreaks(state) == (0, 0, 0, 0)


def test_the_highest_total_wins_and_equal_totals_share_the_place() -> None:
    game = crow(ranks=[2], rounds=1, pitchers={"6": 1})
    state = at(game, {"hands": [["B2"], ["R2"], ["G2"], ["T2"]], "dealer": 3, "pitchers": [6]}, moves="B2 R2 G2 T2")
    assert game.scores(state) == (2 + 2 + 2 - 2, 0, 0, 0)
    assert game.ranks(state) == (0, 1, 1, 1)
