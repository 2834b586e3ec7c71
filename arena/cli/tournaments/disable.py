"""`arena tournament disable` and `enable`: an organiser takes a bot out of an event, and lets it back in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import Output
from arena.cli.reasons import Reason, checked_reason
from arena.cli.tournaments.names import complete_tournaments

if TYPE_CHECKING:
    from arena.runner.eligibility import Desk
    from arena.store.values import Quarantined, Tournament

Name = Annotated[str, typer.Argument(metavar="NAME", help="The tournament.", autocompletion=complete_tournaments)]
HEADINGS = ("bot", "since_round", "reason", "at", "lifted", "lift_reason")


def disable(
    ctx: typer.Context,
    name: Name,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Who plays no more; on a ladder all its versions.")],
    reason: Reason,
) -> None:
    """Take a bot out of an event, also while it runs. What it played counts; bouts that run are played to their end.

    \b
    arena tournament disable spring fox --reason "it stalls"
    arena tournament disable rungs fox --reason "its author asked for it" --json
    """
    output: Output = ctx.obj
    from arena.runner.eligibility import disable as order

    why = checked_reason(reason)
    done, event = _ordered(output, order, name, bot, why)
    _show(output, "disable/1", event, done, "disabled", f"{why}; its results stay")
    output.next_step(f"arena tournament enable {event.name} {bot} --reason TEXT  lets it back in")


def enable(
    ctx: typer.Context,
    name: Name,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Who was disabled.")],
    reason: Reason,
) -> None:
    """Let a bot back in that was disabled: on a ladder at the next round, elsewhere while the event does not run.

    \b
    arena tournament enable spring fox --reason "its author mended it"
    arena tournament enable rungs fox --reason "its author mended it" --json
    """
    output: Output = ctx.obj
    from arena.runner.course import format_of
    from arena.runner.eligibility import enable as order

    why = checked_reason(reason)
    done, event = _ordered(output, order, name, bot, why)
    _show(output, "enable/1", event, done, "enabled", f"{why} (it was out for {done[0].disabled})")
    if format_of(event.config).ladder:
        output.next_step(f"arena tournament status {event.name}")
    else:
        output.next_step("arena tournament run the same file, which plays what was left out")


def _ordered(
    output: Output,
    order: Callable[[Desk, Tournament, str, str], list[Quarantined]],
    name: str,
    bot: str,
    why: str,
) -> tuple[list[Quarantined], Tournament]:
    from arena.cli.stored import desk_of, find_tournament, open_store

    with open_store(output) as store:
        event = find_tournament(store, name)
        return order(desk_of(output, store), event, bot, why), event


def _show(output: Output, schema: str, event: Tournament, done: Sequence[Quarantined], verb: str, because: str) -> None:
    """Say what was done, to whom and why."""
    from arena.cli.tournaments.status import quarantine_data

    rows = [quarantine_data(each) for each in done]
    if output.flags.json:
        output.document(schema, {"tournament": event.name, "bots": rows})
    elif output.flags.csv:
        output.rows(["tournament", *HEADINGS], [[event.name, *[row[key] for key in HEADINGS]] for row in rows])
    else:
        output.line(f"{verb}: {', '.join(each.quarantine.bot for each in done)}, {because}")
