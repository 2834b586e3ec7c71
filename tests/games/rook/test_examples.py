"""The examples of the rules page, by number. Seats S W N E clockwise, teams S/N and W/E, trump green."""

from __future__ import annotations

import pytest
from games.rook.scripting import SEVENTY_FIFTY, E, N, S, W, deal, game, legal, may_play, run, seventy_fifty_hand, start

from arena.games.rook.scoring import score_hand, trick_winner

EXAMPLE_1 = {
    "S": "B9 ROOK",
    "W": "B10 B11 B12 B13 B14 G9 G12 R13 R14",
    "N": "B5 B6 B7 B8 R5 R6 Y6 Y7 Y8",
    "E": "G5",
    "nest": "R7 R8 R9 Y9 Y11",
}
EXAMPLE_2 = {
    "S": "B10 Y5 Y6 Y7 Y8 Y9 Y11 Y12 Y13",
    "W": "B14",
    "N": "B6 R5 ROOK",
    "E": "G7 G8 R6 R7 R8 R9 R10 R11 R12",
    "nest": "G9 G10 G11 G12 G13",
}


@pytest.mark.parametrize(("variant", "winner"), [("crowsnest", W), ("tournament", S)])
def test_example_1_a_led_crow_asks_for_trump(variant: str, winner: int) -> None:
    rook = game(variant)
    state = run(rook, start(rook, deal(rook, dealer=E, **EXAMPLE_1)), "bid:70 pass pass pass")
    state = run(rook, state, "discard:R7,R8,R9,Y9,Y11 trump:green ROOK")
    assert legal(rook, state) == "G9 G12"
    state = run(rook, state, "G9")
    assert legal(rook, state) == "B5 B6 B7 B8 R5 R6 Y6 Y7 Y8"
    state = run(rook, state, "Y6 G5")
    assert state.leaders == (S, winner)
    assert state.captured == ((25, 0) if winner == S else (0, 25))


@pytest.mark.parametrize(("variant", "winner"), [("crowsnest", E), ("tournament", N)])
def test_example_2_the_rook_may_be_played_to_any_colour(variant: str, winner: int) -> None:
    rook = game(variant)
    state = run(rook, start(rook, deal(rook, dealer=S, **EXAMPLE_2)), "bid:70 pass pass pass")
    state = run(rook, state, "discard:G9,G10,G11,G12,G13 trump:green B14")
    assert legal(rook, state) == "B6 ROOK"
    state = run(rook, state, "ROOK")
    assert legal(rook, state) == "G7 G8 R6 R7 R8 R9 R10 R11 R12"
    state = run(rook, state, "G7")
    assert legal(rook, state) == "B10"
    state = run(rook, state, "B10")
    assert state.leaders == (W, winner)
    assert state.captured == ((0, 40) if winner == E else (40, 0))


def test_example_3_the_red_one_is_not_red_and_may_be_played_at_any_time() -> None:
    rook = game("red_one")
    assert may_play(rook, "R5 RED1 Y14", trump="black", trick="R8") == "R5 RED1"
    assert may_play(rook, "RED1 Y14", trump="black", trick="R8") == "Y14 RED1"


def test_example_3_the_red_one_must_be_played_to_the_rook_and_wins() -> None:
    rook = game("red_one")
    assert may_play(rook, "RED1 Y14", trump="black", trick="ROOK") == "RED1"
    names = rook.notation.names
    trick = tuple(names.parse(text) for text in ("ROOK", "RED1", "B14", "Y5"))
    assert trick_winner(rook.lookup, names.suit("black"), S, trick) == W


def test_example_3_in_a_whole_hand_the_red_one_is_forced_out() -> None:
    rook = game("red_one")
    hands = {"S": "ROOK B6", "W": "R5 R6 R7 R8 R9 Y12 Y13 Y14 RED1", "N": "B14", "E": "B5"}
    nest = "Y6 Y7 Y8 Y9 Y10 Y11"
    state = run(rook, start(rook, deal(rook, dealer=E, **hands, nest=nest)), "bid:70 pass pass pass")
    state = run(rook, state, "discard:Y6,Y7,Y8,Y9,Y10,Y11 trump:black ROOK")
    assert legal(rook, state) == "RED1"
    state = run(rook, state, "RED1 B14 B5")
    assert state.leaders == (S, W)
    assert state.captured == (0, 65)


@pytest.mark.parametrize(
    ("variant", "bid", "captured", "gained"),
    [
        ("crowsnest", 80, (105, 15), (80, 15)),
        ("tournament", 80, (105, 15), (105, 15)),
        ("crowsnest", 95, (90, 30), (-95, 30)),
        ("tournament", 95, (90, 30), (-95, 30)),
    ],
)
def test_example_4_score(variant: str, bid: int, captured: tuple[int, int], gained: tuple[int, int]) -> None:
    winners = (S, S, S, S, S, N, N, W, S)
    score = score_hand(game(variant).ruleset, S, bid, captured, 0, winners)
    assert score.captured == captured
    assert score.gained == gained


def test_example_5_both_teams_above_the_target_the_higher_wins() -> None:
    rook = game("crowsnest")
    state = start(rook, deal(rook, dealer=S, **SEVENTY_FIFTY))
    state = state._replace(so_far=state.so_far._replace(scores=(295, 290)))
    state = run(rook, state, seventy_fifty_hand(70))
    assert rook.to_move(state) is None
    assert rook.scores(state) == (345, 360, 345, 360)
    assert rook.ranks(state) == (1, 0, 1, 0)
