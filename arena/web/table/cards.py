"""Cards as pictures and in words. Knows how a card of each family looks, nothing of a table or of rules.

A page holds `sprite(family)` once; `card` then draws any card of it in a few bytes:

    <svg class="card" viewBox="0 0 88 124" role="img"><title>green 9</title><use href="#card-G9"/></svg>
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from markupsafe import Markup

from arena.games.crow.ruleset import NAMES as CROW_NAMES
from arena.games.goat.ruleset import NAMES as GOAT_NAMES
from arena.games.rook.notation import card_names
from arena.games.rook.ruleset import COLOURS, RED_ONE, ROOK
from arena.web.table.suits import DRAWINGS, FACE, INK, PIPS, SHAPES, YELLOW, Suit

WIDTH, HEIGHT = 88, 124
"""The size of a card in its own units: twice the smallest size at which one is shown as a button."""
BACK = "back"
COURT = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
CROWSNEST = "crowsnest"
"""The one game in which the Rook is called the Crow."""
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"


class Parts(NamedTuple):
    """What a card's text says."""

    suit: str
    """In words, a key of `SHAPES[family]`."""
    rank: str
    """As printed, without the minus of thirst; empty for the Rook."""


@cache
def parts(text: str, family: str) -> Parts:
    """The suit and the rank of a card. Raises KeyError for a text that is no card of the family."""
    if family == "rook" and text in ("ROOK", "RED1"):
        return Parts("rook", "") if text == "ROOK" else Parts("red 1", "1")
    letter, rank = (text[-1:], text[:-1]) if family == "goat" else (text[:1], text[1:])
    suits = SHAPES[family]
    found = [suit for suit, look in suits.items() if look.letter == letter]
    if not found or text not in pack(family):
        raise KeyError(f"no card {text!r} in the {family} family")
    return Parts(found[0], rank)


@cache
def pack(family: str) -> tuple[str, ...]:
    """The texts of all cards that games of a family may have, by suit and rank. Raises KeyError for no family."""
    if family == "rook":
        numbers = [colour << 4 | rank for colour in range(len(COLOURS)) for rank in range(1, 15)]
        return tuple(card_names([*numbers, ROOK, RED_ONE]).texts.values())
    return tuple({"crow": CROW_NAMES, "goat": GOAT_NAMES}[family].texts.values())


def full_name(text: str, family: str, game: str = "") -> str:
    """A card in words: "green 9", "thirst 4", "jack of clubs", "Rook"; in the game `crowsnest` "Crow"."""
    suit, rank = parts(text, family)
    if suit == "rook":
        return "Crow" if game == CROWSNEST else "Rook"
    if suit == "red 1":
        return "Red 1"
    return f"{COURT.get(rank, rank)} of {suit}" if family == "goat" else f"{suit} {rank}"


def short_name(text: str, family: str, game: str = "") -> str:
    """A card in running text: "G9", "10♠", "Crow"."""
    suit, rank = parts(text, family)
    if family == "goat":
        return f"{rank}{PIPS[suit]}"
    return full_name(text, family, game) if suit in ("rook", "red 1") else text


@cache
def sprite(family: str) -> Markup:
    """All drawings of a family as one hidden <svg>, to stand once in a page, before the first card.

    Symbols: `card-G9` for each card, `card-back`, `card-tab` and `card-lock` (laid over trumps and
    over cards that may not be played), `suit-triangle` for each suit, and in
    the Rook family `card-CROW`, the Rook as CrowsNest names it.
    """
    return Markup(f'<svg class="sprite" width="0" height="0" aria-hidden="true">{_defs(family)}</svg>')


def _defs(family: str) -> str:
    return "".join([PATTERNS, *(symbol(name, family) for name in symbol_names(family))])


@cache
def symbol_names(family: str) -> tuple[str, ...]:
    """The ids of all symbols of a family."""
    suits = tuple(f"suit-{look.shape}" for look in SHAPES[family].values())
    crow = ("card-CROW",) if family == "rook" else ()
    return (*suits, "card-back", "card-tab", "card-lock", *(f"card-{text}" for text in pack(family)), *crow)


@cache
def symbol(name: str, family: str) -> str:
    """One <symbol> of `symbol_names`."""
    if name.startswith("suit-"):
        shape = name.removeprefix("suit-")
        colour = next(look.colour for look in SHAPES[family].values() if look.shape == shape)
        return f'<symbol id="{name}" viewBox="0 0 100 100"><g fill="{colour}">{DRAWINGS[shape]}</g></symbol>'
    plain = {"card-back": _BACK, "card-tab": _TAB, "card-lock": _LOCK}.get(name)
    drawing = plain or _drawn(name.removeprefix("card-"), family)
    font = "" if plain else f" {_FONT}"
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}"{font}>{drawing}</symbol>'


