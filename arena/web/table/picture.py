"""A scene as one SVG document that stands alone: for downloads, previews and prints. Knows no game.

It brings only the card drawings that it uses, no script and no style, and needs no other file. Lengths are in units of
the document, 760 wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import escape

from arena.web.table import cards
from arena.web.table.scene import Aside, CardFace, Play, Scene, SeatScene, Trick
from arena.web.table.suits import INK, SHAPES

WIDE, MARGIN = 760, 20
CARD_W, CARD_H = 44, 62
STRIP = 27
"""How much of a card stays visible in a fan."""
LINE = 18
LETTER = 7.9
"""About the width of a letter of running text."""
PAPER, FELT, RIM = "#ffffff", "#eef1ec", "#b8c0b4"
SIDE_CARDS = 6
"""Cards in a row of a hand at the left or right."""
Parts = list[str]


class Drawn(NamedTuple):
    """A piece of the picture and where it ends."""

    parts: Parts
    bottom: int


def picture(scene: Scene) -> str:
    """The position as an SVG document. Texts are escaped; hidden cards are not in it."""
    header = _header(scene)
    table = _table(scene, header.bottom)
    asides = _asides(scene, table.bottom)
    body = [*header.parts, *table.parts, *asides.parts]
    height = asides.bottom + MARGIN
    title = escape(f"{scene.title}: {scene.status or scene.phase}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" width="{WIDE}" height="{height}"'
        f' font-family="{cards.FONT}" font-size="14" fill="{INK}"><title>{title}</title>'
        f"<defs>{_defs(scene, ''.join(body))}</defs>"
        f'<rect width="{WIDE}" height="{height}" fill="{PAPER}"/>{"".join(body)}</svg>'
    )


def _defs(scene: Scene, body: str) -> str:
    """The drawings that the body uses, and the shapes that those use."""
    used = [name for name in cards.symbol_names(scene.family) if f'href="#{name}"' in body or name.startswith("suit-")]
    return cards.PATTERNS + "".join(cards.symbol(name, scene.family) for name in used)


def _text(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, size: int = 14) -> str:
    weight = ' font-weight="700"' if bold else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight}>{escape(text)}</text>'


def _card(x: float, y: float, scene: Scene, face: CardFace | None) -> str:
    """One card, None for a back."""
    if face is None:
        return _use("card-back", x, y)
    name = "CROW" if face.text == "ROOK" and scene.game == cards.CROWSNEST else face.text
    tab = _use("card-tab", x, y) if face.trump else ""
    return f"<g><title>{escape(face.told)}</title>{_use(f'card-{name}', x, y)}{tab}</g>"


def _use(name: str, x: float, y: float, w: int = CARD_W, h: int = CARD_H) -> str:
    return f'<use href="#{name}" x="{x:g}" y="{y:g}" width="{w}" height="{h}"/>'


def _fan_width(count: int) -> int:
    return STRIP * (count - 1) + CARD_W if count else 0


def _fan(x: float, y: float, scene: Scene, faces: Sequence[CardFace | None]) -> Parts:
    return [_card(x + STRIP * place, y, scene, face) for place, face in enumerate(faces)]


# Header


def _header(scene: Scene) -> Drawn:
    parts = [_text(MARGIN, 32, scene.title, bold=True, size=18)]
    x, y = float(MARGIN), 56
    for fact in scene.header:
        text = f"{fact.label} {fact.value}"
        width = len(text) * LETTER + (20 if fact.suit else 0) + 24
        if x + width > WIDE - MARGIN and x > MARGIN:
            x, y = float(MARGIN), y + LINE + 4
        if fact.suit:
            shape = SHAPES[scene.family][fact.suit].shape
            parts.append(_use(f"suit-{shape}", x, y - 13, 15, 15))
        parts.append(_text(x + (20 if fact.suit else 0), y, text))
        x += width
    for note in scene.notes:
        y += LINE + 4
        parts.append(_text(MARGIN, y, note))
    return Drawn(parts, y + 14)


# Table


def _table(scene: Scene, top: int) -> Drawn:
    """Top seat, left and right with the trick between them, bottom seat."""
    parts: Parts = []
    y = top + 12
    above = scene.seat_at("top")
    if above is not None:
        block = _seat(scene, above, y, centred=True)
        parts, y = block.parts, block.bottom
    left = _seat(scene, _there(scene.seat_at("left")), y + 30, x=MARGIN + 12)
    right = _seat(scene, _there(scene.seat_at("right")), y + 30, x=WIDE - MARGIN - 12 - _fan_width(SIDE_CARDS))
    middle = _trick(scene, y + 10)
    y = max(left.bottom, right.bottom, middle.bottom) + 8
    below = _seat(scene, _there(scene.seat_at("bottom")), y, centred=True)
    felt = (
        f'<rect x="{MARGIN}" y="{top}" width="{WIDE - 2 * MARGIN}" height="{below.bottom + 10 - top}" rx="14"'
        f' fill="{FELT}" stroke="{RIM}"/>'
    )
    return Drawn([felt, *parts, *left.parts, *right.parts, *middle.parts, *below.parts], below.bottom + 10)


def _there(seat: SeatScene | None) -> SeatScene:
    assert seat is not None, "every table has seats at the bottom, left and right"
    return seat


def _seat(scene: Scene, seat: SeatScene, y: int, *, x: int = 0, centred: bool = False) -> Drawn:
    """Name, facts and hand of a seat; centred on the table or from x on."""
    marks = [
        word for word, on in (("dealer", seat.dealer), ("declarer", seat.declarer), ("to move", seat.to_move)) if on
    ]
    name = seat.mark if seat.name in ("", seat.mark) else f"{seat.mark} {seat.name}"
    facts = [f"{fact.label} {fact.value}" for fact in seat.facts] + ([" · ".join(seat.calls)] if seat.calls else [])
    lines = [_cut(name, 20), *(_cut(text, 24) for text in (", ".join(marks), ", ".join(facts)) if text)]
    if centred:
        lines = [", ".join(part for part in (_cut(name, 40), *marks, *facts) if part)]
    middle = WIDE / 2
    parts = []
    for place, text in enumerate(lines):
        y += LINE
        parts.append(_text(middle if centred else x, y, text, anchor="middle" if centred else "start", bold=not place))
    y += 6
    faces: Sequence[CardFace | None] = [None] * seat.count if seat.hand is None else seat.hand
    per_row = len(faces) if centred else SIDE_CARDS
    for first in range(0, len(faces), per_row or 1):
        row = faces[first : first + per_row]
        parts += _fan(middle - _fan_width(len(row)) / 2 if centred else x, y, scene, row)
        y += CARD_H + 4 if first + per_row >= len(faces) else CARD_H // 2
    return Drawn(parts, y)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


# Trick

SPOTS = {"top": (0, 0), "left": (-62, 50), "right": (62, 50), "bottom": (0, 100)}
"""Place -> offset of a card in the cross, from its top in the middle."""


def _trick(scene: Scene, y: int) -> Drawn:
    trick, middle = scene.trick, WIDE / 2
    if trick is None:
        return Drawn([_text(middle, y + 60, scene.status or scene.phase, anchor="middle")], y + 120)
    drawn = _ladder(scene, trick, y) if trick.ladder else _cross(scene, trick, y)
    parts, bottom = drawn
    for text in _wrapped([trick.note, trick.line], 38):
        bottom += LINE
        parts.append(_text(middle, bottom, text, anchor="middle"))
    return Drawn(parts, bottom)


def _wrapped(texts: Iterable[str], longest: int) -> list[str]:
    """Texts in lines of about `longest` letters."""
    lines: list[str] = []
    for text in texts:
        line = ""
        for word in text.split():
            if line and len(line) + len(word) >= longest:
                lines.append(line)
                line = ""
            line = f"{line} {word}".strip()
        lines += [line] if line else []
    return lines


def _cross(scene: Scene, trick: Trick, y: int) -> Drawn:
    middle, parts = WIDE / 2, []
    if trick.pitcher is not None:
        parts.append(f'<g transform="translate({middle - 24:g} {y}) scale(.48)">{cards.jug(trick.pitcher)}</g>')
        y += 66
    for play in trick.plays:
        across, down = SPOTS[play.place]
        x, top = middle + across - CARD_W / 2, y + down
        parts += [_card(x, top, scene, face) for face in play.cards]
        parts += [_ring(x, top, CARD_W)] if play.wins else []
    return Drawn(parts, y + 100 + CARD_H)


def _ring(x: float, y: float, width: float) -> str:
    return (
        f'<rect x="{x - 3:g}" y="{y - 3}" width="{width + 6:g}" height="{CARD_H + 6}" rx="7" fill="none"'
        ' stroke="#0b5cad" stroke-width="2.5"/>'
    )


def _ladder(scene: Scene, trick: Trick, y: int) -> Drawn:
    """One row for the lead and each beat, a line from each card to the one above that it beats; drops beside them."""
    parts: Parts = []
    step = CARD_W + 4
    rows = [play for play in trick.plays if not _is_drop(play)]
    drops = [play for play in trick.plays if _is_drop(play)]
    count = max((len(play.cards) for play in rows), default=0)
    x = WIDE / 2 - (step * count + (_fan_width(count) + 60 if drops else 0)) / 2 + 24
    for number, play in enumerate(rows):
        top = y + (CARD_H + 12) * number
        parts.append(_text(x - 8, top + 36, f"{play.mark} {play.did}", anchor="end", size=12))
        parts += [_card(x + step * place, top, scene, face) for place, face in enumerate(play.cards)]
        parts += [_ring(x, top, step * count - 4)] if play.wins else []
        parts += _joined(x, top, len(play.pairs), step)
    for number, play in enumerate(drops):
        top, left = y + (CARD_H + 12) * number, x + step * count + 64
        parts.append(_text(left - 8, top + 30, play.mark, anchor="end", size=12))
        parts.append(_text(left - 8, top + 44, play.did, anchor="end", size=12))
        parts += _fan(left, top, scene, [*play.cards, *[None] * play.backs])
    return Drawn(parts, y + (CARD_H + 12) * max(len(rows), len(drops), 1))


def _is_drop(play: Play) -> bool:
    return bool(play.backs) or play.hidden


def _joined(x: float, y: int, count: int, step: int) -> Parts:
    """Thin lines from the cards of a row up to those above them."""
    return [f'<path d="M{x + step * place + CARD_W / 2:g} {y}V{y - 12}" stroke="{INK}"/>' for place in range(count)]


# Beside the table


def _asides(scene: Scene, y: int) -> Drawn:
    parts: Parts = []
    y += 12
    for aside in scene.asides:
        drawn = _aside(scene, aside, y)
        parts += drawn.parts
        y = drawn.bottom
    return Drawn(parts, y)


def _aside(scene: Scene, aside: Aside, y: int) -> Drawn:
    backs = f"{aside.backs} card{'s' if aside.backs != 1 else ''} face down" if aside.backs else ""
    y += LINE
    parts = [_text(MARGIN, y, aside.heading, bold=True), _text(MARGIN + 130, y, backs)]
    if aside.cards:
        y += 8
        parts += _fan(MARGIN, y, scene, aside.cards)
        y += CARD_H
    for line in aside.lines:
        y += LINE
        parts.append(_text(MARGIN, y, line))
    return Drawn(parts, y + 8)
