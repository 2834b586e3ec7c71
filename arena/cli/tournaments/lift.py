"""`arena tournament lift`: let a bot back in that its faults took out of an event."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.output import Output
from arena.cli.reasons import Reason, checked_reason
from arena.cli.tournaments.names import complete_tournaments


def lift(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tournament.", autocompletion=complete_tournaments)],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Who is let back in.")],
    reason: Reason,
) -> None:
    """Lift a bot's quarantine. What it did until then is forgiven, its blocks count again.

    The games that were left out are played when the tournament is run again. Not while it runs.

    \b
    arena tournament lift spring fox --reason "the host's disk was full"
    arena tournament lift spring fox --reason "its author mended it" --json
    """
    output: Output = ctx.obj
    from arena.cli.stored import desk_of, find_tournament, open_store
    from arena.cli.tournaments.status import quarantine_data
    from arena.runner.redress import lift as order

    why = checked_reason(reason)
    with open_store(output) as store:
        lifted = order(desk_of(output, store), find_tournament(store, name), bot, why)
    if output.flags.json:
        output.document("lift/1", quarantine_data(lifted))
    else:
        output.line(
            f"lifted: {lifted.quarantine.bot}, {lifted.lift_reason} (it was out for {lifted.quarantine.reason})"
        )
    output.next_step("arena tournament run the same file, which plays what was left out")
