"""Writes a tournament's results to a file or a stream, in any format. Memory does not grow with the tournament.

Knows formats and the store; not commands. A file appears whole or not at all.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from arena.core.errors import ArenaFault, ConfigError, TranscriptError
from arena.record.transcript import to_json
from arena.runner.course import stored_game, stored_pool
from arena.runner.exports import records
from arena.runner.exports.anonymous import Names
from arena.runner.exports.leaving import Counts, Leaving, games_of
from arena.runner.exports.plain_text import game_text
from arena.runner.exports.tables import Sheet, blocks_sheet, games_sheet, require_duckdb, write_csv, write_parquet
from arena.runner.series import is_published
from arena.runner.standing import out_of
from arena.store.store import Store
from arena.store.values import Tournament

STREAMS = ("csv", "jsonl", "text")
"""Formats that can be written to a pipe."""
FORMATS = (*STREAMS, "parquet", "zip")
SINGLE = 1000
"""An archive has each game as a file of its own, too, where there are at most so many."""


class Export(NamedTuple):
    """What is exported."""

    store: Store
    tournament: Tournament
    names: Names | None = None
    """None: the real ones."""
    tell: Callable[[int], None] = lambda _: None
    """Told how many games are written."""

    @property
    def shown(self) -> Tournament:
        """The tournament as it is written."""
        return self.tournament if self.names is None else self.names.tournament(self.tournament)

    def games(self, counts: Counts) -> Iterator[Leaving]:
        """The games as they are written."""
        for leaving in games_of(self.store, self.tournament, counts):
            self.tell(counts.games)
            yield leaving if self.names is None else self.names.game(leaving)

    def sheet(self, counts: Counts, *, blocks: bool) -> Sheet:
        """Games, or the blocks that count, as a table."""
        name = self.tournament.name
        if not blocks:
            return games_sheet(name, self.games(counts), stored_game(self.tournament).seats)
        out = out_of(self.store, self.tournament)
        rows = self.store.rows(self.tournament.id)
        names = self.names
        if names is not None:
            new = names
            rows = (row._replace(bots=tuple(map(new, row.bots))) for row in rows)
            out = {new(bot): why for bot, why in out.items()}
        return blocks_sheet(name, rows, stored_pool(self.tournament), out)


def write_stream(export: Export, format: str, target: IO[str], *, blocks: bool = False) -> Counts:
    """Write one of STREAMS; returns what was written and withheld."""
    counts = Counts()
    if format == "csv":
        write_csv(export.sheet(counts, blocks=blocks), target)
    elif format == "jsonl":
        target.writelines(_lines(export, counts))
    else:
        for leaving in export.games(counts):
            try:
                target.writelines(f"{line}\n" for line in list(game_text(export.tournament.name, leaving)))
            except TranscriptError as error:
                counts.damaged.append(f"{leaving.info.public_id}: {error.message}")
    return counts


def _lines(export: Export, counts: Counts) -> Iterator[str]:
    store, tournament, names = export.store, export.tournament, export.names
    yield records.line(records.tournament_data(export.shown, published=is_published(store, tournament)))
    for each in store.rounds(tournament.id):
        yield records.line(records.round_data(each if names is None else names.round(each)))
    for void in store.voids(tournament.id):
        yield records.line(records.void_data(void if names is None else names.void(void)))
    for out in store.quarantines(tournament.id):
        yield records.line(records.quarantine_data(out if names is None else names.quarantine(out)))
    for leaving in export.games(counts):
        yield records.line(records.game_data(leaving))
    yield records.line({"kind": "end", "games": counts.games})


def write_file(export: Export, format: str, file: Path, *, blocks: bool = False, replace: bool = False) -> Counts:
    """Write any of FORMATS to a file, which appears whole.

    Raises ConfigError when it is there already and is not to be replaced, or for a missing library; ArenaFault when it
    cannot be written.
    """
    if file.exists() and not replace:
        raise ConfigError(
            f"{file} is there already",
            where="--out",
            saw=f"a file of {file.stat().st_size} bytes",
            fix="name another file, or add --force",
            code="FILE_EXISTS",
        )
    if format == "parquet":
        require_duckdb("Parquet")
    new = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        if format == "parquet":
            counts = Counts()
            write_parquet(export.sheet(counts, blocks=blocks), new)
        elif format == "zip":
            counts = write_zip(export, new)
        else:
            with new.open("w", encoding="utf-8", newline="") as opened:
                counts = write_stream(export, format, opened, blocks=blocks)
        new.replace(file)
    except OSError as error:
        raise ArenaFault(
            f"the file cannot be written: {error.strerror or error}",
            where=str(file),
            fix="name a file in a folder that can be written, with space left",
            code="READ_ONLY" if isinstance(error, PermissionError) else "DISK_FULL",
        ) from error
    finally:
        new.unlink(missing_ok=True)
    return counts


def write_zip(export: Export, file: Path | IO[bytes]) -> Counts:
    """All that can be read without other libraries, in one archive: in a file, or on a stream that cannot go back."""
    name = export.tournament.name
    parts: list[tuple[str, str, bool]] = [
        ("games.csv", "csv", False),
        ("blocks.csv", "csv", True),
        ("games.txt", "text", False),
        ("results.jsonl", "jsonl", False),
    ]
    counts = Counts()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr(f"{name}/README.txt", README.format(name=name, single=SINGLE))
        for part, format, blocks in parts:
            with archive.open(f"{name}/{part}", "w", force_zip64=True) as raw:
                opened = io.TextIOWrapper(raw, encoding="utf-8", newline="")
                found = write_stream(export, format, opened, blocks=blocks)
                opened.flush()
                opened.detach()
            if not blocks:
                found.damaged = found.damaged or counts.damaged
                counts = found
        if counts.games <= SINGLE:
            for file_name, text in _single(export):
                archive.writestr(f"{name}/games/{file_name}.arena", text)
    return counts


def _single(export: Export) -> Iterator[tuple[str, str]]:
    """(public id, transcript) of the games whose cards may leave; those that cannot be read are left out."""
    for leaving in export.games(Counts()):
        try:
            transcript = leaving.transcript()
        except TranscriptError:
            continue
        if transcript is not None:
            yield leaving.info.public_id, to_json(transcript)


README = """\
Results of the tournament {name}.

games.csv      one line for each game
blocks.csv     one line for each block: what ratings are made of
games.txt      the games move by move, to be read by people and programs
results.jsonl  all of it; `arena import results.jsonl` reads it back
games/         each game by itself, of tournaments of at most {single} games: `arena replay show FILE`, or drop one
               on the page /open of a site
"""
