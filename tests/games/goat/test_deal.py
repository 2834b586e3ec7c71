"""Deal: hands, stock, the card that shows trump, who leads; deals as data."""

from __future__ import annotations

import json
from typing import Any

import pytest
from games.goat.tables import at, cards, dealt, defaults, defaults_to_the_end, goat

from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import DealtBoard, SeededBoard
from arena.games.goat.scoring import points_of

BOARDS = [SeededBoard(bytes([number]) * 32) for number in range(40)]


def test_thirty_six_cards_hold_120_points() -> None:
    pack = goat().ruleset.pack()
    assert len(pack) == 36
    assert points_of(pack) == 120
    assert [points_of([card]) for card in cards("6C 7C 8C 9C JC QC KC 10C AC")] == [0, 0, 0, 0, 2, 3, 4, 10, 11]


def test_each_seat_gets_four_cards_and_twenty_stay_in_the_stock() -> None:
    game = goat()
    for board in BOARDS[:5]:
        state = game.start(board)
        assert [len(hand) for hand in state.hands] == [4, 4, 4, 4]
        assert len(state.stock) == 20
        assert sorted([*state.stock, *sum(state.hands, ())]) == game.ruleset.pack()


def test_a_random_card_of_the_stock_is_shown_and_its_suit_is_trump() -> None:
    game = goat()
    places = set()
    for board in BOARDS:
        (deal,) = game.deals(game.start(board))
        places.add(deal.stock.index(deal.trump_card))
        view = game.view(game.start(board), 0)
        assert (view.trump, view.trump_card) == (deal.trump_card >> 4, deal.trump_card)
    assert len(places) > 10


def test_the_place_of_the_shown_card_in_the_stock_is_not_known() -> None:
    game = goat()
    first = dealt(["QC KC 10C AC"], trump="AH", stock="AH 6S 7S 8S 9S")
    last = {**first, "stock": [*first["stock"][1:], "AH"]}
    for seat in (0, 1, 2, 3, None):
        assert game.view(at(game, first), seat) == game.view(at(game, last), seat)


def test_in_the_first_deal_the_seat_after_the_dealer_leads_and_the_dealer_is_random() -> None:
    game = goat()
    assert {game.deals(game.start(board))[0].dealer for board in BOARDS} == {0, 1, 2, 3}
    for dealer in range(4):
        state = at(game, dealt([], trump="AH", dealer=dealer))
        assert game.to_move(state) == (dealer + 1) % 4


def test_a_later_deal_is_led_by_the_winner_of_the_last_trick_of_the_deal_before() -> None:
    game = goat()
    state = at(game, dealt([], trump="AH", dealer=3), dealt([], trump="AH", dealer=0))
    state = defaults(game, state, 36)
    assert game.view(state, 0).deal_number == 1
    assert game.to_move(state) == 0


def test_deals_are_read_back_as_written() -> None:
    game = goat()
    for number in range(3):
        deal = game.shuffle(Chances(bytes(32)), number, 0)
        assert game.read_deal(json.loads(json.dumps(game.deal_data(deal)))) == deal


def test_the_same_board_dealt_from_data_gives_the_same_match() -> None:
    game = goat()
    state = defaults_to_the_end(game, game.start(BOARDS[0]))
    written = DealtBoard(tuple(game.deal_data(deal) for deal in game.deals(state)))
    again = defaults_to_the_end(game, game.start(written))
    assert again._replace(match=again.match._replace(board=BOARDS[0])) == state


def test_hands_are_blocks_of_the_shuffled_pack_the_rest_is_the_stock() -> None:
    game = goat()
    chances = Chances(bytes(range(32)))
    deal = game.shuffle(chances, 2, 0)
    shuffled = chances.stream("cards", 2, 0).shuffled(game.ruleset.pack())
    assert deal.hands == tuple(tuple(sorted(shuffled[first : first + 4])) for first in (0, 4, 8, 12))
    assert list(deal.stock) == shuffled[16:]
    assert deal.trump_card == deal.stock[chances.stream("trump", 2, 0).below(20)]
    assert deal.dealer == (chances.stream("dealer").below(4) + 2) % 4


def wrong(**changes: Any) -> dict[str, Any]:
    return {**dealt([], trump="AH"), **changes}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "is no deal"),
        (wrong(hands=[["6C"]]), "hands of"),
        (wrong(hands=[["6C"] * 4] * 4), "each card once"),
        (wrong(stock=["6C"]), "each card once"),
        (wrong(hands=[["5C"]] * 4), "no card '5C'"),
        (wrong(dealer=-1), "dealer -1"),
        (wrong(dealer=False), "dealer False"),
        (wrong(trump_card="6C"), "trump card '6C' is not in the stock"),
        (wrong(trump_card="hearts"), "is no deal"),
    ],
)
def test_what_is_no_deal_is_refused(data: dict[str, Any], says: str) -> None:
    with pytest.raises(TranscriptError, match=says):
        goat().read_deal(data)


def test_a_written_dealer_that_does_not_move_clockwise_is_refused() -> None:
    game = goat()
    same = dealt([], trump="AH", dealer=3)
    with pytest.raises(TranscriptError, match="deal 1 has dealer 3"):
        defaults(game, at(game, same, same), 36)
