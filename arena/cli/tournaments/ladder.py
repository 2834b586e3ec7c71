"""What `arena tournament run` knows more about a ladder: how long it runs, who comes and goes, what is pruned."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.cli.config import Settings
    from arena.runner.config import Cup
    from arena.runner.plan import Plan
    from arena.store.store import Store

Rounds = Annotated[
    int | None, typer.Option("--rounds", metavar="N", min=1, help="Of a ladder: stop after so many rounds.")
]
Until = Annotated[
    str | None,
    typer.Option(
        "--until", metavar="TIME", help="Of a ladder: stop at this time, 18:00 or 2026-12-01T18:00, of this machine."
    ),
]


def check_ladder_flags(cup: Cup, rounds: int | None, until: str | None) -> datetime | None:
    """When to stop, aware; None: not at a time. Raises ConfigError for flags that say nothing here."""
    from arena.tournament.formats import FORMATS

    if FORMATS[cup.format].ladder and cup.series:
        raise ConfigError(
            "a ladder never ends, so that the other games would never begin",
            where="games",
            saw=f"series {cup.series!r}",
            fix="a file for each game: game = ...",
        )
    if not FORMATS[cup.format].ladder:
        for flag, value in (("--rounds", rounds), ("--until", until)):
            if value is not None:
                raise ConfigError(
                    f"a {cup.format} ends by itself",
                    where=flag,
                    saw=str(value),
                    fix=f'leave {flag} out; it is for format = "ladder"',
                    code="BAD_OPTION",
                )
    return until_of(until, datetime.now().astimezone()) if until is not None else None


def until_of(text: str, now: datetime) -> datetime:
    """The moment of a time of day, its next one, or of an ISO time; in the zone of `now` unless it names another.

    Raises ConfigError for anything else, and for a moment that has passed.
    """
    try:
        if re.fullmatch(r"\d{1,2}:\d{2}", text.strip()):
            hour, minute = map(int, text.strip().split(":"))
            moment = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
            return moment if moment > now else moment + timedelta(days=1)
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(
            "no time",
            where="--until",
            saw=repr(text),
            fix="a time like 18:00, 2026-12-01T18:00 or 2026-12-01T18:00+01:00",
            code="BAD_OPTION",
        ) from None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=now.tzinfo)
    if moment <= now:
        raise ConfigError(
            "this time has passed", where="--until", saw=moment.isoformat(), fix="name a later one", code="BAD_OPTION"
        )
    return moment


def limited(output: Output, store: Store, plan: Plan, settings: Settings, rounds: int | None) -> Plan:
    """The plan as it is run now: retention works at every close of a round, and a ladder goes on for so many rounds."""
    from arena.runner.keeping.retention import Pruning

    closed = sum(each.closed is not None for each in store.rounds(plan.tournament.id))
    pruning = Pruning(settings.data, store, settings.retention)

    def prune(number: int) -> None:
        done = pruning(number)
        if done is not None and done.freed:
            output.note(f"pruned after round {number}: {done.freed} bytes")

    return replace(plan, last_round=closed + rounds if rounds and plan.open_ended else 0, closed=prune)