@lru_cache(maxsize=4096)
def card(
    text: str, family: str, *, game: str = "", trump: bool = False, locked: bool = False, name: str | None = None
) -> Markup:
    """A card as <svg>; with the text `back` its back.

    `trump` lays the corner tab over it, `locked` the lock of cards that may not be played. `name` replaces its name in
    words; "" hides it from screen readers, for a card that the text beside it names.
    """
    if name is None:
        name = "face down" if text == BACK else full_name(text, family, game) + (", trump" if trump else "")
    shown = "CROW" if text == "ROOK" and game == CROWSNEST else text
    over = Markup("").join(
        Markup('<use href="#card-{}"/>').format(part) for part, on in (("tab", trump), ("lock", locked)) if on
    )
    told = Markup('role="img"><title>{}</title>').format(name) if name else Markup('aria-hidden="true">')
    return Markup('<svg class="card" viewBox="0 0 {} {}" {}<use href="#card-{}"/>{}</svg>').format(
        WIDTH, HEIGHT, told, shown, over
    )


def pitcher(value: int) -> Markup:
    """A pitcher card: a jug with its value, named "pitcher 12"."""
    return Markup('<svg class="pitcher" viewBox="0 0 100 124" role="img"><title>pitcher {}</title>{}</svg>').format(
        value, Markup(jug(value))
    )


def jug(value: int) -> str:
    """The drawing of a pitcher card in a box of 100 x 124."""
    return f"{_JUG}<g {_FONT}>{_text(44, 94, 46, str(int(value)), INK, 'middle')}</g>"


def suit_mark(suit: str, family: str) -> Markup:
    """The shape of a suit beside its word in running text; hidden from screen readers."""
    return Markup('<svg class="suit" viewBox="0 0 100 100" aria-hidden="true"><use href="#suit-{}"/></svg>').format(
        SHAPES[family][suit].shape
    )


# Drawings

_BLANK = f'<rect x="1" y="1" width="86" height="122" rx="8" fill="{{fill}}" stroke="{INK}" stroke-width="1.5"/>'
_HATCHED = '<rect x="2" y="2" width="84" height="120" rx="7" fill="url(#hatch)"/>'
PATTERNS = (
    '<pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="3" height="9" fill="#dcd6c6"/></pattern>'
)
"""What thirst cards are filled with."""
_BACK = (
    _BLANK.format(fill=FACE)
    + '<rect x="7" y="7" width="74" height="110" rx="4" fill="#5b6b7c"/>'
    + '<path d="M44 14 74 62 44 110 14 62Z M44 34 61 62 44 90 27 62Z" fill="none" stroke="#dfe6ee" stroke-width="4"/>'
)
_TAB = (
    f'<path d="M1 101H30V123H9A8 8 0 0 1 1 115Z" fill="{INK}"/>'
    f'<path d="M9 106H23M16 106V119" stroke="{FACE}" stroke-width="4"/>'
)
_LOCK = (
    f'<path d="M12 86V81A7 7 0 0 1 26 81V86" fill="none" stroke="{INK}" stroke-width="4"/>'
    f'<rect x="8" y="85" width="22" height="14" rx="3" fill="{INK}"/>'
)
_JUG = (
    f'<g fill="none"><path d="M70 30C92 22 98 40 96 54 95 66 90 76 84 80" stroke="{FACE}" stroke-width="9"/>'
    f'<path d="M70 30C92 22 98 40 96 54 95 66 90 76 84 80" stroke="{INK}" stroke-width="4"/></g>'
    f'<path d="M14 6H72L64 26C78 40 86 56 84 78 82 100 74 114 66 118H24C12 112 4 98 4 78 4 56 12 40 22 26Z"'
    f' fill="{FACE}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"/>'
)


def _drawn(text: str, family: str) -> str:
    """The face of a card: rank, letter and small shape in the corner that stays visible in a fan, the shape large."""
    if text in ("ROOK", "CROW"):
        return (
            _BLANK.format(fill=FACE)
            + _shape(SHAPES["rook"]["rook"], 4, 5, 40)
            + _text(44, 68, 24, text, INK, "middle")
            + _shape(SHAPES["rook"]["rook"], 34, 73, 48)
        )
    suit, rank = parts(text, family)
    look = SHAPES[family][suit]
    colour = INK if look.colour == YELLOW else look.colour
    face = _BLANK.format(fill=FACE)
    if suit == "thirst":
        return face + _HATCHED + _text(4, 36, 35, f"−{rank}", colour) + _lower(look, colour)
    if suit == "red 1":
        return face + _text(8, 37, 38, rank, colour) + _lower(look, colour, "RED")
    return face + _text(7, 37, 38, rank, colour) + _lower(look, colour)


def _lower(look: Suit, colour: str, letter: str = "") -> str:
    """Small shape and letter under the rank, the shape again in the lower right."""
    small = _shape(look, 6, 45, 24)
    return small + _text(33, 67, 25, letter or look.letter, colour) + _shape(look, 37, 74, 45)


def _shape(look: Suit, x: int, y: int, size: int) -> str:
    return f'<use href="#suit-{look.shape}" x="{x}" y="{y}" width="{size}" height="{size}"/>'


_FONT = f'font-family="{FONT}" font-weight="700"'
"""Of what stands around texts."""


def _text(x: int, y: int, size: int, text: str, colour: str, anchor: str = "") -> str:
    tight = ' letter-spacing="-3"' if len(text) > 1 and text[0] in "−1" else ""
    tight += f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{tight}>{text}</text>'
