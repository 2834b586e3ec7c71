"""Course of a round: pitchers, who deals and leads, what may be led, what follows."""

from __future__ import annotations

import pytest
from games.crow.tables import at, cards, crow, dealt, defaults_to_the_end, legal

from arena.core.errors import IllegalMove
from arena.core.game import SeededBoard
from arena.games.crow.tricks import answers, leads, thirst_broken

BOARDS = [SeededBoard(bytes([number]) * 32) for number in range(40)]


def test_the_whole_pack_is_dealt_nine_cards_each_with_four_twelve_with_three() -> None:
    for players, size in ((4, 9), (3, 12)):
        game = crow(players=players)
        for board in BOARDS[:5]:
            hands = game.start(board).hands
            assert [len(hand) for hand in hands] == [size] * players
            assert sorted(card for hand in hands for card in hand) == game.ruleset.pack()
            assert len(game.ruleset.pack()) == 36
            assert game.ruleset.tricks == size


def test_the_pitcher_pack_is_shuffled_whole_before_every_round() -> None:
    game = crow()
    state = defaults_to_the_end(game, game.start(BOARDS[0]))
    orders = [deal.pitchers for deal in game.deals(state)]
    assert [sorted(order) for order in orders] == [[6, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 13]] * 3
    assert len(set(orders)) == 3


def test_one_pitcher_is_turned_up_at_the_start_of_every_trick_before_the_lead() -> None:
    game = crow()
    deal = dealt(["R2 R3 R4 R5 R6 R7 R8 R9 R10"], pitchers=(9, 6, 13))
    shown = [at(game, deal, moves=moves).pitchers for moves in ("", "R2", "R2 G6 B6 T2", "R2 G6 B6 T2 R3")]
    assert shown == [(9,), (9,), (9, 6), (9, 6)]


def test_pitchers_not_reached_stay_unknown() -> None:
    game = crow()
    one = dealt(["R2"], pitchers=(9, 6, 13))
    other = dealt(["R2"], pitchers=(9, 13, 6))
    for seat in (0, 1, None):
        assert game.view(at(game, one, moves="R2"), seat) == game.view(at(game, other, moves="R2"), seat)


def test_the_dealer_of_the_first_round_is_random() -> None:
    for players in (3, 4):
        game = crow(players=players)
        assert {game.deals(game.start(board))[0].dealer for board in BOARDS} == set(range(players))


def test_the_deal_moves_one_seat_clockwise_each_round_and_the_next_seat_leads() -> None:
    game = crow(players=3)
    state = defaults_to_the_end(game, game.start(BOARDS[1]))
    first = game.deals(state)[0].dealer
    assert [deal.dealer for deal in game.deals(state)] == [first, (first + 1) % 3, (first + 2) % 3]
    for dealer in range(4):
        assert crow().to_move(at(crow(), dealt([], dealer=dealer))) == (dealer + 1) % 4


def test_a_later_round_is_led_by_the_seat_after_its_dealer_whoever_won_the_last_trick() -> None:
    game = crow(ranks=[2, 3], rounds=2)
    hands = ["R2 R3", "G2 T2", "G3 T3", "B2 B3"]
    two = [dealt(hands, dealer=dealer, ranks=[2, 3]) for dealer in (3, 0)]
    state = at(game, *two, moves="R2 T2 T3 B2 R3 G2 G3 B3")
    assert game.view(state, 0).round == 1
    assert game.to_move(state) == 1


def test_the_winner_of_a_trick_leads_the_next() -> None:
    game = crow()
    hands = ["R2 R3 R4 R5 R6", "R7 R8 R9 R10", "G6", "B6"]
    state = at(game, dealt(hands, pitchers=(9,)), moves="R2 R9 G6 B6")
    assert game.to_move(state) == 1
    assert state.leaders == (0, 1)


def test_the_first_trick_of_a_round_is_led_with_a_stone() -> None:
    for thirst_lead in ("broken", "after_first_trick"):
        game = crow(thirst_lead=thirst_lead)
        state = at(game, dealt(["R2 G3 T2 T3 T4 T5 T6 T7 T8"]))
        assert legal(game, state) == "R2 G3"


def test_a_hand_of_thirst_only_may_lead_thirst_at_once() -> None:
    game = crow()
    thirst = "T2 T3 T4 T5 T6 T7 T8 T9 T10"
    state = at(game, dealt([thirst]))
    assert legal(game, state) == thirst


