"""Rulesets as data: frozen dataclasses whose fields know their meaning, their limits and their text.

A ruleset class declares its fields with `option(...)`. This module builds one from a mapping (with errors that name the
field and list what is accepted), writes its canonical JSON, reads values typed on a command line, and describes fields.
Types known here: int, bool, str (one of `choices`), tuple[int, ...] and `Counts`, a sorted tuple of (number, number).
"""

from __future__ import annotations

import dataclasses
import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from arena.core.errors import ConfigError

R = TypeVar("R")
Counts = tuple[tuple[int, int], ...]
"""A frozen mapping of whole numbers, sorted by key; in JSON an object with decimal keys."""


class OptionInfo(NamedTuple):
    """One ruleset field for `arena games` and the pages."""

    name: str
    kind: str
    default: object
    accepted: str
    doc: str


def option(
    default: object, doc: str, *, choices: Sequence[str] = (), low: int | None = None, high: int | None = None
) -> Any:  # Any: like dataclasses.field, it stands for a value of the field's own type
    """A ruleset field with its default, its meaning and what it accepts."""
    return dataclasses.field(
        default=default, metadata={"doc": doc, "choices": tuple(choices), "low": low, "high": high}
    )


def build(kind: type[R], values: Mapping[str, object], *, ruleset: str) -> R:
    """A ruleset of class `kind` from JSON-like values; fields not named keep their defaults.

    Raises ConfigError naming the field for an unknown field, a value of the wrong type or out of range.
    """
    known = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    ready: dict[str, object] = {}
    for name, value in values.items():
        if name not in known:
            near = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ConfigError(
                f"{ruleset} has no option {name!r}", fix=f"{hint}accepted: {', '.join(known)}", code="BAD_OPTION"
            )
        ready[name] = _value(ruleset, known[name], value)
    return kind(**ready)


def _value(ruleset: str, field: dataclasses.Field[Any], value: object) -> object:
    meta = field.metadata
    accepted = accepts(field)

    def refuse() -> ConfigError:
        return ConfigError(
            f"{ruleset} option {field.name!r} cannot be {value!r}", fix=f"accepted: {accepted}", code="BAD_OPTION"
        )

    default = field.default
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise refuse()
        return value
    if isinstance(default, str):
        if value not in meta["choices"]:
            raise refuse()
        return value
    if isinstance(default, int):
        return _whole(value, meta, refuse)
    if _is_counts(field):
        pairs = value.items() if isinstance(value, Mapping) else value
        try:
            return tuple(sorted((int(key), int(count)) for key, count in pairs))  # type: ignore[attr-defined]
        except (TypeError, ValueError):
            raise refuse() from None
    if not isinstance(value, list | tuple) or not all(type(item) is int for item in value):
        raise refuse()
    return tuple(value)


def _whole(value: object, meta: Mapping[str, Any], refuse: Any) -> int:
    if type(value) is not int:
        raise refuse()
    low, high = meta["low"], meta["high"]
    if (low is not None and value < low) or (high is not None and value > high):
        raise refuse()
    return value


def _is_counts(field: dataclasses.Field[Any]) -> bool:
    return "Counts" in str(field.type)


def accepts(field: dataclasses.Field[Any]) -> str:
    """What a field accepts, in words."""
    meta = field.metadata
    if isinstance(field.default, bool):
        return "true | false"
    if meta["choices"]:
        return " | ".join(meta["choices"])
    if isinstance(field.default, int):
        match meta["low"], meta["high"]:
            case None, None:
                return "a whole number"
            case low, None:
                return f"a whole number from {low}"
            case low, high:
                return f"a whole number from {low} to {high}"
    if _is_counts(field):
        return 'an object of whole numbers, like {"5": 5}'
    return "a list of whole numbers, like [5, 6, 7]"


def to_data(ruleset: Any) -> dict[str, object]:
    """All fields of a ruleset as JSON types, in the order of declaration."""
    data: dict[str, object] = {}
    for field in dataclasses.fields(ruleset):
        value = getattr(ruleset, field.name)
        if _is_counts(field):
            data[field.name] = {str(key): count for key, count in value}
        else:
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def canonical_json(data: object) -> str:
    """JSON with sorted keys, no spaces, ASCII only: equal data have equal texts."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def canonical(ruleset: Any) -> str:
    """The canonical JSON of a ruleset with all fields."""
    return canonical_json(to_data(ruleset))


def from_text(text: str) -> tuple[str, object]:
    """A `field=value` of the command line; values are JSON where they can be read as JSON, else text.

    Raises ConfigError when there is no `=`.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ConfigError(f"{text!r} is no option", fix="write --option field=value", code="BAD_OPTION")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def describe(ruleset: Any) -> list[OptionInfo]:
    """The fields of a ruleset with the values it has as their defaults."""
    data = to_data(ruleset)
    infos = []
    for field in dataclasses.fields(ruleset):
        value = data[field.name]
        kind = "counts" if isinstance(value, dict) else "list" if isinstance(value, list) else type(value).__name__
        infos.append(OptionInfo(field.name, kind, value, accepts(field), field.metadata["doc"]))
    return infos
