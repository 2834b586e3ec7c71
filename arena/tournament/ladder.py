"""The ladder: open-ended, bots come and go, every round has boards of its own.

In a round everybody sits at one table at most. One table in five is drawn at random, so that nothing hangs on what the
levels say; the others are filled one by one: first who has the fewest results, then those against whom a result is
expected to tell most, and of these, where they tell about the same, who was met least. Who is left over, fewer than a
table, sits out; it is one of those with the most results.

All draws come from the round's own secret, which is published when the round is closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from arena.core.chance import Chance, round_secret
from arena.rating.trueskill_env import draw_margin
from arena.record.results import Bout
from arena.tournament.entry import Entry, check
from arena.tournament.history import NOTHING, History
from arena.tournament.information import information
from arena.tournament.owners import too_many
from arena.tournament.running import Running
from arena.tournament.schedule import Totals, bouts_of

if TYPE_CHECKING:
    from arena.rating.factors import Array

BOARDS = 10
"""Boards of a round unless the file says how many."""
UNIFORM = 5
"""One table in so many is drawn at random."""
NEAR = 0.5
"""What tells less than the most by no more than this share counts as telling as much: levels leave out that two who
met often tell little new, and where bots are close this matters more than the levels do."""


def ladder(entry: Entry) -> Ladder:
    """The ladder of an entry. Raises ConfigError when it cannot be played.

    `entry.boards` are those of each round. It may begin with nobody: bots come and go.
    """
    check(entry, least=0)
    return Ladder(entry)


@dataclass(frozen=True, slots=True)
class Ladder:
    """A `Schedule` without an end. Boards of round n are the n-th `boards` of all."""

    entry: Entry

    @property
    def adaptive(self) -> bool:
        """Who meets whom follows from results, and from who is there."""
        return True

    def totals(self) -> Totals:
        """Nothing is known beforehand."""
        return Totals(rounds=0, boards=0, pairings=0, bouts=0, blocks=0, games=0, exact=False)

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The bouts of a round between those who take part; none where they cannot fill a table. It never ends.

        Raises ValueError for results in another form than `Running`.
        """
        if history.closed and not isinstance(history, Running):
            raise ValueError("a ladder follows a Running history")
        known = history if isinstance(history, Running) else Running()
        entry = replace(self.entry, secret=round_secret(self.entry.secret, number))
        first = (number - 1) * entry.boards + 1
        chance = Chance(entry.secret, "ladder", number)
        limit = Limit(entry.keys.get("owners", {}), entry.keys.get("per_owner", 0) if entry.places > 2 else 0)
        lineups = tables(known, field, entry.places, chance, limit)
        return bouts_of(number, lineups, range(first, first + entry.boards), entry)


class Limit(NamedTuple):
    """How many bots of one owner may sit at a table."""

    owner_of: Mapping[str, str]
    """Competitor -> owner; who is not in it has none."""
    most: int
    """0: as many as like."""

    def allows(self, table: Sequence[str], name: str) -> bool:
        """Whether one more may sit down."""
        return not self.most or not too_many([*table, name], self.owner_of, self.most)


ANYBODY = Limit({}, 0)


def tables(
    known: Running, field: Sequence[str], places: int, chance: Chance, limit: Limit = ANYBODY
) -> list[tuple[str, ...]]:
    """Who sits together, as many tables as can be filled; those drawn at random first.

    A pure function of its arguments: `chance` is used up.
    """
    drawn = chance.shuffled(sorted(field))
    free = sum(chance.below(UNIFORM) == 0 for _ in range(len(drawn) // places))
    made: list[tuple[str, ...]] = []
    waiting = drawn
    while len(waiting) >= places:
        if len(made) == free:
            waiting = sorted(waiting, key=lambda name: known.played[name])
        fill = _drawn if len(made) < free else _filled
        table = fill(known, waiting, places, limit)
        if len(table) == places:
            made.append(table)
            waiting = [name for name in waiting if name not in table]
        else:
            waiting = waiting[1:]  # for whom nobody is left of another owner
    return made


def _drawn(_known: Running, waiting: Sequence[str], places: int, limit: Limit) -> tuple[str, ...]:
    """The first who wait, in the order of the draw; fewer where the limit leaves nobody."""
    table: list[str] = []
    for name in waiting:
        if len(table) < places and limit.allows(table, name):
            table.append(name)
    return tuple(table)


def _filled(known: Running, waiting: Sequence[str], places: int, limit: Limit) -> tuple[str, ...]:
    """The first who waits, and those against whom results tell most; fewer where the limit leaves nobody."""
    import numpy as np

    table, others = [waiting[0]], list(waiting[1:])
    levels = [known.level(name) for name in others]
    mu, sigma = np.array([level.mu for level in levels]), np.array([level.sigma for level in levels])
    margin = draw_margin(known.draw)
    worth = np.zeros(len(others))
    while True:
        worth = worth + information(known.level(table[-1]), mu, sigma, margin)
        for index, name in enumerate(others) if limit.most else ():
            if not limit.allows(table, name):
                worth[index] = -np.inf
        if worth.max() == -np.inf:
            return tuple(table)
        best = _best(known, table, others, worth)
        table.append(others[best])
        if len(table) == places:
            return tuple(table)
        worth[best] = -np.inf


def _best(known: Running, table: Sequence[str], others: Sequence[str], worth: Array) -> int:
    """Who comes next to a table: of those that tell about the most who was met least, then who waits first."""
    most = worth.max()
    near = [index for index, value in enumerate(worth.tolist()) if value >= most - NEAR * abs(most)]
    return min(near, key=lambda index: (sum(met(known, others[index], name) for name in table), index))


def met(known: Running, one: str, other: str) -> int:
    """In how many blocks two met."""
    return known.met[(one, other) if one < other else (other, one)]
