"""What is sealed: which cards of a tournament, and which words of the bots that held them, may not be shown yet.

A board is open once all tables have played it; where rounds depend on results, once its round is closed. A bot's
process plays all boards of its bout in one seating, and what it writes or notes may name cards of any of them, so that
its words open when the last of those boards does. Nobody is told earlier, owners neither. Knows the store and the
schedule; not how anything is shown.
"""

from __future__ import annotations

from collections.abc import Collection

from arena.core.errors import ArenaError
from arena.runner.course import stored_schedule
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.tournament.schedule import Fixed

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
        self._open = open_boards(store, tournament)
        self._bouts: dict[int, dict[int, frozenset[int]]] = {}
        self._closed: frozenset[int] | None = None

    def open_boards(self) -> frozenset[int]:
        """The boards whose cards may be shown."""
        return self._open

    def played_with(self, round_: int, table: int) -> frozenset[int]:
        """The boards that a process at a table of a round plays; where rounds depend on results, all of the round."""
        if round_ not in self._bouts:
            if isinstance(self._schedule, Fixed):
                found = self._schedule.round(round_) or ()
                self._bouts[round_] = {bout.table: frozenset(bout.boards) for bout in found}
            else:
                return self._store.boards_of_round(self._tournament.id, round_) or self._planned(round_)
        return self._bouts[round_].get(table, frozenset())

    def _planned(self, round_: int) -> frozenset[int]:
        """The first board of a round that goes on, where rounds depend on results: no game of it is stored yet, but a
        process that has ended may have seen its cards. None of one that is closed."""
        if self._closed is None:
            rounds = self._store.rounds(self._tournament.id)
            self._closed = frozenset(each.number for each in rounds if each.closed is not None)
        return frozenset() if round_ in self._closed else frozenset({max(self._open, default=0) + 1})

    def sealed_with(self, round_: int, table: int) -> frozenset[int]:
        """The boards that keep the words of the processes at a table sealed; none: they are open."""
        if self._finished:
            return frozenset()
        return self.played_with(round_, table) - self._open


def open_boards(store: Store, tournament: Tournament) -> frozenset[int]:
    """The boards of a tournament whose cards may be shown."""
    schedule = stored_schedule(tournament)
    if isinstance(schedule, Fixed) or tournament.state is State.FINISHED:
        return store.open_boards(tournament.id, schedule.games_on if isinstance(schedule, Fixed) else lambda _: 0)
    return store.boards_of_closed_rounds(tournament.id)


def sealed_until(store: Store, tournament: Tournament, board: int) -> str:
    """What a board's cards wait for, in words; empty: it is open."""
    schedule = stored_schedule(tournament)
    if isinstance(schedule, Fixed):
        expected = schedule.games_on(board)
        return f"all its {expected} games are done" if store.is_sealed(tournament.id, board, expected) else ""
    open_now = tournament.state is State.FINISHED or store.is_board_closed(tournament.id, board)
    return "" if open_now else "its round is closed"


def check_open(store: Store, tournament: Tournament, board: int) -> None:
    """Raises ArenaError NOT_ALLOWED while a board is sealed."""
    waiting = sealed_until(store, tournament, board)
    if waiting:
        raise ArenaError(
            f"board {board} of {tournament.name!r} is sealed until {waiting}",
            where=store.where,
            saw=f"state {tournament.state.value}",
            fix=f"wait, or finish it: arena tournament run (then its cards are open); see arena tournament status "
            f"{tournament.name}",
            code="NOT_ALLOWED",
        )


def boards_text(boards: Collection[int]) -> str:
    """A few boards for people: "board 3", "boards 1 2 3 4 5 and 20 more"."""
    few = " ".join(map(str, sorted(boards)[:FEW])) + (f" and {len(boards) - FEW} more" if len(boards) > FEW else "")
    return f"board {few}" if len(boards) == 1 else f"boards {few}"
