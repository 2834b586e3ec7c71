"""What a person is told beside the buttons and at the end of a match, in numbers and words that fit the position."""

from __future__ import annotations

from typing import Any

import pytest
from games.goat.tables import BALLS, at, balls, dealt, defaults, defaults_to_the_end, goat, on
from laws.course import match, random_match, seeded

from arena import games
from arena.core.game import AnyGame
from arena.core.moves import PASS, Kind
from arena.runner.sittings import Step
from arena.web.play.controls import FORCED_LINE, Controls, controls_of
from arena.web.play.ending import outcome_of, summary_of
from arena.web.play.seen import Eyes, as_lists
from arena.web.rendering import fragment

NAMES = ("South", "West", "North", "East")


def controls_at(game: AnyGame, state: Any, seat: int) -> Controls:
    view = game.view(state, seat)
    return controls_of(game, game.view_data(view), game.legal_moves(view), NAMES)


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("one_high", "Put back 1 card and name trump.", "Your turn: 15 legal cards."),
        ("crowsnest", "Put back 5 cards and name trump.", "Your turn: 14 legal cards."),
    ],
)
def test_all_cards_may_be_put_back(name: str, line: str, said: str) -> None:
    game = games.make(name)
    spot = next(spot for spot in random_match(game, 2) if spot.move is not None and spot.move.kind is Kind.DISCARD)
    assert spot.seat is not None
    controls = controls_at(game, spot.state, spot.seat)
    assert (controls.lines, controls.said) == ((line,), said)


def test_a_lead_is_of_no_more_cards_than_the_hand_has() -> None:
    game = goat(max_deals=1)
    lines: dict[int, str] = {}
    for spot in random_match(game, 4):
        if spot.move is not None and spot.move.kind is Kind.LEAD:
            assert spot.seat is not None
            held = len(game.view(spot.state, spot.seat).hand)
            lines[held] = controls_at(game, spot.state, spot.seat).lines[0]
    wanted = {
        1: "One card.",
        2: "One to two cards of one suit.",
        3: "One to three cards of one suit.",
        4: "One to four cards of one suit.",
    }
    assert {1, 4} <= set(lines)
    assert lines.items() <= wanted.items()


def test_the_dealer_hears_why_it_cannot_pass() -> None:
    game = games.make("crowsnest")
    auction = match(game, seeded(1), lambda legal: PASS if PASS in legal.moves else legal.moves[0])
    forced = next(spot for spot in auction if spot.move != PASS)
    assert forced.seat is not None
    controls = controls_at(game, forced.state, forced.seat)
    assert controls.lines[-1] == FORCED_LINE
    assert not controls.passes
    assert [bid.points for bid in controls.bids if bid.legal] == [70]


def test_the_buttons_are_the_bids_of_the_ruleset() -> None:
    game = games.make("crowsnest", {"lowest_bid": 72})
    state = game.start(seeded(1))
    seat = game.to_move(state)
    assert seat is not None
    bids = controls_at(game, state, seat).bids
    assert [(bid.points, bid.legal) for bid in bids] == [(points, True) for points in range(75, 121, 5)]


def test_the_result_of_a_match_says_goat_with_balls() -> None:
    game = goat(max_deals=1)
    state = defaults_to_the_end(game, at(game, balls(), moves=BALLS))
    summary = summary_of(game, state, NAMES)
    assert "<p>Goat with balls.</p>" in fragment("play/deal.html", summary=summary)


def test_before_the_end_of_the_match_there_is_no_goat() -> None:
    game = goat(max_deals=2)
    state = at(game, balls(), dealt([], trump="AH", dealer=0), moves=BALLS)
    while len(game.deals(state)) == 1:
        state = defaults(game, state, 1)
    summary = summary_of(game, state, NAMES)
    assert summary is not None
    assert summary.line.startswith("60 to 60, balls")
    assert summary.remark == ""


@pytest.mark.parametrize(
    ("name", "ranks", "told"),
    [
        ("crowsnest", (1, 0, 1, 0), "You and E owl win."),
        ("crowsnest", (0, 1, 0, 1), "S fox and N fox win."),
        ("goat", (0, 0, 0, 0), "It is a draw."),
        ("crow_and_pitcher", (1, 0, 2, 3), "You win."),
        ("crow_and_pitcher", (0, 1, 2, 3), "S fox wins."),
        ("crow_and_pitcher", (3, 0, 0, 2), "You and N fox share the first place."),
        ("goat", (), ""),
    ],
)
def test_the_end_says_who_won(name: str, ranks: tuple[int, ...], told: str) -> None:
    assert outcome_of(games.make(name), ranks, ("fox", "You", "fox", "owl")) == told


def turn_in_text(game: AnyGame, state: Any) -> list[str]:
    """What the table as text says to the seat to move."""
    seat = game.to_move(state)
    assert seat is not None
    return dict(as_lists([Step(state, None)], 0, Eyes(game, NAMES[: game.seats], seat, seat)))["Your turn"]


def test_the_text_lists_bids_and_suits_as_the_buttons_do() -> None:
    game = games.make("crowsnest")
    state = game.start(seeded(1))
    state = game.apply(state, game.notation.parse("bid 110"))
    assert turn_in_text(game, state) == [
        "Your turn: 3 legal calls.",
        "N North holds the bid at 110",
        "bids: 115 120",
        "Pass",
    ]
    state = game.apply(state, game.notation.parse("bid 120"))
    told = turn_in_text(game, state)
    assert told[1] == "Put back 5 cards and name trump."
    assert [line.partition(":")[0] for line in told[2:]] == ["black", "green", "red", "yellow"]
    assert sum(int(line.split()[1]) for line in told[2:]) in (14, 14 + 3)


def test_the_text_lists_what_beats_what() -> None:
    game = goat()
    state = at(game, dealt(["7S JS", "9S 6H 8C 9C", "6C 7C 6D 7D"], trump="AH"), moves="lead 7S JS")
    assert turn_in_text(game, state) == [
        "Your turn: 4 legal cards.",
        "Choose 2 cards.",
        "9♠ beats 7♠, 6♥ trumps J♠",
    ]
    state = on(game, state, "drop 8C 9C")
    assert turn_in_text(game, state)[1:] == ["Choose 2 cards.", "no beat, only a drop"]


def test_the_text_of_a_play_tells_how_many_cards_are_legal() -> None:
    game = games.make("crow_and_pitcher")
    state = game.start(seeded(1))
    seat = game.to_move(state)
    assert seat is not None
    stones = [card for card in game.notation.names.list(game.view(state, seat).hand) if card[0] != "T"]
    assert turn_in_text(game, state) == [f"Your turn: {len(stones)} legal cards."]
