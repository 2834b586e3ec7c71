"""Nest and trump, rules 1 and 2."""

from __future__ import annotations

import pytest
from games.rook.scripting import SEVENTY_FIFTY, SEVENTY_FIFTY_PLAY, E, S, W, deal, game, legal, run, start, view_of_turn

from arena.core.errors import IllegalMove
from arena.core.moves import Choose, Kind
from arena.games.rook.state import DISCARD, PLAY, TRUMP

BID = "bid:70 pass pass pass"
WITH_NEST = {"S": "B5 G10 R14 ROOK", "nest": "Y10 Y11 Y12 Y13 Y14"}


def test_declarer_takes_the_nest_into_the_hand() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook, **WITH_NEST)), BID)
    names = rook.notation.names
    view = rook.view(state, S)
    assert (view.phase, rook.to_move(state)) == (DISCARD, S)
    assert len(view.hand) == 14
    assert list(view.hand) == sorted(view.hand)
    assert names.join(view.nest) == "Y10 Y11 Y12 Y13 Y14"
    assert set(view.nest) < set(view.hand)


def test_declarer_discards_as_many_cards_of_any_kind_counters_trumps_and_the_rook_included() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook, **WITH_NEST)), BID)
    view = rook.view(state, S)
    assert rook.legal_moves(view) == Choose(Kind.DISCARD, 5, view.hand)
    state = run(rook, state, "discard:B5,G10,R14,Y10,ROOK trump:green")
    names = rook.notation.names
    view = rook.view(state, S)
    assert names.join(view.discard) == "B5 G10 R14 Y10 ROOK"
    assert len(view.hand) == 9
    assert not set(view.discard) & set(view.hand)


@pytest.mark.parametrize(
    "text", ["discard:B5,G10,R14,Y10", "discard:B5,G10,R14,Y10,Y11,ROOK", "discard:B5,G10,G14,Y10,ROOK"]
)
def test_other_numbers_of_cards_or_cards_of_others_may_not_be_discarded(text: str) -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook, **WITH_NEST, W="G14")), BID)
    with pytest.raises(IllegalMove):
        run(rook, state, text)


def test_then_the_declarer_names_one_of_the_four_colours_trump() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook, **WITH_NEST)), BID + " discard:B5,G10,R14,Y10,ROOK")
    assert (state.phase, rook.to_move(state)) == (TRUMP, S)
    assert legal(rook, state) == "trump:black trump:green trump:red trump:yellow"
    state = run(rook, state, "trump:yellow")
    assert (state.phase, state.trump) == (PLAY, 3)


def test_without_a_nest_the_declarer_only_names_trump() -> None:
    rook = game("partnership")
    state = run(rook, start(rook, deal(rook)), BID)
    assert (state.phase, rook.to_move(state)) == (TRUMP, S)
    state = run(rook, state, "trump:red")
    view = rook.view(state, S)
    assert (view.phase, view.nest, view.discard, len(view.hand)) == (PLAY, (), (), 14)


def test_a_nest_of_one_card_is_taken_and_one_card_discarded() -> None:
    rook = game("one_high")
    state = run(rook, start(rook, deal(rook, nest="ROOK")), BID)
    view = view_of_turn(rook, state)
    assert rook.legal_moves(view) == Choose(Kind.DISCARD, 1, view.hand)
    assert len(view.hand) == 15


def test_counters_in_the_discard_go_to_the_team_that_wins_the_last_trick() -> None:
    """The hand 70 to 50, but W has R6, and B5 lies in the nest and is discarded; N takes the last trick."""
    rook = game()
    hands = {**SEVENTY_FIFTY, "W": "R6 B6 G8 G9 G10 G11 G12 G13 G14", "nest": "B5 R7 R8 R9 Y6"}
    state = run(rook, start(rook, deal(rook, dealer=S, **hands), deal(rook, dealer=W)), BID)
    state = run(rook, state, "discard:B5,R7,R8,R9,Y6 trump:green")
    state = run(rook, state, " ".join(SEVENTY_FIFTY_PLAY.split()[:28]))
    state = run(rook, state, "R6 R14 Y10 B14 R10 Y5 B13")
    assert state.captured == (30, 70)
    state = run(rook, state, "B6")
    facts = rook.facts(state)[0]
    assert facts["discard_points"] == 5
    assert facts["captured"] == [50, 70]
    assert state.so_far.results[0].captured == (50, 70)


def test_the_nest_is_unseen_by_the_others_and_the_discard_hidden_from_them() -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook, **WITH_NEST)), BID)
    discarding = [rook.view(state, seat) for seat in (W, E, None)]
    state = run(rook, state, "discard:B5,G10,R14,Y10,ROOK trump:green")
    for view in (*discarding, *(rook.view(state, seat) for seat in (W, E, None))):
        assert (view.nest, view.discard) == ((), ())
