"""`arena person`: somebody who owned bots or tokens goes, and the name with them."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.app import Command, Group, settings_of
from arena.cli.bots.remove import Yes, confirm, show_removal
from arena.cli.output import Output
from arena.cli.reasons import Reason, checked_reason


def register(app: typer.Typer) -> None:
    """Add the command."""
    group = typer.Typer(name="person", cls=Group, help="Owners of bots and tokens.", no_args_is_help=True)
    group.command("remove", cls=Command)(remove)
    app.add_typer(group)


def remove(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="OWNER", help="As `arena quota` lists it.")],
    reason: Reason,
    keep_bots: Annotated[
        bool, typer.Option("--keep-bots", help="The bots stay, as those of a removed person.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Remove a person: the name goes from bots and tokens, tokens are revoked, the bots are removed or kept.

    Nothing that names the person is kept. Results stay under the names of the bots.

    \b
    arena person remove Ada --reason "asked for it"
    arena person remove Ada --reason "left the course" --keep-bots --yes
    """
    output: Output = ctx.obj
    from arena.runner.keeping.removal import remove_person
    from arena.store.store import Store

    why = checked_reason(reason)
    bots = "its bots stay" if keep_bots else "and all its bots"
    confirm(output, f"remove {name} ({bots}), for good?", yes=yes)
    settings = settings_of(output)
    with Store.open(settings.store) as store:
        done = remove_person(store, settings.data, settings.store, name, why, keep_bots=keep_bots)
    show_removal(output, done)
