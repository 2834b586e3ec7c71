"""The flags of `arena tournament run` for events with remote bots, and the event that they and the file make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import settings_of
from arena.cli.flags import UsageError

if TYPE_CHECKING:
    from arena.cli.output import Output
    from arena.runner.config import Cup
    from arena.runner.events.remote_event import RemoteEvent
    from arena.runner.plan import Plan
    from arena.runner.remote import Listening
    from arena.store.store import Store

Start = Annotated[
    str | None,
    typer.Option("--start", metavar="TIME", help="When remote bots begin, like 2026-12-01T18:00 (UTC), or now."),
]


def check_event_flags(cup: Cup, where: str | None, listen: str | None, insecure: bool, start: str | None) -> bool:
    """Whether remote bots take part. Raises UsageError for flags that say nothing then, or otherwise."""
    from arena.runner.course import is_remote

    if is_remote(cup.saved()):
        if where is not None:
            raise UsageError(
                "--cluster plays no event with remote bots", fix="leave it out: they dial in at this machine"
            )
        return True
    typed = {"--listen": listen is not None, "--insecure": insecure, "--start": start is not None}
    for flag, given in typed.items():
        if given:
            raise UsageError(
                f"{flag} without a remote bot", fix=f'name one as "remote:NAME" in bots, or leave {flag} out'
            )
    return False


def event_of(
    output: Output, store: Store, plan: Plan, cup: Cup, listening: Listening, start: str | None
) -> RemoteEvent:
    """The event. Raises UsageError for a time that is none."""
    from arena.runner.events.bulletin import bulletin_file
    from arena.runner.events.lobby import utc_now
    from arena.runner.events.remote_event import RemoteEvent, past_of
    from arena.runner.events.rules import Rules, moment

    settings = settings_of(output)
    rules = cup.lobby.rules() if cup.lobby is not None else Rules()
    if start is not None:
        try:
            rules = rules._replace(start=utc_now() if start == "now" else moment(start))
        except ValueError:
            fix = "a time like 2026-12-01T18:00 (UTC) or 2026-12-01T18:00+01:00, or now"
            raise UsageError(f"--start cannot be {start!r}", saw=f"--start {start}", fix=fix) from None
    number = plan.tournament.id
    out = {each.quarantine.bot for each in store.quarantines(number, active=True)}
    return RemoteEvent(
        plan,
        listening,
        rules,
        settings.store,
        past=past_of(store.rounds(number), out),
        tell=output.note,
        file=bulletin_file(settings.data, plan.tournament.name),
    )
