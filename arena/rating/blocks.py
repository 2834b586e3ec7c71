"""From games to blocks: one board played in all its seatings, the scores summed, one result.

It knows which games belong together, what makes a block and how its scores are summed; nothing of ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.rating.pool import Pool
from arena.rating.trueskill_env import Score
from arena.record.results import GameRow

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
    teams: tuple[Side, ...] = ()
    """Of mixed partners: the bots of each side, in the order of their names; both have what their side has. Else
    empty: every competitor is a side."""

    @property
    def id(self) -> str:
        """A name within the tournament, "r3-b17-t0"."""
        return f"r{self.round}-b{self.board}-t{self.table}"

    @property
    def sides(self) -> tuple[Side, ...]:
        """Who played with whom."""
        return self.teams or tuple((name,) for name in self.bots)

    @property
    def lineup(self) -> tuple[str, ...]:
        """Names the line-up: the bots, those of one side one after the other."""
        return tuple(name for team in self.teams for name in team) if self.teams else self.bots

    @property
    def places(self) -> tuple[int, ...]:
        """By side: its rank."""
        return tuple(self.ranks[self.bots.index(team[0])] for team in self.teams) if self.teams else self.ranks

    def opponents(self, bot: str) -> tuple[str, ...]:
        """Who sits against a bot, in the order of names."""
        own = next((team for team in self.teams if bot in team), (bot,))
        return tuple(name for name in self.bots if name not in own)

    @property
    def results(self) -> tuple[Score, ...]:
        """By competitor: what is compared."""
        return tuple(zip(self.scores, self.tiebreaks, strict=True))

    @property
    def swings(self) -> tuple[float, ...]:
        """By competitor: the own sum minus the opponent's, in a free for all minus the mean of the others'."""
        if self.teams:
            first, second = (self.scores[self.bots.index(team[0])] for team in self.teams)
            return tuple(first - second if bot in self.teams[0] else second - first for bot in self.bots)
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
    from arena.rating.folding import Folding  # it makes what is defined here

    folding = Folding(pool)
    for row in rows:
        folding.add(row)
    return folding.result()


def draw_share(results: Sequence[Block], default: float) -> float:
    """The share of tied adjacent places (two sides: of drawn blocks), within .001 and .5; `default` without blocks."""
    places = sum(len(block.teams or block.bots) - 1 for block in results)
    if not places:
        return default
    ties = sum(len(block.teams or block.bots) - len(set(block.ranks)) for block in results)
    return min(max(ties / places, 0.001), 0.5)


def first_draw_share(pool: Pool) -> float:
    """The draw probability before any result is known."""
    return 0.02 if pool.kind == "free_for_all" else 0.05
