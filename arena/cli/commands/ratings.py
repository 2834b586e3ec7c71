"""`arena ratings`: the table of a tournament, its crosstable, and how a rating came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command
from arena.cli.output import Output
from arena.cli.standings import quarantined, show_crosstable, show_crosstable_csv, show_table, show_table_csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.core.errors import ConfigError
    from arena.rating import Block, Crosstable, Table
    from arena.runner.past import At
    from arena.runner.standing import Tiers
    from arena.store.store import Store
    from arena.store.values import Tournament


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ratings", cls=Command)(ratings)


def ratings(
    ctx: typer.Context,
    pool: Annotated[
        str | None, typer.Argument(metavar="[POOL]", help="A game, a tournament or a series; default: the newest.")
    ] = None,
    tournament: Annotated[str | None, typer.Option("--tournament", metavar="NAME", help="A tournament.")] = None,
    cross: Annotated[bool, typer.Option("--cross", help="Also every pair of bots; as CSV only these.")] = False,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="BOT", help="How the live rating of a bot came about.")
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="As it stood then: a date, a time (UTC), or round:N.")
    ] = None,
) -> None:
    """The rating table of a tournament, with what is sure and what is not.

    \b
    arena ratings spring --cross
    arena ratings --explain fox
    arena ratings --at round:3
    """
    output: Output = ctx.obj
    from arena.cli.stored import Nothing, find_event, open_store
    from arena.cli.tournaments.series import show_series
    from arena.runner.past import parse
    from arena.runner.standing import NOW, tables_of, tiers_of

    moment = parse(at) if at is not None else NOW
    with open_store(output) as store:
        members = find_event(store, tournament, pool)
        found = members[-1]
        if len(members) > 1:
            if explain is not None:
                raise _several(members)
            show_series(output, store, members, cross=cross, at=moment if at is not None else None)
            output.next_step(f"arena ratings {found.name} --cross")
            return
        if not store.count(found.id):
            raise Nothing(f"no game of {found.name!r} is stored yet", fix=f"arena tournament status {found.name}")
        _refuse_later(moment, found, store)
        made, against = tables_of(store, found, at=moment)
        tiers = tiers_of(store, found)
    if explain is not None:
        _explain(output, explain, made, found)
    else:
        show(output, found, made, against, tiers, cross=cross, at=moment if at is not None else None)
    output.next_step(f"arena replay list --tournament {found.name}")


def show(
    output: Output,
    tournament: Tournament,
    table: Table,
    against: Crosstable,
    tiers: Tiers,
    *,
    cross: bool,
    at: At | None = None,
) -> None:
    """Print a tournament's table as text, JSON or CSV, with what pairs say beyond ratings.

    `cross`: with the crosstable below; JSON always has it, CSV has it instead. `at`: the moment, if not now.
    """
    from arena.cli.partnering import (
        partner_notes,
        show_partners,
        show_strangers,
        show_strangers_csv,
    )
    from arena.rating import structure
    from arena.rating.partners import partner_table
    from arena.runner.standing import NOW, left_by
    from arena.runner.standing_data import data_of, strangers_of

    strangers = strangers_of(tournament, table)
    if output.flags.json:
        output.document("ratings/1", data_of(tournament, table, against, tiers, at))
    elif output.flags.csv:
        if strangers is not None:
            show_strangers_csv(output, strangers)
        elif cross:
            show_crosstable_csv(output, against)
        else:
            show_table_csv(output, table)
    else:
        partners = partner_table(table) if strangers is None else None
        for line in heading(tournament, table, tiers):
            output.line(line)
        if at is not None:
            output.line(f"as it stood at {at}")
        if strangers is not None and table.standings:
            show_strangers(output, strangers, table)
        elif table.standings:
            show_table(output, table, structure=structure(table))
            ended = left_by(tournament, at or NOW, table)
            if ended:
                named = ", ".join(f"{name} (to round {last})" for name, last in ended.items())
                output.line(f"no longer playing: {named}")
            for line in partner_notes(partners):
                output.line(line)
        else:
            output.line(f"0 blocks complete, {table.incomplete} begun: a block counts once all its seatings are played")
            for line in quarantined(table):
                output.line(line)
        if cross:
            output.line()
            show_crosstable(output, against)
            if partners is not None:
                output.line()
                show_partners(output, partners)


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
    lines += of_remote_pool(tournament, table)
    if table.pool.kind == "mixed":
        lines.append(f"mixed partners, two against two: {table.pool.seatings} seatings a board")
    if tiers.unsandboxed:
        lines.append("unsandboxed, trusted bots only (tier D)")
    if len(tiers.games) > 1:
        counts = ", ".join(f"{tier} ({count})" for tier, count in tiers.games.items())
        lines.append(f"games of different sandbox tiers: {counts}")
    if tournament.open_seed:
        lines.append("open seed: the cards were known beforehand")
    return lines


def of_remote_pool(tournament: Tournament, table: Table) -> list[str]:
    """What a reader must know of a pool whose bots the arena does not keep apart; nothing for other pools."""
    pool = table.pool
    if not pool.remote:
        return []
    lines = ["remote pool: one seating a board, a block is one game"]
    if any(len(side) > 1 for side in pool.sides):
        lines.append("partners not isolated: nobody knows what bots on machines of their own tell each other")
    known = {row.bot for row in table.standings} | dict(table.out).keys()
    absent = [each.name for each in tournament.entrants if each.name not in known]
    if absent and table.blocks:
        lines.append(f"no game yet: {', '.join(absent)}")
    return lines


def _several(members: Sequence[Tournament]) -> ConfigError:
    from arena.core.errors import ConfigError

    names = ", ".join(each.name for each in members)
    return ConfigError("a rating belongs to one game of a series", where="--explain", fix=f"name one of: {names}")


def _refuse_later(at: At, tournament: Tournament, store: Store) -> None:
    """Raise ConfigError for the end of a round that was not begun."""
    from arena.core.errors import ConfigError

    begun = max((each.number for each in store.rounds(tournament.id)), default=0)
    if at.round is not None and not 1 <= at.round <= begun:
        raise ConfigError(
            f"{tournament.name!r} has no round {at.round}",
            where="--at",
            saw=f"{begun} rounds begun",
            fix=f"round:1 to round:{begun}" if begun else "leave out --at",
            code="BAD_OPTION",
        )


def _explain(output: Output, bot: str, table: Table, tournament: Tournament) -> None:
    from arena.cli.explaining import show_explanation
    from arena.core.errors import ConfigError
    from arena.rating import TAU_CLOSED, TAU_LADDER, online
    from arena.record.results import GameKey
    from arena.runner.course import format_of
    from arena.store.values import public_id

    if table.unrated:
        raise ConfigError(
            "this pool has no ratings to explain", where="--explain", saw=table.unrated, fix="leave out --explain"
        )
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
        versions = [row.bot for row in table.standings if row.bot.partition("@")[0] == bot.partition("@")[0]]
        raise ConfigError(
            f"no bot {bot!r} in this table",
            where="--explain",
            saw=f"versions of it that played: {', '.join(versions)}" if versions else "it has no block here",
            fix=f"--explain {versions[0]}" if versions else f"bots: {names}",
            code="NO_BOT",
        )
    tau = TAU_LADDER if format_of(tournament.config).ladder else TAU_CLOSED
    changes = [change for change in online(table.blocks, table.pool, tau=tau) if bot in change.block.bots]

    def game(block: Block) -> str:
        return public_id(tournament.name, GameKey(block.round, block.board, block.table, 0))

    show_explanation(output, bot, standing, changes, game)
