"""What a plot shows, as frozen data; and the same as columns for the browser and as rows of a table."""

from __future__ import annotations

from typing import Any, NamedTuple


class Point(NamedTuple):
    """One point of a line, with the interval that belongs to it."""

    x: float
    y: float
    low: float
    high: float
    link: str = ""
    """What is behind it."""


class Line(NamedTuple):
    """One line."""

    name: str
    points: tuple[Point, ...]
    """By x, ascending."""


class Mark(NamedTuple):
    """A vertical line with a word."""

    x: float
    word: str


class Plot(NamedTuple):
    """Lines over one axis."""

    title: str
    x: str
    """What the axis counts: "round"."""
    y: str
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()

    @property
    def data(self) -> dict[str, Any]:  # Any: JSON
        """For the browser."""
        return for_browser(self)


def for_browser(plot: Plot) -> dict[str, Any]:
    """Columns over all x of any line; null where a line has no point. Any: JSON."""
    xs = sorted({point.x for line in plot.lines for point in line.points})
    lines = []
    for line in plot.lines:
        at = {point.x: point for point in line.points}
        found = [at.get(x) for x in xs]
        lines.append(
            {
                "name": line.name,
                "y": [None if point is None else point.y for point in found],
                "low": [None if point is None else round(point.low, 4) for point in found],
                "high": [None if point is None else round(point.high, 4) for point in found],
                "links": [None if point is None else point.link for point in found],
            }
        )
    marks = [mark._asdict() for mark in plot.marks]
    return {"title": plot.title, "xLabel": plot.x, "yLabel": plot.y, "x": xs, "lines": lines, "marks": marks}


def rows(plot: Plot) -> tuple[dict[str, Any], ...]:
    """One row a point: line, x, y, low, high, link. Any: JSON."""
    return tuple({"line": line.name, **point._asdict()} for line in plot.lines for point in line.points)
