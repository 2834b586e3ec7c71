"""Rating tables and crosstables in text and CSV, in one look wherever they are printed.

Knows how they are written; what a place, an interval or a band is, is `arena.rating`'s business.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.rating.combined import Combined
    from arena.rating.crosstables import Cell, Crosstable
    from arena.rating.rows import Standing
    from arena.rating.structure import Structure
    from arena.rating.tables import Table

COLUMNS = (
    Column("place"),
    Column("bot", width=8),
    Column("rating", right=True),
    Column("95 % interval"),
    Column("points/block", right=True),
    Column("W-D-L", right=True, width=9),
    Column("blocks", right=True),
    Column("faults", right=True),
)
BEST = Column("P(best)", right=True)
NASH = Column("Nash", right=True)


def show_table(output: Output, table: Table, *, best: bool = True, structure: Structure | None = None) -> None:
    """A table for people, with what its bands and marks mean below it.

    `best`: with the column P(best). `structure`: where bots beat each other in a circle, with the column Nash, and the
    circle below.
    """
    columns = (*COLUMNS, BEST) if best else COLUMNS
    rows = [_row(standing)[: len(columns)] for standing in table.standings]
    told = []
    if structure is not None and structure.found:
        columns, shares = (*columns, NASH), dict(structure.nash)
        rows = [
            [*row, f"{shares[standing.bot]:.0%}" if standing.bot in shares else "-"]
            for row, standing in zip(rows, table.standings, strict=True)
        ]
        told = beyond_ratings(structure)
    output.table(columns, rows)
    for line in [*notes(table), *told]:
        output.line(line)


def show_combined(output: Output, combined: Combined) -> None:
    """A standing over several pools as text, JSON (arena.combined/1) or CSV."""
    from arena.rating.data import combined_to_data

    data = combined_to_data(combined)
    if output.flags.json:
        output.document("combined/1", data)
        return
    if output.flags.csv:
        headings = ["place", "bot", "rating", "rating_low", "rating_high", "p_best", "provisional"]
        rows = [[*[_cell(row[key]) for key in headings], *row["ratings"]] for row in data["standings"]]
        output.rows([*headings, *[f"rating in {pool}" for pool in combined.pools]], rows)
        return
    columns = (*COLUMNS[:4], *[Column(pool, right=True) for pool in combined.pools], BEST)
    output.table(
        columns,
        [
            [
                row.place,
                row.bot,
                f"{row.rating:.1f}",
                _interval(row.low, row.high),
                *[f"{each:.1f}" for each in row.ratings],
                _share(row.p_best),
            ]
            for row in combined.standings
        ],
    )
    output.line(f"combined: {combined.method}")
    provisional = [f"{row.bot} ({', '.join(row.provisional)})" for row in combined.standings if row.provisional]
    if provisional:
        output.line(f"provisional in a pool: {', '.join(provisional)}")
    for bot, pools in combined.missing:
        output.line(f"not placed: {bot} (no block in {', '.join(pools)})")


def show_table_csv(output: Output, table: Table) -> None:
    """A table as CSV: a row a bot, numbers unrounded, reasons for a provisional mark joined by `; `."""
    from arena.rating.data import standing_to_data

    rows = [standing_to_data(standing) for standing in table.standings]
    headings = list(rows[0]) if rows else ["place", "bot", "rating"]
    output.rows(headings, [[_cell(row[heading]) for heading in headings] for row in rows])


def show_crosstable(output: Output, cross: Crosstable) -> None:
    """A crosstable for people: mean swing (blocks, likelihood of superiority); few blocks are marked."""
    if not cross.bots:
        return
    columns = [Column("against", width=8), *[Column(bot, right=True) for bot in cross.bots]]
    rows = [[bot, *map(_cross_cell, cells)] for bot, cells in zip(cross.bots, cross.cells, strict=True)]
    output.table(columns, rows)
    output.line("cell: points per block of the row against the column (blocks, likelihood of superiority)")
    if any(cell is not None and cell.grey for cells in cross.cells for cell in cells):
        output.line("* fewer than 30 blocks")


def show_crosstable_csv(output: Output, cross: Crosstable) -> None:
    """A crosstable as CSV: a row for each pair that met, in both directions, numbers unrounded."""
    rows = [
        [bot, opponent, cell.swing, cell.blocks, cell.superiority, cell.grey]
        for bot, cells in zip(cross.bots, cross.cells, strict=True)
        for opponent, cell in zip(cross.bots, cells, strict=True)
        if cell is not None
    ]
    output.rows(["bot", "against", "swing", "blocks", "superiority", "few_blocks"], rows)


def notes(table: Table) -> list[str]:
    """What a reader must know to read a table: bands, provisional marks, blocks that do not count yet."""
    lines = [f"no ratings: {table.unrated}"] if table.unrated else []
    bands = list(dict.fromkeys(row.place for row in table.standings if row.place_low != row.place_high))
    said = []
    if bands and not table.unrated:
        said.append(f"{', '.join(bands)} = {table.boards} boards do not separate them.")
    provisional = [row for row in table.standings if row.provisional]
    if provisional and len(provisional) == len(table.standings) and all(map(_few_blocks, provisional)):
        said.append("provisional: fewer than 100 blocks each")
    elif provisional:
        said.append(f"provisional: {', '.join(f'{row.bot} ({row.provisional[0]})' for row in provisional)}")
    if said:
        lines.append(" ".join(said))
    lines += field_notes(table)
    lines += quarantined(table)
    if table.incomplete:
        lines.append(f"{table.incomplete} blocks do not count yet: a game is missing or void")
    return lines


def beyond_ratings(structure: Structure) -> list[str]:
    """What a reader must know where ratings do not tell the whole story; nothing where they do."""
    cycle = structure.cycle
    if cycle is None or not structure.found:
        return []
    links = [
        f"{bot} beats {after} ({share:.0%})"
        for bot, after, share in zip(cycle.bots, (*cycle.bots[1:], cycle.bots[0]), cycle.shares, strict=True)
    ]
    return [
        f"ratings do not tell the whole story (p = {max(structure.p_value, 0.001):.3f}): {', '.join(links)}; "
        f"the weakest of these is {min(cycle.superiority, 0.999):.1%} sure",
        "Nash = the mixture of bots that no bot beats on average",
    ]


def field_notes(table: Table) -> list[str]:
    """What the field looks like: parts that never met, clones, families of versions."""
    lines = []
    if len(table.parts) > 1:
        groups = "; ".join(f"part {number}: {', '.join(group)}" for number, group in enumerate(table.parts, 1))
        lines.append(f"these bots never met, not even through others, so nothing compares them: {groups}")
    if table.clones:
        groups = "; ".join(" = ".join(group) for group in table.clones)
        lines.append(f"clones, behave identically, counted once in bands, P(best) and Nash: {groups}")
    if table.families:
        groups = "; ".join(f"{family}: {', '.join(members)}" for family, members in table.families.items())
        lines.append(f"versions of one bot: {groups}")
    return lines


def quarantined(table: Table) -> list[str]:
    """Who was taken out of the event, and why: a line a bot."""
    out = [f"quarantined, all its blocks left out: {bot} ({reason})" for bot, reason in table.out]
    return out + [f"disabled by an organiser, its blocks count: {each.bot} ({each.reason})" for each in table.disabled]


def _few_blocks(row: Standing) -> bool:
    return row.provisional[0].endswith(" blocks")


def _row(row: Standing) -> list[str]:
    margin = f" ± {row.margin:.1f}" if row.margin is not None else ""
    return [
        row.place,
        row.bot,
        "-" if math.isnan(row.rating) else f"{row.rating:.1f}",
        _interval(row.low, row.high),
        f"{signed(row.points)}{margin}",
        f"{row.wins}-{row.draws}-{row.losses}",
        str(row.blocks),
        str(row.faults),
        _share(row.p_best),
    ]


def _interval(low: float | None, high: float | None) -> str:
    return f"{low:.1f} .. {high:.1f}" if low is not None and high is not None else "-"


def _share(share: float | None) -> str:
    return f"{share:.0%}" if share is not None else "-"


def _cross_cell(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    sure = f", {cell.superiority:.0%}" if cell.superiority is not None else ""
    return f"{'*' if cell.grey else ''}{signed(cell.swing)} ({cell.blocks}{sure})"


def signed(points: float) -> str:
    """Points with their sign and one decimal, never "-0.0"."""
    return f"{round(points, 1) + 0.0:+.1f}"


def _cell(value: Any) -> object:  # Any: JSON
    return "; ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else value
