"""Play, rules 1 to 4."""

from __future__ import annotations

import pytest
from games.rook.scripting import SEVENTY_FIFTY, E, N, S, W, deal, game, legal, may_play, run, seventy_fifty_hand, start

from arena.core.errors import IllegalMove
from arena.games.rook.scoring import trick_winner

ANY = "B5 G14 R6 Y9 ROOK"


def winner(variant: str, trump: str, trick: str, leader: int = S) -> int:
    """The seat that wins a trick, given in the order of play."""
    rook = game(variant)
    names = rook.notation.names
    return trick_winner(rook.lookup, names.suit(trump), leader, tuple(names.parse(text) for text in trick.split()))


# Rule 1


@pytest.mark.parametrize("declarer", range(4))
def test_seat_after_the_dealer_leads_the_first_trick_whoever_declared(declarer: int) -> None:
    rook = game("partnership")
    calls = ["pass"] * 4
    calls[declarer] = "bid:70"
    state = run(rook, start(rook, deal(rook, dealer=E)), " ".join(calls) + " trump:red")
    assert state.bidder == declarer
    assert (rook.to_move(state), state.leaders) == (S, (S,))


def test_any_card_may_be_led() -> None:
    assert may_play(game(), ANY, trump="green") == ANY
    assert may_play(game(), "G5 ROOK", trump="green") == "G5 ROOK"
    assert may_play(game("red_one"), "B5 ROOK RED1", trump="green") == "B5 ROOK RED1"


def test_trick_winners_lead() -> None:
    rook = game()
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY), deal(rook, dealer=W))
    state = run(rook, state, " ".join(seventy_fifty_hand(70).split()[:-4]))
    assert state.leaders == (*[W] * 8, S)
    assert rook.to_move(state) == S


# Rule 2


@pytest.mark.parametrize("trump", ["black", "green", "red", "yellow"])
def test_rook_is_a_card_of_the_trump_colour_whatever_it_is(trump: str) -> None:
    rook = game("red_one")
    colour = rook.notation.names.suit(trump)
    assert rook.lookup.suits[colour][65] == colour
    assert rook.lookup.suits[colour][66] == colour
    own = trump[0].upper() + "6"
    assert may_play(rook, f"{own} ROOK RED1", trump=trump, trick=trump[0].upper() + "8") == f"{own} ROOK RED1"


def test_red_one_is_not_a_red_card_unless_red_is_trump() -> None:
    rook = game("red_one")
    assert may_play(rook, "RED1 Y14 Y5", trump="black", trick="R8") == "Y5 Y14 RED1"
    assert may_play(rook, "RED1 Y14 Y5", trump="red", trick="R8") == "RED1"
    assert may_play(rook, "R5 Y14", trump="black", trick="RED1") == "R5 Y14"
    assert may_play(rook, "R5 Y14", trump="red", trick="RED1") == "R5"


def test_red_one_is_a_plain_card_in_the_other_games() -> None:
    assert may_play(game("buckeye"), "R1 Y14", trump="black", trick="R8") == "R1"
    assert may_play(game("partnership"), "R1 Y14", trump="black", trick="B8") == "R1 Y14"
    assert winner("buckeye", "black", "R14 R1 R13 Y1") == W
    assert winner("partnership", "black", "R2 R1 R3 Y14") == N


# Rule 3


def test_hand_with_cards_of_the_led_colour_must_play_one_of_them() -> None:
    assert may_play(game(), "B5 B14 G14 R6", trump="green", trick="B8") == "B5 B14"


def test_rook_may_be_played_at_any_time() -> None:
    assert may_play(game(), "B5 B14 G14 R6 ROOK", trump="green", trick="B8") == "B5 B14 ROOK"
    assert may_play(game("red_one"), "B5 G14 ROOK RED1", trump="green", trick="B8") == "B5 ROOK RED1"


def test_other_trumps_may_not_be_played_by_a_hand_that_can_follow() -> None:
    rook = game()
    data = deal(rook, dealer=E, S="B8", W="B5 G14 ROOK", nest="R6 R7 R8 R9 Y6")
    state = run(rook, start(rook, data), "bid:70 pass pass pass discard:R6,R7,R8,R9,Y6 trump:green B8")
    with pytest.raises(IllegalMove, match="'G14' is not legal here"):
        run(rook, state, "G14")


