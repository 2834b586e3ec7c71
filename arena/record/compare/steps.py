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
from arena.record.compare.tables import Told, Worth, mean_worth, worth

SHARE = 0.25
"""A step stands out that accounts for so much of what a side came out worse than the field."""


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
    gain: Worth
    """How much better the tables that chose otherwise came out on average than those that chose as here."""


def turns_of(own: Told, side: Team) -> Iterator[int]:
    """The turns of a side."""
    seats = own.game.sides[side]
    return (turn for turn, move in enumerate(own.transcript.moves) if move.seat in seats)


def step_at(own: Told, turn: int, side: Team, digest: Digest) -> Step | None:
    """The step of a side's turn. None: nobody else had the same view, or no other choice was more common."""
    move = own.transcript.moves[turn]
    by_move: dict[str, list[Worth]] = defaultdict(list)
    for each in digest.others(own, turn):
        by_move[each.move].append(each.worth)
    alike = by_move.pop(move.move, [])
    if not by_move:
        return None
    other = min(by_move, key=lambda text: (-len(by_move[text]), -mean_worth(by_move[text]).margin, text))
    if len(by_move[other]) <= len(alike):
        return None
    same = len(alike) + sum(map(len, by_move.values()))
    scattered = 2 * len(by_move[other]) <= same and len(by_move) > 1
    instead = [each for group in by_move.values() for each in group] if scattered else by_move[other]
    gain = mean_worth(instead).over(mean_worth([*alike, worth(own, side)]))
    return Step(turn, move.seat, move.move, other, len(instead), scattered, same, gain)


def largest_step(own: Told, side: Team, digest: Digest, worse: Worth) -> Step | None:
    """The step with the largest gain, the earliest of equal ones; None where none stands out.

    `worse`: by how much the side came out worse than the field; a step that stands out accounts for a part of it.
    """
    found = [step for turn in turns_of(own, side) if (step := step_at(own, turn, side, digest)) is not None]
    return max(
        (step for step in found if _stands_out(step.gain, worse)),
        key=lambda step: (step.gain, -step.turn),
        default=None,
    )


def _stands_out(gain: Worth, worse: Worth) -> bool:
    if worse.margin > 0:
        return gain.margin >= SHARE * worse.margin
    return gain.margin > 0 or (gain.margin == 0 and gain.tie >= SHARE * worse.tie)


def first_alone(own: Told, side: Team, digest: Digest) -> int | None:
    """The first turn of a side at which no other table had the same view; None: there was always one."""
    return next((turn for turn in turns_of(own, side) if not digest.others(own, turn)), None)
