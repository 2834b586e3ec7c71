"""`arena replay list`: the games of tournaments, and those that `arena play` has kept as files."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.cli.output import Column, Output
from arena.core.errors import TranscriptError

if TYPE_CHECKING:
    from arena.record.transcript import Transcript
    from arena.store.values import GameInfo

HEADINGS = ("game", "tournament", "round", "board", "table", "seating", "bots by seat", "scores", "verdict")
RIGHT = frozenset({"round", "board", "table", "seating"})


class Kept(NamedTuple):
    """A game of `arena play`."""

    file: Path
    transcript: Transcript
    written: datetime

    @property
    def bots(self) -> list[str]:
        """Names by seat, without versions."""
        return [bot.partition("@")[0] for bot in self.transcript.bots]


def kept_games(data: Path, bot: str | None = None) -> Iterator[Kept]:
    """The games that `arena play` has left in a data folder, the oldest first; unreadable files are passed over."""
    from arena.record.transcript import from_json
    from arena.runner.kept import kept_files

    for written, file in kept_files(data):
        try:
            kept = Kept(file, from_json(file.read_bytes()), datetime.fromtimestamp(written / 1e9, UTC))
        except (OSError, TranscriptError):
            continue
        if bot is None or bot in kept.bots:
            yield kept


def show_list(output: Output, stored: list[GameInfo], kept: list[Kept]) -> None:
    """Print games as text, JSON or CSV."""
    if output.flags.json:
        output.document("games-list/1", [*map(stored_data, stored), *map(kept_data, kept)])
        return
    rows = [*map(_stored_row, stored), *map(_kept_row, kept)]
    if output.flags.csv:
        output.rows(HEADINGS, rows)
        return
    columns = [Column(heading, right=heading in RIGHT) for heading in HEADINGS]
    output.table(columns, [[str(cell) for cell in row] for row in rows])


def _stored_row(info: GameInfo) -> tuple[object, ...]:
    scores = " ".join(f"{score:g}" for score in info.row.scores)
    return (
        info.public_id, info.tournament, *info.row.key, " ".join(info.row.bots), scores, info.row.verdict.value,
    )  # fmt: skip


def _kept_row(kept: Kept) -> tuple[object, ...]:
    scores = " ".join(f"{score:g}" for score in kept.transcript.scores)
    return (kept.file.stem, *["-"] * 5, " ".join(kept.bots), scores, kept.transcript.verdict.value)


def stored_data(info: GameInfo) -> dict[str, Any]:
    """A game of a tournament as JSON data."""
    row = info.row
    return {
        "game": info.public_id,
        "tournament": info.tournament,
        **row.key._asdict(),
        "bots": list(row.bots),
        "verdict": row.verdict.value,
        "scores": list(row.scores),
        "ranks": list(row.ranks),
        "faults": [{"seat": seat, "code": code} for seat, code in row.faults],
        "forfeits": [{"seat": seat, "code": code} for seat, code in info.forfeits],
        "tier": info.tier,
        "elapsed_ms": info.elapsed_ms,
        "stored": info.stored.isoformat().replace("+00:00", "Z"),
    }


def kept_data(kept: Kept) -> dict[str, Any]:
    """A game of `arena play` as JSON data: the same fields, null where they belong to tournaments."""
    told = kept.transcript
    return {
        "game": kept.file.stem,
        **dict.fromkeys(("tournament", "round", "board", "table", "seating")),
        "bots": kept.bots,
        "verdict": told.verdict.value,
        "scores": list(told.scores),
        "ranks": list(told.ranks),
        "faults": [{"seat": fault.seat, "code": fault.code} for fault in told.faults],
        "forfeits": [{"seat": seat, "code": code} for seat, code in told.forfeits],
        "tier": None,
        "elapsed_ms": None,
        "stored": kept.written.isoformat(timespec="seconds").replace("+00:00", "Z"),
    }
