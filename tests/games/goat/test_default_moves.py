"""The default moves of a silent seat."""

from __future__ import annotations

import pytest
from games.goat.tables import at, dealt, goat, on


def text_of_default(moves: str, hands: list[str], mode: str = "on_turn") -> str:
    game = goat(molodka=mode)
    state = at(game, dealt(hands, trump="AH"), moves=moves)
    seat = game.to_move(state)
    assert seat is not None
    return game.notation.text(game.default_move(game.view(state, seat)))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AC 10C KC QC", "lead QC"),
        ("JC 9C 8S 7H", "lead 7H"),
        ("6S 6D 6H JC", "lead 6D"),
        ("10C AD KH JS", "lead JS"),
        ("6S 9S QS AS", "lead 6S"),
    ],
)
def test_lead_one_card_the_lowest_by_points_rank_suit(hand: str, expected: str) -> None:
    assert text_of_default("", [hand]) == expected


def test_drop_as_many_cards_as_were_led_the_lowest_by_points_rank_suit() -> None:
    hands = ["6C 7C 8C", "JC 9S 6H 6D"]
    assert text_of_default("lead 6C", hands) == "drop 6D"
    assert text_of_default("lead 6C 7C", hands) == "drop 6D 6H"
    assert text_of_default("lead 6C 7C 8C", hands) == "drop 6D 6H 9S"


def test_never_molodka() -> None:
    hands = ["6C", "6S 9S QS AS"]
    assert text_of_default("lead 6C", hands) == "drop 6S"
    assert text_of_default("pass", hands, "before_trick") == "pass"


@pytest.mark.parametrize("mode", ["on_turn", "before_trick", "off"])
def test_defaults_are_legal_to_the_end(mode: str) -> None:
    game = goat(molodka=mode, max_deals=1)
    state = at(game, dealt(["6C", "6S 9S QS AS", "JD QD KD AD"], trump="AH"))
    count = 0
    while (seat := game.to_move(state)) is not None:
        state = on(game, state, game.notation.text(game.default_move(game.view(state, seat))))
        count += 1
    assert count == game.max_moves
