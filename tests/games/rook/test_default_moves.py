"""Default moves, for a silent seat."""

from __future__ import annotations

import pytest
from games.rook.scripting import VARIANT_IDS, deal, default, game, playing, run, start

from arena.core.drivers import play_out
from arena.core.game import SeededBoard, checked_apply


def given_away(variant: str, hand: str, *, trump: str = "green", trick: str = "") -> str:
    rook = game(variant)
    return rook.notation.text(rook.default_move(playing(rook, hand, trump=trump, trick=trick)))


def order(variant: str, cards: str) -> str:
    """Cards in the order in which default moves give them away, by playing them all."""
    rest, given = cards.split(), []
    while rest:
        given.append(given_away(variant, " ".join(rest)))
        rest.remove(given[-1])
    return " ".join(given)


def test_pass() -> None:
    rook = game()
    state = start(rook, deal(rook))
    assert default(rook, state) == "pass"
    assert default(rook, run(rook, state, "bid:70")) == "pass"
    assert default(rook, run(rook, state, "pass pass pass")) == "pass"


def test_or_the_forced_bid() -> None:
    rook = game()
    state = run(rook, start(rook, *[deal(rook)] * 11), "pass " * 43)
    assert default(rook, state) == "bid 70"


def test_discard_the_lowest_by_points_rank_colour() -> None:
    rook = game()
    hands = {"S": "B5 G6 R6 Y6 B10 G14 R7 Y8 ROOK", "nest": "B6 Y5 Y10 R14 Y9"}
    state = run(rook, start(rook, deal(rook, **hands)), "bid:70 pass pass pass")
    assert default(rook, state) == "discard B6 G6 R6 R7 Y6"


def test_discard_counters_when_nothing_else_is_left_the_rook_last() -> None:
    rook = game()
    hands = {"S": "B5 B10 B14 G5 G10 R5 R10 R14 ROOK", "nest": "G13 R13 Y5 Y10 Y14"}
    state = run(rook, start(rook, deal(rook, **hands)), "bid:70 pass pass pass")
    assert default(rook, state) == "discard B5 G5 G13 R5 R13"


@pytest.mark.parametrize(
    ("variant", "cards"),
    [
        ("crowsnest", "Y6 B7 R13 B5 G5 R5 Y5 B10 Y10 G14 ROOK"),
        ("tournament", "Y6 B7 R13 B5 Y5 B10 G14 ROOK"),
        ("partnership", "B1 Y1 G2 B13 B5 B10 B14"),
        ("one_high", "G2 B13 B5 B10 B14 B1 Y1 ROOK"),
        ("red_one", "R6 B13 B5 B10 B14 ROOK RED1"),
        ("buckeye", "R6 B13 B5 B10 B14 B1 R1 ROOK"),
    ],
)
def test_order_of_giving_away(variant: str, cards: str) -> None:
    assert order(variant, " ".join(sorted(cards.split()))) == cards


def test_the_rook_goes_last_even_when_it_counts_nothing() -> None:
    rook = game(points={"5": 5})
    assert rook.notation.text(rook.default_move(playing(rook, "B5 ROOK", trump="green"))) == "B5"


@pytest.mark.parametrize(
    ("hand", "word"),
    [
        ("B5 G6 G7 R6 R7 R8 Y5 Y6 Y7", "red"),
        ("B5 B6 B7 G6 G7 G8 R6 R7 R8", "black"),
        ("B5 B6 G6 G7 G8 R6 R7 R8 Y5", "green"),
        ("B5 G6 R6 R7 R8 R9 Y5 Y6 Y7", "red"),
        ("B5 B6 G6 R6 R7 Y5 Y6 Y7 ROOK", "yellow"),
    ],
)
def test_trump_is_the_longest_colour_ties_in_the_order_black_green_red_yellow(hand: str, word: str) -> None:
    rook = game()
    state = run(rook, start(rook, deal(rook, S=hand, nest="B14 G14 R14 Y14 Y13")), "bid:70 pass pass pass")
    state = run(rook, state, "discard:B14,G14,R14,Y13,Y14")
    assert default(rook, state) == f"trump {word}"


def test_the_red_one_is_of_no_colour_when_trump_is_named() -> None:
    rook = game("red_one")
    hands = {"S": "B5 B6 G6 G7 R6 R7 R8 Y5 RED1", "nest": "B14 G14 R14 Y14 Y13 Y12"}
    state = run(rook, start(rook, deal(rook, **hands)), "bid:70 pass pass pass discard:B6,G7,R8,R14,Y12,Y13")
    assert default(rook, state) == "trump black"


def test_play_the_lowest_legal_card_in_the_order_of_the_discard() -> None:
    assert given_away("crowsnest", "B14 B13 G6 ROOK", trick="B8") == "B13"
    assert given_away("crowsnest", "B14 G6 ROOK", trick="B8") == "B14"
    assert given_away("crowsnest", "B5 ROOK G10", trick="G8") == "G10"
    assert given_away("crowsnest", "B5 ROOK", trick="G8") == "ROOK"
    assert given_away("red_one", "B5 ROOK RED1", trick="G8") == "ROOK"
    assert given_away("crowsnest", "Y9 B14 R9 G5", trick="") == "R9"


@pytest.mark.parametrize("variant", VARIANT_IDS)
def test_a_match_of_silent_seats_is_legal_and_ends(variant: str) -> None:
    rook = game(variant)
    state = rook.start(SeededBoard(b"s" * 32))
    for step in play_out(rook, state, lambda view, _legal: rook.default_move(view)):
        state = checked_apply(rook, state, step.seat, step.move)
        assert state == step.state
    assert rook.to_move(state) is None
    assert all(hand["redeals"] == 10 for hand in rook.facts(state))
