"""The worked examples of the rules: seats A B C D are 0 1 2 3, A leads, card points by face."""

from __future__ import annotations

from games.crow.tables import at, cards, crow, dealt, legal

from arena.games.crow.tricks import counted


def test_example_1_full_pitcher_the_highest_red_wins_a_thirst_card_too() -> None:
    hands = ["R4", "R10", "R6", "T7 T2 T3 G2 G3 G4 G5 G6 G7"]
    game = crow()
    state = at(game, dealt(hands, pitchers=(9,)), moves="R4 R10 R6 T7")
    assert counted(cards("R4 R10 R6 T7"), 9) == 4 + 6
    assert state.round_scores == (0, 4 + 10 + 6 - 7, 0, 0)
    assert game.to_move(state) == 1


def test_example_2_not_full_the_lowest_blue_wins_and_takes_the_pitcher() -> None:
    hands = ["B3", "B5", "T2 R2 R3 R4 R5 R6 R7 R8 R9", "G2 R10 T3 T4 T5 T6 T7 T8 T9"]
    game = crow()
    state = at(game, dealt(hands, pitchers=(12,)), moves="B3 B5 T2 G2")
    assert counted(cards("B3 B5 T2 G2"), 12) == 3 + 5 + 2
    assert state.round_scores == (3 + 5 + 2 - 2 - 5, 0, 0, 0)
    assert game.to_move(state) == 0


def test_example_3_cards_above_the_pitcher_are_left_out_of_the_sum_only() -> None:
    game = crow()
    state = at(game, dealt(["R10", "R9", "R8", "R5"], pitchers=(6,)), moves="R10 R9 R8 R5")
    assert counted(cards("R10 R9 R8 R5"), 6) == 5
    assert state.round_scores == (0, 0, 0, 32 - 5)
    assert game.to_move(state) == 3


def test_example_4_thirst_led_the_highest_thirst_takes_thirst_only() -> None:
    game = crow(thirst_lead="after_first_trick")
    deal = dealt(["T3 G10", "T8 G3", "R10 G4", "T5 G5"], pitchers=(13, 12))
    state = at(game, deal, moves="G10 G3 G4 G5")
    assert state.round_scores == (22, 0, 0, 0)
    assert not any(card in state.hands[2] for card in cards("T2 T3 T4 T5 T6 T7 T8 T9 T10"))
    state = at(game, deal, moves="G10 G3 G4 G5 T3 T8 R10 T5")
    assert state.round_scores == (22, -3 - 8 - 5, 0, 0)
    assert game.to_move(state) == 1


def test_example_5_second_trick_no_thirst_played_yet() -> None:
    deal = dealt(["B4 T2 R5", "R2 G2 G4", "R4 B2 B5", "G5 T4 T5"], ranks=[2, 4, 5])
    for thirst_lead, expected in (("broken", "B4"), ("after_first_trick", "B4 T2")):
        game = crow(thirst_lead=thirst_lead, ranks=[2, 4, 5])
        state = at(game, deal, moves="R5 R2 R4 G5")
        assert state.hands[0] == tuple(cards("B4 T2"))
        assert legal(game, state) == expected
