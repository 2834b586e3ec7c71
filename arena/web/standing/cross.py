"""Who does how well against whom, as a grid for people and as rows for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import Request

from arena.web.rendering import number
from arena.web.sheets import Column, Sheet
from arena.web.standing.links import versus_path

SMALL = 30
"""Up to so many bots every cell has its text and its link; above, cells are small and tell when they are reached."""
STEPS = 5
"""Shades of either colour."""
Data = Mapping[str, Any]  # Any: JSON


class Shown(NamedTuple):
    """One cell."""

    shade: str
    """A class: n5 .. n1, z, p1 .. p5; empty where two never met."""
    text: str
    under: str
    words: str
    """The cell in a sentence."""
    path: str
    """Of the two head to head; empty: themselves, or never met."""
    grey: bool


NEVER = Shown("", "", "", "", "", False)


def cross_sheet(request: Request, data: Data) -> Sheet:
    """Every pair that met, in both directions. `data`: the document `cross`."""
    cross = data["crosstable"]
    rows = tuple(
        {"bot": bot, "against": other, **{key: cell[key] for key in ("swing", "blocks", "superiority")},
         "few_blocks": cell["grey"]}
        for bot, cells in zip(cross["bots"], cross["cells"], strict=True)
        for other, cell in zip(cross["bots"], cells, strict=True)
        if cell is not None
    )  # fmt: skip
    keys = ("bot", "against", "swing", "blocks", "superiority", "few_blocks")
    return Sheet("pairs", "arena.pairs/1", tuple(Column(key, key) for key in keys), rows).asked(request)


def grid(tournament: str, cross: Data) -> list[tuple[str, list[Shown]]]:
    """By bot, in the order of the crosstable: its cells against all bots."""
    swings = sorted(abs(cell["swing"]) for row in cross["cells"] for cell in row if cell is not None)
    top = swings[min(len(swings) - 1, int(0.95 * len(swings)))] if swings else 0.0
    bots: Sequence[str] = cross["bots"]
    return [
        (bot, [_shown(tournament, bot, other, cell, top) for other, cell in zip(bots, cells, strict=True)])
        for bot, cells in zip(bots, cross["cells"], strict=True)
    ]


def _shown(tournament: str, bot: str, other: str, cell: Data | None, top: float) -> Shown:
    if cell is None:
        return NEVER
    swing, blocks = cell["swing"], cell["blocks"]
    sure = "" if cell["superiority"] is None else f", above 0 with {cell['superiority']:.1%}"
    words = f"{bot} against {other}: {number(swing, 1, plus=True)} a block in {blocks} blocks{sure}"
    if cell["grey"]:
        words += "; few blocks"
    text = number(swing, 1 if abs(swing) < 100 else 0, plus=True)
    return Shown(shade(swing, top), text, str(blocks), words, versus_path(tournament, bot, other), cell["grey"])


def shade(value: float, top: float) -> str:
    """The class of a number on the scale -top .. top: brown below zero, white at it, blue above."""
    if not top or not value:
        return "z"
    step = min(STEPS, 1 + int(abs(value) / top * STEPS))
    return f"{'p' if value > 0 else 'n'}{step}"


def partner_rows(partners: Data | None) -> list[dict[str, Any]]:
    """Partnerships of mixed partners, the largest residual first; nothing for other events. Any: JSON."""
    if partners is None:
        return []
    rows = [dict(each) for each in partners["partnerships"]]
    known = [row for row in rows if row["residual"] is not None]
    known.sort(key=lambda row: -row["residual"])
    return known + sorted((row for row in rows if row["residual"] is None), key=lambda row: -row["points_per_block"])
