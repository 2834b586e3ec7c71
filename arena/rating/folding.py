"""Makes blocks of games, whatever their order, and keeps little of them; see `blocks.sort_out`.

It knows which games belong together and how their scores are summed; what a block is for, others know.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from operator import getitem
from typing import NamedTuple

from arena.core.errors import ArenaFault
from arena.rating.blocks import Block, Side, Sorted, Tally
from arena.rating.pool import Pool
from arena.rating.trueskill_env import ranks_from
from arena.record.results import GameKey, GameRow, Verdict

MOST_EQUAL = 1 << 18
"""So many different results are looked out for at once."""


class Folding:
    """Games made into blocks as they come, so that of all games only those of begun blocks are kept.

    Much is equal in many games (line-ups, scores, places) and is looked at and kept once.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._seatings = pool.seatings
        self._seats = pool.seats
        self._blocks: list[Block] = []
        self._begun: dict[tuple[int, int, int], list[GameRow]] = {}
        self._lost: set[tuple[int, int, int]] = set()
        self._alone: set[GameKey] = set()
        """Games of a bot against itself, which make no block."""
        self._seen: dict[tuple[str, ...], dict[int, tuple[int, int, int]]] = {}
        """By bots by seat, then by board: round, table and seating. A game is there once."""
        self._places: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        self._sides: dict[tuple[str, ...], tuple[Side, ...]] = {}
        self._seated: dict[tuple[tuple[str, ...], ...], _Seated] = {}
        self._results: dict[tuple[float, ...], tuple[float, ...]] = {}
        """Scores and tiebreaks of blocks: equal ones are kept once."""
        self._ranks: dict[tuple[tuple[float, ...], tuple[float, ...]], tuple[int, ...]] = {}
        self._first_seats = () if counts_wins(pool) else tuple(side[0] for side in pool.sides)
        """By side: whose tiebreak counts; empty where none does."""
        self._games: Counter[tuple[str, ...]] = Counter()
        self._faults: Counter[str] = Counter()

    def add(self, row: GameRow) -> None:
        """Take a game. Raises ArenaFault as `sort_out`."""
        if row.verdict is Verdict.VOID:
            self._lost.add(row.key[:3])
            if _nobody_started(row):
                self._count(row)
            return
        _check_shape(row, self._pool, self._seats)
        sides = self._sides.get(row.bots)
        if sides is None:
            sides = _side_bots(row, self._pool)
            sides = self._sides[row.bots] = () if _meets_itself(sides) else sides
        if not sides:
            self._refuse(row.key in self._alone, row, row.key)
            self._alone.add(row.key)
            return
        round_, board, table, seating = row.key
        seen = self._seen.setdefault(row.bots, {})
        if board in seen:
            first = seen[board]
            self._refuse(True, row, GameKey(first[0], board, first[1], first[2]))
        seen[board] = self._places.setdefault((round_, table, seating), (round_, table, seating))
        begun = self._begun.setdefault((round_, board, table), [])
        self._refuse(any(other.key.seating == seating for other in begun), row, row.key)
        self._count(row)
        begun.append(row)
        if len(begun) == self._seatings:
            del self._begun[round_, board, table]
            self._blocks.append(self._block(sorted(begun, key=lambda game: game.key)))

    def result(self) -> Sorted:
        """What came of them."""
        self._blocks.sort(key=lambda block: block[:3])
        known = {block[:3] for block in self._blocks} if self._lost or self._begun or self._alone else set()
        for one, other in itertools.pairwise(self._blocks):
            if one[:3] == other[:3]:
                raise _twice(one.board, f"{list(one.bots)!r}", GameKey(*one[:3], 0), GameKey(*other[:3], 0))
        for begun in self._begun.values():
            self._refuse(begun[0].key[:3] in known, begun[0], begun[0].key)
        for key in self._alone:
            same = [row for row in self._begun.get(key[:3], ()) if row.key == key]
            if same or key[:3] in known:
                raise _twice(key.board, "bots that are the same", key, key)
        incomplete = len(self._begun) + len(self._lost - self._begun.keys() - known)
        games: Counter[str] = Counter()
        for bots, count in self._games.items():
            for name in set(bots):
                games[name] += count
        tallies = {name: Tally(games[name], self._faults[name]) for name in sorted(games)}
        return Sorted(tuple(self._blocks), incomplete, tallies)

    def _block(self, games: Sequence[GameRow]) -> Block:
        """The block of the games of all seatings."""
        line_ups = tuple(row.bots for row in games)
        seated = self._seated.get(line_ups)
        if seated is None:
            seated = self._seated[line_ups] = _seated(games, [self._sides[bots] for bots in line_ups])
        points = [_game_scores(row, self._pool) for row in games]
        scores = tuple(sum(map(getitem, points, sides), 0.0) for sides in seated.sides)
        tiebreaks = (0.0,) * len(seated.bots)
        if self._first_seats:
            decided = [[row.tiebreaks[seat] for seat in self._first_seats] for row in games]
            tiebreaks = tuple(sum(map(getitem, decided, sides), 0.0) for sides in seated.sides)
        scores, tiebreaks = self._once(scores), self._once(tiebreaks)
        ranks = self._ranks.get((scores, tiebreaks))
        if ranks is None:
            if len(self._ranks) > MOST_EQUAL:
                self._ranks.clear()
            ranks = self._ranks[scores, tiebreaks] = ranks_from(list(zip(scores, tiebreaks, strict=True)))
        round_, board, table, _ = games[0].key
        return Block(round_, board, table, seated.bots, scores, tiebreaks, ranks, seated.teams)

    def _count(self, row: GameRow) -> None:
        self._games[row.bots] += 1
        for seat, _ in row.faults:
            self._faults[row.bots[seat]] += 1

    def _once(self, result: tuple[float, ...]) -> tuple[float, ...]:
        """The first of equal values, so that the others can be forgotten."""
        if len(self._results) > MOST_EQUAL:
            self._results.clear()
        return self._results.setdefault(result, result)

    def _refuse(self, twice: bool, row: GameRow, other: GameKey) -> None:
        if twice:
            raise _twice(row.key.board, f"{list(row.bots)!r}", *sorted((other, row.key)))


