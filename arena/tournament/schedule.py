"""What a schedule is, and what of it remains to be played.

Knows competitors only by name and results only as values; does not know games, bots, workers or the store.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from arena.core.chance import Chance
from arena.record.results import Bout, GameKey
from arena.tournament.entry import Entry
from arena.tournament.history import NOTHING, History


class Totals(NamedTuple):
    """How much a schedule plans, counted without making its bouts."""

    rounds: int
    boards: int
    """Different boards of the whole tournament, numbered 1 to `boards`."""
    pairings: int
    """Different line-ups: pairs for two sides, tables of bots in a free for all. 0: not known beforehand."""
    bouts: int
    blocks: int
    games: int
    exact: bool = True
    """False: at least so much is planned; what follows depends on results."""


class Schedule(Protocol):
    """Who plays whom on which boards: a pure function of the configuration and of what the closed rounds came to.

    Asking again is resuming. Boards of a round are played in no other round, unless nothing depends on results.
    """

    @property
    def adaptive(self) -> bool:
        """Whether rounds depend on results, or on who takes part: such a board opens when its round is closed."""
        ...

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The bouts of a round, in order of table, no two of them at one table; None: the event is over before it.

        `history`: the rounds before. `field`: who takes part in this round, entered by then and not taken out.
        """
        ...

    def totals(self) -> Totals:
        """What is planned in all."""
        ...


@runtime_checkable
class Fixed(Schedule, Protocol):
    """A schedule in which nothing depends on results."""

    def rounds(self) -> int:
        """Number of rounds; they are numbered from 1."""
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


def round_with(board: int, boards: int, rounds: int, boards_of: Callable[[int], range]) -> int:
    """The round that plays a board, where rounds have boards of their own in ascending order.

    `boards`: how many there are in all. Raises ValueError for one that is not among them.
    """
    if not 1 <= board <= boards:
        raise ValueError(f"no board {board}: they are numbered 1 to {boards}")
    return bisect_left(range(1, rounds + 1), board, key=lambda number: boards_of(number)[-1]) + 1


def bouts_of(
    number: int,
    lineups: Iterable[tuple[str, ...]],
    boards: range,
    entry: Entry,
    *,
    seatings: int | None = None,
    first_table: int = 1,
) -> Iterator[Bout]:
    """The bouts of line-ups that all play the same boards, in chunks: each chunk of a line-up is a table of its own.

    Two sides: seated as named. More places: the order round the table is drawn for each board.
    """
    table = first_table
    for lineup in lineups:
        for part in chunks(boards, entry.chunk):
            places = len(lineup)
            orders = tuple(
                circular_order(entry.secret, board, table, places) if places > 2 else tuple(range(places))
                for board in part
            )
            yield Bout(number, table, lineup, tuple(part), orders, seatings or places)
            table += 1


def chunks(boards: range, chunk: int) -> Iterator[range]:
    """Boards in as few chunks as possible of at most `chunk`, of sizes that differ by at most 1."""
    count = -(-len(boards) // chunk)
    for index in range(count):
        yield boards[len(boards) * index // count : len(boards) * (index + 1) // count]
