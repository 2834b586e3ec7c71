"""The boards of a tournament: those first that tell bots apart the most, or where one bot did worse than the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from markupsafe import Markup

from arena.web.rendering import number
from arena.web.sheets import Column, Sheet
from arena.web.standing.links import board_path

Data = Mapping[str, Any]  # Any: JSON


def boards_sheet(request: Request, tournament: str, data: Data, *, hide: bool = False) -> Sheet:
    """All boards by spread; with `?worse=BOT` those where its mean block sum is below the field's. `data`: the document
    `boards`; `hide`: without results, in the order of numbers."""
    bot = "" if hide else request.query_params.get("worse", "")
    by_board = {row[0]: row for row in data["boards"]}
    columns: tuple[Column, ...] = (
        Column("board", "Board", lambda row: Markup('<a href="{}">board {}</a>').format(
            board_path(tournament, row["board"]), row["board"]), pinned=True),
        Column("round", "Round", right=True),
        Column("blocks", "Blocks", right=True, help="complete blocks on it"),
    )  # fmt: skip
    if bot:
        rows = tuple(
            {"board": board, "round": (by_board.get(board) or [None] * 3)[1], "blocks": times, "difference": difference,
             "swing": swing}
            for board, difference, swing, times in data["worse"].get(bot, ())
        )  # fmt: skip
        columns += (
            Column("difference", "Against the field", lambda row: _signed(row["difference"]), right=True,
                   help="its points of a block minus the mean of all bots on this board"),
            Column("swing", "Points per block", lambda row: _signed(row["swing"]), right=True,
                   help="own points minus the opponents'"),
        )  # fmt: skip
        empty = f"{bot[:64]} did worse than the field on no open board"
    else:
        found = sorted(data["boards"]) if hide else data["boards"]
        keys = ("board", "round", "blocks", "open", "spread", "highest", "lowest")
        rows = tuple(dict(zip(keys, row, strict=True)) for row in found)
        columns += (
            Column("open", "Cards", lambda row: "open" if row["open"] else Markup(
                '<span class="dim">sealed until all its tables are done</span>')),
            Column("spread", "Spread", lambda row: number(row["spread"], 1), right=True,
                   help="root mean square of all points per block on it"),
            Column("highest", "Highest", lambda row: _signed(row["highest"]), right=True),
            Column("lowest", "Lowest", lambda row: _signed(row["lowest"]), right=True),
        )[: 1 if hide else None]  # fmt: skip
        empty = "No board has a complete block yet. Boards are listed by how far results on them lie apart."
    left = data["left_out"]
    return Sheet(
        "boards",
        "arena.boards/1",
        columns,
        rows,
        empty=empty,
        incomplete=f"{left} boards with a smaller spread are left out" if left and not bot else "",
    ).asked(request)


def _signed(value: float | None) -> Markup | str:
    if value is None:
        return "–"
    sign = "good" if value > 0 else "bad" if value < 0 else ""
    return Markup(f'<span class="{sign}">{number(value, 1, plus=True)}</span>')  # a number and words of this line
