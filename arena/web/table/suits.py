"""Suits as they are drawn: shape, letter, colour and word of each, by family. Knows no card and no page.

Shapes and letters are always drawn, so that no colour has to be told from another. Colours have a contrast of at least
4.5 with the card's face, except yellow, which is never drawn without an outline of ink.
"""

from __future__ import annotations

from typing import NamedTuple

FACE = "#fffdf7"
"""The face of every card, in light and dark pages alike."""
INK = "#1c1c1c"
GREEN, RED, YELLOW, BLUE = "#008561", "#d60007", "#f2c500", "#002ead"


class Suit(NamedTuple):
    """How a suit, or a card of no suit, looks."""

    shape: str
    """Id of its drawing: "square", "triangle", ..."""
    letter: str
    """Printed on every card of it; for cards of no suit the whole word."""
    colour: str
    word: str


SHAPES: dict[str, dict[str, Suit]] = {
    "rook": {
        "black": Suit("square", "B", INK, "black"),
        "green": Suit("triangle", "G", GREEN, "green"),
        "red": Suit("circle", "R", RED, "red"),
        "yellow": Suit("star", "Y", YELLOW, "yellow"),
        "rook": Suit("bird", "ROOK", INK, "Rook"),
        "red 1": Suit("rings", "RED1", RED, "Red 1"),
    },
    "crow": {
        "red": Suit("circle", "R", RED, "red"),
        "green": Suit("triangle", "G", GREEN, "green"),
        "blue": Suit("hexagon", "B", BLUE, "blue"),
        "thirst": Suit("drop", "T", INK, "thirst"),
    },
    "goat": {
        "clubs": Suit("club", "C", GREEN, "clubs"),
        "diamonds": Suit("diamond", "D", BLUE, "diamonds"),
        "hearts": Suit("heart", "H", RED, "hearts"),
        "spades": Suit("spade", "S", INK, "spades"),
    },
}
"""Family -> suit in words, as in views -> how it looks. No two suits of a family share a shape or a letter."""

PIPS = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠"}

_OUTLINE = 'stroke-linejoin="round" stroke-linecap="round"'
DRAWINGS = {
    "square": '<rect x="12" y="12" width="76" height="76"/>',
    "triangle": '<path d="M50 8 94 88H6Z"/>',
    "circle": '<circle cx="50" cy="50" r="42"/>',
    "star": (
        f'<path d="M50 7 63 37 95 40 71 61 78 93 50 76 22 93 29 61 5 40 37 37Z" stroke="{INK}" stroke-width="8" '
        f"{_OUTLINE}/>"
    ),
    "hexagon": '<path d="M28 12H72L95 50 72 88H28L5 50Z"/>',
    "drop": '<path d="M50 5C62 28 82 44 82 64A32 31 0 0 1 18 64C18 44 38 28 50 5Z"/>',
    "bird": (
        f'<g fill="none" stroke="{INK}" stroke-width="5" {_OUTLINE}><path d="M5 36 24 28C28 14 46 10 56 21 64 30 69 41'
        ' 79 54L97 80 81 76 86 88 66 79C48 82 33 72 28 57 26 50 27 44 25 40Z"/><path d="M48 79 45 95H36M60 80 59 95H50"'
        f'/><path d="M50 46C58 46 66 54 70 64"/></g><circle cx="39" cy="28" r="4.5" fill="{INK}"/>'
    ),
    "rings": (
        f'<circle cx="50" cy="50" r="22"/><g fill="none" stroke="{RED}" stroke-width="6"><circle cx="50" cy="50" r="31"'
        '/><circle cx="50" cy="50" r="44"/></g>'
    ),
    "club": (
        '<circle cx="50" cy="28" r="21"/><circle cx="27" cy="57" r="21"/><circle cx="73" cy="57" r="21"/>'
        '<path d="M45 50H55L63 93H37Z"/>'
    ),
    "diamond": '<path d="M50 5 86 50 50 95 14 50Z"/>',
    "heart": '<path d="M50 93C28 72 6 54 6 32A22 22 0 0 1 50 26 22 22 0 0 1 94 32C94 54 72 72 50 93Z"/>',
    "spade": ('<path d="M50 5C66 26 92 40 92 59A20 20 0 0 1 57 70L64 94H36L43 70A20 20 0 0 1 8 59C8 40 34 26 50 5Z"/>'),
}
"""Shape -> its drawing in a box of 100 x 100; filled with the suit's colour by who uses it."""
