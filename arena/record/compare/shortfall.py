"""The trick that brought a side least against the other tables: where views are nowhere the same, tricks still are.

Tricks are compared by their number in the deal, whatever was played before; what they brought is in card points.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from arena.core.game import Seat, Team
from arena.record.compare.tables import Told, margin_of, mean
from arena.record.compare.units import Unit, units


class Shortfall(NamedTuple):
    """A trick that brought less than at other tables."""

    label: str
    turn: int
    """The side's first turn in it."""
    seat: Seat
    own: str
    """The move of that turn."""
    here: float
    """Card points of the side minus the mean of the others'."""
    there: float
    """Their mean at the other tables."""
    tables: int
    """How many other tables played that trick."""


def largest_shortfall(own: Told, side: Team, field: Sequence[Told], since: int) -> Shortfall | None:
    """The trick with the largest change against the field; None where no trick brought less than there.

    Only tricks that end at turn `since` or later, in which the side had a turn.
    """
    there: dict[tuple[int, int], list[float]] = defaultdict(list)
    for table in field:
        for unit in units(table.transcript):
            there[unit.deal, unit.trick].append(margin_of(unit.points, side))
    found = []
    for unit in units(own.transcript):
        turn = _turn_in(own, unit, side)
        known = there.get((unit.deal, unit.trick), [])
        if not unit.trick or unit.last < since or turn is None or not known:
            continue
        move = own.transcript.moves[turn]
        label = unit.label if len(own.transcript.deals) == 1 else f"{unit.label} of deal {unit.deal + 1}"
        here = margin_of(unit.points, side)
        found.append(Shortfall(label, turn, move.seat, move.move, here, mean(known), len(known)))
    worst = max(found, key=lambda each: (each.there - each.here, -each.turn), default=None)
    return worst if worst is not None and worst.there > worst.here else None


def _turn_in(own: Told, unit: Unit, side: Team) -> int | None:
    """The side's first turn in a unit."""
    seats = own.game.sides[side]
    moves = own.transcript.moves
    return next((turn for turn in range(unit.first, unit.last + 1) if moves[turn].seat in seats), None)
