"""Choices: what may be played is what the rules allow, and every other card has a reason in words of its game."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from laws.course import Spot, random_match
from laws.rulesets import FULL, game_of
from web.table.positions import choosing, find, scene_at, seen_by

from arena.core.game import AnyGame
from arena.web.table import Choices, choices_of, markup, why_not


def reasons(game: AnyGame, view: dict[str, Any], *legal: str) -> dict[str, str]:
    return why_not(game, view, list(legal))


def test_the_suit_led_and_what_the_hand_has_of_it() -> None:
    game = game_of("crowsnest")
    view = {"phase": "play", "hand": ["G9", "G12", "R14"], "played": ["G5"], "trump": "red"}
    assert why_not(game, view, ["G9", "G12"]) == {"R14": "Green was led; you hold G9 G12"}


def test_the_rook_was_led_and_is_trump() -> None:
    view = {"phase": "play", "hand": ["B5", "G9", "ROOK"], "played": ["G5"], "trump": "green"}
    assert reasons(game_of("tournament"), view, "G9", "ROOK") == {"B5": "Green was led, it is trump; you hold G9 Rook"}
    view["played"], view["hand"] = ["ROOK"], ["B5", "G9"]
    assert reasons(game_of("crowsnest"), view, "G9") == {"B5": "Crow was led, it is trump; you hold G9"}


def test_reasons_of_the_crow_and_the_pitcher() -> None:
    game = game_of("crow")
    view: dict[str, Any] = {"hand": ["G4", "B7", "T2"], "played": ["G2"]}
    assert reasons(game, view, "G4") == {"B7": "Green was led; you hold G4", "T2": "Green was led; you hold G4"}
    view["played"] = []
    assert reasons(game, view, "G4", "B7") == {"T2": "thirst cannot lead the first trick of a round"}
    view["played"] = ["R2", "R3", "R4", "R5"]
    assert reasons(game, view, "G4", "B7") == {"T2": "thirst not broken yet"}
    view = {"hand": ["B7", "T2"], "played": ["G2"]}
    assert reasons(game_of("crow-must-thirst"), view, "T2") == {
        "B7": "You have no green, so you must play thirst; you hold T2"
    }


@pytest.mark.parametrize("name", FULL)
def test_what_is_offered_is_what_is_legal(name: str) -> None:
    game = game_of(name)
    offered = 0
    for number in (7, 8):
        for spot in random_match(game, number)[:-1]:
            assert spot.seat is not None
            view = game.view(spot.state, spot.seat)
            legal = game.legal_moves(view)
            moves = legal.moves if hasattr(legal, "moves") else ()
            parts = {card for move in moves for card in move.cards} or set(getattr(legal, "cards", ()))
            choices = choices_of(game, game.view_data(view), game.notation.legal_data(legal))
            if choices is None:
                assert not parts
                continue
            offered += 1
            playable = {text for text, reason in choices.cards.items() if not reason}
            assert playable == set(game.notation.names.list(parts))
            for text, reason in choices.cards.items():
                held = re.search(r"you hold (.+)$", reason)
                if reason:
                    assert text not in (held[1] if held else ""), reason
                    assert reason != "not now"
    assert offered > 10


def buttons(fragment: str) -> list[ET.Element]:
    return list(ET.fromstring(f"<div>{fragment}</div>").iter("button"))


def is_bound(game: AnyGame, spot: Spot) -> bool:
    """Whether some cards of the seat to move may be played and some may not."""
    choices = choosing(game, spot)
    return choices is not None and 0 < sum(not reason for reason in choices.cards.values()) < len(choices.cards)


def test_buttons_say_what_they_are_and_why_not() -> None:
    game = game_of("crowsnest")
    spot = next(spot for spot in random_match(game, 1) if spot.seat is not None and is_bound(game, spot))
    choices = choosing(game, spot)
    assert choices is not None
    assert spot.seat is not None
    scene = scene_at(game, spot, seen_by(game, spot.state, spot.seat), spot.seat, choices)
    fragment = markup(scene)
    found = buttons(fragment)
    assert [button.get("data-card") for button in found] == list(choices.cards)
    assert [button.get("data-place") for button in found] == [str(place) for place in range(1, len(found) + 1)]
    for button in found:
        text = str(button.get("data-card"))
        reason = choices.cards[text]
        assert button.get("type") == "button"
        assert button.get("aria-pressed") == "false"
        assert button.get("aria-disabled") == ("true" if reason else "false")
        assert (button.get("data-reason") or "") == reason
        assert str(button.get("aria-label")).endswith(", not legal" if reason else ", legal")
        assert ("#card-lock" in ET.tostring(button, "unicode")) == bool(reason)
        if reason:
            assert f'id="{button.get("aria-describedby")}"' in fragment


def test_cards_of_others_are_no_buttons() -> None:
    game = game_of("goat")
    spot = find(game, lambda view: view["phase"] == "answer")
    assert spot.seat is not None
    everything = seen_by(game, spot.state, *range(4))
    scene = scene_at(game, spot, everything, spot.seat, choosing(game, spot))
    found = buttons(markup(scene))
    assert [button.get("data-card") for button in found] == everything[spot.seat]["hand"]
    assert not buttons(markup(scene_at(game, spot, everything, spot.seat)))


def test_a_card_that_is_not_among_the_choices_is_no_button() -> None:
    game = game_of("goat")
    spot = find(game, lambda view: view["phase"] == "answer")
    assert spot.seat is not None
    shown = seen_by(game, spot.state, spot.seat)
    text = shown[spot.seat]["hand"][0]
    assert len(buttons(markup(scene_at(game, spot, shown, spot.seat, Choices({text: ""}))))) == 1


def test_cards_preview_what_they_do_to_the_pitcher() -> None:
    game = game_of("crow")
    spot = find(game, lambda view: len(view["played"]) == 6)
    assert spot.seat is not None
    scene = scene_at(game, spot, seen_by(game, spot.state, spot.seat), spot.seat, choosing(game, spot))
    for face in scene.seats[0].hand or ():
        assert bool(face.preview) == bool(face.legal)
        if face.legal:
            after = game.apply(spot.state, game.notation.parse(face.text))
            then = scene_at(game, spot, seen_by(game, after, -1), 0)
            assert then.trick is not None
            assert face.preview == then.trick.line
