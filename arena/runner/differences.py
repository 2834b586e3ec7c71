"""What differs between the settings a tournament was begun with and those it is to go on with, in words.

Knows settings as JSON data only; which of them may differ is its caller's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

TABLES = ("options", "clock")
"""Settings that are tables: their fields are compared one by one."""
LONGEST = 80
"""Characters of a value that are shown."""


class Difference(NamedTuple):
    """A setting that is not what it was."""

    key: str
    """As in the tournament file: `boards`, `clock.bank`."""
    then: object
    now: object

    def __str__(self) -> str:
        """With both values: `boards (40 -> 60)`."""
        return f"{self.key} ({shown(self.then)} -> {shown(self.now)})"


def differences(then: Mapping[str, Any], now: Mapping[str, Any], defaults: Mapping[str, Any]) -> list[Difference]:
    """The settings whose values differ, in the order of `now`; all are JSON data by key.

    A setting that an earlier program did not know had its default.
    """
    then = {**{name: value for name, value in defaults.items() if name in now}, **then}
    return [each for name in dict.fromkeys([*now, *then]) for each in _differing(name, then.get(name), now.get(name))]


def _differing(name: str, then: object, now: object) -> Iterator[Difference]:
    if name in TABLES and isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*now, *then]):
            yield from _differing(f"{name}.{key}", then.get(key), now.get(key))
    elif then != now:
        yield Difference(name, then, now)


def shown(value: object) -> str:
    """A value for people: texts bare, lists with commas, no value as `none`; long ones are cut."""
    match value:
        case None:
            text = "none"
        case bool():
            text = str(value).lower()
        case list() | tuple():
            text = ", ".join(map(str, value))
        case _:
            text = str(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
