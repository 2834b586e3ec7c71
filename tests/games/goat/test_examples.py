"""The worked examples of the rules: trump hearts, seats A B C D are 0 1 2 3, A leads."""

from __future__ import annotations

import pytest
from games.goat.tables import at, cards, dealt, defaults, goat, legal, on

from arena.games.goat.scoring import defeat_points
from arena.games.goat.sets import beaten_by, set_beats

HEARTS = 2
PACK = goat().ruleset.pack()
BEATEN = beaten_by(PACK, HEARTS)
ONE = ["7S JS", "9S 6H", "10S 7H", "8H QH"]


def test_example_1_each_seat_beats_the_one_before_and_the_last_wins_eight_cards() -> None:
    game = goat()
    state = at(game, dealt(ONE, trump="AH"), moves="lead 7S JS / beat 6H 9S / beat 7H 10S / beat 8H QH")
    assert game.to_move(state) == 3
    assert state.tricks == (0, 1)
    assert state.points == (0, 2 + 10 + 3)
    assert len(state.stock) == 20 - 8


def test_example_2_no_spade_beats_a_trump_the_set_can_only_be_dropped() -> None:
    assert not set_beats(cards("KS AS"), cards("6H 9S"), BEATEN)
    game = goat()
    state = at(game, dealt(["7S JS", "6H 9S", "KS AS"], trump="AH"), moves="lead 7S JS / beat 6H 9S")
    assert "drop KS AS" in legal(game, state)
    assert not [text for text in legal(game, state) if text.startswith("beat")]


def test_example_3_a_trump_and_a_spade_beat_a_spade_and_a_trump() -> None:
    assert set_beats(cards("7H AS"), cards("6H 10S"), BEATEN)
    game = goat()
    state = at(game, dealt(["7S JS", "6H 10S", "7H AS"], trump="AH"), moves="lead 7S JS / beat 6H 10S")
    assert "beat 7H AS" in legal(game, state)


def test_example_4_the_ten_beats_the_king_and_only_a_heart_beats_a_plain_ace() -> None:
    assert set_beats(cards("10C"), cards("KC"), BEATEN)
    assert not set_beats(cards("QC"), cards("KC"), BEATEN)
    better = [card for card in PACK if set_beats((card,), cards("AD"), BEATEN)]
    assert tuple(better) == cards("6H 7H 8H 9H JH QH KH 10H AH")


def test_example_5_molodka_cards_go_back_and_the_caller_leads_its_four() -> None:
    game = goat()
    deal = dealt(["KC 6D 7D 8D", "6C 7C 8C 9C", "6S 9S QS AS", "7S 10S 6H 8H"], trump="AH")
    state = at(game, deal, moves="lead KC / drop 6C")
    assert legal(game, state)[-1] == "molodka"
    state = at(game, deal, moves="lead KC / drop 6C / molodka")
    assert state.hands[0] == game.deals(state)[0].hands[0]
    assert state.hands[1] == cards("6C 7C 8C 9C")
    assert state.hands[2] == ()
    assert state.best == cards("6S 9S QS AS")
    assert legal(game, state) == ["beat 6H 8H 7S 10S", "drop 6H 8H 7S 10S"]
    state = at(
        game,
        deal,
        moves="lead KC / drop 6C / molodka / beat 6H 8H 7S 10S / drop KC 6D 7D 8D / drop 6C 7C 8C 9C",
    )
    assert state.tricks == (0, 1)
    assert game.to_move(state) == 3


def test_example_6_a_stock_of_eight_gives_each_two_cards_after_a_trick_of_three() -> None:
    game = goat()
    deal = dealt(["QC KC 10C AC"], trump="AH", stock="6C 6D 6S 7D 7C 7S 8D 8S 8C 9D 9S JD")
    state = defaults(game, at(game, deal), 12)
    assert len(state.stock) == 8
    state = defaults(game, on(game, state, "lead 8C KC 10C"), 3)
    assert [len(hand) for hand in state.hands] == [3, 3, 3, 3]
    assert state.stock == ()
    assert game.notation.names.join(state.hands[0][:1]) == "AC"
    three = state._replace(hands=(cards("6C 8C AC"), *state.hands[1:]))
    assert {len(text.split()) - 1 for text in legal(game, three)} == {1, 2, 3}


@pytest.mark.parametrize(
    ("points", "tricks", "defeats"),
    [
        ((88, 32), (5, 4), (0, 2)),
        ((90, 30), (5, 4), (0, 4)),
        ((120, 0), (8, 1), (0, 4)),
        ((120, 0), (9, 0), (0, 6)),
    ],
)
def test_example_7_defeat_points(points: tuple[int, int], tricks: tuple[int, int], defeats: tuple[int, int]) -> None:
    assert defeat_points(points, tricks) == defeats
    assert defeat_points(points[::-1], tricks[::-1]) == defeats[::-1]
