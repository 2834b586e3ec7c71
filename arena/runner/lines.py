"""Where a key stands in a TOML file. The standard parser keeps no line numbers, so it is asked about beginnings of it.

A key stands in the statement whose end is the shortest beginning of the file that parses and has the key. That needs no
parser of our own and is right for multi-line strings, arrays, comments, dotted keys and tables alike. Only errors pay.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Place = Sequence[str | int]
"""Keys from the top, then places in arrays: ("clock", "bank"), ("bots", 2)."""


def line_of(text: str, place: Place) -> int:
    """The line (from 1) where a key or an item of an array stands; of its table or its array where it has none itself.

    Line 1 when nothing of it is in the file, which must parse.
    """
    lines = text.splitlines()
    place = list(place)
    while place:
        if found := _statement(lines, place):
            start, end = found
            return _item(lines[start:end], place, start) if isinstance(place[-1], int) else start + 1
        place = place[:-1]
    return 1


def located(file: Path, text: str, place: Place) -> str:
    """`cup.toml:7   boards = 0`: file, line, and what stands there."""
    number = line_of(text, place)
    line = text.splitlines()[number - 1].strip() if text.strip() else ""
    return f"{file}:{number}   {line}".rstrip()


def error_line(text: str, error: tomllib.TOMLDecodeError) -> int:
    """The line that a parser's error names; the last one when it says that the file ends too early."""
    named = re.search(r"at line (\d+)", str(error))
    return int(named.group(1)) if named else max(1, len(text.splitlines()))


def _statement(lines: list[str], place: Place) -> tuple[int, int] | None:
    """First line (from 0) and end of the statement that brings a key into the file."""
    start = 0
    for end in range(1, len(lines) + 1):
        data = _parse(lines[:end])
        if data is None:
            continue
        if _has(data, place):
            while not lines[start].strip() or lines[start].lstrip().startswith("#"):
                start += 1
            return start, end
        start = end
    return None


def _item(statement: list[str], place: Place, start: int) -> int:
    """The line of an item of an array: the first after which the array, closed there, has it."""
    for end in range(1, len(statement)):
        data = _parse([*statement[:end], "]"])
        if data is not None and (_has(data, place) or _has(data, place[-2:])):
            return start + end
    return start + len(statement)


def _parse(lines: list[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("\n".join(lines) + "\n")
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _has(data: Any, place: Place) -> bool:
    for key in place:
        if isinstance(data, dict):
            if key not in data:
                return False
        elif not isinstance(data, list) or not isinstance(key, int) or key >= len(data):
            return False
        data = data[key]
    return True
