"""What a schedule is, and what of it remains to be played.

Knows competitors only by name and results only as values; does not know games, bots, workers or the store.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple, Protocol

from arena.core.chance import Chance
from arena.record.results import Bout, GameKey, GameRow


class Totals(NamedTuple):
    """How much a schedule plans, counted without making its bouts."""

    rounds: int
    boards: int
    """Different boards of the whole tournament, numbered 1 to `boards`."""
    pairings: int
    """Different line-ups: pairs for two sides, tables of bots in a free for all."""
    bouts: int
    blocks: int
    games: int


class Schedule(Protocol):
    """Who plays whom on which boards: a pure function of the configuration and the results of closed rounds."""

    def rounds(self) -> int:
        """Number of rounds; they are numbered from 1."""
        ...

    def round(self, number: int, closed: Iterable[GameRow] = ()) -> Iterator[Bout]:
        """The bouts of a round, in order of table. `closed`: all games of the rounds before.

        Raises ValueError when there is no such round.
        """
        ...

    def totals(self) -> Totals:
        """What is planned in all."""
        ...

    def round_of(self, board: int) -> int:
        """The round that plays a board. Raises ValueError when no round does."""
        ...

    def games_on(self, board: int) -> int:
        """How many games all tables together play on a board: it stays sealed until all are done."""
        ...


class Part(NamedTuple):
    """The boards of a bout that one seating still has to play: the games of one generation of bot processes."""

    seating: int
    boards: tuple[int, ...]


def keys_of(bout: Bout) -> Iterator[GameKey]:
    """The keys of all games of a bout, generation by generation."""
    for seating in range(bout.seatings):
        for board in bout.boards:
            yield GameKey(bout.round, board, bout.table, seating)


def remaining(bout: Bout, done: Container[GameKey]) -> tuple[Part, ...]:
    """What a bout still needs, given the keys of the games that are stored: seatings with their boards, none empty."""
    parts = []
    for seating in range(bout.seatings):
        boards = tuple(board for board in bout.boards if GameKey(bout.round, board, bout.table, seating) not in done)
        if boards:
            parts.append(Part(seating, boards))
    return tuple(parts)


def circular_order(secret: bytes, board: int, table: int, places: int) -> tuple[int, ...]:
    """The order in which a free-for-all line-up sits round the table of one board; the seatings are its rotations.

    The numbers 0..places-1 shuffled by `Chance(secret, "order", board, table)`, the shuffle of docs/chance.md on the
    stream `order | board | table` under the tournament's secret. It depends on nothing else: neither on workers nor on
    the order of completion, nor on results.
    """
    return tuple(Chance(secret, "order", board, table).shuffled(range(places)))
