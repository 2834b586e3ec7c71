"""The round robin with bots on machines of their own: every board is played once, at one table, in one seating.

Such bots remember what they saw and may talk to each other, so that a board played twice would be open hands. What
duplicates take out elsewhere is drawn in balance here: over the whole event every competitor sits on each side (in a
free for all: on each seat) equally often within one, and every line-up plays equally many games. A round is a set of
line-ups in which nobody sits at two tables, with a chunk of the games of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.core.chance import Chance
from arena.record.results import Bout
from arena.tournament.entry import Entry, check
from arena.tournament.history import NOTHING, History
from arena.tournament.lineups import Lineup, packed
from arena.tournament.pairings import circle_round, circle_rounds
from arena.tournament.schedule import Totals, round_with

MOST_GAMES = 6
"""Of a bout: so early may who comes late join, and three absences are eighteen games, not seventy-five."""
Order = tuple[int, ...]
"""By side: the place in the line-up of who sits there."""


def remote_round_robin(entry: Entry) -> RemoteRoundRobin:
    """The schedule of an entry; `entry.boards` are the games of each line-up. Raises ConfigError when it cannot be."""
    check(entry)
    n, k = len(entry.competitors), entry.places
    turns = tuple(tuple(circle_round(n, turn)) for turn in range(circle_rounds(n))) if k == 2 else packed(n, k)
    # Who is which number of the design is drawn, so that nobody gains by the order of the tournament file.
    drawn = Chance(entry.secret, "remote places").shuffled(range(n))
    named = tuple(tuple(tuple(drawn[each] for each in lineup) for lineup in turn) for turn in turns)
    tables = [lineup for turn in named for lineup in turn]
    over = entry.boards % k
    seats = Chance(entry.secret, "remote seats").shuffled(range(k))
    orders = balanced_orders([lineup for lineup in tables for _ in range(over)], k)
    extra = tuple(tuple(order[seats[side]] for side in range(k)) for order in orders)
    return RemoteRoundRobin(entry, named, extra)


@dataclass(frozen=True, slots=True)
class RemoteRoundRobin:
    """A `Fixed` schedule. Boards are numbered by round, then by table, from 1; each belongs to one game."""

    entry: Entry
    turns: tuple[tuple[Lineup, ...], ...]
    """Line-ups as numbers of competitors: in one turn nobody is at two tables."""
    extra: tuple[Order, ...]
    """The orders of the games that are left when every line-up has played in all rotations as often as it can; by
    line-up, all turns counted through."""

    @property
    def adaptive(self) -> bool:
        """Nothing depends on results."""
        return False

    def rounds(self) -> int:
        """Number of rounds."""
        return self._chunks() * len(self.turns)

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The bouts of round `number`, from 1, in order of table; `history` and `field` are not needed."""
        if number > self.rounds():
            return None
        self._check_round(number)
        return self._bouts(number)

    def totals(self) -> Totals:
        """What is planned in all."""
        lineups = self._before(len(self.turns))
        games = lineups * self.entry.boards
        return Totals(self.rounds(), games, lineups, lineups * self._chunks(), games, games)

    def boards_of(self, number: int) -> range:
        """The boards of a round."""
        self._check_round(number)
        chunk, turn = divmod(number - 1, len(self.turns))
        first, size = self._first(chunk), self._first(chunk + 1) - self._first(chunk)
        start = first * self._before(len(self.turns)) + size * self._before(turn) + 1
        return range(start, start + size * len(self.turns[turn]))

    def round_of(self, board: int) -> int:
        """The round that plays a board."""
        return round_with(board, self.totals().boards, self.rounds(), self.boards_of)

    def games_on(self, board: int) -> int:
        """Every board is played once."""
        self.round_of(board)
        return 1

    def _bouts(self, number: int) -> Iterator[Bout]:
        chunk, turn = divmod(number - 1, len(self.turns))
        games = range(self._first(chunk), self._first(chunk + 1))
        boards = self.boards_of(number)
        for place, lineup in enumerate(self.turns[turn]):
            yield Bout(
                round=number,
                table=place + 1,
                lineup=tuple(self.entry.competitors[index] for index in lineup),
                boards=tuple(boards[place * len(games) : (place + 1) * len(games)]),
                orders=tuple(self._order(self._before(turn) + place, game) for game in games),
                seatings=1,
            )

    def _order(self, lineup: int, game: int) -> Order:
        """Who sits where in a game of a line-up: rotations of an order that is drawn anew when all were played."""
        k = self.entry.places
        drawn, turned = divmod(game, k)
        if drawn < self.entry.boards // k:
            order = Chance(self.entry.secret, "remote order", lineup, drawn).shuffled(range(k))
            return tuple(order[(side + turned) % k] for side in range(k))
        return self.extra[lineup * (self.entry.boards % k) + turned]

    def _before(self, turn: int) -> int:
        """How many line-ups there are in the turns before one."""
        return sum(map(len, self.turns[:turn]))

    def _chunks(self) -> int:
        return -(-self.entry.boards // min(self.entry.chunk, MOST_GAMES))

    def _first(self, chunk: int) -> int:
        """Games of a line-up in the chunks before one; sizes of chunks differ by at most 1."""
        return self.entry.boards * chunk // self._chunks()

    def _check_round(self, number: int) -> None:
        if not 1 <= number <= self.rounds():
            raise ValueError(f"no round {number}: they are numbered 1 to {self.rounds()}")


def balanced_orders(tables: Sequence[Lineup], places: int) -> list[Order]:
    """For each table who sits where, so that everybody sits on each place equally often within one.

    Colours the edges between tables and competitors with the places: a competitor is cut into parts of at most `places`
    tables each, and what is left has a colouring in which no two edges at one end are alike (König).
    """
    met: dict[int, int] = {}
    edges = _Edges()
    for table, lineup in enumerate(tables):
        for index in lineup:
            met[index] = met.get(index, -1) + 1
            edges.add((table,), (index, met[index] // places), places)
    return [
        tuple(tables[table].index(edges.at[(table,), place][0]) for place in range(places))
        for table in range(len(tables))
    ]


Node = tuple[int, ...]
"""(table,) or (competitor, part)."""


class _Edges:
    """A graph of two sorts of nodes whose edges are coloured as they come."""

    def __init__(self) -> None:
        self.at: dict[tuple[Node, int], Node] = {}
        """(node, colour) -> the other end."""

    def add(self, table: Node, part: Node, colours: int) -> None:
        """An edge more. Both ends have a free colour; where it is not the same one, a path is recoloured."""
        free = next(colour for colour in range(colours) if (table, colour) not in self.at)
        other = next(colour for colour in range(colours) if (part, colour) not in self.at)
        self._exchange(part, free, other)
        self._set(table, part, free)

    def _exchange(self, node: Node, one: int, other: int) -> None:
        """Exchange two colours along the path that leaves a node with the first."""
        path = []
        colour = one
        while (following := self.at.get((node, colour))) is not None:
            path.append((node, following, colour))
            node, colour = following, one + other - colour
        for here, there, colour in path:
            self.at.pop((here, colour), None)
            self.at.pop((there, colour), None)
        for here, there, colour in path:
            self._set(here, there, one + other - colour)

    def _set(self, one: Node, other: Node, colour: int) -> None:
        self.at[one, colour] = other
        self.at[other, colour] = one
