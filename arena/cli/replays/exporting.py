"""`arena replay export`: a game as one HTML file. The pictures are those of the site, made by the same code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.output import Output
from arena.core.errors import ArenaFault, ConfigError

if TYPE_CHECKING:
    from arena.record.transcript import Transcript
    from arena.web.games.comparison import Comparison
    from arena.web.games.replays import Replay
    from arena.web.games.source import Open


def write_page(
    output: Output, game: str, kept: Transcript | None, out: Path, *, seat: int | None, notes: bool, force: bool
) -> None:
    """Write the file and say how large it is. `kept`: the game of a file; None: it is in the store.

    Raises ConfigError for a file that is there already, a folder that is not, or a seat that the game has not; Sealed
    for a game, or notes, that may not be shown yet; ArenaFault when the file cannot be written.
    """
    if out.exists() and not force:
        raise ConfigError(f"{out} is there already", where=str(out), fix="name another file, or add --force")
    if not out.parent.is_dir():
        raise ConfigError(f"no folder {str(out.parent)!r}", where=str(out), fix="make it first, or name another one")
    from arena.cli.replays.showing import check_seat
    from arena.web.games.exported import export

    found, replay, comparison = _of_file(kept) if kept is not None else _of_store(output, game, notes=notes)
    if seat is not None:
        check_seat(found.transcript.bots, seat)
    told = frozenset(range(replay.game.seats)) if notes else frozenset()
    text = export(found, replay, comparison, notes=told, seat=seat)
    size = _written(out, text)
    if output.flags.json:
        output.document("replay-export/1", {"file": str(out), "bytes": size, "game": found.public_id, "seat": seat})
    else:
        output.line(f"wrote {out} ({size / 1024:.0f} KiB, {replay.last + 1} positions)")
    output.next_step(f"open {out} in a browser")


def _of_file(transcript: Transcript) -> tuple[Open, Replay, Comparison | None]:
    from arena.web.games.replays import Replay
    from arena.web.games.source import Open

    return Open(transcript.public_id, transcript), Replay.of(transcript), None


def _of_store(output: Output, game: str, *, notes: bool) -> tuple[Open, Replay, Comparison | None]:
    """A stored game, compared with its board."""
    from arena.cli.stored import open_store, stored_game, words_sealed
    from arena.record.transcript import from_data, without_words
    from arena.web.games.comparison import Comparisons
    from arena.web.games.replays import Replay
    from arena.web.games.source import Open
    from arena.web.games.stored import clock_of, where_of

    with open_store(output) as store:
        tournament, full = stored_game(store, game)
        key = full.info.row.key
        sealed = words_sealed(store, tournament, key)
        if sealed is not None and notes:
            raise sealed
        transcript = from_data(dict(full.game.result.transcript), where=game)
        if sealed is not None:
            output.note(sealed.message)
            transcript = without_words(transcript)
        found = Open(game, transcript, where=where_of(tournament, key), clock=clock_of(tournament))
        replay = Replay.of(transcript)
        return found, replay, Comparisons(store).of(found, replay)


def _written(out: Path, text: str) -> int:
    """Write a file whole or not at all; its size in bytes."""
    data = text.encode()
    new = out.with_name(f".{out.name}.{os.getpid()}.new")
    try:
        new.write_bytes(data)
        new.replace(out)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise ArenaFault(
            f"the file cannot be written: {error.strerror or error}",
            where=str(out),
            fix="name a file in a folder that can be written, with space left",
            code="READ_ONLY" if isinstance(error, PermissionError) else "DISK_FULL",
        ) from error
    return len(data)
