"""What a seat sees, and views as data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from games.rook.scripting import SEVENTY_FIFTY, VARIANT_IDS, E, N, S, W, deal, game, run, seventy_fifty_hand, start

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import SeededBoard
from arena.games.rook.state import RookResult, RookState, RookView

PROTO = Path(__file__).parents[3] / "protos" / "arena" / "v1" / "rook.proto"


def fields_of(message: str) -> list[str]:
    """The field names of a message, in order."""
    text = PROTO.read_text().split(f"message {message} {{")[1].split("\n}")[0]
    return re.findall(r"(\w+) = \d+;", text)


def test_view_has_the_fields_of_its_message() -> None:
    assert fields_of("RookView") == list(RookView._fields)
    assert fields_of("RookResult") == list(RookResult._fields)


def positions(variant: str) -> list[RookState]:
    rook = game(variant, max_hands=2)
    return [step.state for step in play_random(rook, SeededBoard(b"v" * 32), Chance(b"v" * 32, variant))]


def only_numbers(value: Any) -> bool:
    """Whether a view is made of whole numbers and tuples of such."""
    return type(value) is int or (isinstance(value, tuple) and all(only_numbers(item) for item in value))


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_a_seat_sees_its_own_hand_and_all_that_is_public(variant: str) -> None:
    rook = game(variant, max_hands=2)
    for state in positions(variant):
        for seat in range(4):
            view = rook.view(state, seat)
            assert only_numbers(view)
            assert view.hand == state.hands[seat]
            assert view.played == state.played
            assert (view.captured, view.scores) == (state.captured, state.so_far.scores)
            assert len(view.bid_seats) == len(view.bid_points)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_other_hands_the_nest_and_the_discard_are_hidden(variant: str) -> None:
    """Every card in a view is the seat's own, played, or of the declarer's own nest and discard."""
    rook = game(variant, max_hands=2)
    for state in positions(variant):
        dealt = rook.deals(state)[-1]
        for seat in range(4):
            view = rook.view(state, seat)
            declarer = seat == state.bidder and view.phase != 1
            assert view.nest == (dealt.nest if declarer else ())
            assert view.discard == (state.discard if declarer else ())
            hidden = {card for other in range(4) if other != seat for card in state.hands[other]}
            assert not hidden & {*view.hand, *view.played, *view.discard}


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_hidden_cards_dealt_another_way_change_no_view(variant: str) -> None:
    """The other hands, and the nest or discard, change places: the seat sees the same."""
    rook = game(variant, max_hands=2)
    for state in positions(variant):
        for seat in range(4):
            others = [other for other in range(4) if other != seat and other != state.bidder]
            left, right = others[0], others[1]
            hands = list(state.hands)
            hands[left], hands[right] = hands[right], hands[left]
            swapped = state._replace(hands=tuple(hands))
            if seat != state.bidder:
                last = rook.deals(state)[-1]
                deals = (*rook.deals(state)[:-1], last._replace(nest=last.nest[::-1]))
                swapped = swapped._replace(so_far=state.so_far._replace(deals=deals), discard=state.discard[::-1])
            assert rook.view(swapped, seat) == rook.view(state, seat)


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_spectators_see_only_what_is_public(variant: str) -> None:
    rook = game(variant, max_hands=2)
    for state in positions(variant):
        view = rook.view(state, None)
        assert (view.seat, view.hand, view.nest, view.discard) == (-1, (), (), ())
        public = rook.view(state, 0)._replace(seat=-1, hand=(), nest=(), discard=())
        assert view == public


def test_captured_points_are_those_of_tricks_until_the_hand_is_over() -> None:
    rook = game()
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY), deal(rook, dealer=W))
    moves = seventy_fifty_hand(70).split()
    state = run(rook, state, " ".join(moves[:-1]))
    view = rook.view(state, E)
    assert (view.captured, view.scores, view.results) == ((35, 70), (0, 0), ())
    state = run(rook, state, moves[-1])
    view = rook.view(state, E)
    assert (view.captured, view.scores, view.results) == ((0, 0), (50, 70), ((W, 70, (50, 70)),))


def test_view_as_data() -> None:
    rook = game()
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY), deal(rook, dealer=W))
    state = run(rook, state, " ".join(seventy_fifty_hand(70).split()[:8]))
    assert rook.view_data(rook.view(state, W)) == {
        "seat": W,
        "phase": "play",
        "hand_number": 0,
        "redeals": 0,
        "dealer": S,
        "hand": ["B5", "B6", "G8", "G9", "G10", "G11", "G12", "G13"],
        "bid_seats": [W, N, E, S],
        "bid_points": [70, 0, 0, 0],
        "bid": 70,
        "bidder": W,
        "nest": ["R6", "R7", "R8", "R9", "Y6"],
        "discard": ["R6", "R7", "R8", "R9", "Y6"],
        "trump": "green",
        "played": ["G14", "G6"],
        "leaders": [W],
        "captured": [0, 0],
        "scores": [0, 0],
        "results": [],
    }


def test_absent_is_null_in_data() -> None:
    rook = game(all_pass="zero")
    state = run(rook, start(rook, deal(rook, dealer=S), deal(rook, dealer=W)), "pass pass pass pass")
    data = rook.view_data(rook.view(state, None))
    assert (data["seat"], data["bidder"], data["trump"], data["phase"]) == (None, None, None, "auction")
    assert data["results"] == [{"declarer": None, "bid": 0, "captured": [0, 0]}]


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_views_are_json(variant: str) -> None:
    rook = game(variant, max_hands=2)
    for state in positions(variant)[::5]:
        data = rook.view_data(rook.view(state, N))
        assert list(data) == list(RookView._fields)
        assert json.loads(json.dumps(data)) == data


def test_after_the_match_the_last_hand_stays_in_view() -> None:
    state = positions("crowsnest")[-1]
    rook = game("crowsnest", max_hands=2)
    view = rook.view(state, E)
    assert (view.phase, view.hand, len(view.played), len(view.leaders)) == (5, (), 36, 9)
    assert len(view.results) == 2
    assert view.scores * 2 == rook.scores(state)
