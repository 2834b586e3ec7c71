"""Scenes: every position of every game from every viewpoint, who sits where, what the header says."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from laws.course import random_match
from laws.rulesets import FULL, TINY, game_of
from web.table.positions import choosing, find, names_of, scene_at, seen_by, viewpoints

from arena.core.game import AnyGame
from arena.web.table import Scene, as_text, markup, picture, scene_of, with_move
from arena.web.table.cards import full_name


def faces(scene: Scene) -> list[str]:
    """The names of all cards in a scene."""
    tricks = [trick for trick in (scene.trick, scene.last) if trick is not None]
    found = [face for seat in scene.seats for face in seat.hand or ()]
    found += [face for trick in tricks for play in trick.plays for face in play.cards]
    found += [face for aside in scene.asides for face in aside.cards]
    return [face.name for face in found]


def complete(game: AnyGame, scene: Scene) -> int:
    """Cards of hands, of the trick and of the stock or nest, as counted on the table."""
    trick = scene.trick
    laid = sum(len(play.cards) + play.backs for play in trick.plays) if trick is not None else 0
    return sum(seat.count for seat in scene.seats) + laid


@pytest.mark.parametrize("name", [*FULL, *TINY])
def test_every_position_from_every_viewpoint(name: str) -> None:
    game = game_of(name)
    family = scene_at(game, random_match(game, 1)[0], seen_by(game, random_match(game, 1)[0].state, -1), 0).family
    for at, spot in enumerate(random_match(game, 1)):
        for turn, (shown, bottom) in enumerate(viewpoints(game, spot.state)):
            scene = scene_at(game, spot, shown, bottom)
            lines = "\n".join(line for _, lines in as_text(scene) for line in lines)
            for card in faces(scene):
                assert card in lines
            for seat, view in shown.items():
                hand = next((one.hand for one in scene.seats if one.seat == seat), None)
                if seat >= 0:
                    assert [face.text for face in hand or ()] == view["hand"]
                    assert all(full_name(text, family, game.id) in lines for text in view["hand"])
            assert all(seat.count == len(seat.hand) for seat in scene.seats if seat.hand is not None)
            if (at + turn) % 6 == 0:
                drawn = ET.fromstring(f"<div>{markup(scene)}</div>".replace("&nbsp;", " "))
                assert drawn.find("section") is not None


@pytest.mark.parametrize("name", FULL)
def test_all_viewpoints_agree_on_what_is_public(name: str) -> None:
    game = game_of(name)
    for spot in random_match(game, 2)[::5]:
        scenes = [scene_at(game, spot, shown, bottom) for shown, bottom in viewpoints(game, spot.state)]
        assert len({complete(game, scene) for scene in scenes}) == 1
        assert len({tuple(sorted((seat.seat, seat.count) for seat in scene.seats)) for scene in scenes}) == 1
        assert len({scene.trick.line for scene in scenes if scene.trick is not None and not scene.trick.complete}) <= 1


@pytest.mark.parametrize("bottom", range(4))
def test_the_next_clockwise_is_at_the_left_and_the_partner_on_top(bottom: int) -> None:
    game = game_of("crowsnest")
    spot = random_match(game, 3)[0]
    scene = scene_at(game, spot, seen_by(game, spot.state, bottom), bottom)
    places = {seat.place: seat for seat in scene.seats}
    assert scene.seats[0].seat == places["bottom"].seat == bottom
    assert places["left"].seat == (bottom + 1) % 4
    assert places["top"].seat == (bottom + 2) % 4
    assert places["top"].relation == "partner"
    assert places["right"].seat == (bottom + 3) % 4
    assert [places[place].hand is None for place in ("left", "top", "right")] == [True] * 3


@pytest.mark.parametrize("bottom", range(3))
def test_three_seats_are_bottom_left_and_right(bottom: int) -> None:
    game = game_of("crow-of-three")
    spot = random_match(game, 3)[0]
    scene = scene_at(game, spot, seen_by(game, spot.state, -1), bottom)
    assert {seat.place: seat.seat for seat in scene.seats} == {
        "bottom": bottom,
        "left": (bottom + 1) % 3,
        "right": (bottom + 2) % 3,
    }
    assert all(seat.relation == "" for seat in scene.seats)


def test_views_and_names_that_do_not_fit_are_refused() -> None:
    game = game_of("goat")
    state = random_match(game, 1)[0].state
    with pytest.raises(ValueError, match="3 names for the 4 seats"):
        scene_of(game, seen_by(game, state, 0), bottom=0, names=("a", "b", "c"), to_move=0)
    with pytest.raises(ValueError, match="bottom"):
        scene_of(game, seen_by(game, state, 0), bottom=4, names=names_of(game), to_move=0)
    with pytest.raises(ValueError, match="views of"):
        scene_of(game, {}, bottom=0, names=names_of(game), to_move=0)


def test_the_points_of_an_open_table_of_goat_are_all_points() -> None:
    game = game_of("goat")
    for spot in random_match(game, 4):
        scene = scene_at(game, spot, seen_by(game, spot.state, *range(4)), 0)
        known = {fact.label: fact.value for fact in scene.header}
        north, west = spot.state.points
        assert known["points"] == f"S/N {north} · W/E {west}"
        single = scene_at(game, spot, view := seen_by(game, spot.state, 2), 2)
        north, west = view[2]["points"]
        assert f"S/N {north} · W/E {west}" in [fact.value for fact in single.header]


@pytest.mark.parametrize("name", ["crowsnest", "crow", "crow-of-three", "goat"])
def test_a_full_trick_can_be_shown_before_it_is_taken(name: str) -> None:
    game = game_of(name)
    spots = random_match(game, 5)
    full = 0
    for spot, after in pairwise(spots):
        before = scene_at(game, spot, shown := seen_by(game, spot.state, -1, 1), 1)
        laid = len(before.trick.plays) if before.trick is not None else 0
        if spot.seat is None or spot.move is None or before.trick is None or laid != game.seats - 1:
            continue
        put = with_move(game, shown, spot.seat, game.notation.text(spot.move))
        scene = scene_of(game, put, bottom=1, names=names_of(game), to_move=None)
        assert scene.trick is not None
        assert scene.trick.complete
        assert "took it" in scene.trick.line
        full += 1
        then = scene_at(game, after, seen_by(game, after.state, 1), 1)
        if then.last is not None and after.deal == spot.deal and after.seat is not None:
            assert then.last.plays == scene.trick.plays
            assert markup(scene).count("play ") == markup(then, last=True).count("play ")
    assert full > 8


def test_a_bid_is_no_card_on_the_table() -> None:
    game = game_of("crowsnest")
    with pytest.raises(ValueError, match="'bid 70' puts no card"):
        with_move(game, seen_by(game, random_match(game, 1)[0].state, -1), 0, "bid 70")


@pytest.mark.parametrize("name", FULL)
def test_pictures_are_documents_that_stand_alone(name: str) -> None:
    game = game_of(name)
    for at, spot in enumerate(random_match(game, 6)):
        if at % 9 == 0:
            shown, bottom = viewpoints(game, spot.state)[at % (game.seats + 2)]
            drawn = ET.fromstring(picture(scene_at(game, spot, shown, bottom)))
            ids = {part.get("id") for part in drawn.iter() if part.get("id")}
            uses = [str(part.get("href")) for part in drawn.iter() if part.tag.endswith("}use")]
            assert {use.removeprefix("#") for use in uses} <= ids
            assert not [part for part in drawn.iter() if part.get("style") or part.tag.endswith("}script")]


def test_nest_cards_are_marked_while_the_declarer_discards() -> None:
    game = game_of("crowsnest")
    spot = find(game, lambda view: view["phase"] == "discard")
    assert spot.seat is not None
    shown = seen_by(game, spot.state, spot.seat)
    scene = scene_at(game, spot, shown, spot.seat, choosing(game, spot))
    hand = scene.seats[0].hand
    assert hand is not None
    assert [face.text for face in hand if face.mark == "nest"] == shown[spot.seat]["nest"]
    assert all(face.legal for face in hand)
    assert scene.status == "Your turn to discard"