def test_if_trump_is_led_a_hand_with_any_trump_must_play_a_trump() -> None:
    assert may_play(game(), "B5 G6 G14 ROOK", trump="green", trick="G8") == "G6 G14 ROOK"


@pytest.mark.parametrize("variant", ["crowsnest", "tournament", "one_high", "red_one", "buckeye"])
def test_if_the_rook_is_led_a_hand_with_any_trump_must_play_a_trump(variant: str) -> None:
    assert may_play(game(variant), "B5 G6 G14", trump="green", trick="ROOK") == "G6 G14"


def test_if_the_red_one_is_led_a_hand_with_any_trump_must_play_a_trump() -> None:
    assert may_play(game("red_one"), "B5 G6 R14 ROOK", trump="green", trick="RED1") == "G6 ROOK"


def test_if_the_rook_is_its_only_trump_the_rook_must_be_played() -> None:
    assert may_play(game(), "B5 R6 ROOK", trump="green", trick="G8") == "ROOK"
    assert may_play(game("red_one"), "B5 R6 ROOK", trump="green", trick="RED1") == "ROOK"


def test_hand_without_the_led_colour_may_play_anything() -> None:
    assert may_play(game(), "B5 G14 R6 ROOK", trump="green", trick="Y8") == "B5 G14 R6 ROOK"
    assert may_play(game(), "B5 R6 Y9", trump="green", trick="ROOK") == "B5 R6 Y9"
    assert may_play(game(), "B5 R6 Y9", trump="green", trick="G5") == "B5 R6 Y9"


def test_the_first_card_of_the_trick_counts_not_the_last() -> None:
    assert may_play(game(), "B5 G6 R6", trump="green", trick="R8 G5 B9") == "R6"
    assert may_play(game(), "B5 G6 R6", trump="green", trick="B6 B7 B8 B9 R8 ROOK") == "R6"


# Rule 4


def test_the_highest_trump_wins() -> None:
    assert winner("crowsnest", "green", "B14 G5 G6 B13") == N
    assert winner("crowsnest", "green", "G7 G5 G14 G13", leader=E) == W


def test_without_trumps_the_highest_card_of_the_led_colour_wins() -> None:
    assert winner("crowsnest", "green", "B6 R14 B7 Y14") == N
    assert winner("crowsnest", "green", "B6 R14 Y7 Y14", leader=N) == N
    assert winner("one_high", "green", "B14 B1 B13 R1") == W


@pytest.mark.parametrize(
    ("variant", "trick", "seat"),
    [
        ("crowsnest", "ROOK G5 G6 B5", N),
        ("tournament", "G14 ROOK G13 G5", W),
        ("partnership", "G1 G2 G14 G13", N),
        ("one_high", "G14 G1 G2 ROOK", W),
        ("one_high", "ROOK G2 B1 R1", W),
        ("red_one", "G14 ROOK RED1 G13", N),
        ("red_one", "ROOK G14 B5 G13", S),
        ("buckeye", "G14 G1 G13 ROOK", E),
        ("buckeye", "G14 G1 G13 G5", W),
    ],
)
def test_trump_order_decides_a_trick(variant: str, trick: str, seat: int) -> None:
    assert winner(variant, "green", trick) == seat


@pytest.mark.parametrize("variant", ["crowsnest", "one_high"])
def test_the_crow_still_beats_every_plain_card(variant: str) -> None:
    assert winner(variant, "green", "B14 ROOK B13 R14") == W
    assert winner(variant, "green", "ROOK B14 R14 Y14") == S


def test_what_was_played_and_by_whom_can_be_read_from_the_view() -> None:
    rook = game()
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY), deal(rook, dealer=W))
    state = run(rook, state, " ".join(seventy_fifty_hand(70).split()[:-3]))
    view = rook.view(state, W)
    assert rook.notation.names.join(view.played[-5:]) == "B5 R14 Y10 B14 B13"
    assert view.leaders == (*[W] * 8, S)
    assert view.captured == (35, 70)
    assert legal(rook, state) == "B6"
