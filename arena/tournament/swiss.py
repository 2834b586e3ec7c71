"""The Swiss: in every round bots that have done equally well meet, and nobody meets anybody twice if that can be.

A pairing plays the boards of its round and comes to one result: a win for more points out of blocks, half a point each
when they are level. In a free for all a table gives the share of the others that a bot has beaten. A bye counts as a
win (free for all: as half a point) in the Swiss, and is no block: ratings do not know of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log2
from typing import NamedTuple

from arena.core.chance import Chance
from arena.core.errors import ConfigError
from arena.record.results import Bout
from arena.tournament.entry import Entry, check, check_owners, fits_owners
from arena.tournament.history import NOTHING, History, TableTotals
from arena.tournament.schedule import Totals, bouts_of
from arena.tournament.swiss_pairs import draw_pairs, draw_tables

MORE_ROUNDS = 2
"""Rounds beyond those that a knockout would need."""
MOST_ROUNDS = 100


class Row(NamedTuple):
    """Where one bot stands."""

    place: int
    """From 1; equal in everything but the draw: the same place."""
    bot: str
    points: float
    """Matches won, level ones counted half, byes included."""
    buchholz: float
    """The points of all its opponents, in a free for all their mean at each table; a bye counts as an opponent with the
    bot's own points."""
    swing: float
    """Points per block."""
    wins: int
    draws: int
    losses: int
    """In a free for all: tables at which more than half, half, or less than half of the others were beaten."""
    byes: int
    here: bool
    """Whether it still takes part."""


class Meeting(NamedTuple):
    """One pairing or table of a closed round."""

    round: int
    bots: tuple[str, ...]
    """By standing before the round."""
    blocks: tuple[float, ...]
    """Points out of blocks; in the same order."""
    points: tuple[float, ...]
    """Of the match; where no block could be played it is level."""


def swiss(entry: Entry) -> Swiss:
    """The Swiss of an entry. Raises ConfigError when it cannot be played."""
    check(entry)
    check_owners(entry)
    rounds = entry.keys.get("rounds") or default_rounds(len(entry.competitors))
    if rounds > MOST_ROUNDS:
        raise ConfigError(
            f"{rounds} rounds are too many for a swiss", where="rounds", fix=f"at most {MOST_ROUNDS}; or more boards"
        )
    return Swiss(entry, rounds)


def default_rounds(competitors: int) -> int:
    """ceil(log2 N) + 2."""
    return ceil(log2(competitors)) + MORE_ROUNDS


