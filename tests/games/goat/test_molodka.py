"""Molodka: four of one suit in a hand of four, in its three modes."""

from __future__ import annotations

import pytest
from games.goat.tables import at, cards, dealt, defaults, goat, legal, on

from arena.core.errors import IllegalMove
from arena.games.goat.state import Act, Phase

LAST_HOLDS = dealt(["KC 6D", "AC 7D", "10C 8D", "6S 9S QS AS"], trump="AH")


def test_on_turn_the_seat_to_answer_may_call_with_four_of_one_suit() -> None:
    game = goat()
    state = at(game, LAST_HOLDS, moves="lead KC / drop AC / drop 10C")
    assert legal(game, state)[-1] == "molodka"
    three_and_one = dealt(["KC", "6S 9S QS AD"], trump="AH")
    assert "molodka" not in legal(game, at(game, three_and_one, moves="lead KC"))


def test_all_cards_of_the_trick_go_back_to_their_owners_beats_and_drops_alike() -> None:
    game = goat()
    before = at(game, LAST_HOLDS)
    state = at(game, LAST_HOLDS, moves="lead KC / beat AC / drop 10C / molodka")
    assert state.hands == (*before.hands[:3], ())
    assert (state.leader, game.to_move(state)) == (3, 0)
    assert state.points == (0, 0)
    assert state.tricks == (0, 0)


def test_the_other_three_answer_clockwise_from_the_caller_with_four_cards_each() -> None:
    game = goat()
    state = at(game, LAST_HOLDS, moves="lead KC / beat AC / drop 10C / molodka")
    for seat in (0, 1, 2):
        assert game.to_move(state) == seat
        assert all(len(text.split()) == 5 for text in legal(game, state))
        state = defaults(game, state, 1)
    assert game.to_move(state) == 3
    assert state.tricks == (0, 1)
    assert [len(hand) for hand in state.hands] == [4, 4, 4, 4]
    assert len(state.stock) == 4


def test_dropped_cards_go_back_unseen_and_shown_ones_stay_listed() -> None:
    game = goat()
    state = at(game, LAST_HOLDS, moves="lead KC / beat AC / drop 10C / molodka")
    face_up = cards("KC AC 6S 9S QS AS")
    for viewer in (0, 1, 3, None):
        assert game.view(state, viewer).act_cards == face_up
    assert game.view(state, 2).act_cards == cards("KC AC 10C 6S 9S QS AS")
    view = game.view(state, 0)
    assert view.acts == (Act.LEAD, Act.BEAT, Act.DROP, Act.MOLODKA)
    assert view.act_seats == (0, 1, 2, 3)
    assert view.act_counts == (1, 1, 1, 4)
    assert view.leader == 3


def test_a_molodka_can_be_beaten_like_any_lead() -> None:
    game = goat()
    deal = dealt(["KC", "6S 9S QS AS", "7S 10S 6H 8H", "9H JH QH KH"], trump="AH")
    state = at(game, deal, moves="lead KC / molodka / beat 6H 8H 7S 10S")
    assert legal(game, state) == ["beat 9H JH QH KH", "drop 9H JH QH KH"]
    state = defaults(game, on(game, state, "beat 9H JH QH KH"), 1)
    assert game.to_move(state) == 3


def test_not_possible_against_a_lead_of_four_cards() -> None:
    game = goat()
    deal = dealt(["6C 7C 8C 9C", "6S 9S QS AS"], trump="AH")
    assert legal(game, at(game, deal, moves="lead 6C 7C 8C 9C")) == ["drop 6S 9S QS AS"]
    assert legal(game, at(game, deal, moves="lead 6C 7C 8C"))[-1] == "molodka"


def test_once_a_trick() -> None:
    game = goat()
    deal = dealt(["KC", "6S 7S 8S 9S", "JS QS KS 10S"], trump="AH")
    state = at(game, deal, moves="lead KC / molodka")
    assert legal(game, state) == ["beat JS QS KS 10S", "drop JS QS KS 10S"]


def test_a_holder_that_did_not_call_may_call_in_the_next_trick() -> None:
    game = goat()
    deal = dealt(["KC", "6S 7S 8S 9S"], trump="AH", stock="6C JS 7C 8C")
    state = at(game, deal, moves="lead KC / drop 6S")
    state = defaults(game, state, 2)
    assert state.hands[1] == cards("7S 8S 9S JS")
    state = defaults(game, state, 1)
    assert legal(game, state)[-1] == "molodka"


