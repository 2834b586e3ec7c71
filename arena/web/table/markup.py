"""A scene as a fragment of HTML. Knows scenes and cards, no game; every text of a person or bot is escaped."""

from __future__ import annotations

from markupsafe import Markup

from arena.web.rendering import fragment
from arena.web.table import cards
from arena.web.table.scene import Scene


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
    return fragment(
        "table/table.html",
        scene=scene,
        label=label,
        trick=scene.last if last and scene.last is not None else scene.trick,
        card=cards.card,
        suit_mark=cards.suit_mark,
        pitcher=cards.pitcher,
        back=cards.BACK,
    )
