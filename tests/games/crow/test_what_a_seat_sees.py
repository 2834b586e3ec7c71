"""What a seat sees, and what it does not."""

from __future__ import annotations

import re
from pathlib import Path

from games.crow.tables import at, cards, crow, dealt, defaults_to_the_end

from arena.core.chance import Chance
from arena.core.drivers import play_random
from arena.core.game import SeededBoard
from arena.games.crow.state import CrowView

PROTO = Path(__file__).parents[3] / "protos" / "arena" / "v1" / "crow.proto"


def test_a_seat_sees_its_hand_the_pitchers_so_far_all_cards_played_leaders_and_scores() -> None:
    game = crow()
    hands = ["R2 R3 R4 R5 R6", "R7 R8 R9 R10", "G6", "B6"]
    state = at(game, dealt(hands, pitchers=(9, 13)), moves="R2 R9 G6 B6 R7")
    assert game.view(state, 1) == CrowView(
        seat=1,
        round=0,
        dealer=3,
        hand=tuple(sorted(set(state.hands[1]))),
        pitchers=(9, 13),
        played=tuple(cards("R2 R9 G6 B6 R7")),
        leaders=(0, 1),
        round_scores=(0, 23, 0, 0),
        scores=(0, 23, 0, 0),
        results=(),
    )
    assert game.legal_moves(game.view(state, 2)).total() == len(state.hands[2])


def test_the_view_as_data_has_the_same_names_and_the_texts_of_cards() -> None:
    game = crow(ranks=[2, 3], rounds=1)
    state = at(game, dealt(["R2 R3", "G2 T2", "G3 T3", "B2 B3"], ranks=[2, 3], rounds=1), moves="R2 T2")
    assert game.view_data(game.view(state, 2)) == {
        "seat": 2,
        "round": 0,
        "dealer": 3,
        "hand": ["G3", "T3"],
        "pitchers": [6],
        "played": ["R2", "T2"],
        "leaders": [0],
        "round_scores": [0, 0, 0, 0],
        "scores": [0, 0, 0, 0],
        "results": [],
    }


def test_the_view_has_the_fields_of_the_protocol_in_order() -> None:
    message = PROTO.read_text().split("message CrowView {")[1]
    assert tuple(re.findall(r"(\w+) = \d+;", message)) == CrowView._fields


def test_other_hands_are_hidden() -> None:
    game = crow()
    one = dealt(["R2", "R3 R4", "G2", "G3"])
    other = {**one, "hands": [one["hands"][0], one["hands"][1], one["hands"][3], one["hands"][2]]}
    for moves in ("", "R2", "R2 R3"):
        for seat in (0, 1, None):
            assert game.view(at(game, one, moves=moves), seat) == game.view(at(game, other, moves=moves), seat)


def test_spectators_see_no_hand() -> None:
    game = crow()
    state = at(game, dealt(["R2"]), moves="R2")
    seen = game.view(state, None)
    assert (seen.seat, seen.hand) == (-1, ())
    assert seen[4:] == game.view(state, 0)[4:]
    assert game.view_data(seen)["seat"] is None


def test_nothing_seen_in_a_round_is_lost_within_it() -> None:
    game = crow(players=3)
    last: dict[int, CrowView] = {}
    for step in play_random(game, SeededBoard(bytes(32)), Chance(b"any")):
        view = step.view
        before = last.get(step.seat)
        if before is not None and before.round == view.round:
            assert view.played[: len(before.played)] == before.played
            assert view.pitchers[: len(before.pitchers)] == before.pitchers
            assert view.leaders[: len(before.leaders)] == before.leaders
        last[step.seat] = view


def test_the_winner_of_every_trick_follows_from_the_leaders_and_results_from_all_rounds() -> None:
    game = crow()
    state = defaults_to_the_end(game, game.start(SeededBoard(bytes(32))))
    view = game.view(state, 0)
    assert len(view.leaders) == len(view.pitchers) == 9
    assert len(view.played) == 36
    assert view.results[-4:] == view.round_scores
    assert [sum(view.results[seat::4]) for seat in range(4)] == list(view.scores)
