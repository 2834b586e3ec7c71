"""What is wrong with a tournament file, in words: file and line, the nearest known key, what is accepted.

Knows pydantic's reports and where things stand in the file; does not know what the keys mean.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import ValidationError

from arena.core.errors import ConfigError
from arena.runner.lines import Place, line_of, located


class Source(NamedTuple):
    """A file and its text."""

    file: Path
    text: str
    moved: Mapping[str, Place] = MappingProxyType({})
    """Keys that stand elsewhere in the file than in the data that is checked -> where."""

    def error(self, message: str, place: Place, fix: str, code: str = "CONFIG") -> ConfigError:
        """An error about what stands at a place."""
        place = (*self.moved.get(str(place[0]), place[:1]), *place[1:]) if place else place
        return ConfigError(message, where=located(self.file, self.text, place), fix=fix, code=code)


def nearest(word: object, known: Iterable[str]) -> str:
    """`did you mean 'boards'? ` or nothing."""
    near = difflib.get_close_matches(str(word), list(known), 1)
    return f"did you mean {near[0]!r}? " if near else ""


def explain(
    source: Source,
    data: Mapping[str, Any],
    error: ValidationError,
    keys: Mapping[str, Sequence[str]],
    accepted: Mapping[str, str],
    words: Mapping[str, Sequence[str]],
) -> ConfigError:
    """The error that stands first in the file.

    `keys`: the known keys of each table ("" is the top). `accepted`: by dotted key, in words. `words`: by dotted key,
    the accepted words where there are only some.
    """
    found = sorted(((_place(data, one["loc"]), one) for one in error.errors()), key=lambda pair: _rank(source, pair))
    place, first = found[0]
    key = ".".join(str(part) for part in place if isinstance(part, str))
    table = ".".join(str(part) for part in place[:-1])
    if first["type"] == "extra_forbidden":
        known = keys[table]
        within = f" in [{table}]" if table else ""
        return source.error(
            f"unknown key {place[-1]!r}{within}", place, f"{nearest(place[-1], known)}accepted: {', '.join(known)}"
        )
    if first["type"] == "missing":
        name = first["loc"][-1]
        return ConfigError(
            f"the key {name!r} is missing",
            where=f"{source.file}:{line_of(source.text, place)}",
            fix=f"add {name} = ...; accepted: {accepted[str(name)]}",
        )
    value = first["input"]
    hint = nearest(value, words.get(key, ()))
    return source.error(f"{key} cannot be {value!r}", place, f"{hint}accepted: {accepted[key]}")


def _place(data: Any, loc: Sequence[str | int]) -> list[str | int]:
    """The part of pydantic's location that is in the file: it also names branches of unions."""
    place: list[str | int] = []
    for part in loc:
        match data, part:
            case dict(), _ if part in data:
                data = data[part]
            case list(), int():
                data = data[part]
            case _:
                break
        place.append(part)
    return place


def _rank(source: Source, pair: tuple[Place, Any]) -> tuple[bool, int]:
    """By line; missing keys last, since what stands there may be the same key misspelt."""
    place, one = pair
    return one["type"] == "missing", line_of(source.text, place)
