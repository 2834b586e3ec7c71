"""What `arena bench` measures, as values. Knows nothing of how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class EngineFigures:
    """Random games of one ruleset in process, on one core."""

    game: str
    games_per_s: float
    decisions_per_s: float
    decisions_per_game: float


@dataclass(frozen=True, slots=True)
class RefereeFigures:
    """Games of one ruleset between bot processes. Times from the turn handed over to the reply read."""

    game: str
    bot: str
    at_once: int
    """Games at once, over all workers."""
    workers: int
    decisions_per_s: float
    p50_ms: float
    p99_ms: float
    decisions: int


@dataclass(frozen=True, slots=True)
class BareFigures:
    """The same turns without a referee."""

    transport: str
    game: str
    at_once: int
    decisions_per_s: float


Figures = EngineFigures | RefereeFigures | BareFigures


def figures_data(figures: Figures) -> dict[str, object]:
    """Figures as JSON data."""
    return asdict(figures)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of an ascending list lies."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
