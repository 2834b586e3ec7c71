"""Schedules that are known beforehand: a design of line-ups, played on chunks of boards.

A design has turns. A round is one turn on one chunk of boards: with one turn every board is played at all tables, with
several each turn has boards of its own, so that all tables of a round play the same boards and no other round does. All
line-ups play the same number of boards. Boards are numbered from 1, rounds from 1, tables from 1 within their round.

A schedule holds its configuration only; bouts are made when asked for. Results do not change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.record.results import Bout
from arena.tournament.entry import Entry
from arena.tournament.history import NOTHING, History
from arena.tournament.schedule import Totals, circular_order, round_with


class Design(Protocol):
    """Line-ups as numbers of competitors, 0, 1, ..., in turns."""

    def turns(self) -> int:
        """Turns until every line-up was there once."""
        ...

    def lineups(self, turn: int) -> Iterable[tuple[int, ...]]:
        """The line-ups of a turn, from 0, in the order of their tables."""
        ...

    def tables(self, turn: int) -> int:
        """How many they are."""
        ...


@dataclass(frozen=True, slots=True)
class FixedSchedule:
    """A `Schedule` of a design."""

    entry: Entry
    design: Design
    seatings: int
    """How many seatings a block has."""
    drawn: bool
    """Whether the order round the table is drawn for each board (free for all); else it is that of the line-up."""

    @property
    def adaptive(self) -> bool:
        """Nothing depends on results."""
        return False

    def rounds(self) -> int:
        """Number of rounds."""
        return self._chunks() * self.design.turns()

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The bouts of round `number`, from 1, in order of table; `history` and `field` are not needed."""
        if number > self.rounds():
            return None
        self._check_round(number)
        return self._bouts(number)

    def totals(self) -> Totals:
        """What is planned in all."""
        turns = self.design.turns()
        pairings = sum(self.design.tables(turn) for turn in range(turns))
        blocks = pairings * self.entry.boards
        return Totals(
            rounds=self.rounds(),
            boards=self.entry.boards * turns,
            pairings=pairings,
            bouts=pairings * self._chunks(),
            blocks=blocks,
            games=blocks * self.seatings,
        )

    def boards_of(self, number: int) -> range:
        """The boards of a round."""
        self._check_round(number)
        chunk, turn = divmod(number - 1, self.design.turns())
        first, end = self._chunk(chunk), self._chunk(chunk + 1)
        start = first * self.design.turns() + (end - first) * turn + 1
        return range(start, start + end - first)

    def round_of(self, board: int) -> int:
        """The round that plays a board."""
        return round_with(board, self.entry.boards * self.design.turns(), self.rounds(), self.boards_of)

    def games_on(self, board: int) -> int:
        """How many games all tables together play on a board."""
        return self.design.tables((self.round_of(board) - 1) % self.design.turns()) * self.seatings

    def _bouts(self, number: int) -> Iterator[Bout]:
        entry = self.entry
        boards = tuple(self.boards_of(number))
        for table, lineup in enumerate(self.design.lineups((number - 1) % self.design.turns()), 1):
            yield Bout(
                round=number,
                table=table,
                lineup=tuple(entry.competitors[index] for index in lineup),
                boards=boards,
                orders=tuple(self._order(board, table, len(lineup)) for board in boards),
                seatings=self.seatings,
            )

    def _order(self, board: int, table: int, places: int) -> tuple[int, ...]:
        return circular_order(self.entry.secret, board, table, places) if self.drawn else tuple(range(places))

    def _chunks(self) -> int:
        return -(-self.entry.boards // self.entry.chunk)

    def _chunk(self, index: int) -> int:
        """Boards in the chunks before `index`; sizes of chunks differ by at most 1."""
        return self.entry.boards * index // self._chunks()

    def _check_round(self, number: int) -> None:
        if not 1 <= number <= self.rounds():
            raise ValueError(f"no round {number}: they are numbered 1 to {self.rounds()}")
