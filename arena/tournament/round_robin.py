"""The round robin: every pair (two sides) or every balanced line-up (free for all) on common boards.

Two board plans. *Shared*: a round is all line-ups on one chunk of boards, so that every board is played by everybody.
*Per round*: a round is one circle round (free for all: line-ups that fit beside each other) on a chunk of boards of its
own, so that all tables of a round play the same boards and no other round does. Both play every line-up on the same
number of boards. Boards are numbered from 1, rounds from 1, tables from 1 within their round.

A schedule holds its configuration only; bouts are made when asked for. Results do not change a round robin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from arena.core.errors import ConfigError
from arena.record.results import Bout, GameRow
from arena.tournament.lineups import count_lineups, lineups, packed
from arena.tournament.pairings import all_pairs, circle_round, circle_rounds
from arena.tournament.schedule import Totals, circular_order

BoardPlan = Literal["shared", "per_round"]

CHUNK = 25
"""Most boards of a bout: so many games of one bot process, and so early come the first rated rows."""
SHARED_UP_TO = 20
"""With more competitors than this the boards are per round by default."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a round robin is made of."""

    competitors: tuple[str, ...]
    """Names, all different even without case, in the order of the tournament file."""
    places: int
    """Competitors at a table: the number of sides of the game (2: pairs; 3 or 4: free for all)."""
    boards: int
    """Boards that every line-up plays."""
    secret: bytes = field(repr=False)
    """The tournament's secret; draws who sits next to whom in a free for all."""
    board_plan: BoardPlan | None = None
    """None: shared for up to 20 competitors."""
    chunk: int = CHUNK
    """Most boards of one bout, 1 to 25."""


def default_plan(competitors: int) -> BoardPlan:
    """The board plan when the tournament file names none."""
    return "shared" if competitors <= SHARED_UP_TO else "per_round"


def round_robin(entry: Entry) -> RoundRobin:
    """The round robin of an entry. Raises ConfigError when it cannot be played."""
    _check(entry)
    return RoundRobin(entry, entry.board_plan or default_plan(len(entry.competitors)))


def _check(entry: Entry) -> None:
    names = entry.competitors
    if entry.places < 2:
        raise ConfigError(f"a table of {entry.places} is no contest", fix="a game needs two sides or more")
    if len(names) < entry.places:
        raise ConfigError(
            f"{len(names)} bots cannot fill a table of {entry.places}: {', '.join(names) or 'none named'}",
            fix=f"name at least {entry.places} different bots",
            code="TOO_FEW_BOTS",
        )
    seen: dict[str, str] = {}
    for name in names:
        if name.casefold() in seen:
            raise ConfigError(
                f"bot {name!r} is named twice (first as {seen[name.casefold()]!r})",
                fix="a bot never plays itself for a rating: name it once, or rename one of the two",
                code="DUPLICATE_BOT",
            )
        seen[name.casefold()] = name
    if entry.boards < 1:
        raise ConfigError(f"boards cannot be {entry.boards!r}", fix="accepted: a whole number from 1")
    if not 1 <= entry.chunk <= CHUNK:
        raise ConfigError(f"a bout cannot have {entry.chunk!r} boards", fix=f"accepted: 1 to {CHUNK}")


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """A `Schedule`; made by `round_robin`."""

    entry: Entry
    board_plan: BoardPlan

    def rounds(self) -> int:
        """Number of rounds."""
        return self._chunks() * self._cycle()

    def round(self, number: int, closed: Iterable[GameRow] = ()) -> Iterator[Bout]:
        """The bouts of round `number`, from 1, in order of table; `closed` is not needed and not read."""
        self._check_round(number)
        return self._bouts(number)

    def totals(self) -> Totals:
        """What is planned in all."""
        entry = self.entry
        n, k = len(entry.competitors), entry.places
        pairings = n * (n - 1) // 2 if k == 2 else count_lineups(n, k)
        blocks = pairings * entry.boards
        return Totals(
            rounds=self.rounds(),
            boards=entry.boards * self._cycle(),
            pairings=pairings,
            bouts=pairings * self._chunks(),
            blocks=blocks,
            games=blocks * k,
        )

    def boards_of(self, number: int) -> range:
        """The boards of a round."""
        self._check_round(number)
        chunk, turn = divmod(number - 1, self._cycle())
        first, end = self._chunk(chunk), self._chunk(chunk + 1)
        start = first * self._cycle() + (end - first) * turn + 1
        return range(start, start + end - first)

    def round_of(self, board: int) -> int:
        """The round that plays a board."""
        cycle = self._cycle()
        if not 1 <= board <= self.entry.boards * cycle:
            raise ValueError(f"no board {board}: they are numbered 1 to {self.entry.boards * cycle}")
        low, high = 1, self.rounds()
        while low < high:
            middle = (low + high) // 2
            if board < self.boards_of(middle).stop:
                high = middle
            else:
                low = middle + 1
        return low

    def games_on(self, board: int) -> int:
        """How many games all tables together play on a board."""
        return self._tables(self.round_of(board)) * self.entry.places

    def _bouts(self, number: int) -> Iterator[Bout]:
        entry = self.entry
        boards = tuple(self.boards_of(number))
        for table, lineup in enumerate(self._lineups(number), 1):
            yield Bout(
                round=number,
                table=table,
                lineup=tuple(entry.competitors[index] for index in lineup),
                boards=boards,
                orders=tuple(self._order(board, table) for board in boards),
                seatings=entry.places,
            )

    def _order(self, board: int, table: int) -> tuple[int, ...]:
        if self.entry.places == 2:
            return (0, 1)
        return circular_order(self.entry.secret, board, table, self.entry.places)

    def _lineups(self, number: int) -> Iterable[tuple[int, ...]]:
        n, k = len(self.entry.competitors), self.entry.places
        turn = (number - 1) % self._cycle()
        if self.board_plan == "shared":
            return all_pairs(n) if k == 2 else lineups(n, k)
        return circle_round(n, turn) if k == 2 else packed(n, k)[turn]

    def _tables(self, number: int) -> int:
        n, k = len(self.entry.competitors), self.entry.places
        if self.board_plan == "shared":
            return n * (n - 1) // 2 if k == 2 else count_lineups(n, k)
        return n // 2 if k == 2 else len(packed(n, k)[(number - 1) % self._cycle()])

    def _cycle(self) -> int:
        """Rounds until every line-up has played one chunk."""
        n, k = len(self.entry.competitors), self.entry.places
        if self.board_plan == "shared":
            return 1
        return circle_rounds(n) if k == 2 else len(packed(n, k))

    def _chunks(self) -> int:
        return -(-self.entry.boards // self.entry.chunk)

    def _chunk(self, index: int) -> int:
        """Boards in the chunks before `index`; sizes of chunks differ by at most 1."""
        return self.entry.boards * index // self._chunks()

    def _check_round(self, number: int) -> None:
        if not 1 <= number <= self.rounds():
            raise ValueError(f"no round {number}: they are numbered 1 to {self.rounds()}")
