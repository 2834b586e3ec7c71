"""What is sealed: which cards of a tournament, and which words of the bots that held them, may not be shown yet.

A board is open once all tables have played it. A bot's process plays all boards of its bout in one seating, and what it
writes or notes may name cards of any of them, so that its words open when the last of those boards does. Nobody is
told earlier, owners neither. Knows the store and the schedule; not how anything is shown.
"""

from __future__ import annotations

from collections.abc import Collection

from arena.runner.prepare import stored_schedule
from arena.store.store import Store
from arena.store.values import State, Tournament

FEW = 5
"""So many boards are named in a sentence."""


class Seals:
    """The seals of one tournament as they are now: make one, ask, drop it."""

    def __init__(self, store: Store, tournament: Tournament) -> None:
        self._store = store
        self._tournament = tournament
        self._finished = tournament.state is State.FINISHED
        """Its secret is published, and with it every card."""
        self._schedule = stored_schedule(tournament)
        self._open = store.open_boards(tournament.id, self._schedule.games_on)
        self._bouts: dict[int, dict[int, frozenset[int]]] = {}

    def open_boards(self) -> frozenset[int]:
        """The boards whose cards may be shown."""
        return self._open

    def played_with(self, round_: int, table: int) -> frozenset[int]:
        """The boards that a process at a table of a round plays."""
        if round_ not in self._bouts:
            closed = self._store.rows(self._tournament.id, round_)
            self._bouts[round_] = {bout.table: frozenset(bout.boards) for bout in self._schedule.round(round_, closed)}
        return self._bouts[round_].get(table, frozenset())

    def sealed_with(self, round_: int, table: int) -> frozenset[int]:
        """The boards that keep the words of the processes at a table sealed; none: they are open."""
        if self._finished:
            return frozenset()
        return self.played_with(round_, table) - self._open


def boards_text(boards: Collection[int]) -> str:
    """A few boards for people: "board 3", "boards 1 2 3 4 5 and 20 more"."""
    few = " ".join(map(str, sorted(boards)[:FEW])) + (f" and {len(boards) - FEW} more" if len(boards) > FEW else "")
    return f"board {few}" if len(boards) == 1 else f"boards {few}"
