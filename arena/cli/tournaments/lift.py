"""`arena tournament lift`: let a bot back in that its faults took out of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import settings_of
from arena.cli.output import Output
from arena.cli.reasons import Reason, checked_reason
from arena.cli.tournaments.names import complete_tournaments
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.store.store import Store
    from arena.store.values import Tournament


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
    from arena.cli.stored import find_tournament, open_store
    from arena.cli.tournaments.status import quarantine_data
    from arena.store.lock import coordinator_lock

    why = checked_reason(reason)
    settings = settings_of(output)
    with open_store(output) as store:
        tournament = find_tournament(store, name)
        with coordinator_lock(settings.data, tournament.name, settings.store):
            lifted = store.lift(tournament.id, bot, why, disabled=False)
        if lifted is None:
            raise _not_out(store, tournament, bot)
    if output.flags.json:
        output.document("lift/1", quarantine_data(lifted))
    else:
        output.line(
            f"lifted: {lifted.quarantine.bot}, {lifted.lift_reason} (it was out for {lifted.quarantine.reason})"
        )
    output.next_step("arena tournament run the same file, which plays what was left out")


def _not_out(store: Store, tournament: Tournament, bot: str) -> ConfigError:
    """There is nothing to lift: the bot is not out, or an organiser disabled it."""
    active = store.quarantines(tournament.id, active=True)
    if any(each.disabled and each.quarantine.bot == bot for each in active):
        return ConfigError(
            f"an organiser disabled {bot!r} in {tournament.name!r}; no fault took it out",
            where=store.where,
            fix=f"arena tournament enable {tournament.name} {bot} --reason TEXT",
            code="NOT_QUARANTINED",
        )
    out = [each.quarantine.bot for each in active if not each.disabled]
    return ConfigError(
        f"bot {bot!r} is not taken out of {tournament.name!r}",
        where=store.where,
        fix=f"taken out: {', '.join(out)}" if out else "nobody is taken out",
        code="NOT_QUARANTINED",
    )
