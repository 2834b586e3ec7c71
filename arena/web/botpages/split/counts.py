"""Observations of many games brought together: means with intervals, and how long a bot thought."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from arena.core.errors import TranscriptError
from arena.core.game import Seat
from arena.match.clock import Clock, SeatClock
from arena.rating.crosstables import GREY
from arena.record.results import Verdict
from arena.record.transcript import Transcript
from arena.web.botpages.chronicle import margin
from arena.web.botpages.split.deals import deals_of
from arena.web.botpages.split.measures import ORDER, SHARE, counter_of


class Sample(NamedTuple):
    """One game of the bot."""

    group: str
    """What counts as one observation of chance: its board."""
    transcript: Transcript | None
    """None: it cannot be read."""
    seats: tuple[Seat, ...]
    """Where the bot sat."""
    clock: Clock | None = None
    """What it was played with; None: without a clock."""


class SplitRow(NamedTuple):
    """One mean."""

    game: str
    group: str
    label: str
    unit: str
    n: int
    value: float
    """Of shares 0 to 1."""
    low: float | None
    """95 % interval, all of one board counted as one observation; None with fewer than two boards."""
    high: float | None
    grey: bool
    """Too few to lean on."""


class TimeRow(NamedTuple):
    """How long the bot took for its moves in one game."""

    game: str
    moves: int
    p50: float
    """Milliseconds, as what follows."""
    p99: float
    longest: float
    where: str
    """The game with the longest move ..."""
    turn: int
    """... and its turn there."""
    bank: float | None
    """The smallest bank that was left at the end of a game; None: without a clock ..."""
    bank_where: str
    """... and that game; empty: none."""


class Split(NamedTuple):
    """What was counted."""

    games: int
    rows: tuple[SplitRow, ...]
    times: tuple[TimeRow, ...]
    unreadable: int = 0
    """Games that are left out because their transcripts are none of these rules."""


def split_of(samples: Iterable[Sample]) -> Split:
    """The split of games of one bot. Void games are left out, and forfeited ones for all but the times of moves."""
    seen: dict[tuple[str, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    times: dict[str, list[tuple[int, str, int]]] = defaultdict(list)
    banks: dict[str, list[tuple[float, str]]] = defaultdict(list)
    games = unreadable = 0
    for sample in samples:
        told = sample.transcript
        if told is None:
            unreadable += 1
            continue
        if told.verdict is Verdict.VOID:
            continue
        times[told.game] += [
            (move.elapsed_ms, told.public_id, turn) for turn, move in enumerate(told.moves) if move.seat in sample.seats
        ]
        if told.verdict is not Verdict.FINISHED:
            continue
        banks[told.game] += [(left, told.public_id) for left in banks_left(told, sample.seats, sample.clock)]
        try:
            deals = list(deals_of(told))
        except TranscriptError:
            unreadable += 1
            continue
        games += 1
        for play in deals:
            for measure, value in counter_of(play)(play, sample.seats):
                seen[told.game, PLACE[measure]][sample.group].append(value)
    rows = [_row(game, place, list(groups.values())) for (game, place), groups in sorted(seen.items())]
    taken = tuple(_times(game, found, banks[game]) for game, found in sorted(times.items()) if found)
    return Split(games, tuple(rows), taken, unreadable)


PLACE = {measure: place for place, measure in enumerate(ORDER)}


def _row(game: str, place: int, groups: list[list[float]]) -> SplitRow:
    measure = ORDER[place]
    count = sum(map(len, groups))
    value = math.fsum(each for group in groups for each in group) / count
    half = margin(groups)
    low, high = (None, None) if half is None else (value - half, value + half)
    if measure.unit == SHARE and low is not None and high is not None:
        low, high = max(0.0, low), min(1.0, high)
    return SplitRow(game, measure.group, measure.label, measure.unit, count, value, low, high, count < GREY)


def banks_left(told: Transcript, seats: Iterable[Seat], clock: Clock | None) -> list[float]:
    """What was left in the banks of these seats after their last moves, in milliseconds; nothing without a clock."""
    if clock is None:
        return []
    running = {seat: SeatClock.new(clock) for seat in seats}
    for move in told.moves:
        if move.seat in running:
            running[move.seat].spend(move.elapsed_ms)
    return [each.bank_ms for each in running.values()]


def _times(game: str, taken: list[tuple[int, str, int]], banks: list[tuple[float, str]]) -> TimeRow:
    taken.sort()
    longest, where, turn = taken[-1]
    middle, late = (taken[min(len(taken) - 1, int(share * len(taken)))][0] for share in (0.5, 0.99))
    bank, last = min(banks, default=(None, ""))
    return TimeRow(game, len(taken), middle, late, longest, where, turn, bank, last)
