"""The files of a tournament: results and replays as they may leave, and what proves that the cards were not chosen.

Words of bots (notes, view keys, details of faults) leave with the organiser only: they are their authors' business.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple

from fastapi.responses import StreamingResponse

from arena.runner.course import format_of, round_secrets
from arena.runner.exports.leaving import Counts, Leaving, wordless
from arena.runner.exports.writing import SINGLE, Export, write_stream, write_zip
from arena.runner.series import is_published
from arena.store.values import Tournament
from arena.web.site import Site
from arena.web.standing.streams import streamed

ROUNDS = 30
"""Secrets of the latest rounds of a ladder that are shown."""


class File(NamedTuple):
    """One file that is offered."""

    name: str
    media: str
    format: str
    blocks: bool
    words: str


FILES = {
    each.name: each
    for each in (
        File("blocks.csv", "text/csv; charset=utf-8", "csv", True, "one line for each block: what ratings are made of"),
        File("games.csv", "text/csv; charset=utf-8", "csv", False, "one line for each game"),
        File("games.txt", "text/plain; charset=utf-8", "text", False, "all games move by move, to read"),
        File("results.jsonl", "application/x-ndjson", "jsonl", False, "everything; arena import reads it back"),
        File("replays.zip", "application/zip", "zip", False,
             f"all of these in one archive; of at most {SINGLE} games a file for each, too"),
    )
}  # fmt: skip


class _Public(Export):
    """An export without the words of bots."""

    def games(self, counts: Counts) -> Iterator[Leaving]:
        for leaving in super().games(counts):
            game = leaving.game if leaving.withheld else wordless(leaving.game, leaving.info.public_id)
            yield leaving._replace(game=game)


def answer(site: Site, tournament: Tournament, file: File, *, words: bool) -> StreamingResponse:
    """A file as a stream. `words`: with what bots said. Raises TooMany."""
    export = Export(site.store, tournament) if words else _Public(site.store, tournament)
    incomplete: Callable[[BaseException], bytes] | None = None
    if file.format in ("csv", "text"):
        incomplete = _incomplete
    return StreamingResponse(
        streamed(lambda target: _write(export, file, target), incomplete),
        media_type=file.media,
        headers={"Content-Disposition": f'attachment; filename="{tournament.name}-{file.name}"'},
    )


def _write(export: Export, file: File, target: IO[bytes]) -> None:
    if file.format == "zip":
        write_zip(export, target)
        return
    text = io.TextIOWrapper(target, encoding="utf-8", newline="", write_through=False)
    write_stream(export, file.format, text, blocks=file.blocks)
    text.flush()
    text.detach()


def _incomplete(error: BaseException) -> bytes:
    return f"# incomplete: {error}\n".replace("\r", " ").encode()


class Proof(NamedTuple):
    """What was promised about the cards and what is told of it by now."""

    hash: str
    """SHA-256 of the secret, published before the first game; empty for ladders, which have one a round."""
    secret: str
    """In hexadecimal; empty: the event is not over, or it was imported without."""
    rounds: tuple[tuple[int, str, str], ...]
    """Of a ladder: (round, hash, secret or empty), the latest first."""


def proof_of(site: Site, tournament: Tournament) -> Proof:
    """The commitment of a tournament."""
    if format_of(tournament.config).ladder:
        found = round_secrets(site.store, tournament)[-ROUNDS:][::-1]
        return Proof("", "", tuple((each.number, each.hash, (each.secret or b"").hex()) for each in found))
    published = is_published(site.store, tournament)
    return Proof(tournament.secret_hash, tournament.secret.hex() if published else "", ())
