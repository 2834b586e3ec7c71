"""`arena tournament freeze`: until when versions count for an event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.bots.names import utc
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.cli.tournaments.names import complete_tournaments
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.store.store import Store

FILE = ".toml"


def freeze(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FILE.toml", help="A ladder, or what begins later.", autocompletion=complete_tournaments
        ),
    ],
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="In UTC unless it names a zone: 2026-05-04T12:00.")
    ] = None,
    now: Annotated[bool, typer.Option("--now", help="What is sent from now on comes too late.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take the freeze away.")] = False,
) -> None:
    """Until when versions count for an event: set that, move it, take it away; without a flag say it.

    A ladder asks before each round; any other event once, when it begins, and takes no freeze from then on.

    \b
    arena tournament freeze rungs --at 2026-05-04T12:00
    arena tournament freeze cup.toml --now
    arena tournament freeze rungs --remove
    """
    output: Output = ctx.obj
    from arena.cli.stored import desk_of, open_store
    from arena.runner.eligibility import freeze as order
    from arena.runner.eligibility import takes_freeze
    from arena.store.freezes import Freezes

    asked = at is not None or now or remove
    until = _until(at, now=now, remove=remove)
    file = _read(Path(name)) if name.endswith(FILE) else None
    event = str(file["name"]) if file is not None else name
    with open_store(output) as store:
        desk = desk_of(output, store)
        config = takes_freeze(desk, event, file)
        before = order(desk, event, until) if asked else Freezes(store.database).of(event)
        holds, own = _freeze_of(store, event, config)
    if output.flags.json:
        output.document("freeze/1", {"event": event, "freeze": _utc(holds), "own": own, "before": _utc(before)})
    elif output.flags.csv:
        output.rows(["event", "freeze", "own", "before"], [[event, _utc(holds), own, _utc(before)]])
    else:
        output.line(_words(event, holds, own=own))
        if asked and before is not None and before != holds:
            output.note(f"it was {before:%Y-%m-%d %H:%M} UTC before")
    output.next_step(f"arena tournament freeze {name} --remove" if own else f"arena tournament freeze {name} --now")


def _until(at: str | None, *, now: bool, remove: bool) -> datetime | None:
    """The freeze that is asked for; None where it is to be taken away, or nothing is asked. Raises UsageError,
    ArenaError for what is no time."""
    from arena.runner.eligibility import time_in
    from arena.store.store import utc_now

    given = [flag for flag, is_given in (("--at", at is not None), ("--now", now), ("--remove", remove)) if is_given]
    if len(given) > 1:
        raise UsageError(
            f"{given[0]} excludes {given[1]}", saw=" ".join(given), fix="type one of --at, --now, --remove"
        )
    if now:
        return utc_now().replace(microsecond=0)
    if at is None:
        return None
    found = time_in(at, "--at")
    if found is None:
        raise UsageError("--at needs a time", saw=f"--at {at!r}", fix="--at 2026-05-04T12:00, in UTC")
    return found


def _read(file: Path) -> Mapping[str, Any]:  # Any: TOML
    """A tournament file, which has a name. Raises ConfigError."""
    from arena.runner.frozen import config_of

    config = config_of(file)
    if not isinstance(config.get("name"), str) or not config["name"]:
        raise ConfigError(
            "the tournament has no name", where=str(file), saw=f"name = {config.get('name')!r}", fix='name = "spring"'
        )
    return config


def _freeze_of(store: Store, event: str, config: Mapping[str, Any]) -> tuple[datetime | None, bool]:
    """The freeze that holds for an event, and whether it is its own and not that of all events. Any: TOML."""
    from arena.runner.frozen import LADDERS, freeze_of
    from arena.store.freezes import Freezes

    own = Freezes(store.database).of(event) is not None
    return freeze_of(store, event, ladder=config.get("format") in LADDERS), own


def _words(event: str, at: datetime | None, *, own: bool) -> str:
    if at is None:
        return f"{event} has no freeze: the newest ready versions play"
    whose = "" if own else ", the deadline of all events"
    return f"in {event} play versions that were sent until {at:%Y-%m-%d %H:%M} UTC{whose}"


def _utc(at: datetime | None) -> str | None:
    return utc(at) if at is not None else None
