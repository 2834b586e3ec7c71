"""The marks above a game's scrubber: faults, the first difference, slow turns, notes. By turn, with a sentence each."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Collection
from statistics import median
from typing import NamedTuple

from arena.core.game import Seat
from arena.record.compare.words import seat_word
from arena.record.replay import game_of
from arena.record.transcript import Transcript

SLOW_TIMES = 5
"""A turn is slow that took more than so many times the seat's median, and more than a second ..."""
SLOW_MS = 1000
SLOW_SHARE = 0.5
"""... or more than this share of the limit of a move."""


class MarkKind(enum.Enum):
    """What a mark stands for; the value is its sign."""

    FAULT = "×"
    DIFFERENCE = "◆"
    SLOW = "◷"
    NOTE = "✎"


class Mark(NamedTuple):
    """One mark."""

    turn: int
    kind: MarkKind
    seat: Seat
    text: str
    """For people, without words of the bot."""


def marks(transcript: Transcript, *, difference: int | None = None, limit_ms: float | None = None) -> tuple[Mark, ...]:
    """The marks of a game by turn. `difference`: the turn of its first difference; `limit_ms`: the limit of a move.

    Faults before the first turn have no mark.
    """
    game = game_of(transcript)
    moves = transcript.moves
    found = []
    for fault in transcript.faults:
        if 0 <= fault.turn < len(moves):
            text = f"{seat_word(game, fault.seat)}: {fault.code}; played by default: {moves[fault.turn].move}"
            found.append(Mark(fault.turn, MarkKind.FAULT, fault.seat, text))
    if difference is not None and 0 <= difference < len(moves):
        seat = moves[difference].seat
        text = f"{seat_word(game, seat)} left what most tables did: {moves[difference].move}"
        found.append(Mark(difference, MarkKind.DIFFERENCE, seat, text))
    for turn in slow_turns(transcript, limit_ms):
        seat = moves[turn].seat
        text = f"{seat_word(game, seat)} took {moves[turn].elapsed_ms / 1000:.1f} s"
        found.append(Mark(turn, MarkKind.SLOW, seat, text))
    for turn, move in enumerate(moves):
        if move.note:
            found.append(Mark(turn, MarkKind.NOTE, move.seat, f"{seat_word(game, move.seat)} left a note"))
    order = list(MarkKind)
    return tuple(sorted(found, key=lambda mark: (mark.turn, order.index(mark.kind), mark.seat)))


def slow_turns(transcript: Transcript, limit_ms: float | None = None) -> Collection[int]:
    """The turns that took long for their seat, or much of the limit, ascending."""
    times: dict[Seat, list[int]] = defaultdict(list)
    for move in transcript.moves:
        times[move.seat].append(move.elapsed_ms)
    usual = {seat: median(found) for seat, found in times.items()}
    much = float("inf") if limit_ms is None else SLOW_SHARE * limit_ms
    return [
        turn
        for turn, move in enumerate(transcript.moves)
        if move.elapsed_ms > much or (move.elapsed_ms > SLOW_MS and move.elapsed_ms > SLOW_TIMES * usual[move.seat])
    ]
