"""Knockouts: matches of a bracket, each on the boards of its round. Who loses is out; in a double one who loses twice.

A match is won by points out of blocks. A level one goes on, on new boards, `extra` times; then the swing of all its
blocks decides, and if that is level too, the better seed wins. Who has been taken out of the event loses by walkover.
All matches of a stage are decided before the next one begins; one that goes on is a round of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from arena.core.errors import ConfigError
from arena.record.results import Bout
from arena.tournament.bracket import Bracket, Source, double, single
from arena.tournament.entry import Entry, check
from arena.tournament.history import NOTHING, History
from arena.tournament.schedule import Totals, bouts_of

EXTRA = 2
"""How often a level match goes on."""
By = Literal["blocks", "extra", "swing", "seed", "walkover", "bye", ""]


class Fate(NamedTuple):
    """What became of a match."""

    title: str
    sides: tuple[str, str]
    """The better seed first; empty: nobody came, or it is not known yet."""
    score: tuple[float, float]
    """Points out of blocks."""
    swing: float
    """Of the first side, in all blocks."""
    blocks: int
    rounds: tuple[int, ...]
    """In which it was played."""
    winner: str
    """Empty: not decided yet, or nobody came."""
    by: By
    """What decided; empty: nothing yet."""

    @property
    def loser(self) -> str:
        """Who lost; empty where nobody did."""
        return next((name for name in self.sides if name != self.winner), "") if self.winner else ""


class Row(NamedTuple):
    """How far one bot came."""

    place: int
    """From 1; who was put out in the same stage has the same place. 0: still in it."""
    bot: str
    seed: int
    """From 1."""
    won: int
    """Matches, byes left aside."""
    lost: int
    out: str
    """The title of the match that put it out; empty: still in it, or the winner."""


class Course(NamedTuple):
    """How far a knockout is."""

    fates: tuple[Fate | None, ...]
    """By match of the bracket; None: not reached yet, or not needed."""
    waiting: tuple[tuple[str, str], ...]
    """Who plays in the next round; nobody: it is over."""
    number: int
    """The next round."""


def knockout(entry: Entry) -> Knockout:
    """Who loses is out. Raises ConfigError when it cannot be played."""
    return _made(entry, single, "knockout")


def double_knockout(entry: Entry) -> Knockout:
    """Who loses twice is out. Raises ConfigError when it cannot be played."""
    return _made(entry, double, "double_knockout")


def _made(entry: Entry, make: Callable[[int], Bracket], name: str) -> Knockout:
    check(entry)
    if entry.places != 2:
        raise ConfigError(
            f"a {name} needs two sides: here {entry.places} bots sit at a table, each for itself",
            fix="accepted for a free for all: round_robin | swiss | gauntlet",
        )
    seeds = tuple(entry.keys.get("seeds") or entry.competitors)
    if sorted(seeds) != sorted(entry.competitors):
        raise ConfigError(
            f"the seeds are not the bots: {', '.join(seeds)}", fix=f"all of: {', '.join(entry.competitors)}"
        )
    extra = entry.keys.get("extra")
    return Knockout(entry, make(len(seeds)), seeds, EXTRA if extra is None else extra)


@dataclass(frozen=True, slots=True)
class Knockout:
    """A `Schedule`; made by `knockout` and `double_knockout`. Boards (number - 1) x boards + 1 on belong to a round."""

    entry: Entry
    bracket: Bracket
    seeds: tuple[str, ...]
    """The strongest first."""
    extra: int

    @property
    def adaptive(self) -> bool:
        """Who meets whom depends on results."""
        return True

    def round(self, number: int, history: History = NOTHING, field: Sequence[str] = ()) -> Iterator[Bout] | None:
        """The matches of a round; None when the event is decided."""
        course = self.course(history, number, field)
        if not course.waiting:
            return None
        boards = self.entry.boards
        return bouts_of(number, course.waiting, range((number - 1) * boards + 1, number * boards + 1), self.entry)

    def totals(self) -> Totals:
        """At least so much if nobody is taken out: without extra rounds, and without a second final."""
        entry, real = self.entry, len(self.seeds)
        once = [match for match in self.bracket.matches if not match.reset]
        doubled = len(once) < len(self.bracket.matches)
        matches = 2 * real - 2 if doubled else real - 1
        rounds = len(self.bracket.stages) - doubled
        chunks = -(-entry.boards // entry.chunk)
        blocks = matches * entry.boards
        return Totals(rounds, rounds * entry.boards, 0, matches * chunks, blocks, 2 * blocks, exact=False)

    def course(self, history: History, number: int | None = None, field: Sequence[str] = ()) -> Course:
        """How far it is before round `number`, in which `field` takes part; None: after the closed rounds."""
        number = history.closed + 1 if number is None else number
        return _Play(self, history, number, tuple(field) or self.entry.competitors).course()

    def standing(self, course: Course) -> tuple[Row, ...]:
        """How far everybody came, the winner first; by seed where it is the same."""
        stage_of = {match: stage for stage, matches in enumerate(self.bracket.stages) for match in matches}
        lives = 2 if any(match.reset for match in self.bracket.matches) else 1
        reached: dict[str, tuple[int, str]] = {}
        """Who is out -> (stage, title) of the match that put it out."""
        won, lost = Counter[str](), Counter[str]()
        for match in sorted(stage_of, key=stage_of.__getitem__):
            fate = course.fates[match]
            if fate is not None and fate.loser:
                won[fate.winner] += 1
                lost[fate.loser] += 1
                if lost[fate.loser] >= lives:
                    reached[fate.loser] = stage_of[match], fate.title
        nowhere = (len(self.bracket.stages), "")
        ordered = sorted(self.seeds, key=lambda bot: -reached.get(bot, nowhere)[0])
        rows = []
        for bot in ordered:
            stage, title = reached.get(bot, nowhere)
            place = 1 + sum(reached.get(other, nowhere)[0] > stage for other in ordered)
            still = not title and bool(course.waiting)
            rows.append(Row(0 if still else place, bot, self.seeds.index(bot) + 1, won[bot], lost[bot], title))
        return tuple(rows)

    def winner(self, course: Course) -> str:
        """Who has won the event; empty: nobody yet."""
        played = [fate for fate in course.fates if fate is not None]
        return played[-1].winner if played and not course.waiting else ""


class _Play:
    """A bracket played through the closed rounds."""

    def __init__(self, knockout: Knockout, history: History, number: int, field: tuple[str, ...]) -> None:
        self._of = knockout
        self._history = history
        self._last = number
        """The round that is not played yet."""
        self._field = field
        self._round = 1
        self._fates: list[Fate | None] = [None] * len(knockout.bracket.matches)
        self._seed = {name: seed for seed, name in enumerate(knockout.seeds)}

    def course(self) -> Course:
        for stage in self._of.bracket.stages:
            waiting = self._stage(stage)
            if waiting:
                return Course(tuple(self._fates), tuple(waiting), self._round)
        return Course(tuple(self._fates), (), self._round)

    def _stage(self, stage: Sequence[int]) -> list[tuple[str, str]]:
        """Play a stage as far as it is closed; who plays in the round after that."""
        for number in stage:
            match = self._of.bracket.matches[number]
            if match.reset and not self._both_lost(number - 1):
                continue
            known = sorted(filter(None, map(self._who, match.sources)), key=self._seed.__getitem__)
            one, other = (*known, "", "")[:2]
            by: By = "" if other else "bye"
            self._fates[number] = Fate(match.title, (one, other), (0.0, 0.0), 0.0, 0, (), one if by else "", by)
        leg = 0
        while open_ := [number for number in stage if (fate := self._fates[number]) is not None and not fate.by]:
            for number in open_:
                self._walkover(number)
            open_ = [number for number in open_ if not self._fate(number).by]
            if open_ and self._round >= self._last:
                return [self._fate(number).sides for number in open_]
            if open_:
                self._leg(open_, leg)
                leg += 1
        return []

    def _leg(self, matches: Sequence[int], leg: int) -> None:
        """Add the round's blocks to its matches and decide those that are not level."""
        played = self._history.lineups_of(self._round)
        for number in matches:
            fate = self._fate(number)
            totals = played.get((min(fate.sides), max(fate.sides)))
            if totals is not None:
                (mine, swing), (theirs, _) = totals.of(fate.sides[0]), totals.of(fate.sides[1])
                fate = fate._replace(
                    score=(fate.score[0] + mine, fate.score[1] + theirs),
                    swing=fate.swing + swing,
                    blocks=fate.blocks + totals.blocks,
                )
            fate = fate._replace(rounds=(*fate.rounds, self._round))
            self._fates[number] = self._decided(fate, leg)
        self._round += 1

    def _decided(self, fate: Fate, leg: int) -> Fate:
        lead = fate.score[0] - fate.score[1]
        if lead:
            return fate._replace(winner=fate.sides[lead < 0], by="extra" if leg else "blocks")
        if leg < self._of.extra:
            return fate
        if fate.swing:
            return fate._replace(winner=fate.sides[fate.swing < 0], by="swing")
        return fate._replace(winner=fate.sides[0], by="seed")

    def _walkover(self, number: int) -> None:
        """Decide a match of which a side is not there; if neither is, the better seed goes on."""
        fate = self._fate(number)
        here = [name for name in fate.sides if name in self._here()]
        if len(here) < 2:
            self._fates[number] = fate._replace(winner=(here or fate.sides)[0], by="walkover")

    def _here(self) -> tuple[str, ...]:
        """Who takes part in the round that comes next."""
        if self._round < self._last:
            return self._history.fields.get(self._round, self._of.entry.competitors)
        return self._field

    def _fate(self, number: int) -> Fate:
        fate = self._fates[number]
        assert fate is not None, "a stage makes the fates of its matches first"
        return fate

    def _who(self, source: Source) -> str:
        if source.kind == "seed":
            return self._of.seeds[source.number] if source.number < len(self._of.seeds) else ""
        fate = self._fates[source.number]
        if fate is None:
            return ""
        return fate.winner if source.kind == "winner" else fate.loser

    def _both_lost(self, number: int) -> bool:
        """Whether the second of the final, who has lost once, won it."""
        final, fate = self._of.bracket.matches[number], self._fates[number]
        return fate is not None and bool(fate.loser) and fate.winner == self._who(final.sources[1])
