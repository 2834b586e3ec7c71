"""`arena restore`: puts a backup into an empty data folder, where everything goes on as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.app import Command, settings_of
from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.cli.config import Settings


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("restore", cls=Command)(restore)


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `arena backup` wrote.")],
    force: Annotated[
        bool, typer.Option("--force", help="Move a data folder that is there aside; nothing is deleted.")
    ] = False,
) -> None:
    """Put a backup into an empty data folder. Tournaments go on from there with the command that began them.

    \b
    arena restore monday.tar.gz --data /srv/arena
    arena restore monday.tar.gz --force
    """
    output: Output = ctx.obj
    from arena.cli.progress import megabytes
    from arena.runner.keeping import restore as restoring
    from arena.store.store import utc_now

    settings: Settings = settings_of(output)
    saved = None
    with megabytes(output, "restore") as heard:
        if settings.file is None:
            saved = restoring.saved_config(file, heard)
            settings = _as_saved(output, settings, saved)
        done = restoring.restore(file, settings.data, settings.store, utc_now(), force=force, heard=heard)
    place = settings.folder / "arena.toml"
    if saved is not None and not place.exists():
        place.write_text(saved, encoding="utf-8")
    manifest = done.manifest
    data: dict[str, Any] = {
        "data": str(done.data.absolute()),
        "created": manifest["created"],
        "arena": manifest["arena"],
        "tournaments": manifest["tournaments"],
        "parts": len(manifest["parts"]),
        "aside": str(done.aside.absolute()) if done.aside is not None else None,
        "config": str(place.absolute()) if saved is not None else None,
    }
    if output.flags.json:
        output.document("restore/1", data)
    elif output.flags.csv:
        output.rows(["tournament", "state", "games"], [list(each.values()) for each in manifest["tournaments"]])
    else:
        output.line(str(done.data))
        output.note(f"restored {data['parts']} files, as of {data['created']}")
        if done.aside is not None:
            output.note(f"what was there before is now in {done.aside}")
        if done.config is not None and saved is None:
            output.note(f"{settings.file} stays as it is; the one that was saved:  tar -xOzf {file} arena.toml")
    unfinished = [each["name"] for each in manifest["tournaments"] if each["state"] != "finished"]
    output.next_step(f"arena tournament status {unfinished[0]}" if unfinished else "arena tournament status")


def _as_saved(output: Output, settings: Settings, saved: str | None) -> Settings:
    """The settings that hold once the saved arena.toml is there, for a folder that has none. Raises ConfigError."""
    import os
    import tempfile
    from dataclasses import replace

    from arena.cli.config import load

    if saved is None or ("data" not in tomllib.loads(saved) and "store" not in tomllib.loads(saved)):
        return settings
    with tempfile.TemporaryDirectory(prefix="arena-check-") as folder:
        file = Path(folder) / "arena.toml"
        file.write_text(saved, encoding="utf-8")
        values = load(file, os.environ, settings.folder, output.flags.data).values
    return replace(
        settings, values={**settings.values, **{key: values[key] for key in values if key in ("data", "store")}}
    )
