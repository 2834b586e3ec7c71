"""Time at the table: a bank with an increment and a cap per move, in milliseconds.

Pure arithmetic: who measures time is the referee's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

FLOOR_MS = 50
"""The least time any move gets, also with an empty bank."""


class Clock(NamedTuple):
    """The clock setting of an event; the same for every seat."""

    bank_ms: int = 10_000
    increment_ms: int = 100
    cap_ms: int = 5_000


@dataclass(slots=True)
class SeatClock:
    """One seat's running clock."""

    setting: Clock
    bank_ms: float

    @classmethod
    def new(cls, setting: Clock) -> SeatClock:
        """A clock with a full bank."""
        return cls(setting, float(setting.bank_ms))

    def limit_ms(self) -> float:
        """Time for the next move: min(cap, bank), at least 50 ms."""
        return min(float(self.setting.cap_ms), max(self.bank_ms, float(FLOOR_MS)))

    def spend(self, elapsed_ms: float) -> None:
        """Charge a move to the bank and add the increment."""
        self.bank_ms = max(0.0, self.bank_ms - elapsed_ms) + self.setting.increment_ms


def wall_cap_ms(setting: Clock | None, seats: int, moves: int, start_limit_ms: int) -> float | None:
    """The longest a whole game may take by rights; beyond it the arena is at fault. None without a clock."""
    if setting is None:
        return None
    by_seats = seats * setting.bank_ms + moves * setting.increment_ms
    return start_limit_ms + by_seats + moves * FLOOR_MS + 10_000
