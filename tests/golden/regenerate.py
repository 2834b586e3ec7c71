"""Writes all golden transcripts anew: `python tests/golden/regenerate.py [NAME ...]`."""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from golden.cases import CASES, found
from golden.playthrough import FOLDER, text


def regenerate(names: list[str]) -> None:
    """Find and write the named cases; without names all of them, and remove files that are no case."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or CASES:
        (FOLDER / f"{name}.txt").write_text(text(found(name)), encoding="utf-8")
    for path in FOLDER.glob("*.txt"):
        if path.stem not in CASES:
            path.unlink()


if __name__ == "__main__":
    regenerate(sys.argv[1:])
