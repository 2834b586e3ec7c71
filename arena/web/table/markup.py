"""A scene as a fragment of HTML. Knows scenes and cards, no game; every text of a person or bot is escaped."""

from __future__ import annotations

from markupsafe import Markup, escape

from arena.web.table import drawn
from arena.web.table.scene import Scene

OTHERS = ("left", "top", "right")
"""The places on screen in the order of the page; the seat at the bottom comes last."""


def markup(scene: Scene, *, last: bool = False, label: str = "") -> Markup:
    """The table as `<section class="table">`; with `last` the trick before lies on it instead of the running one.

    `label` names it where there are several in a page.
    The page holds `cards.sprite(scene.family)` once. What scripts may rely on:

    - section: `data-game`, `data-family`, `data-phase`, `data-bottom`, `data-turn` (seat to move, absent: nobody)
    - `.seat[data-seat][data-place]`, `.seat.turn` for the seat to move; its `.hand` is a list
    - `.trick[data-number]` with `.play[data-seat][data-card]`, `.play.wins`; `.line` is the line under it
    - with choices every card at the bottom is `button.card-button` with `data-card`, `data-place` (from 1),
      `aria-pressed="false"`, `aria-disabled` and, where it may not be played, `data-reason`; `data-preview` is the
      line that playing it would give.
    """
    trick = scene.last if last and scene.last is not None else scene.trick
    others = [seat for place in OTHERS if (seat := scene.seat_at(place)) is not None]
    own = scene.seat_at("bottom")
    assert own is not None, "somebody sits at the bottom"
    turn = f' data-turn="{scene.to_move}"' if scene.to_move is not None else ""
    parts = [
        f'<section class="table" aria-label="{escape(label or "Table")}" data-game="{escape(scene.game)}"'
        f' data-family="{scene.family}" data-phase="{escape(scene.phase)}" data-bottom="{scene.bottom}"'
        f' data-seats="{len(scene.seats)}"{turn}>\n<dl class="facts">\n',
        *(f"{drawn.fact(each, scene.family)}\n" for each in scene.header),
        "</dl>\n",
        *(f'<p class="table-note">{drawn.bdi(note)}</p>\n' for note in scene.notes),
        '<div class="felt">\n',
        *(f"{drawn.seat(each, scene)}\n" for each in others),
        f"{drawn.trick(trick, scene)}\n{drawn.seat(own, scene)}\n</div>\n",
    ]
    if scene.asides:
        asides = "".join(f"{drawn.aside(each, scene, label)}\n" for each in scene.asides)
        parts.append(f'<div class="asides">\n{asides}</div>\n')
    return Markup("".join([*parts, "</section>"]))  # each part escapes what is not its own
