"""The round robin: every pair (two sides) or every balanced line-up (free for all) on common boards.

Two board plans. *Shared*: a round is all line-ups on one chunk of boards, so that every board is played by everybody.
*Per round*: a round is one circle round (free for all: a round in which everybody plays, where such a design is known,
else line-ups that fit beside each other) on a chunk of boards of its own. Both play every line-up on the same number of
boards; in a free for all the line-ups of the two may be different ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.tournament.entry import BoardPlan, Entry, check, check_owners, default_plan
from arena.tournament.fixed import FixedSchedule
from arena.tournament.lineups import Lineup, count_lineups, lineups, pack, packed
from arena.tournament.owned import owned_lineups
from arena.tournament.pairings import all_pairs, circle_round, circle_rounds
from arena.tournament.planes import Rounds, full_rounds


def round_robin(entry: Entry) -> FixedSchedule:
    """The round robin of an entry. Raises ConfigError when it cannot be played."""
    check(entry)
    check_owners(entry)
    n, k = len(entry.competitors), entry.places
    plan = entry.board_plan or default_plan(n)
    owned = owned_lineups(entry)
    design = Everybody(n, k, plan) if owned is None else Listed(owned, plan)
    return FixedSchedule(entry, design, seatings=k, drawn=k > 2)


@dataclass(frozen=True, slots=True)
class Everybody:
    """A `Design`: n competitors at tables of k, all line-ups."""

    n: int
    k: int
    board_plan: BoardPlan

    def turns(self) -> int:
        """One with shared boards."""
        if self.board_plan == "shared":
            return 1
        return circle_rounds(self.n) if self.k == 2 else len(self._rounds())

    def lineups(self, turn: int) -> Iterable[tuple[int, ...]]:
        """The line-ups of a turn."""
        if self.board_plan == "shared":
            return all_pairs(self.n) if self.k == 2 else lineups(self.n, self.k)
        return circle_round(self.n, turn) if self.k == 2 else self._rounds()[turn]

    def tables(self, turn: int) -> int:
        """How many they are."""
        n, k = self.n, self.k
        if self.board_plan == "shared":
            return n * (n - 1) // 2 if k == 2 else count_lineups(n, k)
        return n // 2 if k == 2 else len(self._rounds()[turn])

    def _rounds(self) -> Rounds:
        return full_rounds(self.n, self.k) or packed(self.n, self.k)


@dataclass(frozen=True, slots=True)
class Listed:
    """A `Design`: these line-ups and no others."""

    lineups_: tuple[Lineup, ...]
    board_plan: BoardPlan

    def turns(self) -> int:
        """One with shared boards."""
        return 1 if self.board_plan == "shared" else len(pack(self.lineups_))

    def lineups(self, turn: int) -> Iterable[Lineup]:
        """The line-ups of a turn."""
        return self.lineups_ if self.board_plan == "shared" else pack(self.lineups_)[turn]

    def tables(self, turn: int) -> int:
        """How many they are."""
        return len(tuple(self.lineups(turn)))
