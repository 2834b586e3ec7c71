"""The trick that brought a side least against the other tables: where views are nowhere the same, tricks still are.

Tricks are compared by their number in the deal, whatever was played before; what they brought is in card points. What a
trick leads to is a choice of the side: often nothing was left to choose in the trick itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.core.game import Team
from arena.record.compare.tables import Told, course, margin_of, mean
from arena.record.compare.units import Unit, bring_scores, units


class Shortfall(NamedTuple):
    """A trick that brought less than at other tables."""

    label: str
    unit: str
    """"points" or "card points"."""
    here: float
    """What it brought the side minus the mean of the others'."""
    there: float
    """Their mean at the other tables."""
    tables: int
    """How many other tables played that trick."""
    turn: int | None
    """The side's last choice in it or before it in its deal; None: it had none since the turn that was asked for."""
    within: bool
    """Whether that choice was made in the trick itself."""


def choices_of(own: Told, side: Team) -> Iterator[int]:
    """The turns of a side at which more than one move was legal."""
    game = own.game
    for turn, (state, move) in enumerate(course(own.transcript)):
        if move is None or move.seat not in game.sides[side]:
            continue
        if game.legal_moves(game.view(state, move.seat)).total() > 1:
            yield turn


def largest_shortfall(own: Told, side: Team, field: Sequence[Told], since: int) -> Shortfall | None:
    """The trick with the largest change against the field; None where no trick brought less than there.

    Only tricks that end at turn `since` or later, in which the side had a turn.
    """
    there: dict[tuple[int, int], list[float]] = defaultdict(list)
    for table in field:
        for unit in units(table.transcript):
            there[unit.deal, unit.trick].append(margin_of(unit.points, side))
    every = units(own.transcript)
    found = []
    for unit in every:
        known = there.get((unit.deal, unit.trick), [])
        if unit.trick and unit.last >= since and known and _takes_part(own, unit, side):
            found.append((mean(known) - margin_of(unit.points, side), unit, known))
    by, unit, known = max(found, key=lambda each: (each[0], -each[1].first), default=(0.0, every[0], []))
    if by <= 0:
        return None
    since = max(since, next(each.first for each in every if each.deal == unit.deal))
    turn = max((turn for turn in choices_of(own, side) if since <= turn <= unit.last), default=None)
    label = unit.label if len(own.transcript.deals) == 1 else f"{unit.label} of deal {unit.deal + 1}"
    within = turn is not None and turn >= unit.first
    word = "points" if bring_scores(own.transcript) else "card points"
    return Shortfall(label, word, margin_of(unit.points, side), mean(known), len(known), turn, within)


def _takes_part(own: Told, unit: Unit, side: Team) -> bool:
    """Whether the side has a turn in a unit."""
    moves = own.transcript.moves[unit.first : unit.last + 1]
    return any(move.seat in own.game.sides[side] for move in moves)
