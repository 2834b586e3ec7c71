"""`arena backup`: one file with everything that cannot be made again, taken while tournaments run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, settings_of
from arena.cli.output import Output

if TYPE_CHECKING:
    from datetime import datetime

    from arena.runner.keeping.backup import Saved
    from arena.store.place import Place


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("backup", cls=Command)(backup)


def backup(
    ctx: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="F", help="The new file; default: arena-DATE-TIME.tar.gz, here."),
    ] = None,
    logs: Annotated[bool, typer.Option("--logs", help="Also the bots' output.")] = False,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="F", help="Save nothing: read a backup from end to end.")
    ] = None,
) -> None:
    """Save the arena into one file, also while a tournament runs: results, secrets, bots, settings.

    \b
    arena backup
    arena backup --out /mnt/backups/monday.tar.gz
    arena backup --check /mnt/backups/monday.tar.gz
    """
    output: Output = ctx.obj
    from arena.cli.flags import UsageError
    from arena.cli.progress import megabytes
    from arena.runner.keeping import backup as saving
    from arena.store.store import utc_now

    if check is not None and (out is not None or logs):
        raise UsageError("--check saves nothing", where="command line", fix="leave out --out and --logs")
    if check is not None:
        with megabytes(output, "check") as heard:
            whole = saving.check(check, heard)
        _show(output, whole, "whole")
        output.next_step(f"arena restore {check} --data FOLDER")
        return
    settings, now = settings_of(output), utc_now()
    file = out if out is not None else Path(saving.default_name(now))
    with megabytes(output, "backup") as heard:
        saved = saving.back_up(settings.data, settings.store, file, now, config=settings.file, logs=logs, heard=heard)
    for name in saved.missing:
        output.warning(f"careful: the files of {name} are not in {settings.data / 'bots'}, so not in the backup")
    _note(settings.store, now)
    _show(output, saved, "saved")
    output.note("it holds secrets of tournaments: keep it where only you can read it")
    output.next_step(f"arena backup --check {file}")


def _note(place: Place, now: datetime) -> None:
    """Let the site say when the last one was made. A store that cannot be written to is no reason to fail."""
    from contextlib import suppress

    from arena.core.errors import ArenaError
    from arena.store.database import open_database
    from arena.store.site_settings import SiteSettings

    with suppress(ArenaError):
        database = open_database(place, create=False)
        SiteSettings(database).set("last_backup", now.isoformat(timespec="seconds"))
        database.close()


def _show(output: Output, saved: Saved, word: str) -> None:
    manifest = saved.manifest
    data: dict[str, Any] = {
        "file": str(saved.file.absolute()),
        "bytes": saved.bytes,
        **{key: manifest[key] for key in ("created", "arena", "revision", "store", "logs", "tournaments")},
        "parts": len(manifest["parts"]),
        "missing": list(saved.missing),
    }
    if output.flags.json:
        output.document("backup/1", data)
    elif output.flags.csv:
        output.rows(["path", "bytes", "sha256"], [[p["path"], p["bytes"], p["sha256"]] for p in manifest["parts"]])
    else:
        output.line(str(saved.file))
        events = ", ".join(f"{each['name']} ({each['state']}, {each['games']} games)" for each in data["tournaments"])
        output.note(
            f"{word}: {data['parts']} files, {saved.bytes} bytes, as of {data['created']}; {events or 'no event'}"
        )
