"""Steps: turns at which most tables with the same view chose otherwise, and how much more came of it there.

What a choice is worth is the mean margin of the tables that made it, this one among those of its own choice; so a
harmless difference early on is not blamed for what came later, wherever others made it too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from arena.core.game import Seat, Team
from arena.record.compare.choices import Digest
from arena.record.compare.tables import Told, margin, mean


class Step(NamedTuple):
    """One turn at which a table left what most with the same view did."""

    turn: int
    seat: Seat
    own: str
    """The move here."""
    other: str
    """The most common other move."""
    chose: int
    """How many tables made it; where they are not most of them, how many chose otherwise than this one."""
    scattered: bool
    """Whether `chose` and `gain` are of all that chose otherwise."""
    same: int
    """How many other tables had the same view."""
    gain: float
    """How much better the tables that chose otherwise came out, by mean margin, than those that chose as here."""


def turns_of(own: Told, side: Team) -> Iterator[int]:
    """The turns of a side."""
    seats = own.game.sides[side]
    return (turn for turn, move in enumerate(own.transcript.moves) if move.seat in seats)


def step_at(own: Told, turn: int, side: Team, digest: Digest) -> Step | None:
    """The step of a side's turn. None: nobody else had the same view, or no other choice was more common."""
    move = own.transcript.moves[turn]
    by_move: dict[str, list[float]] = defaultdict(list)
    for each in digest.others(own, turn):
        by_move[each.move].append(each.margin)
    alike = by_move.pop(move.move, [])
    if not by_move:
        return None
    other = min(by_move, key=lambda text: (-len(by_move[text]), -mean(by_move[text]), text))
    if len(by_move[other]) <= len(alike):
        return None
    same = len(alike) + sum(map(len, by_move.values()))
    scattered = 2 * len(by_move[other]) <= same and len(by_move) > 1
    instead = [each for group in by_move.values() for each in group] if scattered else by_move[other]
    gain = mean(instead) - mean([*alike, margin(own, side)])
    return Step(turn, move.seat, move.move, other, len(instead), scattered, same, gain)


def largest_step(own: Told, side: Team, digest: Digest, least: float) -> Step | None:
    """The step with the largest gain, the earliest of equal ones; None where none gains at least `least`."""
    found = [step for turn in turns_of(own, side) if (step := step_at(own, turn, side, digest)) is not None]
    return max((step for step in found if step.gain >= least), key=lambda step: (step.gain, -step.turn), default=None)


def first_alone(own: Told, side: Team, digest: Digest) -> int | None:
    """The first turn of a side at which no other table had the same view; None: there was always one."""
    return next((turn for turn in turns_of(own, side) if not digest.others(own, turn)), None)
