"""An allowance that refills with time: so much a second, never more than a burst. Knows nothing of what it counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Rate(NamedTuple):
    """So much a second in the long run, and at most `burst` at once."""

    per_s: float
    burst: float


class Allowance:
    """What is left of a rate."""

    __slots__ = ("_at", "_left", "_now", "_rate")

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._left = rate.burst
        self._at = now()

    def take(self, amount: float = 1.0) -> bool:
        """Whether there was so much left; then it is taken."""
        self._refill()
        if amount > self._left:
            return False
        self._left -= amount
        return True

    def is_full(self) -> bool:
        """Whether nothing of it is used any more, so that it need not be remembered."""
        self._refill()
        return self._left >= self._rate.burst

    def is_empty(self) -> bool:
        """Whether the next one would be refused."""
        self._refill()
        return self._left < 1

    def _refill(self) -> None:
        now = self._now()
        self._left = min(self._rate.burst, self._left + (now - self._at) * self._rate.per_s)
        self._at = now
