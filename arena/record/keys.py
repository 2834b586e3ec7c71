"""The view key: a short name of what a seat knew, equal wherever a seat knew exactly the same.

Knows nothing of games: a view is a tuple of whole numbers and tuples of such (NamedTuples nested one level).
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from marshal import dumps
from typing import Any

FORMAT = 2
"""Version of marshal's format: this one has no references, so equal values have equal bytes."""


def view_key(view: Iterable[Any]) -> str:
    """16 hexadecimal digits: BLAKE2b (8 bytes) of the view's values, without names, ids or clocks.

    Sealed like the cards themselves while a board is in play, since it could be guessed back to a hand.
    """
    plain = tuple([_plain(value) if type(value) is tuple and value else value for value in view])
    return blake2b(dumps(plain, FORMAT), digest_size=8).hexdigest()


def _plain(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple with the NamedTuples in it made plain tuples, which marshal wants."""
    return values if type(values[0]) is int else tuple(map(tuple, values))
