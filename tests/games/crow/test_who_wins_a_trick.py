"""Who wins a trick: the sum, the winner, what is taken."""

from __future__ import annotations

import pytest
from games.crow.tables import at, cards, crow, dealt

from arena.games.crow.tricks import counted, is_full, led_by_thirst, outcome, taken_cards, takes_pitcher, winning_card

FACE = [(card & 15) * (-1 if card >= 48 else 1) for card in range(64)]


def test_stones_of_any_colour_are_counted_thirst_is_not() -> None:
    assert counted(cards("R2 G3 B4 T5"), 13) == 9


def test_a_stone_of_exactly_the_pitchers_value_is_counted_a_higher_one_is_not() -> None:
    assert counted(cards("R9 G2"), 9) == 11
    assert counted(cards("R10 G2"), 9) == 2


def test_a_pitcher_is_full_at_exactly_its_value() -> None:
    assert is_full(cards("R4 G5 T9 T10"), 9)
    assert not is_full(cards("R4 G4 T9 T10"), 9)


@pytest.mark.parametrize(
    ("trick", "pitcher", "winner"),
    [
        ("R4 R10 R6 R2", 12, "R10"),
        ("R4 R10 R6 R2", 13, "R10"),
        ("R4 G10 B10 T10", 10, "R4"),
        ("R4 R5 B2 T10", 12, "R4"),
        ("R5 R4 B2 T10", 12, "R4"),
        ("R5 R4 B3 T10", 12, "R5"),
        ("G2 R10 B10 T9", 13, "G2"),
        ("R10 R9 T2 T3", 6, "R9"),
        ("R10 R9 B6 T3", 6, "R10"),
    ],
)
def test_the_highest_card_of_the_led_colour_wins_if_full_else_the_lowest(trick: str, pitcher: int, winner: str) -> None:
    assert [winning_card(cards(trick), pitcher)] == cards(winner)


def test_a_card_above_the_pitcher_can_win_a_pitcher_that_is_not_full() -> None:
    hands = ["R10 R2 R3 R4 R5 B2 B3 B4 B5", "R9 R6 R7 R8 B6 B7 B8 B9 B10", "T2", "T3"]
    game = crow()
    state = at(game, dealt(hands, pitchers=(6,)), moves="R10 R9 T2 T3")
    assert state.round_scores == (0, 10 + 9 - 2 - 3 - 5, 0, 0)
    assert game.to_move(state) == 1


@pytest.mark.parametrize("pitcher", [6, 13])
def test_led_by_thirst_the_highest_thirst_wins_whatever_the_pitcher(pitcher: int) -> None:
    assert [winning_card(cards("T3 T8 R10 T5"), pitcher)] == cards("T8")
    assert [winning_card(cards("T3 R8 R10 B5"), pitcher)] == cards("T3")


def test_not_full_the_winner_takes_all_cards_and_the_pitcher() -> None:
    assert taken_cards(cards("B3 B5 T2 G2")) == cards("B3 B5 T2 G2")
    assert takes_pitcher(cards("B3 B5 T2 G2"), 12)
    assert outcome(cards("B3 B5 T2 G2"), 12, FACE) == (0, 3)


def test_full_the_pitcher_scores_for_nobody() -> None:
    assert not takes_pitcher(cards("B3 B5 T2 G2"), 10)
    assert outcome(cards("B3 B5 T2 G2"), 10, FACE) == (1, 8)


@pytest.mark.parametrize("pitcher", [6, 13])
def test_stones_and_pitcher_of_a_trick_led_by_thirst_score_for_nobody(pitcher: int) -> None:
    trick = cards("T3 G2 B2 T2")
    assert led_by_thirst(trick)
    assert taken_cards(trick) == cards("T3 T2")
    assert not takes_pitcher(trick, pitcher)
    assert outcome(trick, pitcher, FACE) == (0, -5)


def test_a_match_led_by_thirst_at_once() -> None:
    game = crow()
    hands = ["T2 T3 T4 T5 T6 T7 T8 T9 T10", "R2", "R3", "R4"]
    state = at(game, dealt(hands, pitchers=(13,)), moves="T6 R2 R3 R4")
    assert state.round_scores == (-6, 0, 0, 0)
    assert game.to_move(state) == 0
