"""What a game's text does not tell: why a bot was at fault, in the words of whoever noticed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arena.cli.failure import one_line
from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.record.results import Fault

FEW = 5
"""So many faults are told; then how many more there are."""


def tell_faults(output: Output, faults: Iterable[Fault], bots: Sequence[str]) -> None:
    """A line for each of the first faults of a game. `bots`: names by seat."""
    told = list(faults)
    for fault in told[:FEW]:
        where = f"turn {fault.turn}" if fault.turn >= 0 else "start"
        why = f": {one_line(fault.detail)}" if fault.detail else ""
        output.line(f"fault    {bots[fault.seat]}, seat {fault.seat}, {where}: {fault.code}{why}")
    if len(told) > FEW:
        output.line(f"         and {len(told) - FEW} more faults")
