"""Deals: fixed by the board, written as data and read back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from games.crow.tables import at, crow, dealt, defaults_to_the_end

from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import DealtBoard, SeededBoard


@pytest.mark.parametrize("players", [3, 4])
def test_deals_are_read_back_as_written(players: int) -> None:
    game = crow(players=players)
    for number in range(3):
        deal = game.shuffle(Chances(bytes(32)), number, 0)
        assert game.read_deal(json.loads(json.dumps(game.deal_data(deal)))) == deal


def test_the_same_board_dealt_from_data_gives_the_same_match() -> None:
    game = crow()
    state = defaults_to_the_end(game, game.start(SeededBoard(bytes(32))))
    written = DealtBoard(tuple(game.deal_data(deal) for deal in game.deals(state)))
    again = defaults_to_the_end(game, game.start(written))
    assert again._replace(board=state.board) == state


def test_hands_are_blocks_of_the_shuffled_pack_and_pitchers_have_a_stream_of_their_own() -> None:
    game = crow()
    chances = Chances(bytes(range(32)))
    deal = game.shuffle(chances, 1, 0)
    cards = chances.stream("cards", 1, 0).shuffled(game.ruleset.pack())
    assert deal.hands == tuple(tuple(sorted(cards[first : first + 9])) for first in (0, 9, 18, 27))
    assert list(deal.pitchers) == chances.stream("pitchers", 1, 0).shuffled(game.ruleset.pitcher_pack())
    assert deal.dealer == (chances.stream("dealer").below(4) + 1) % 4


def test_a_deal_does_not_depend_on_what_was_played_before() -> None:
    game = crow()
    board = SeededBoard(bytes(32))
    state = defaults_to_the_end(game, game.start(board))
    assert list(game.deals(state)) == [board.deal(game, number, number, 0) for number in range(3)]


def wrong(**changes: Any) -> dict[str, Any]:
    return {**dealt(["R2"]), **changes}


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "is no deal"),
        (wrong(hands=[["R2"]]), "hands of"),
        (wrong(hands=[["R2"] * 9] * 4), "each card once"),
        (wrong(hands=[["R11"]] * 4), "no card 'R11'"),
        (wrong(dealer=4), "dealer 4"),
        (wrong(dealer=True), "dealer True"),
        (wrong(pitchers=[6]), "pitchers"),
        (wrong(pitchers=["6"] * 12), "pitchers"),
        (wrong(pitchers=7), "is no deal"),
    ],
)
def test_what_is_no_deal_is_refused(data: dict[str, Any], says: str) -> None:
    with pytest.raises(TranscriptError, match=says):
        crow().read_deal(data)


def test_a_written_dealer_that_does_not_move_clockwise_is_refused() -> None:
    game = crow(ranks=[2], rounds=2)
    same = dealt(["R2", "G2", "B2", "T2"], ranks=[2], rounds=2)
    with pytest.raises(TranscriptError, match="round 1 has dealer 3"):
        at(game, same, same, moves="R2 G2 B2 T2")
