"""What is left of games that were played here: their files in the data folder, and what is printed of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from arena.cli.output import Column, Output

if TYPE_CHECKING:
    from arena.record.transcript import Transcript

HEADINGS = ("board", "bots by seat", "scores", "verdict", "faults", "replay")


class Played(NamedTuple):
    """One game that is over."""

    board: int
    bots: tuple[str, ...]
    """Names by seat."""
    transcript: Transcript


def keep(data: Path, seed: str, played: Played) -> Path:
    """Write a game's transcript into the data folder and return its path."""
    from arena.record.transcript import to_json
    from arena.runner.kept import ENDING, GAMES

    folder = data / GAMES
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = re.sub(r"[^A-Za-z0-9_-]", "-", seed)[:40]
    stem, number = f"{name}-{played.board:02}", 1
    while (file := folder / f"{stem}{'' if number == 1 else f'-{number}'}{ENDING}").exists():
        number += 1  # a game on the same board before: to be compared, not to be overwritten
    file.touch(mode=0o600)
    file.write_text(to_json(played.transcript), encoding="utf-8")
    return file


def finish(output: Output, games: Sequence[Played], files: Sequence[Path], *, told: bool) -> None:
    """Print what came of the games, unless they were told, and where they are. Raises Exit 1 where some are void."""
    if not told:
        show(output, games, files)
    voids = [game for game in games if not game.transcript.scores]
    output.note(f"replay: {files[0]}" if len(files) == 1 else f"replays: {files[0].parent}")
    output.next_step(f"arena replay show {files[0]} --all-hands")
    if voids:
        output.error_line(f"{len(voids)} of {len(games)} games void: {games[-1].transcript.reason}")
        raise typer.Exit(1)


def show(output: Output, games: Sequence[Played], files: Sequence[Path]) -> None:
    """The games as a document, as CSV or as a table."""
    if output.flags.json:
        data = [
            {
                "board": board,
                "bots": list(bots),
                "verdict": game.verdict.value,
                "scores": list(game.scores),
                "ranks": list(game.ranks),
                "faults": [{"seat": fault.seat, "code": fault.code, "turn": fault.turn} for fault in game.faults],
                "replay": str(file),
            }
            for (board, bots, game), file in zip(games, files, strict=True)
        ]
        output.document("play/1", data)
        return
    rows = [
        (
            board,
            " ".join(bots),
            " ".join(f"{score:g}" for score in game.scores),
            game.verdict.value,
            " ".join(f"{fault.seat}:{fault.code}" for fault in game.faults),
            str(file),
        )
        for (board, bots, game), file in zip(games, files, strict=True)
    ]
    if output.flags.csv:
        output.rows(HEADINGS, rows)
    else:
        columns = [Column(heading, right=heading == "board") for heading in HEADINGS]
        output.table(columns, [[str(cell) for cell in row] for row in rows])
