"""`arena import`: results that `arena export --format jsonl` wrote, into this store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, settings_of
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from arena.runner.exports.coming import Checked
    from arena.store.store import Store


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import", cls=Command)(import_)


def import_(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What  arena export --format jsonl  wrote.")],
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="What the tournament is called here; one file only.")
    ] = None,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Do not play the games again by the rules.")] = False,
) -> None:
    """Bring in a tournament of another store; ratings are as they were there. Importing twice changes nothing.

    \b
    arena import spring.jsonl
    arena import spring.jsonl --as spring2029
    """
    output: Output = ctx.obj
    from arena.cli.progress import progress
    from arena.runner.exports.coming import bring_in, check
    from arena.store.lock import coordinator_lock
    from arena.store.store import Store

    if name is not None and len(files) > 1:
        raise UsageError("--as names one tournament", where="--as", saw=f"{len(files)} files", fix="one file at a time")
    if name is not None:
        _check_name(name)
    settings = settings_of(output)
    told = []
    with Store.open(settings.store) as store:
        for file in files:
            with progress(output, f"check {file.name}", None, "games") as shown:
                checked = check(store, file, name, rules=not no_verify, tell=shown.update)
            _refuse(store, checked)
            with (
                coordinator_lock(settings.data, checked.tournament.name, settings.store),
                progress(output, f"import {file.name}", checked.games, "games") as shown,
            ):
                new = bring_in(store, checked, shown.update)
            told.append(_told(checked, new))
    if output.flags.json:
        output.document("import/1", told)
    else:
        for each in told:
            output.line(
                f"{each['tournament']}: {each['new']} of {each['games']} games are new, "
                f"{each['verified']} were played again by the rules"
            )
            if each["unverified"]:
                output.note(f"{each['unverified']} games came without a transcript")
    output.next_step(f"arena ratings --tournament {told[-1]['tournament']}")


def _check_name(name: str) -> None:
    import re

    if not re.fullmatch(r"[A-Za-z0-9_-]{1,48}", name):
        raise ConfigError(
            f"a tournament cannot be called {name!r}", where="--as", saw=name, fix="1 to 48 letters, digits, - or _"
        )


def _refuse(store: Store, checked: Checked) -> None:
    """Raises ConfigError CHANGED with the games that differ, if any do."""
    from arena.runner.exports.coming import MOST_SHOWN

    if not checked.problems:
        return
    shown = "; ".join(checked.problems[:MOST_SHOWN])
    more = len(checked.problems) - MOST_SHOWN
    raise ConfigError(
        f"{len(checked.problems)} games of {checked.file} are not as they should be; nothing was imported",
        where=store.where,
        saw=shown + (f"; and {more} more" if more > 0 else ""),
        fix="import it under another name with --as, or see which of the two was changed",
        code="CHANGED",
    )


def _told(checked: Checked, new: int) -> dict[str, object]:
    return {
        "file": str(checked.file),
        "tournament": checked.tournament.name,
        "games": checked.games,
        "new": new,
        "known": checked.games - new,
        "verified": checked.verified,
        "unverified": checked.unverified,
    }
