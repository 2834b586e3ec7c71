"""Tournaments in which partners are different bots, for games with two sides of two seats.

*Mixed partners*: whist rounds, see `whist`; everyone plays with and against everyone. *Partner pool*: how well bots
play with strangers, everyone with everyone and with a second copy of itself, always against the same opponents.

A line-up has a competitor for each seat; in further seatings everyone moves on by one seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.core.errors import ConfigError
from arena.tournament.entry import BoardPlan, Entry, check, default_plan
from arena.tournament.fixed import FixedSchedule
from arena.tournament.whist import lineups, whist_round, whist_rounds

MIXED_SEATINGS = 2
"""How often a board is played by one table, unless the tournament file says 4."""
SEATS = 4
MOST = 100
"""Bots in a pool of partners or in a design: with more nobody would see the end of it."""


def mixed_partners(entry: Entry) -> FixedSchedule:
    """Whist rounds of an entry; `boards` are those of every line-up. Raises ConfigError when they cannot be played.

    With shared boards all line-ups of the design play the same boards; per round every whist round has its own.
    """
    _check(entry, SEATS)
    n = len(entry.competitors)
    design = Whist(n, entry.board_plan or default_plan(n))
    return FixedSchedule(entry, design, entry.keys.get("seatings") or MIXED_SEATINGS, drawn=False)


def partner_pool(entry: Entry) -> FixedSchedule:
    """The partner pool of an entry, always on shared boards. Raises ConfigError when it cannot be played."""
    _check(entry, 3)
    names = entry.competitors
    opponents = opponents_of(names, entry.keys.get("opponents"))
    measured = entry.keys.get("candidates") or [name for name in names if name != opponents]
    for name in measured:
        if name not in names:
            raise ConfigError(f"candidate {name!r} is none of bots", fix=f"bots: {', '.join(names)}")
        if name == opponents:
            raise ConfigError(
                f"{name!r} is measured and sits on the other side as well",
                fix="leave it out of candidates, or name other opponents",
            )
    if len(set(measured)) < len(measured):
        raise ConfigError("a candidate is named twice", fix=f"candidates: {', '.join(dict.fromkeys(measured))}")
    indices = tuple(sorted(names.index(name) for name in measured))
    design = Strangers(len(names), names.index(opponents), indices)
    return FixedSchedule(entry, design, MIXED_SEATINGS, drawn=False)


def opponents_of(names: tuple[str, ...], named: str | None) -> str:
    """Who sits on the other side of a partner pool: who is named, else the last one. Raises ConfigError."""
    if named is not None and named not in names:
        raise ConfigError(f"opponents {named!r} is none of bots", fix=f"bots: {', '.join(names)}")
    return named if named is not None else names[-1]


@dataclass(frozen=True, slots=True)
class Whist:
    """A `Design`: whist rounds of n competitors, one a turn, or all at once on shared boards."""

    n: int
    board_plan: BoardPlan

    def turns(self) -> int:
        """One with shared boards."""
        return 1 if self.board_plan == "shared" else whist_rounds(self.n)

    def lineups(self, turn: int) -> Iterable[tuple[int, ...]]:
        """The line-ups of a turn, by seat."""
        return lineups(self.n) if self.board_plan == "shared" else whist_round(self.n, turn)

    def tables(self, turn: int) -> int:
        """How many they are."""
        return self.n // 4 * (whist_rounds(self.n) if self.board_plan == "shared" else 1)


@dataclass(frozen=True, slots=True)
class Strangers:
    """A `Design`: everyone who is measured with everyone else, and with itself, against two of one competitor."""

    n: int
    opponents: int
    measured: tuple[int, ...]
    """Ascending."""

    def turns(self) -> int:
        """One: all play the same boards."""
        return 1

    def lineups(self, turn: int) -> Iterable[tuple[int, ...]]:
        """The line-ups, by seat."""
        other = self.opponents
        for one in range(self.n):
            for partner in range(one, self.n):
                if other not in (one, partner) and not {one, partner}.isdisjoint(self.measured):
                    yield one, other, partner, other

    def tables(self, turn: int) -> int:
        """How many they are."""
        return sum(1 for _ in self.lineups(turn))


def _check(entry: Entry, least: int) -> None:
    """Raises ConfigError for an entry that mixed partners cannot play."""
    check(entry)
    if entry.places != 2 or entry.seats != SEATS:
        seats = entry.seats or entry.places
        raise ConfigError(
            f"there are no partners to mix in a game of {entry.places} sides and {seats} seats",
            fix="it takes a game of two sides of two seats, like crowsnest or goat; or choose another format",
        )
    count = len(entry.competitors)
    if count < least:
        raise ConfigError(
            f"{count} bots are too few: {', '.join(entry.competitors)}",
            fix=f"name at least {least} different bots",
            code="TOO_FEW_BOTS",
        )
    if count > MOST:
        raise ConfigError(f"{count} bots are too many", fix=f"at most {MOST}")
