"""`arena quota`: what each owner has, and what it may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, settings_of
from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.runner.keeping.quotas import Usage
    from arena.store.store import Store

WHAT = ("bots", "versions", "megabytes", "games_per_day", "tokens")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("quota", cls=Command)(quota)


def quota(
    ctx: typer.Context,
    owner: Annotated[str | None, typer.Argument(metavar="[OWNER]", help="Default: all.")] = None,
) -> None:
    """What each owner has of bots, versions of a bot, megabytes, games in the last 24 hours and tokens.

    The limits are [quotas] of arena.toml; what has no owner is the organiser's, and not limited.

    \b
    arena quota
    arena quota Ada --json
    """
    output: Output = ctx.obj
    from arena.cli.stored import Nothing, open_store
    from arena.runner.keeping.quotas import over_quota

    settings = settings_of(output)
    limits = settings.quotas
    with open_store(output) as store:
        known = usages_of(output, store)
    if owner is not None:
        if owner.casefold() not in known:
            raise Nothing(f"{owner!r} has no bot and no token", where="command line", fix="arena quota lists owners")
        known = {owner.casefold(): known[owner.casefold()]}
    rows: list[dict[str, Any]] = [
        {**usage._asdict(), "over": [each.what for each in over_quota(usage, limits)]} for usage in known.values()
    ]
    allowed = {name: getattr(limits, name) for name in WHAT}
    if output.flags.json:
        output.document("quota/1", {"limits": allowed, "owners": rows})
    elif output.flags.csv:
        output.rows(["owner", *WHAT], [[row["owner"], *(row[name] for name in WHAT)] for row in rows])
    else:
        columns = [Column("owner"), *(Column(name.replace("_", " "), right=True) for name in WHAT)]
        output.table(columns, [_cells(row, allowed) for row in rows])
    output.next_step("arena bot list --all-versions")


def usages_of(output: Output, store: Store) -> dict[str, Usage]:
    """What every owner has now, by folded name."""
    from arena.runner.keeping.quotas import usages
    from arena.store.store import utc_now
    from arena.store.tokens import Tokens

    settings = settings_of(output)
    with Tokens.open(settings.store) as tokens:
        known = tokens.all()
    return usages(store, known, settings.data, utc_now())


def _cells(row: dict[str, Any], allowed: dict[str, int]) -> list[str]:
    cells = [row["owner"] or "(the organiser)"]
    for name in WHAT:
        has = f"{row[name]:.1f}" if name == "megabytes" else str(row[name])
        limit = f"/{allowed[name]}" if allowed[name] and row["owner"] else ""
        cells.append(f"{has}{limit}{' !' if name in row['over'] else ''}")
    return cells