@dataclass(slots=True)
class _Course:
    """What the rounds so far came to."""

    points: dict[str, float]
    byes: Counter[str] = field(default_factory=Counter)
    met: Counter[frozenset[str]] = field(default_factory=Counter)
    meetings: list[Meeting] = field(default_factory=list)
    swings: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    blocks: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Swiss:
    """A `Schedule`; made by `swiss`. Boards (number - 1) x boards + 1 on belong to a round."""

    entry: Entry
    last: int
    """How many rounds."""

    @property
    def adaptive(self) -> bool:
        """Who meets whom depends on results."""
        return True

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The tables of a round; None after the last one, and when too few are left for a table."""
        names = tuple(field) or self.entry.competitors
        if number > self.last or len(names) < self.entry.places:
            return None
        lineups, _ = self._draw(self._course(history, number), names)
        boards = self.entry.boards
        return bouts_of(number, lineups, range((number - 1) * boards + 1, number * boards + 1), self.entry)

    def totals(self) -> Totals:
        """All rounds, if nobody is taken out."""
        entry = self.entry
        tables = len(entry.competitors) // entry.places
        blocks = self.last * tables * entry.boards
        chunks = -(-entry.boards // entry.chunk)
        return Totals(
            self.last, self.last * entry.boards, 0, self.last * tables * chunks, blocks, blocks * entry.places
        )

    def standing(self, history: History, field: Sequence[str] = ()) -> tuple[Row, ...]:
        """The standing after the closed rounds: points, Buchholz, swing a block; then as drawn. `field`: who is still
        there."""
        course = self._course(history, history.closed + 1)
        here = tuple(field) or self.entry.competitors
        buchholz = self._buchholz(course)
        drawn = {name: number for number, name in enumerate(self._drawn())}

        def worth(name: str) -> tuple[float, float, float]:
            swing = course.swings[name] / course.blocks[name] if course.blocks[name] else 0.0
            return course.points[name], buchholz[name], swing

        ordered = sorted(drawn, key=lambda name: (*(-each for each in worth(name)), drawn[name]))
        places = {name: 1 + sum(worth(other) > worth(name) for other in ordered) for name in ordered}
        return tuple(
            Row(places[name], name, *worth(name), *self._record(course, name), course.byes[name], name in here)
            for name in ordered
        )

    def meetings(self, history: History) -> tuple[Meeting, ...]:
        """All pairings of the closed rounds, byes left aside."""
        return tuple(self._course(history, history.closed + 1).meetings)

    def _field(self, history: History, number: int) -> tuple[str, ...]:
        return history.fields.get(number, self.entry.competitors)

    def _drawn(self) -> list[str]:
        """The competitors in the order that decides between equals; drawn."""
        return Chance(self.entry.secret, "swiss").shuffled(self.entry.competitors)

    def _course(self, history: History, before: int) -> _Course:
        """What the rounds before a round came to."""
        course = _Course(dict.fromkeys(self.entry.competitors, 0.0))
        for number in range(1, min(before - 1, history.closed, self.last) + 1):
            self._add(course, number, history)
        return course

    def _add(self, course: _Course, number: int, history: History) -> None:
        names = self._field(history, number)
        if len(names) < self.entry.places:
            return
        played = history.lineups_of(number)
        lineups, resting = self._seen(course, names, played) or self._draw(course, names)
        given: defaultdict[str, float] = defaultdict(float)
        for lineup in lineups:
            totals = played.get(tuple(sorted(lineup)))
            meeting = _meeting(number, lineup, totals)
            course.meetings.append(meeting)
            for place, name in enumerate(lineup):
                given[name] += meeting.points[place]
                course.met.update(frozenset((name, other)) for other in lineup[place + 1 :])
                if totals is not None:
                    course.swings[name] += totals.of(name)[1]
                    course.blocks[name] += totals.blocks
        for name in resting:
            given[name] += 1 if self.entry.places == 2 else 0.5
            course.byes[name] += 1
        for name, points in given.items():
            course.points[name] = round(course.points[name] + points, 9)

    def _seen(
        self, course: _Course, names: Sequence[str], played: Mapping[tuple[str, ...], TableTotals]
    ) -> tuple[list[tuple[str, ...]], list[str]] | None:
        """The line-ups of a round and who rested, seen from what was played; None: some could not play."""
        seated = {bot for bots in played for bot in bots}
        if len(seated) != len(names) // self.entry.places * self.entry.places:
            return None
        order = self._ordered(course, names)
        lineups = [tuple(sorted(bots, key=order.index)) for bots in played]
        return sorted(lineups, key=lambda each: order.index(each[0])), [name for name in order if name not in seated]

    def _ordered(self, course: _Course, names: Sequence[str]) -> list[str]:
        """By points, then as drawn."""
        taking = frozenset(names)
        return sorted((name for name in self._drawn() if name in taking), key=lambda name: -course.points[name])

    def _draw(self, course: _Course, names: Sequence[str]) -> tuple[list[tuple[str, ...]], list[str]]:
        """The line-ups of the next round, and who rests."""
        order = self._ordered(course, names)
        scores, byes = [course.points[name] for name in order], [course.byes[name] for name in order]
        met = [[course.met[frozenset((one, other))] for other in order] for one in order]
        if self.entry.places == 2:
            draw = draw_pairs(scores, met, byes)
        else:
            fits = fits_owners(self.entry)
            draw = draw_tables(scores, met, byes, self.entry.places, lambda table: fits([order[one] for one in table]))
        return [tuple(order[one] for one in lineup) for lineup in draw.lineups], [order[one] for one in draw.resting]

    def _buchholz(self, course: _Course) -> dict[str, float]:
        found = {name: course.byes[name] * points for name, points in course.points.items()}
        for meeting in course.meetings:
            total = sum(course.points[name] for name in meeting.bots)
            for name in meeting.bots:
                found[name] += (total - course.points[name]) / (len(meeting.bots) - 1)
        return found

    def _record(self, course: _Course, bot: str) -> tuple[int, int, int]:
        own = [meeting.points[meeting.bots.index(bot)] for meeting in course.meetings if bot in meeting.bots]
        return sum(each > 0.5 for each in own), own.count(0.5), sum(each < 0.5 for each in own)


def _meeting(number: int, lineup: tuple[str, ...], totals: TableTotals | None) -> Meeting:
    """One result of all blocks of a line-up."""
    blocks = tuple(totals.of(name)[0] if totals is not None else 0.0 for name in lineup)
    others = len(lineup) - 1
    points = tuple((sum(own > each for each in blocks) + 0.5 * (blocks.count(own) - 1)) / others for own in blocks)
    return Meeting(number, lineup, blocks, points)
