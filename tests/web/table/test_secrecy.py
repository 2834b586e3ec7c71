"""What a viewer has not seen is in no fragment, no text and no picture, nor in their length."""

from __future__ import annotations

import re

import pytest
from laws.rulesets import FULL, game_of
from web.table.positions import choosing, other_worlds, scene_at, seen_by

from arena.web.table import as_text, markup, picture

CARD = re.compile(r'(?:#card-|data-card=")([A-Z0-9 ]+)"')
DRAWN = {"CROW": "ROOK"}


@pytest.mark.parametrize("name", FULL)
def test_other_hidden_cards_give_the_same_bytes(name: str) -> None:
    game = game_of(name)
    for number, position in ((1, 9), (2, 40), (3, 23), (4, 57)):
        for viewer, spot, other in other_worlds(game, number, position):
            bottom = max(viewer, 0)
            choices = choosing(game, spot) if spot.seat == viewer else None
            scenes = [
                scene_at(game, spot, seen_by(game, state, viewer), bottom, choices) for state in (spot.state, other)
            ]
            for show in (markup, picture, as_text):
                assert show(scenes[0]) == show(scenes[1])  # type: ignore[operator]
            assert markup(scenes[0], last=True) == markup(scenes[1], last=True)


def test_that_test_would_notice() -> None:
    game = game_of("crowsnest")
    worlds = list(other_worlds(game, 1, 30))
    seats = range(game.seats)
    told = [
        markup(scene_at(game, spot, seen_by(game, state, *seats), 0))
        for _, spot, other in worlds
        for state in (spot.state, other)
    ]
    assert len(set(told)) > 2


@pytest.mark.parametrize("name", FULL)
def test_only_cards_that_the_viewer_saw_are_in_the_fragment(name: str) -> None:
    game = game_of(name)
    for number, position in ((5, 14), (6, 31)):
        for viewer, spot, _ in other_worlds(game, number, position):
            view = seen_by(game, spot.state, viewer)
            known = set(re.findall(r"'([A-Z0-9]+)'", str(view[viewer])))
            fragment = markup(scene_at(game, spot, view, max(viewer, 0)))
            shown = {DRAWN.get(text, text) for texts in CARD.findall(fragment) for text in texts.split()}
            assert shown <= known | {"back", "tab", "lock"}
