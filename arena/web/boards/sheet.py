"""The rows of an open board as a table, block by block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from arena.record.compare import MajorityParting
from arena.record.compare.words import did
from arena.record.results import Verdict
from arena.web.boards.tables import BoardBlock, OpenBoard, SealedBoard, TableRow
from arena.web.rendering import bdi, number
from arena.web.sheets import Column, Sheet

Row = Mapping[str, Any]  # Any: JSON


def board_sheet(board: OpenBoard, *, results: bool = True) -> Sheet:
    """One row a game. Without `results` nothing in it says how a game ended or went."""
    marks, two = board.marks, len(board.sides) == 2

    def seats(row: Row) -> Markup:
        return seated(board.marks, board.sides, row["bots"])

    def game(row: Row) -> Markup:
        return Markup('<a href="/g/{}">{}</a>').format(row["game"], f"{row['block']}-{row['seating']}")

    def values(key: str) -> Any:
        def show(row: Row) -> object:
            found = row[key]
            if not found:
                return "void" if row["verdict"] == Verdict.VOID.value else "–"
            if key == "difference":
                shown = found[:1] if two else found
                return Markup(" ").join(_signed(value) for value in shown)
            return " : ".join(number(value) for value in found)

        return show

    def parting(row: Row) -> object:
        found = row["parting"]
        if found is None:
            return "–"
        text = f"turn {found['turn']}: {marks[found['seat']]} {did(found['own'])}"
        most = (
            f"; {found['chose']} of {found['tables']} {did(found['most'])}"
            if found["most"]
            else f"; {found['chose']} of {found['tables']} otherwise"
        )
        return Markup('<a href="/g/{}?turn={}&amp;seat={}">{}</a><span class="dim">{}</span>').format(
            row["game"], found["turn"], found["seat"], text, most
        )

    def faults(row: Row) -> object:
        if not row["faults"]:
            return "–"
        listed = ", ".join(f"{marks[each['seat']]} {each['code']}" for each in row["faults"])
        return Markup('<span class="bad">× {}</span>').format(listed)

    columns: tuple[Column, ...] = (
        Column("pick", "pick", _pick, sorts=False),
        Column("game", "game", game, pinned=True, sorts=False),
        Column("block", "block", hidden=True),
        Column("seating", "seating", hidden=True),
        Column("bots", "who sat where", seats, sorts=False),
        Column("facts", "key facts", _facts, sorts=False),
        Column("points", " : ".join(board.sides), values("points"), right=True, sorts=False),
        Column(
            "difference",
            f"{board.sides[0]} against the field" if two else "against the field",
            values("difference"),
            right=True,
            help="points above the others, minus the mean of the same seats at the other tables",
        ),
        Column("verdict", "verdict", hidden=True),
        Column("faults", "faults", faults, sorts=False),
        Column("parting", "first difference", parting, sorts=False),
    )
    if not results:
        columns = tuple(column for column in columns if column.key in ("pick", "game", "bots"))
    headings = {block.block: _heading(block, results=results) for block in board.blocks}
    blocks = board.blocks if results else sorted(board.blocks, key=_number)
    rows = tuple(_row(row) for block in blocks for row in (block.rows if results else sorted(block.rows, key=_seating)))
    return Sheet(
        "tables",
        "arena.board/1",
        columns,
        rows,
        empty="no table has played this board",
        group=lambda row: headings[row["block"]],
        incomplete=f"{board.left_out} more blocks are left out" if board.left_out else "",
    )


def seated(marks: Sequence[str], sides: Sequence[str], bots: Sequence[str]) -> Markup:
    """Who sat where: "S/N fox  W/E owl" where every side is one bot, else seat by seat."""
    by_seat = dict(zip(marks, bots, strict=True))
    by_side = {side: {by_seat[mark] for mark in side.split("/")} for side in sides}
    together = by_side and all(len(names) == 1 for names in by_side.values())
    named = {side: next(iter(names)) for side, names in by_side.items()} if together else by_seat
    return Markup(" ").join(
        Markup('<span class="sat"><b>{}</b> {}</span>').format(mark, bdi(bot)) for mark, bot in named.items()
    )


def _number(block: BoardBlock) -> list[int]:
    """Where a block stands when its result decides nothing: by round and table."""
    return [int(digits) for digits in re.findall(r"\d+", block.block)]


def _seating(row: TableRow) -> int:
    return row.seating


def _row(row: TableRow) -> dict[str, Any]:
    return {
        "pick": row.game if row.facts else None,
        "game": row.game,
        "block": row.block,
        "seating": row.seating,
        "bots": list(row.bots),
        "facts": [deal.line for deal in row.facts],
        "points": list(row.points),
        "difference": [round(value, 4) for value in row.difference],
        "verdict": row.verdict,
        "faults": [{"seat": seat, "code": code} for seat, code in row.faults],
        "parting": _parting(row.parting),
    }


def _parting(parting: MajorityParting | None) -> dict[str, Any] | None:
    return parting._asdict() if parting is not None else None


def _heading(block: BoardBlock, *, results: bool) -> str:
    """ "r1-t2: fox +55, owl −55"."""
    if not results:
        return block.block
    if not block.sums:
        return f"{block.block}: not complete, or not rated"
    told = ", ".join(f"{each.bot} {number(each.score)}" for each in block.sums)
    best = block.sums[0]
    level = len({each.swing for each in block.sums}) == 1
    return f"{block.block}: {told}" + ("; level" if level else f"; {best.bot} {number(best.swing, 0, plus=True)}")


def _pick(row: Row) -> object:
    if row["pick"] is None:
        return ""
    return Markup('<input type="checkbox" name="pick" value="{}" aria-label="compare {}">').format(
        row["pick"], row["game"]
    )


def _facts(row: Row) -> object:
    lines = [line for line in row["facts"] if line]
    if len(lines) <= 1:
        return lines[0] if lines else "–"
    rest = Markup("").join(Markup("<li>{}</li>").format(line) for line in lines)
    return Markup("<details><summary>{} deals</summary><ol>{}</ol></details>").format(len(lines), rest)


def _signed(value: float) -> Markup:
    kind = "good" if value > 0 else "bad" if value < 0 else ""
    return Markup('<span class="{}">{}</span>').format(kind, number(value, plus=True))


def sealed_sheet(board: SealedBoard) -> Sheet:
    """Which games of a sealed board are done; no cards, no results."""

    def seats(row: Row) -> Markup:
        return seated(board.marks, board.sides, row["bots"])

    def game(row: Row) -> object:
        return (
            Markup('<a href="/g/{}">{}</a>').format(row["game"], row["game"])
            if row["game"] is not None
            else row["block"]
        )

    columns = (
        Column("game", "game", game, pinned=True),
        Column("block", "block", hidden=True),
        Column("bots", "who sits where", seats, sorts=False),
        Column("state", "state"),
    )
    rows = tuple(
        {
            "game": name if state in ("done", "running") else None,
            "block": block,
            "bots": list(bots),
            "state": state,
        }
        for name, block, bots, state in board.rows
    )
    return Sheet(
        "tables", "arena.board/1", columns, rows, empty="no table has begun", incomplete=f"sealed until {board.waits}"
    )
