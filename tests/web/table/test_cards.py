"""Cards: shapes, letters, colours and names that nobody can take for one another."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from arena import games
from arena.web.table import cards
from arena.web.table.suits import DRAWINGS, FACE, INK, SHAPES, YELLOW

FAMILIES = sorted(SHAPES)
Colour = tuple[float, float, float]
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""


def linear(colour: str) -> Colour:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return red, green, blue


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))

    low, high = sorted([light(one), light(other)])
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, sight: str) -> Colour:
    seen = [sum(a * b for a, b in zip(row, linear(colour), strict=True)) for row in SIGHT[sight]]
    red, green, blue = [min(1.0, max(0.0, part)) for part in seen]
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)]
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_suits_share_a_shape_or_a_letter(family: str) -> None:
    looks = SHAPES[family].values()
    for part in ("shape", "letter", "word"):
        assert len({getattr(look, part) for look in looks}) == len(looks)
    assert {look.shape for look in looks} <= set(DRAWINGS)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_colour_is_legible_on_the_face(family: str) -> None:
    for suit, look in SHAPES[family].items():
        if look.colour != YELLOW:
            assert contrast(look.colour, FACE) >= 4.5, suit
    assert contrast(INK, FACE) >= 16


def test_yellow_has_an_outline_of_ink_and_text_of_ink() -> None:
    star = cards.symbol("suit-star", "rook")
    assert f'fill="{YELLOW}"' in star
    assert f'stroke="{INK}"' in star
    assert all(YELLOW not in cards.symbol(f"card-Y{rank}", "rook") for rank in range(1, 15))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("family", ["rook", "crow"])
def test_colours_stay_apart_for_every_kind_of_sight(family: str, sight: str) -> None:
    colours = {look.colour for look in SHAPES[family].values()}
    for one, other in combinations(sorted(colours), 2):
        gap = sum((a - b) ** 2 for a, b in zip(lab(one, sight), lab(other, sight), strict=True)) ** 0.5
        assert gap >= 30, (one, other)


@pytest.mark.parametrize("variant", games.catalog())
def test_every_card_of_every_game_is_drawn_and_named(variant: str) -> None:
    game = games.make(variant)
    family = games.catalog()[variant].family
    drawn = ET.fromstring(f"<svg>{cards.sprite(family)}</svg>")
    symbols = {symbol.get("id"): symbol for symbol in drawn.iter("symbol")}
    named = [cards.full_name(text, family, variant) for text in game.notation.names.texts.values()]
    assert len(set(named)) == len(named)
    for text in game.notation.names.texts.values():
        suit, rank = cards.parts(text, family)
        symbol = symbols[f"card-{text}"]
        written = [part.text for part in symbol.iter("text")]
        shapes = [use.get("href") for use in symbol.iter("use")]
        assert shapes == [f"#suit-{SHAPES[family][suit].shape}"] * 2
        assert any(rank in str(part) for part in written)
        letter = SHAPES[family][suit].letter.removesuffix("1")
        assert letter in written
    used = {use.get("href") for use in drawn.iter("use")}
    assert {f"#{name}" for name in symbols} >= used


def test_names_in_words() -> None:
    assert cards.full_name("G9", "rook") == "green 9"
    assert cards.full_name("ROOK", "rook") == "Rook"
    assert cards.full_name("ROOK", "rook", "crowsnest") == "Crow"
    assert cards.full_name("RED1", "rook") == "Red 1"
    assert cards.full_name("R1", "rook") == "red 1"
    assert cards.full_name("B4", "crow") == "blue 4"
    assert cards.full_name("T10", "crow") == "thirst 10"
    assert [cards.full_name(text, "goat") for text in ("10S", "JC", "AD")] == [
        "10 of spades",
        "jack of clubs",
        "ace of diamonds",
    ]
    assert cards.short_name("10S", "goat") == "10♠"


@pytest.mark.parametrize(("text", "family"), [("G15", "rook"), ("T1", "crow"), ("10X", "goat"), ("", "goat")])
def test_a_text_that_is_no_card_is_refused(text: str, family: str) -> None:
    with pytest.raises(KeyError):
        cards.full_name(text, family)


def test_a_card_says_what_its_picture_shows() -> None:
    drawn = ET.fromstring(str(cards.card("G9", "rook", trump=True, locked=True)))
    assert drawn.get("role") == "img"
    assert drawn.findtext("title") == "green 9, trump"
    assert [use.get("href") for use in drawn.iter("use")] == ["#card-G9", "#card-tab", "#card-lock"]
    assert "CROW" in cards.card("ROOK", "rook", game="crowsnest")
    silent = ET.fromstring(str(cards.card("back", "goat", name="")))
    assert silent.get("aria-hidden") == "true"
    assert silent.find("title") is None


def test_thirst_is_printed_with_a_minus_on_hatch() -> None:
    assert "−7" in cards.symbol("card-T7", "crow")
    assert "url(#hatch)" in cards.symbol("card-T7", "crow")
    assert "url(#hatch)" not in cards.symbol("card-R7", "crow")


def test_drawings_have_no_style_of_their_own_and_no_colour_of_the_theme() -> None:
    for family in FAMILIES:
        for word in ("style=", "<style", "currentColor", "var("):
            assert word not in cards.sprite(family)
        assert len(cards.sprite(family)) < 60_000
