"""The fragment: safe, without style of its own, readable without pictures, light."""

from __future__ import annotations

import gzip
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from laws.course import random_match
from laws.rulesets import FULL, game_of
from web.table.positions import choosing, find, scene_at, seen_by

from arena.web.table import Scene, cards, markup, picture, scene_of

EVIL = "\"><script>alert(1)</script>' onload=x"
SVG = "{http://www.w3.org/2000/svg}"


def evil_scene(name: str) -> Scene:
    game = game_of(name)
    spot = random_match(game, 1)[-8]
    assert spot.seat is not None
    shown = seen_by(game, spot.state, spot.seat)
    names = [EVIL] * game.seats
    choices = choosing(game, spot)
    return scene_of(
        game, shown, bottom=spot.seat, names=names, to_move=spot.seat, choices=choices, notes=(EVIL, "\u202eevil")
    )


@pytest.mark.parametrize("name", FULL)
def test_names_cannot_become_markup(name: str) -> None:
    scene = evil_scene(name)
    for text in (str(markup(scene)), str(markup(scene, last=True)), picture(scene)):
        drawn = ET.fromstring(f"<div>{text}</div>" if text.lstrip().startswith("<section") else text)
        assert not [part for part in drawn.iter() if part.tag.removeprefix(SVG) == "script" or part.get("onload")]
        assert EVIL in "".join(drawn.itertext())


def test_texts_of_others_are_kept_apart() -> None:
    drawn = ET.fromstring(f"<div>{markup(evil_scene('crowsnest'))}</div>")
    kept = {"".join(part.itertext()) for part in drawn.iter("bdi")}
    assert {EVIL, "\u202eevil"} <= kept


@pytest.mark.parametrize("name", FULL)
def test_no_fragment_has_style_or_script_of_its_own(name: str) -> None:
    game = game_of(name)
    for spot in random_match(game, 2)[::11]:
        fragment = markup(scene_at(game, spot, seen_by(game, spot.state, *range(game.seats)), 0))
        assert not re.search(r"\sstyle=|<style|<script|\son\w+=|javascript:", fragment)


def test_hands_are_lists_of_named_cards() -> None:
    game = game_of("crow")
    spot = find(game, lambda view: len(view["played"]) == 5)
    assert spot.seat is not None
    drawn = ET.fromstring(f"<div>{markup(scene_at(game, spot, seen_by(game, spot.state, 0), 0))}</div>")
    hands = [part for part in drawn.iter("ul") if str(part.get("class")).startswith("hand")]
    view = seen_by(game, spot.state, 0)[0]
    named = [item.findtext(".//title") for item in hands[0].findall("li")]
    assert named == [cards.full_name(text, "crow") for text in view["hand"]]
    assert str(hands[0].get("aria-label")).startswith("Hand of S fox")
    down = [str(part.get("aria-label")) for part in drawn.iter() if part.get("class") == "backs"]
    assert len(down) == 3
    assert all(re.fullmatch(r"\d cards? face down", text) for text in down)


def test_the_last_trick_can_be_shown_again() -> None:
    game = game_of("crowsnest")
    spot = find(game, lambda view: len(view["played"]) == 9)
    scene = scene_at(game, spot, seen_by(game, spot.state, -1), 0)
    assert 'data-number="3"' in markup(scene)
    assert 'data-number="2"' in markup(scene, last=True)
    assert markup(replace(scene, last=None), last=True) == markup(scene)


def test_scripts_find_what_they_need() -> None:
    game = game_of("goat")
    spot = find(game, lambda view: view["phase"] == "answer" and len(view["acts"]) > 4)
    assert spot.seat is not None
    shown = seen_by(game, spot.state, spot.seat)
    section = ET.fromstring(f"<div>{markup(scene_at(game, spot, shown, spot.seat))}</div>").find("section")
    assert section is not None
    assert section.get("data-turn") == str(spot.seat) == section.get("data-bottom")
    assert (section.get("data-game"), section.get("data-family")) == ("goat", "goat")
    seats = [part for part in section.iter() if str(part.get("class")).split()[:1] == ["seat"]]
    assert sorted(str(seat.get("data-place")) for seat in seats) == ["bottom", "left", "right", "top"]
    assert [seat.get("data-seat") for seat in seats if "turn" in str(seat.get("class"))] == [str(spot.seat)]


@pytest.mark.parametrize("name", ["partnership", "crow-of-three", "goat"])
def test_a_table_is_light(name: str) -> None:
    game = game_of(name)
    spot = random_match(game, 1)[12]
    fragment = markup(scene_at(game, spot, seen_by(game, spot.state, *range(game.seats)), 0))
    family = scene_at(game, spot, seen_by(game, spot.state, -1), 0).family
    assert len(gzip.compress((cards.sprite(family) + fragment).encode())) < 9_000
