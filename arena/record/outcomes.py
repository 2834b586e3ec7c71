"""What a deal came to, read from the spectators' views before and after it, as data. Knows fields by name, no game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from arena.core.game import Seat

TALLIES = ("captured", "round_scores", "points")
"""Fields of a view that hold the points of the running deal, by side."""


class DealResult(NamedTuple):
    """The public result of a deal, as far as views tell."""

    points: list[int]
    """By side."""
    declarer: Seat | None = None
    bid: int = 0
    passed_out: bool = False


def new_result(before: dict[str, Any], after: dict[str, Any], sides: int) -> DealResult | None:
    """The result that `after` has and `before` had not; None where there is none. Arguments are views as data.

    A result is an object with a list of points by side, and declarer and bid where there are such; or results are plain
    numbers, one for each side.
    """
    results = after.get("results", [])
    if len(results) == len(before.get("results", [])):
        return None
    newest = results[-1]
    if not isinstance(newest, dict):
        return DealResult([int(points) for points in results[-sides:]])
    points = next((list(newest[key]) for key in TALLIES if key in newest), [0] * sides)
    declarer = newest.get("declarer")
    return DealResult(points, declarer, newest.get("bid", 0), "declarer" in newest and declarer is None)


def remark_of(facts: Iterable[Mapping[str, Any]]) -> str:  # Any: JSON
    """What the result of a match says beside its scores, from the facts of its deals; empty where there is nothing.

    "goat with balls": a deal of Goat ended 60 to 60.
    """
    return "goat with balls" if any(fact.get("balls") for fact in facts) else ""


def leader_of(data: dict[str, Any]) -> Seat:
    """The seat that leads or is due to lead, from a view as data."""
    leader: Seat = data["leaders"][-1] if "leaders" in data else data["leader"]
    return leader
