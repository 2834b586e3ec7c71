"""Everything chance decides, from one secret, so that a third party can check it.

    board_seed = HMAC-SHA256(tournament_secret, game | ruleset | board number)
    block i of stream s = HMAC-SHA256(board_seed, s | i)

`|` is the byte 0x1f between UTF-8 strings, integers are written in decimal, `ruleset` is its canonical JSON. A stream
is named by purpose, deal and redeal ("cards|0|0"). A block gives eight draws of 32 bits, big-endian; a draw below n
rejects values from the last incomplete multiple of n. A shuffle is Fisher-Yates from the last place down. Nothing that
players do advances a stream. docs/chance.md states the same with test vectors.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from struct import unpack
from typing import NamedTuple, TypeVar

T = TypeVar("T")
SEPARATOR = b"\x1f"


def digest(key: bytes, *parts: str | int) -> bytes:
    """HMAC-SHA256 of the parts joined by 0x1f, 32 bytes."""
    return hmac.digest(key, SEPARATOR.join([str(part).encode() for part in parts]), "sha256")


def board_seed(secret: bytes, game: str, ruleset: str, board: int) -> bytes:
    """The 32-byte seed of one board. `game` is the ruleset's id, `ruleset` its canonical JSON with all fields."""
    return digest(secret, game, ruleset, board)


def round_secret(secret: bytes, number: int) -> bytes:
    """The secret of one round of an open-ended event: published when the round is closed, it tells of no other."""
    return digest(secret, "round", number)


def bot_seed(board_seed: bytes, seat: int) -> int:
    """The seed (64 bits) offered to the bot in a seat, the same in every seating of a board."""
    return int.from_bytes(digest(board_seed, "bot", seat)[:8], "big")


class Chance:
    """One stream of draws. A generator with a position: make one, use it up, drop it; never keep one in a state."""

    def __init__(self, seed: bytes, *name: str | int) -> None:
        self._seed = seed
        self._name = name
        self._block = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A uniform whole number in 0..bound-1; 1 <= bound <= 2**32."""
        limit = 2**32 - 2**32 % bound
        while True:
            if not self._words:
                self._words = list(unpack(">8I", digest(self._seed, *self._name, self._block)))
                self._words.reverse()
                self._block += 1
            word = self._words.pop()
            if word < limit:
                return word % bound

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a uniform random order, as a new list."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, uniform."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], size: int) -> list[T]:
        """`size` different items, every subset equally likely, in the order of `items`."""
        places = self.shuffled(range(len(items)))[:size]
        return [items[place] for place in sorted(places)]


class Chances(NamedTuple):
    """All streams of one board."""

    seed: bytes

    def stream(self, purpose: str, *place: int) -> Chance:
        """The stream of a purpose, usually placed by deal and redeal."""
        return Chance(self.seed, purpose, *place)