def _nobody_started(row: GameRow) -> bool:
    return {seat for seat, _ in row.faults} == set(range(len(row.bots)))


class _Seated(NamedTuple):
    """Who sat where in the games of a block."""

    bots: tuple[str, ...]
    """In the order of their names."""
    sides: tuple[tuple[int, ...], ...]
    """By bot, then by game: on which side."""
    teams: tuple[Side, ...]
    """Of mixed partners, see `Block`."""


def _side_bots(row: GameRow, pool: Pool) -> tuple[Side, ...]:
    """The bots of each side. Raises ArenaFault where partners are different bots and must not be."""
    if pool.kind == "mixed":
        return tuple(tuple(sorted(row.bots[seat] for seat in side)) for side in pool.sides)
    for side in pool.sides:
        if len({row.bots[seat] for seat in side}) > 1:
            raise ArenaFault(
                f"partners {[row.bots[seat] for seat in side]!r} are different bots",
                where=_where(row.key),
                fix="a pool of pairs rates one bot on all seats of a side",
            )
    return tuple((row.bots[side[0]],) for side in pool.sides)


def _meets_itself(sides: Sequence[Side]) -> bool:
    """Whether a bot sits on two sides."""
    bots = [bot for side in sides for bot in set(side)]
    return len(set(bots)) < len(bots)


def _check_shape(row: GameRow, pool: Pool, seats: int) -> None:
    """Raises ArenaFault for a row that is none of this pool's."""
    if not len(row.bots) == len(row.scores) == len(row.ranks) == len(row.tiebreaks) == seats:
        raise ArenaFault(
            f"a game of {len(row.bots)} seats with scores {row.scores!r} is none of pool {pool.name!r}",
            where=_where(row.key),
            fix=f"expected bots, scores, ranks and tiebreaks for {seats} seats",
        )
    if not 0 <= row.key.seating < pool.seatings:
        raise ArenaFault(
            f"seating {row.key.seating!r} does not exist; expected 0 to {pool.seatings - 1}", where=_where(row.key)
        )


def _seated(games: Sequence[GameRow], names: Sequence[tuple[Side, ...]]) -> _Seated:
    """Who sat where; `names`: by game, then by side. Raises ArenaFault for games that make no block."""
    bots = tuple(sorted({bot for side in names[0] for bot in side}))
    for row, sides in zip(games, names, strict=True):
        if set(sides) != set(names[0]):
            raise ArenaFault(
                f"{_teams(sides)!r} play a seating of a block of {_teams(names[0])!r}",
                where=_where(row.key),
                fix="all seatings of a block have the same bots on the same sides",
            )
    where = tuple(tuple(_side_of(bot, sides) for sides in names) for bot in bots)
    fair = -(-len(games) // len(names[0]))
    if any(max(Counter(sides).values()) > fair for sides in where):
        raise ArenaFault(
            f"the seatings of {list(bots)!r} are no duplicate: a bot sits twice on the same side",
            where=_where(games[0].key),
            fix="in the seatings of a block every bot sits on every side equally often",
        )
    mixed = any(len(side) > 1 for side in names[0])
    return _Seated(bots, where, tuple(sorted(names[0])) if mixed else ())


def _side_of(bot: str, sides: Sequence[Side]) -> int:
    return next(place for place, side in enumerate(sides) if bot in side)


def _teams(sides: Sequence[Side]) -> list[str]:
    """Sides for people: "fox", "fox+owl"."""
    return ["+".join(side) for side in sorted(sides)]


def _twice(board: int, who: str, one: GameKey, other: GameKey) -> ArenaFault:
    return ArenaFault(
        f"board {board} with {who} is there twice",
        where=f"{_where(one)} and {_where(other)}",
        fix="a game counts once; remove one of the two",
        code="REPEATED_GAME",
    )


def _game_scores(row: GameRow, pool: Pool) -> list[float]:
    """What one game gives each side: partners' points once; of a whole match of two sides 1, 1/2 or 0."""
    if not counts_wins(pool):
        return [float(row.scores[side[0]]) for side in pool.sides]
    first, second = (row.ranks[side[0]] for side in pool.sides)
    if first == second:
        return [0.0, 0.0] if row.verdict is Verdict.FORFEIT else [0.5, 0.5]  # both forfeited
    return [1.0, 0.0] if first < second else [0.0, 1.0]


def counts_wins(pool: Pool) -> bool:
    """Whether whole matches of two sides are counted, and not their points."""
    return pool.kind != "free_for_all" and pool.unit == "match"


def _where(key: GameKey) -> str:
    return f"round {key.round}, board {key.board}, table {key.table}, seating {key.seating}"
