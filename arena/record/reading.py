"""Reading JSON data with errors that name the place: `games/a.arena: moves[3].seat`.

Knows nothing of transcripts; raises TranscriptError only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NoReturn

from arena.core.errors import TranscriptError


class Reader:
    """One JSON object and where it stands."""

    def __init__(self, data: object, source: str = "", path: str = "") -> None:
        self._source = source
        self._path = path
        if not isinstance(data, dict):
            self._refuse("", data, "an object")
        self._data: dict[str, Any] = data  # Any: JSON

    def place(self, key: str = "") -> str:
        """Where `key` of this object stands."""
        path = f"{self._path}.{key}".strip(".") if key else self._path
        return f"{self._source}: {path}".strip(": ") if path else self._source

    def _refuse(self, key: str, value: object, expected: str) -> NoReturn:
        shown = repr(value)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        name = key or self._path or "transcript"
        raise TranscriptError(f"{name} cannot be {shown}", where=self.place(key), fix=f"expected {expected}")

    def _get(self, key: str) -> Any:  # Any: JSON
        if key not in self._data:
            raise TranscriptError(f"{key!r} is missing", where=self.place(), fix=f"add {key!r}")
        return self._data[key]

    def only(self, known: Collection[str]) -> None:
        """Refuse keys that are not known."""
        for key in self._data:
            if key not in known:
                raise TranscriptError(
                    f"unknown key {key!r}", where=self.place(key), fix=f"known: {', '.join(sorted(known))}"
                )

    def whole(self) -> dict[str, Any]:
        """The object itself."""
        return self._data

    def text(self, key: str, default: str | None = None) -> str:
        """A text; `default` where it may be missing."""
        if default is not None and key not in self._data:
            return default
        value = self._get(key)
        if not isinstance(value, str):
            self._refuse(key, value, "a text")
        return value

    def one_of(self, key: str, words: Collection[str]) -> str:
        """One of some words."""
        value = self.text(key)
        if value not in words:
            self._refuse(key, value, " | ".join(words))
        return value

    def number(self, key: str) -> int:
        """A whole number."""
        value = self._get(key)
        if type(value) is not int:
            self._refuse(key, value, "a whole number")
        return value

    def count(self, key: str) -> int:
        """A whole number from 0."""
        value = self.number(key)
        if value < 0:
            self._refuse(key, value, "a whole number from 0")
        return value

    def mapping(self, key: str) -> dict[str, Any]:
        """An object."""
        value = self._get(key)
        if not isinstance(value, dict):
            self._refuse(key, value, "an object")
        return value

    def _list(self, key: str) -> list[Any]:  # Any: JSON
        value = self._get(key)
        if not isinstance(value, list):
            self._refuse(key, value, "a list")
        return value

    def each(self, key: str) -> Iterator[Reader]:
        """The objects of a list."""
        for index, item in enumerate(self._list(key)):
            yield Reader(item, self._source, f"{self._path}.{key}[{index}]".strip("."))

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self._items(key, (str,), "a text"))

    def counts(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(self._items(key, (int,), "a whole number"))

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of numbers."""
        return tuple(self._items(key, (int, float), "a number"))

    def _items(self, key: str, kinds: tuple[type, ...], expected: str) -> list[Any]:  # Any: checked here
        items = self._list(key)
        for index, item in enumerate(items):
            if type(item) not in kinds:
                self._refuse(f"{key}[{index}]", item, expected)
        return items