def test_three_of_one_suit_in_a_hand_of_three_are_no_molodka() -> None:
    game = goat()
    hands = ["6C 7C 8C 9C", "6S 7S 8S 9S", "6D 7D 8D 9D", "JC QC KC 10C"]
    stock = "AC JS JD QD KD QS 10D AD 6H KS 7H 8H 9H 10S JH QH KH AS 10H AH"
    state = defaults(game, at(game, dealt(hands, trump="AH", stock=stock)), 1)
    offered = []
    for _ in range(7):
        offered.append((len(state.hands[1]), "molodka" in legal(game, state)))
        state = defaults(game, state, 4)
    assert offered == [(4, True)] * 6 + [(3, False)]


BEFORE = {"molodka": "before_trick"}


def test_before_trick_every_seat_is_asked_once_clockwise_from_the_seat_due_to_lead() -> None:
    game = goat(**BEFORE)
    state = at(game, dealt([], trump="AH", dealer=1))
    asked = []
    while state.phase == Phase.ASK:
        asked.append(game.to_move(state))
        state = on(game, state, "pass")
    assert asked == [2, 3, 0, 1]
    assert (state.phase, game.to_move(state)) == (Phase.LEAD, 2)
    view = game.view(state, None)
    assert view.acts == (Act.DECLINE,) * 4
    assert view.act_seats == (2, 3, 0, 1)
    assert view.act_counts == (0, 0, 0, 0)


def test_before_trick_a_seat_without_one_can_only_decline() -> None:
    game = goat(**BEFORE)
    deal = dealt(["6C 7C 8C 9D", "6S 9S QS AS"], trump="AH")
    assert legal(game, at(game, deal)) == ["pass"]
    assert legal(game, at(game, deal, moves="pass")) == ["pass", "molodka"]
    with pytest.raises(IllegalMove, match="'molodka' is not legal here"):
        at(game, deal, moves="molodka")


def test_before_trick_the_first_that_calls_leads_its_four_and_nobody_else_is_asked() -> None:
    game = goat(**BEFORE)
    deal = dealt(["6C 7C 8C 9D", "6S 9S QS AS", "6D 7D 8D JD"], trump="AH")
    state = at(game, deal, moves="pass / molodka")
    assert (state.phase, state.leader, game.to_move(state)) == (Phase.ANSWER, 1, 2)
    assert legal(game, state) == ["drop 6D 7D 8D JD"]
    assert game.view(state, None).act_cards == cards("6S 9S QS AS")
    state = defaults(game, state, 3)
    assert (state.phase, game.to_move(state)) == (Phase.ASK, 1)
    assert state.tricks == (0, 1)


def test_before_trick_a_holder_may_decline_and_the_next_holder_may_call() -> None:
    game = goat(**BEFORE)
    deal = dealt(["6C 7C 8C 9D", "6S 9S QS AS", "6D 7D 8D JD"], trump="AH")
    state = at(game, deal, moves="pass / pass / molodka")
    assert (state.leader, game.to_move(state)) == (2, 3)


def test_before_trick_the_seat_due_to_lead_may_call_or_lead_four_later() -> None:
    game = goat(**BEFORE)
    deal = dealt(["6C 7C 8C 9C"], trump="AH")
    state = at(game, deal, moves="molodka")
    assert (state.leader, game.to_move(state)) == (0, 1)
    state = at(game, deal, moves="pass / pass / pass / pass")
    assert "lead 6C 7C 8C 9C" in legal(game, state)


def test_before_trick_nobody_may_call_in_the_trick() -> None:
    game = goat(**BEFORE)
    deal = dealt(["6C 7C 8C 9D", "6S 9S QS AS"], trump="AH")
    state = at(game, deal, moves="pass / pass / pass / pass / lead 6C")
    assert legal(game, state) == ["drop 6S", "drop 9S", "drop QS", "drop AS"]


def test_before_trick_seats_are_asked_before_every_trick_with_four_cards_and_only_then() -> None:
    game = goat(molodka="before_trick", max_deals=1)
    state = at(game, dealt([], trump="AH"))
    asked = {4: 0, 3: 0, 2: 0, 1: 0}
    while game.to_move(state) is not None:
        if state.phase == Phase.ASK:
            asked[len(state.hands[0])] += 1
        state = defaults(game, state, 1)
    assert asked == {4: 4 * 6, 3: 0, 2: 0, 1: 0}


def test_off_nobody_is_asked_and_nobody_may_call() -> None:
    game = goat(molodka="off")
    state = at(game, LAST_HOLDS, moves="lead KC / drop AC / drop 10C")
    assert legal(game, state) == ["drop 6S", "drop 9S", "drop QS", "drop AS"]
    assert at(game, LAST_HOLDS).phase == Phase.LEAD
