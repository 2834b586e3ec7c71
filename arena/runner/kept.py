"""The files in which games of `arena play` are kept: transcripts in a folder of the data folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

GAMES, ENDING = "games", ".arena"
"""The folder, and what the names of the files end with."""


def kept_files(data: Path) -> list[tuple[int, Path]]:
    """The files in a data folder, each with the time at which it was written, in ns since the epoch; the oldest first.
    Whatever is removed while they are listed is left out."""
    found = []
    for file in (data / GAMES).glob(f"*{ENDING}"):
        with suppress(FileNotFoundError):
            found.append((file.stat().st_mtime_ns, file))
    return sorted(found)
