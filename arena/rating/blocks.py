"""From games to blocks: one board played in all its seatings, the scores summed, one result.

It knows which games belong together, what makes a block and how its scores are summed; nothing of ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.core.errors import ArenaFault
from arena.rating.pool import Pool
from arena.rating.trueskill_env import Score, ranks_from
from arena.record.results import GameKey, GameRow, Verdict

Side = tuple[str, ...]
"""The bots that play together."""


class Block(NamedTuple):
    """One rated result; sorts in canonical order."""

    round: int
    board: int
    table: int
    bots: tuple[str, ...]
    """The competitors in the order of their names; what follows is in the same order."""
    scores: tuple[float, ...]
    """Sums over all seatings: points, or games won (draws count half) where whole matches are the unit."""
    tiebreaks: tuple[float, ...]
    """Sums over all seatings of what decides between equal scores; zeros where nothing does."""
    ranks: tuple[int, ...]
    """0 best, equal means tied."""

    @property
    def id(self) -> str:
        """A name within the tournament, "r3-b17-t0"."""
        return f"r{self.round}-b{self.board}-t{self.table}"

    @property
    def sides(self) -> tuple[Side, ...]:
        """Who played with whom: every competitor is a side."""
        return tuple((name,) for name in self.bots)

    @property
    def results(self) -> tuple[Score, ...]:
        """By competitor: what is compared."""
        return tuple(zip(self.scores, self.tiebreaks, strict=True))

    @property
    def swings(self) -> tuple[float, ...]:
        """By competitor: the own sum minus the opponent's, in a free for all minus the mean of the others'."""
        total = sum(self.scores)
        return tuple(score - (total - score) / (len(self.scores) - 1) for score in self.scores)


class Tally(NamedTuple):
    """What a bot did in all games that count, also those whose block is not complete yet."""

    games: int
    faults: int


class Sorted(NamedTuple):
    """Rows sorted out."""

    blocks: tuple[Block, ...]
    """In canonical order."""
    incomplete: int
    """Blocks of which a game is missing or void."""
    tallies: dict[str, Tally]
    """By bot, in the order of names."""


def blocks(rows: Iterable[GameRow], pool: Pool) -> Iterator[Block]:
    """The complete blocks in canonical order: round, board, table. See `sort_out`."""
    return iter(sort_out(rows, pool).blocks)


def sort_out(rows: Iterable[GameRow], pool: Pool) -> Sorted:
    """Blocks and counts of faults from stored games, in whatever order they come.

    Void games count for nobody; where nobody could start, they count as faults of those who could not. A bot that
    meets itself is never rated. Raises ArenaFault when a game is there twice, or when games that should make a block
    cannot: other bots in another seating, mixed partners, a wrong number of seats.
    """
    ordered = sorted(rows, key=lambda row: (row.key, row.bots))
    counted = [row for row in ordered if row.verdict is not Verdict.VOID]
    _refuse_repeats(counted, pool)
    rated = [row for row in counted if not _meets_itself(row, pool)]
    found: dict[tuple[int, int, int], list[GameRow]] = {row.key[:3]: [] for row in rated}
    for row in rated:
        found[row.key[:3]].append(row)
    lost = {row.key[:3] for row in ordered if row.verdict is Verdict.VOID}
    complete = [_block(games, pool) for games in found.values() if len(games) == len(pool.sides)]
    missing = len(found) - len(complete) + len(lost - found.keys())
    unstarted = [row for row in ordered if row.verdict is Verdict.VOID and _nobody_started(row)]
    return Sorted(tuple(complete), missing, _tallies([*rated, *unstarted]))


def _nobody_started(row: GameRow) -> bool:
    return {seat for seat, _ in row.faults} == set(range(len(row.bots)))


def draw_share(results: Sequence[Block], default: float) -> float:
    """The share of tied adjacent places (two sides: of drawn blocks), within .001 and .5; `default` without blocks."""
    places = sum(len(block.bots) - 1 for block in results)
    if not places:
        return default
    ties = sum(len(block.ranks) - len(set(block.ranks)) for block in results)
    return min(max(ties / places, 0.001), 0.5)


def first_draw_share(pool: Pool) -> float:
    """The draw probability before any result is known."""
    return 0.05 if pool.kind == "pairs" else 0.02


def _side_bots(row: GameRow, pool: Pool) -> tuple[str, ...]:
    """The competitor of each side. Raises ArenaFault for a row that is none of this pool's."""
    lists = (row.scores, row.ranks, row.tiebreaks)
    if len(row.bots) != pool.seats or any(len(each) != pool.seats for each in lists):
        raise ArenaFault(
            f"a game of {len(row.bots)} seats with scores {row.scores!r} is none of pool {pool.name!r}",
            where=_where(row.key),
            fix=f"expected bots, scores, ranks and tiebreaks for {pool.seats} seats",
        )
    if not 0 <= row.key.seating < len(pool.sides):
        raise ArenaFault(
            f"seating {row.key.seating!r} does not exist; expected 0 to {len(pool.sides) - 1}", where=_where(row.key)
        )
    for side in pool.sides:
        if len({row.bots[seat] for seat in side}) > 1:
            raise ArenaFault(
                f"partners {[row.bots[seat] for seat in side]!r} are different bots",
                where=_where(row.key),
                fix="a pool of pairs rates one bot on all seats of a side",
            )
    return tuple(row.bots[side[0]] for side in pool.sides)


