"""Results of games as values: what the referee hands on, what is stored, scheduled by and rated.

Knows nothing of how a game was played or where it is kept.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Verdict(enum.Enum):
    """How a game ended."""

    FINISHED = "finished"
    FORFEIT = "forfeit"
    """At least one seat forfeited; `GameResult.forfeits` says who and why."""
    VOID = "void"
    """A fault of the arena: the whole block is played again."""


NOBODY_STARTED = "NOBODY_STARTED"
"""Why a game is void in which no seat had a bot: every seat is at fault, and trying again helps nobody."""


class FaultClass(enum.Enum):
    """What a fault costs (docs/faults.md)."""

    DECISION = "D"
    """The default move was played for the seat; the third one in a game forfeits it."""
    FORFEIT = "F"
    """The game is lost for the seat's side."""
    QUARANTINE = "Q"
    """The same, and the bot is taken out of the event from the next round on: an attempt on identity."""
    ARENA = "A"
    """The arena's own: the block is void."""


class Fault(NamedTuple):
    """One fault of one seat in one game."""

    seat: int
    code: str
    """A code of docs/faults.md: TIMEOUT, LATE, ILLEGAL, CRASH, ..."""
    fault_class: FaultClass
    turn: int
    """Turn number within the game; -1 before the first."""
    elapsed_ms: int
    """From the turn handed over to the fault noticed."""
    detail: str = ""
    """For people: what was sent, what was expected."""
    process: str = ""
    """Names the exit of a process that caused it: all games that one exit ended share it. Empty: no exit did."""


OUT = frozenset({FaultClass.FORFEIT, FaultClass.QUARANTINE})
"""The classes that forfeit a game."""


class GameKey(NamedTuple):
    """Names a game within a tournament; sorts in canonical order."""

    round: int
    board: int
    table: int
    seating: int
    """0, 1, ...: which of the seatings of its block."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """What came of one game."""

    verdict: Verdict
    scores: tuple[float, ...]
    """By seat; a side that forfeited has the ruleset's worst score. Empty when void."""
    ranks: tuple[int, ...]
    """By seat, 0 best, from `scores`. Empty when void."""
    tiebreaks: tuple[int, ...]
    """By seat: decides a block level in scores; 0 for a side that forfeited."""
    forfeits: tuple[tuple[int, str], ...]
    """(seat, fault code) of the seats that forfeited, in order of turn, then seat."""
    faults: tuple[Fault, ...]
    transcript: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON, see record/transcript.py
    reason: str = ""
    """Why the game is void; else empty."""
    evidence: Mapping[str, Any] = field(default_factory=dict)  # Any: JSON
    """What shows that the arena was at fault, seen from outside the bots; empty unless void."""


class GameRow(NamedTuple):
    """A stored game as tables and schedules need it."""

    key: GameKey
    bots: tuple[str, ...]
    """Competitor by seat: the bot's name within its tournament."""
    verdict: Verdict
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    tiebreaks: tuple[int, ...]
    faults: tuple[tuple[int, str], ...]
    """(seat, code) of every fault."""


class Conduct(NamedTuple):
    """How the bots of a stored game behaved, as quarantine needs it."""

    key: GameKey
    bots: tuple[str, ...]
    """Competitor by seat."""
    faults: tuple[Fault, ...]
    """Those that forfeit (`OUT`); others may be left out."""


class Bout(NamedTuple):
    """The unit of work: one line-up on at most 25 boards, one generation of fresh processes for each seating."""

    round: int
    table: int
    lineup: tuple[str, ...]
    """Competitors: two for a game of two sides, one for each seat in a free for all and where partners are different
    bots; there one may sit twice."""
    boards: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]
    """By board: the circular order of the line-up (places in `lineup`). Free for all: drawn per board. Else as in
    `lineup`."""
    seatings: int
    """How many seatings a block has: 2 for two sides, as many as seats in a free for all, 2 or 4 for mixed partners."""

    def side(self, board: int, seating: int, side: int) -> str:
        """The competitor on side `side` of `board` in a seating; a seat, where the line-up has one for each."""
        return self.lineup[self.place(board, seating, side)]

    def place(self, board: int, seating: int, side: int) -> int:
        """Its place in the line-up: the order, turned by one for each seating."""
        order = self.orders[self.boards.index(board)]
        return order[(side + seating) % len(order)]