def test_thirst_may_be_led_after_the_first_trick_in_which_thirst_was_played() -> None:
    game = crow()
    hands = ["R2 R3 R4 R5 R10", "R6 R7 R8 R9 T2 G3 G4 G5 G6", "G2 T3", "B2 T4"]
    deal = dealt(hands, pitchers=(6,))
    dry = at(game, deal, moves="R10 R9 G2 B2")
    assert legal(game, dry) == "R6 R7 R8 G3 G4 G5 G6"
    wet = at(game, deal, moves="R10 R9 T3 B2")
    assert legal(game, wet) == "R6 R7 R8 G3 G4 G5 G6 T2"


def test_thirst_not_yet_led_stays_closed_until_a_trick_held_thirst() -> None:
    game = crow()
    deal = dealt(["R7 R8 R9 R10 T2", "R2 T3 G6 G7 G8 G9 G10 B2 B3", "R3 R5", "R4 R6"], pitchers=(6, 7))
    one = at(game, deal, moves="R10 R2 R3 R4")
    two = at(game, deal, moves="R10 R2 R3 R4 R9 T3 R5 R6")
    assert legal(game, one) == "R7 R8 R9 G2 G3 G4 G5"
    assert legal(game, two) == "R7 R8 G2 G3 G4 G5 T2"


def test_broken_looks_at_all_earlier_tricks_of_the_round() -> None:
    hand = cards("R2 T5")
    assert leads(hand, cards("R3 R4 R5 R6"), "broken") == cards("R2")
    assert leads(hand, cards("R3 R4 T2 R6"), "broken") == hand
    assert leads(hand, cards("R3 R4 T2 R6 G2 G3 G4 G5"), "broken") == hand
    assert leads(hand, (), "broken") == cards("R2")
    assert thirst_broken(cards("T10"))
    assert not thirst_broken(cards("R10 G10 B10"))


def test_broken_starts_anew_each_round() -> None:
    game = crow(ranks=[2, 3], rounds=2)
    hands = ["R2 R3", "G2 T2", "G3 T3", "B2 B3"]
    two = [dealt(hands, dealer=dealer, ranks=[2, 3]) for dealer in (3, 0)]
    state = at(game, *two, moves="R2 T2 T3 B2 R3 G2 G3 B3")
    assert state.played == ()
    assert legal(game, state) == "G2"


def test_after_first_trick_lets_thirst_lead_in_any_trick_but_the_first() -> None:
    hand = cards("R2 T5")
    assert leads(hand, (), "after_first_trick") == cards("R2")
    assert leads(hand, cards("R3 R4 R5 R6"), "after_first_trick") == hand


def test_a_hand_with_the_led_suit_follows() -> None:
    game = crow()
    state = at(game, dealt(["R2", "R6 R9 G2 T2"], pitchers=(9,)), moves="R2")
    assert legal(game, state) == "R6 R9"
    with pytest.raises(IllegalMove, match="'T2' is not legal here"):
        at(game, dealt(["R2", "R6 R9 G2 T2"], pitchers=(9,)), moves="R2 T2")


def test_thirst_is_a_suit_like_the_others_when_it_is_led() -> None:
    hand = cards("R2 G9 T3 T5")
    for void_play in ("any", "must_thirst"):
        assert answers(hand, 3, void_play) == cards("T3 T5")
        assert answers(hand, 1, void_play) == cards("G9")


def test_a_hand_without_the_led_suit_may_play_any_card() -> None:
    assert answers(cards("R2 G9 T3"), 2, "any") == cards("R2 G9 T3")
    assert answers(cards("R2 G9"), 3, "any") == cards("R2 G9")


def test_must_thirst_a_hand_without_the_led_suit_plays_thirst_if_it_has_any() -> None:
    assert answers(cards("R2 G9 T3 T4"), 2, "must_thirst") == cards("T3 T4")
    assert answers(cards("R2 G9"), 2, "must_thirst") == cards("R2 G9")
    assert answers(cards("R2 G9"), 3, "must_thirst") == cards("R2 G9")


def test_must_thirst_is_obeyed_at_the_table() -> None:
    deal = dealt(["R2 R3 R4 R5", "G2 G3 G4 B2 B3 B4 B5 T2 T3", "R6 R7 R8 R9 R10"])
    for void_play, expected in (("any", "G2 G3 G4 B2 B3 B4 B5 T2 T3"), ("must_thirst", "T2 T3")):
        game = crow(void_play=void_play)
        assert legal(game, at(game, deal, moves="R2")) == expected
