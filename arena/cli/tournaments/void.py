"""`arena tournament void`: take back what one worker played."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.output import Output
from arena.cli.reasons import Reason, checked_reason
from arena.cli.tournaments.names import complete_tournaments


def void(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The tournament.", autocompletion=complete_tournaments)],
    worker: Annotated[str, typer.Option("--worker", metavar="W", help="A worker or a machine, as in the status.")],
    reason: Reason,
) -> None:
    """Declare every block void of which a worker played a game. The next run plays them anew, on the same boards.

    What they came to is kept beside the reason. Not while the tournament runs.

    \b
    arena tournament void spring --worker node-7 --reason "its clock was slowed by heat"
    arena tournament void spring --worker node-7 --reason "its clock was slowed by heat" --json
    """
    output: Output = ctx.obj
    from arena.cli.stored import desk_of, find_tournament, open_store
    from arena.runner.redress import void_worker

    why = checked_reason(reason)
    with open_store(output) as store:
        voided = void_worker(desk_of(output, store), find_tournament(store, name), worker, why)
    if output.flags.json:
        output.document("void/1", {"tournament": name, "worker": worker, "reason": why, **voided._asdict()})
    else:
        output.line(f"void: {voided.blocks} blocks ({voided.games} games) that {worker} played, {why}")
    output.next_step("arena tournament run the same file, which plays them anew")
