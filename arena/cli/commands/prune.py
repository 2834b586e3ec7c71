"""`arena prune`: removes what retention allows to go, or says what that would free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, settings_of
from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.runner.keeping.limits import Retention

HEADINGS = ("what", "days", "megabytes", "removed", "freed", "kept", "kept_bytes", "over")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("prune", cls=Command)(prune)


def prune(
    ctx: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Remove nothing: say what would go.")] = False,
) -> None:
    """Remove bots' output and transcripts that are older or more than [retention] of arena.toml allows.

    Results always stay, and so does everything of rounds that are not done. Also while a tournament runs.

    \b
    arena prune --dry-run
    arena prune
    """
    output: Output = ctx.obj
    from arena.cli.stored import open_store
    from arena.runner.keeping.retention import prune as pruned
    from arena.store.store import utc_now

    settings = settings_of(output)
    retention: Retention = settings.retention
    with open_store(output) as store:
        done = pruned(settings.data, store, retention, utc_now(), dry_run=dry_run)
    limits = {
        "logs": (retention.logs_days, retention.logs_mb),
        "transcripts": (retention.transcripts_days, retention.transcripts_mb),
    }
    kinds = [(name, *limits[name], *kind) for name, kind in done._asdict().items()]
    if output.flags.json:
        rows = [dict(zip(HEADINGS, row, strict=True)) for row in kinds]
        output.document("prune/1", {"dry_run": dry_run, "freed": done.freed, "kinds": rows})
    elif output.flags.csv:
        output.rows(HEADINGS, kinds)
    else:
        columns = [Column("what"), *(Column(heading.replace("_", " "), right=True) for heading in HEADINGS[1:])]
        output.table(columns, [[each[0], *map(_limit, each[1:3]), *_counted(each)] for each in kinds])
        output.note(f"{'would free' if dry_run else 'freed'} {done.freed} bytes")
    if any(kind.over_bytes for kind in done):
        output.note("over: what is left must stay: sealed, of a round that is not done, or of a game with a fault")
    if not retention.anything:
        output.note("no limit is set: [retention] of arena.toml")
    output.next_step("arena prune" if dry_run and done.freed else "arena quota")


def _counted(kind: tuple[Any, ...]) -> list[str]:  # Any: a name and numbers
    """What goes and stays; transcripts without a limit are not counted."""
    counted = kind[0] == "logs" or any(kind[1:3])
    return [str(number) if counted else "-" for number in kind[3:]]


def _limit(number: int) -> str:
    return str(number) if number else "-"
