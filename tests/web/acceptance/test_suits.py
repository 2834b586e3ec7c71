"""Suits on the pages of games as they are sent: told apart by shape and letter always, by colour for most eyes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from fastapi.testclient import TestClient
from web.game.cups import FAMILIES, first_of
from web.table.test_cards import SIGHT, lab, linear

from arena.web.table.suits import SHAPES

pytestmark = pytest.mark.xdist_group("acceptance")
FAMILY = {"crowsnest": "rook", "goat": "goat", "crow_and_pitcher": "crow"}
APART = 25.0
"""CIE76; below it only shape and letter tell two suits apart."""


def drawn(page: str) -> dict[str, ET.Element]:
    """The symbols of a page by id."""
    sprite = re.search(r'<svg class="sprite".*?</svg>', page, re.S)
    assert sprite is not None
    return {str(each.get("id")): each for each in ET.fromstring(sprite[0]).iter("symbol")}


def grey(colour: str) -> float:
    """Lightness of a colour for who sees none."""
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
    return 116 * (light ** (1 / 3) if light > 0.008856 else 7.787 * light + 16 / 116) - 16


def distance(one: str, other: str, sight: str) -> float:
    if sight == "grey":
        return abs(grey(one) - grey(other))
    return float(sum((a - b) ** 2 for a, b in zip(lab(one, sight), lab(other, sight), strict=True)) ** 0.5)


@pytest.mark.parametrize("sight", [*SIGHT, "grey"])
@pytest.mark.parametrize("game", FAMILIES)
def test_suits_are_told_apart_by_every_eye(client: TestClient, game: str, sight: str) -> None:
    symbols = drawn(client.get(f"/g/{first_of(game)}").text)
    suits = SHAPES[FAMILY[game]]
    shapes = {suit: ET.tostring(symbols[f"suit-{look.shape}"]) for suit, look in suits.items()}
    outlines = {suit: re.sub(rb'fill="[^"]*"|stroke="[^"]*"', b"", shape) for suit, shape in shapes.items()}
    close = []
    for one, other in combinations(suits, 2):
        assert outlines[one] != outlines[other], "the same shape in another colour"
        assert suits[one].letter != suits[other].letter
        if distance(suits[one].colour, suits[other].colour, sight) < APART and suits[one].colour != suits[other].colour:
            close.append({one, other})
    assert close == [] or sight == "grey"


@pytest.mark.parametrize("game", FAMILIES)
def test_every_card_on_a_page_has_its_shape_twice_and_its_letter(client: TestClient, game: str) -> None:
    page = client.get(f"/g/{first_of(game)}").text
    symbols = drawn(page)
    used = set(re.findall(r'<use href="#(card-[A-Z0-9]+)"', page)) - {"card-back"}
    assert len(used) >= 16
    known = {f"#suit-{look.shape}": look.letter for look in SHAPES[FAMILY[game]].values()}
    for name in used:
        shapes = [use.get("href") for use in symbols[name].iter("use")]
        assert len(shapes) == 2
        assert len(set(shapes)) == 1
        letter = known[str(shapes[0])].removesuffix("1")
        assert letter in [text.text for text in symbols[name].iter("text")] or name == "card-CROW"