def _meets_itself(row: GameRow, pool: Pool) -> bool:
    return len({row.bots[side[0]] for side in pool.sides}) < len(pool.sides)


def _refuse_repeats(rows: Sequence[GameRow], pool: Pool) -> None:
    seen: dict[object, GameKey] = {}
    for row in rows:
        _side_bots(row, pool)
        names: list[object] = [row.key]
        if not _meets_itself(row, pool):  # against itself all seatings look alike
            names.append((row.key.board, row.bots))
        for name in names:
            if name in seen:
                raise ArenaFault(
                    f"board {row.key.board} with {list(row.bots)!r} is there twice",
                    where=f"{_where(seen[name])} and {_where(row.key)}",
                    fix="a game counts once; remove one of the two",
                    code="REPEATED_GAME",
                )
            seen[name] = row.key


def _block(games: Sequence[GameRow], pool: Pool) -> Block:
    """The block of the games of all seatings."""
    bots = tuple(sorted(_side_bots(games[0], pool)))
    scores = dict.fromkeys(bots, 0.0)
    tiebreaks = dict.fromkeys(bots, 0.0)
    sat: set[tuple[str, int]] = set()
    for row in games:
        names = _side_bots(row, pool)
        if set(names) != set(bots):
            raise ArenaFault(
                f"{sorted(names)!r} play a seating of a block of {list(bots)!r}",
                where=_where(row.key),
                fix="all seatings of a block have the same bots",
            )
        points = _game_scores(row, pool)
        for side, name in enumerate(names):
            sat.add((name, side))
            scores[name] += points[side]
            if _has_tiebreak(pool):
                tiebreaks[name] += row.tiebreaks[pool.sides[side][0]]
    if len(sat) != len(bots) ** 2:
        raise ArenaFault(
            f"the seatings of {list(bots)!r} are no duplicate: a bot sits twice on the same side",
            where=_where(games[0].key),
            fix="in the seatings of a block every bot sits on every side once",
        )
    ranks = ranks_from([(scores[name], tiebreaks[name]) for name in bots])
    round_, board, table, _ = games[0].key
    return Block(round_, board, table, bots, tuple(scores.values()), tuple(tiebreaks.values()), ranks)


def _game_scores(row: GameRow, pool: Pool) -> list[float]:
    """What one game gives each side: partners' points once; of a whole match of two sides 1, 1/2 or 0."""
    if not _counts_wins(pool):
        return [float(row.scores[side[0]]) for side in pool.sides]
    first, second = (row.ranks[side[0]] for side in pool.sides)
    if first == second:
        return [0.0, 0.0] if row.verdict is Verdict.FORFEIT else [0.5, 0.5]  # both forfeited
    return [1.0, 0.0] if first < second else [0.0, 1.0]


def _counts_wins(pool: Pool) -> bool:
    return pool.kind == "pairs" and pool.unit == "match"


def _has_tiebreak(pool: Pool) -> bool:
    return not _counts_wins(pool)


def _tallies(rows: Sequence[GameRow]) -> dict[str, Tally]:
    games: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for row in rows:
        games.update(set(row.bots))
        faults.update(row.bots[seat] for seat, _ in row.faults)
    return {name: Tally(games[name], faults[name]) for name in sorted(games)}


def _where(key: GameKey) -> str:
    return f"round {key.round}, board {key.board}, table {key.table}, seating {key.seating}"
