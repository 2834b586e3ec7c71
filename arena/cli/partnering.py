"""Who plays how well with whom, in text and CSV: partner tables of mixed partners, and the partner pool.

Knows how they are written; what a residual is, or the worth of understanding, is `arena.rating`'s business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.output import Column, Output
from arena.cli.standings import signed

if TYPE_CHECKING:
    from arena.rating import Table
    from arena.rating.partners import Partnership, PartnerTable
    from arena.rating.strangers import PartnerPool, Points, Stranger


def partner_notes(partners: PartnerTable | None) -> list[str]:
    """What a reader must know of partnerships; nothing where none stands out."""
    from arena.rating.partners import outstanding

    found = outstanding(partners) if partners is not None else []
    if not found:
        return []
    return [f"partnerships that make more or less than their bots' strengths, points a block: {', '.join(found)}"]


def show_partners(output: Output, partners: PartnerTable) -> None:
    """A partner table for people: mean swing (blocks, residual); few blocks are marked."""
    bots = [bot for bot, _ in partners.strengths] or sorted(
        {bot for each in partners.partnerships for bot in each.bots}
    )
    columns = [Column("with", width=8), *[Column(bot, right=True) for bot in bots]]
    rows = [[bot, *[_cell(partners.of(bot, other)) for other in bots]] for bot in bots]
    output.table(columns, rows)
    output.line("cell: points per block of the row with the column (blocks, residual ± half its 95 % interval)")
    output.line("residual: what the two make more than their strengths, fitted over all blocks, let expect")
    if any(each.grey for each in partners.partnerships):
        output.line("* fewer than 30 blocks")
    if any(each.stands_out for each in partners.partnerships):
        output.line("! stands out, with the chance of any wrong one held to 5 %")
    if all(each.residual is None for each in partners.partnerships):
        output.line("no residuals: these line-ups leave nothing that strengths of single bots could not explain")


def show_strangers(output: Output, made: PartnerPool, table: Table) -> None:
    """A partner pool for people."""
    columns = (
        Column("bot", width=8),
        Column("with strangers", right=True),
        Column("with itself", right=True),
        Column("difference", right=True),
        Column("understanding", right=True),
        Column("best partner"),
        Column("worst partner"),
        Column("blocks", right=True),
    )
    output.table(columns, [_row(row) for row in made.rows])
    output.line(f"points per block against two of {made.opponents} on {made.boards} boards, the same for all")
    output.line("understanding: what two make more than half of what each makes with itself, on average over partners")
    output.line("no ratings: a bot is no partner of itself in a rating")
    if table.incomplete:
        output.line(f"{table.incomplete} blocks do not count yet: a game is missing or void")


def show_strangers_csv(output: Output, made: PartnerPool) -> None:
    """A partner pool as CSV, a row for each bot and partner (itself too), numbers unrounded."""
    rows: list[list[object]] = []
    for row in made.rows:
        rows.append([row.bot, row.bot, row.own.mean, ""])
        rows += [[row.bot, each.bot, each.points, each.blocks] for each in row.partners]
    output.rows(["bot", "partner", "points_per_block", "blocks"], rows)


def _cell(each: Partnership | None) -> str:
    if each is None:
        return "-"
    residual = ""
    if each.residual is not None:
        half = f" ± {(each.high - each.low) / 2:.1f}" if each.low is not None and each.high is not None else ""
        residual = f", {signed(each.residual)}{half}"
    return f"{'!' if each.stands_out else ''}{'*' if each.grey else ''}{signed(each.swing)} ({each.blocks}{residual})"


def _row(row: Stranger) -> list[str]:
    best, worst = row.partners[0], row.partners[-1]
    return [
        row.bot,
        _points(row.strangers),
        _points(row.own),
        _points(row.difference),
        _points(row.company) if row.company is not None else "-",
        f"{best.bot} {signed(best.points)}",
        f"{worst.bot} {signed(worst.points)}",
        str(row.blocks),
    ]


def _points(points: Points) -> str:
    half = f" ± {(points.high - points.low) / 2:.1f}" if points.low is not None and points.high is not None else ""
    return f"{signed(points.mean)}{half}"
