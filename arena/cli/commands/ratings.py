"""`arena ratings`: the table of a tournament, its crosstable, and how a rating came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command
from arena.cli.output import Column, Output
from arena.cli.standings import quarantined, show_crosstable, show_crosstable_csv, show_table, show_table_csv, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.rating import Block, Change, Crosstable, Table
    from arena.runner.standing import Tiers
    from arena.store.values import Tournament


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ratings", cls=Command)(ratings)


def ratings(
    ctx: typer.Context,
    pool: Annotated[
        str | None, typer.Argument(metavar="[POOL]", help="A game or a tournament; default: the newest.")
    ] = None,
    tournament: Annotated[str | None, typer.Option("--tournament", metavar="NAME", help="A tournament.")] = None,
    cross: Annotated[bool, typer.Option("--cross", help="Also every pair of bots; as CSV only these.")] = False,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="BOT", help="How the live rating of a bot came about.")
    ] = None,
) -> None:
    """The rating table of a tournament, with what is sure and what is not.

    \b
    arena ratings
    arena ratings --tournament spring --cross
    arena ratings --explain fox
    """
    output: Output = ctx.obj
    from arena.cli.stored import Nothing, find_tournament, open_store
    from arena.runner.standing import tables_of, tiers_of

    with open_store(output) as store:
        found = find_tournament(store, tournament, pool)
        if not store.count(found.id):
            raise Nothing(f"no game of {found.name!r} is stored yet", fix=f"arena tournament status {found.name}")
        made, against = tables_of(store, found)
        tiers = tiers_of(store, found)
    if explain is not None:
        _explain(output, explain, made)
    else:
        show(output, found, made, against, tiers, cross=cross)
    output.next_step(f"arena replay list --tournament {found.name}")


def show(
    output: Output, tournament: Tournament, table: Table, against: Crosstable, tiers: Tiers, *, cross: bool
) -> None:
    """Print a tournament's table as text, JSON or CSV.

    `cross`: with the crosstable below; JSON always has it, CSV has it instead.
    """
    if output.flags.json:
        from arena.rating import table_to_data

        data = {"tournament": tournament.name, "state": tournament.state.value, "open_seed": tournament.open_seed}
        told = {"tiers": tiers.games, "unsandboxed": tiers.unsandboxed}
        output.document("ratings/1", {**data, **told, **table_to_data(table, against)})
    elif output.flags.csv:
        if cross:
            show_crosstable_csv(output, against)
        else:
            show_table_csv(output, table)
    else:
        for line in heading(tournament, table, tiers):
            output.line(line)
        if table.standings:
            show_table(output, table)
        else:
            output.line(f"0 blocks complete, {table.incomplete} begun: a block counts once all its seatings are played")
            for line in quarantined(table):
                output.line(line)
        if cross:
            output.line()
            show_crosstable(output, against)


def heading(tournament: Tournament, table: Table, tiers: Tiers) -> list[str]:
    """What stands above a table: what was played, how far it is, and what lowers its worth."""
    from arena.games import catalog

    title = catalog()[tournament.game].title
    whole = table.pool.unit == "match" or table.pool.kind == "free_for_all"
    unit = "whole matches" if whole else "single deals"
    lines = [
        f"{tournament.name}: {title}, {unit}, clock {table.pool.clock}; {table.boards} boards, "
        f"{len(table.blocks)} blocks; {tournament.state.value}"
    ]
    if tiers.unsandboxed:
        lines.append("unsandboxed, trusted bots only (tier D)")
    if len(tiers.games) > 1:
        counts = ", ".join(f"{tier} ({count})" for tier, count in tiers.games.items())
        lines.append(f"games of different sandbox tiers: {counts}")
    if tournament.open_seed:
        lines.append("open seed: the cards were known beforehand")
    return lines


def _explain(output: Output, bot: str, table: Table) -> None:
    from arena.core.errors import ConfigError
    from arena.rating import change_to_data, online

    standing = next((row for row in table.standings if row.bot == bot), None)
    if standing is None:
        names = ", ".join(row.bot for row in table.standings)
        if bot in dict(table.out):
            raise ConfigError(
                f"bot {bot!r} was taken out of this event, and all its blocks with it",
                where="--explain",
                saw=dict(table.out)[bot],
                fix=f"arena bot logs {bot} --faults shows what it wrote when it was at fault",
                code="QUARANTINED",
            )
        raise ConfigError(f"no bot {bot!r} in this table", where="--explain", fix=f"bots: {names}", code="NO_BOT")
    changes = [change for change in online(table.blocks, table.pool) if bot in change.block.bots]
    if output.flags.json:
        output.document("explain/1", {"bot": bot, "changes": [change_to_data(change) for change in changes]})
        return
    headings = ("block", "opponent", "score", "before", "after")
    rows = [explained(bot, change) for change in changes]
    if output.flags.csv:
        output.rows(headings, rows)
        return
    sure = f" ({standing.low:.1f} .. {standing.high:.1f})" if standing.low is not None else ""
    output.line(
        f"{bot}: published (batch fit) {standing.rating:.1f}{sure}, place {standing.place}; "
        "below: the live rating, block by block"
    )
    columns = [Column(heading, right=heading in ("before", "after")) for heading in headings]
    output.table(columns, [[*row[:3], f"{row[3]:.1f}", f"{row[4]:.1f}"] for row in rows])


def explained(bot: str, change: Change) -> tuple[str, str, str, float, float]:
    """A row of the explanation: block, opponents, scores, the bot's mean before and after."""
    block, own = change.block, change.block.bots.index(bot)
    others = [place for place in range(len(block.bots)) if place != own]
    return (
        block.id,
        ", ".join(block.bots[place] for place in others),
        _scores(block, [own, *others]),
        change.before[own].mu,
        change.after[own].mu,
    )


def _scores(block: Block, places: Sequence[int]) -> str:
    return " / ".join(signed(block.scores[place]).removesuffix(".0") for place in places)
