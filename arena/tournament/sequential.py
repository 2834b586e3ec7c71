"""One candidate against one opponent or a panel, round after round, until a sequential test has decided.

Every line-up plays boards of its own, so that no two blocks share a board and each swing is an observation of its own.
It is decided at closed rounds only, and so does not depend on the order in which games end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from arena.core.errors import ConfigError
from arena.rating.sequential import Evidence, evidence
from arena.record.results import Bout
from arena.tournament.entry import Entry, check
from arena.tournament.history import NOTHING, History
from arena.tournament.schedule import Totals, bouts_of

ROUND = 100
"""Blocks of a round: enough to keep several workers busy, few enough to stop in time."""
LINEUPS = 50
"""Most line-ups of a free for all."""


def sequential(entry: Entry) -> Sequential:
    """The schedule of a test; `boards`: most blocks. Raises ConfigError when it cannot be played."""
    check(entry)
    named = entry.keys.get("candidates") or entry.competitors[:1]
    if len(named) != 1 or named[0] not in entry.competitors:
        raise ConfigError(
            f"candidates cannot be {list(named)!r} in a sequential test",
            fix=f"one of bots: {', '.join(entry.competitors)}",
        )
    return Sequential(entry, named[0])


def evidence_of(history: History, candidate: str, most: int) -> Evidence:
    """How the test stands after the closed rounds."""
    blocks, total, squares = 0, 0.0, 0.0
    for table in history.tables.values():
        if candidate in table.bots:
            own = table.bots.index(candidate)
            blocks += table.blocks
            total += table.swings[own]
            squares += table.squares[own]
    return evidence(blocks, total, squares, most=most)


@dataclass(frozen=True, slots=True)
class Sequential:
    """A `Schedule`; made by `sequential`."""

    entry: Entry
    candidate: str

    @property
    def adaptive(self) -> bool:
        """It ends when the test has decided."""
        return True

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The candidate against the panel; None when it is decided, or when either side has gone."""
        lineups = self._lineups(field)
        stand = evidence_of(history, self.candidate, self.entry.boards)
        if not lineups or stand.decision is not None:
            return None
        each = max(1, min(ROUND, self.entry.boards - stand.blocks) // len(lineups))
        first = (number - 1) * self._stride() + 1
        return chain.from_iterable(
            bouts_of(
                number,
                [lineup],
                range(first + index * each, first + (index + 1) * each),
                self.entry,
                first_table=1 + index * -(-each // self.entry.chunk),
            )
            for index, lineup in enumerate(lineups)
        )

    def totals(self) -> Totals:
        """At most so much: the test may end sooner."""
        blocks = self.entry.boards
        pairings = len(self._lineups(self.entry.competitors))
        rounds = -(-blocks // ROUND)
        bouts = -(-blocks // self.entry.chunk)
        return Totals(rounds, blocks, pairings, bouts, blocks, blocks * self.entry.places, exact=False)

    def _lineups(self, field: Sequence[str]) -> list[tuple[str, ...]]:
        if self.candidate not in field:
            return []
        panel = [name for name in self.entry.competitors if name in field and name != self.candidate]
        rivals = list(combinations(panel, self.entry.places - 1))
        step = -(-len(rivals) // LINEUPS) if self.entry.places > 2 else 1
        return [(self.candidate, *each) for each in rivals[:: max(1, step)]]

    def _stride(self) -> int:
        return max(ROUND, len(self._lineups(self.entry.competitors)))
