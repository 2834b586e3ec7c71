"""`arena export`: a tournament's results as a file, for a spreadsheet, a program or another arena; or as pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.app import Command, settings_of
from arena.cli.flags import UsageError
from arena.cli.output import Output
from arena.cli.tournaments.names import complete_tournaments

if TYPE_CHECKING:
    from arena.runner.exports.leaving import Counts

ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".parquet": "parquet", ".txt": "text", ".zip": "zip"}
PAGES = (".html",)
"""Endings that mean pages."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", cls=Command)(export)


def export(
    ctx: typer.Context,
    tournament: Annotated[
        str | None,
        typer.Argument(
            metavar="[TOURNAMENT]", help="Its name; default: the newest.", autocompletion=complete_tournaments
        ),
    ] = None,
    format: Annotated[
        str,
        typer.Option("--format", metavar="F", help="csv, jsonl, parquet, text, zip or html; default: as --out ends."),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where to; default: stdout, not for parquet and zip; html: a folder or a .zip.",
        ),
    ] = None,
    blocks: Annotated[bool, typer.Option("--blocks", help="Rated blocks instead of games (csv, parquet).")] = False,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Other names for the bots, without notes.")] = False,
    most: Annotated[
        int | None, typer.Option("--most", metavar="N", min=1, help="html: replays of at most N games; default 1000.")
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help="html: with what bots noted, where it is open.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the file or copy if it is there.")] = False,
) -> None:
    """Results as a file: tables, all there is as JSON lines, or the games as text. Sealed cards stay out.

    html: the pages of the tournament with its boards and replays, opened from a disk without server or network.

    \b
    arena export spring --out spring.csv
    arena export spring --format jsonl --anonymous > spring.jsonl
    arena export spring --out blocks.parquet --blocks
    arena tournament export spring --format html --out spring-pages
    """
    output: Output = ctx.obj
    if format == "html" or (not format and out is not None and out.suffix in PAGES):
        from arena.cli.tournaments.pages import write_pages

        if blocks:
            raise UsageError("html has everything", where="--blocks", saw="html", fix="leave --blocks out")
        write_pages(output, tournament, out, most=most, notes=notes, anonymous=anonymous, force=force)
        return
    if most is not None or notes:
        flag = "--notes" if notes else "--most"
        raise UsageError(f"{flag} is for html", where=flag, saw=format or str(out or "csv"), fix="--format html")
    from arena.cli.progress import progress
    from arena.cli.stored import Nothing, find_tournament, open_store
    from arena.runner.exports.anonymous import Names, key_of
    from arena.runner.exports.writing import Export, write_file, write_stream

    chosen = _format(format, out, blocks=blocks)
    with open_store(output) as store:
        found = find_tournament(store, tournament)
        games = store.count(found.id)
        if not games:
            raise Nothing(f"no game of {found.name!r} is stored yet", fix=f"arena tournament status {found.name}")
        names = Names(found, key_of(settings_of(output).data)) if anonymous else None
        with progress(output, "export", games, "games", streams=out is None) as shown:
            what = Export(store, found, names, shown.update)
            if out is None:
                counts = write_stream(what, chosen, sys.stdout, blocks=blocks)
            else:
                counts = write_file(what, chosen, out, blocks=blocks, replace=force)
    _say(output, counts, found.name)
    if out is not None:
        data = {
            "file": str(out), "format": chosen, "tournament": found.name, "games": counts.games,
            "sealed": counts.sealed, "without_words": counts.wordless, "pruned": counts.pruned,
        }  # fmt: skip
        if output.flags.json:
            output.document("export/1", data)
        else:
            output.line(str(out))
        output.next_step(f"arena import {out}" if chosen == "jsonl" else "arena export --format jsonl  has everything")


def _format(format: str, out: Path | None, *, blocks: bool) -> str:
    """The format that is meant. Raises UsageError."""
    from arena.runner.exports.writing import FORMATS, STREAMS

    chosen = format or (ENDINGS.get(out.suffix, "") if out is not None else "csv")
    if chosen not in FORMATS:
        where = "--format" if format else "--out"
        saw = format or str(out)
        raise UsageError(
            f"no format for {saw!r}", where=where, saw=saw, fix=f"--format {' | '.join((*FORMATS, 'html'))}"
        )
    if out is None and chosen not in STREAMS:
        raise UsageError(f"{chosen} cannot be written to stdout", where="--out", saw="no --out", fix="--out FILE")
    if blocks and chosen not in ("csv", "parquet"):
        raise UsageError(f"{chosen} has games, not blocks", where="--blocks", saw=chosen, fix="--format csv | parquet")
    return chosen


def _say(output: Output, counts: Counts, name: str) -> None:
    """What was withheld, on stderr."""
    if counts.sealed:
        output.warning(
            f"{counts.sealed} of {counts.games} games are on sealed boards: they are there without their cards; "
            f"see arena tournament status {name}"
        )
    if counts.wordless:
        output.warning(f"{counts.wordless} games are there without notes, view keys and details: not all is played")
    if counts.pruned:
        output.warning(f"{counts.pruned} games are there without transcripts: retention removed them")
    for each in counts.damaged[:10]:
        output.warning(f"no transcript of {each}")
