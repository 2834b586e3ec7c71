"""The gauntlet: candidates against a frozen panel on common boards. Members of the panel meet only beside a candidate,
candidates never.

Two sides: every candidate meets every bot of the panel. Free for all: every candidate sits down with line-ups of the
panel in which all sit equally often. All boards are shared: every candidate plays the same cards against the same bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

from arena.core.errors import ConfigError
from arena.tournament.entry import Entry, check, check_owners, fits_owners
from arena.tournament.fixed import FixedSchedule
from arena.tournament.history import History
from arena.tournament.lineups import ALL_UP_TO, Lineup, lineups


@dataclass(frozen=True, slots=True)
class Panel:
    """A `Design`: line-ups that are all played on every board."""

    tables_: tuple[Lineup, ...]

    def turns(self) -> int:
        """One: all boards are shared."""
        return 1

    def lineups(self, turn: int) -> Iterable[Lineup]:
        """All."""
        return self.tables_

    def tables(self, turn: int) -> int:
        """How many they are."""
        return len(self.tables_)


@dataclass(frozen=True, slots=True)
class Gauntlet(FixedSchedule):
    """A `FixedSchedule` that knows its candidates."""

    candidates: tuple[str, ...] = ()

    def standing(self, history: History) -> tuple[Row, ...]:
        """Every candidate against the panel as a whole and against each of it, by points."""
        rows = [self._row(history, candidate) for candidate in self.candidates]
        return tuple(sorted(rows, key=lambda row: (-row.share, -row.swing, self.candidates.index(row.candidate))))

    def _row(self, history: History, candidate: str) -> Row:
        panel: dict[str, Score] = {}
        total = Score(0, 0.0, 0.0)
        for bots, totals in history.lineups().items():
            if candidate not in bots:
                continue
            own = Score(totals.blocks, *totals.of(candidate))
            total = total.plus(own)
            for other in bots:
                if other != candidate:
                    panel[other] = panel.get(other, Score(0, 0.0, 0.0)).plus(own)
        share, swing = total.means()
        against = [Against(name, score.blocks, *score.means()) for name, score in panel.items()]
        return Row(
            candidate, total.blocks, share, swing, tuple(sorted(against, key=lambda each: (each.share, each.bot)))
        )


class Score(NamedTuple):
    """Blocks, points out of them, and the sum of swings."""

    blocks: int
    points: float
    swings: float

    def plus(self, other: Score) -> Score:
        """Both together."""
        return Score(self.blocks + other.blocks, self.points + other.points, self.swings + other.swings)

    def means(self) -> tuple[float, float]:
        """Share of the points and swing per block; zeros without blocks."""
        return (self.points / self.blocks, self.swings / self.blocks) if self.blocks else (0.0, 0.0)


class Against(NamedTuple):
    """A candidate against one bot of the panel; in a free for all: at all tables at which both sat."""

    bot: str
    blocks: int
    share: float
    """Points out of blocks, 0 to 1."""
    swing: float
    """Per block."""


class Row(NamedTuple):
    """A candidate."""

    candidate: str
    blocks: int
    share: float
    """Points out of blocks, 0 to 1."""
    swing: float
    """Per block."""
    panel: tuple[Against, ...]
    """The hardest first."""


def gauntlet(entry: Entry) -> Gauntlet:
    """The gauntlet of an entry. Raises ConfigError when it cannot be played."""
    check(entry)
    check_owners(entry)
    candidates = candidates_of(entry)
    numbers = {name: number for number, name in enumerate(entry.competitors)}
    panel = [numbers[name] for name in entry.competitors if name not in candidates]
    if len(panel) < entry.places - 1:
        raise ConfigError(
            f"a panel of {len(panel)} cannot fill the tables of a gauntlet",
            fix="name fewer candidates or more bots",
            where="candidates",
        )
    fits = fits_owners(entry)
    found = [
        (numbers[candidate], *lineup)
        for candidate in candidates
        for lineup in panel_lineups(panel, entry.places - 1)
        if fits([entry.competitors[one] for one in (numbers[candidate], *lineup)])
    ]
    if not found:
        raise ConfigError(
            "no table of the gauntlet keeps to per_owner", where="per_owner", fix="raise it, or name other bots"
        )
    return Gauntlet(entry, Panel(tuple(found)), entry.places, drawn=entry.places > 2, candidates=candidates)


def candidates_of(entry: Entry) -> tuple[str, ...]:
    """Who is measured: the key `candidates`, else the first of bots. Raises ConfigError for others."""
    named = tuple(entry.keys.get("candidates") or entry.competitors[:1])
    strangers = [name for name in named if name not in entry.competitors]
    if strangers or len(set(named)) < len(named):
        raise ConfigError(
            f"candidates cannot be {', '.join(named)}",
            where="candidates",
            fix=f"each once, out of bots: {', '.join(entry.competitors)}",
        )
    return named


def panel_lineups(panel: Sequence[int], places: int) -> Iterable[Lineup]:
    """Line-ups of the panel, `places` at a time, in which all sit equally often; all different."""
    n = len(panel)
    if places == 1 or comb(n, places) <= ALL_UP_TO:
        found: Iterable[Lineup] = combinations(range(n), places)
    elif places == 2:
        found = [tuple(sorted((one, (one + step) % n))) for step in (1, 2) for one in range(n)]
    else:
        found = lineups(n, places)
    return [tuple(panel[one] for one in lineup) for lineup in found]
