"""A plot as one standalone SVG document: axes, bands, lines, marks. Every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.sax.saxutils import escape

from arena.web.plots.plot import Line, Plot

WIDTH, HEIGHT = 820, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 44, 48
INK, DIM, GRID = "#1c1c1c", "#5b5a55", "#d9d5ca"
COLOURS = ("#0b5cad", "#a63d00", "#008561", "#5b3a8c", "#7a5200")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 4")
"""Lines are told apart without colours, too."""
TICKS = 6


def svg(plot: Plot) -> str:
    """The document."""
    points = [point for line in plot.lines for point in line.points]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="system-ui, DejaVu Sans, sans-serif" font-size="12">',
        f"<title>{_safe(plot.title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf7"/>',
        _text(LEFT, 20, plot.title, size=14, weight=600),
    ]
    if points:
        frame = _Frame(
            _widened(point.x for point in points),
            _widened([*(point.low for point in points), *(point.high for point in points)]),
        )
        parts += frame.axes(plot)
        parts += [frame.mark(mark.x, mark.word) for mark in plot.marks]
        for number, line in enumerate(plot.lines):
            parts += frame.line(line, number)
        if len(plot.lines) > 1:
            parts += _legend(plot.lines)
    else:
        parts.append(_text(WIDTH / 2, HEIGHT / 2, "nothing here yet", anchor="middle"))
    return "\n".join([*parts, "</svg>", ""])


class _Frame:
    """Where values are on the paper."""

    def __init__(self, xs: tuple[float, float], ys: tuple[float, float]) -> None:
        self._xs, self._ys = xs, ys

    def x(self, value: float) -> float:
        low, high = self._xs
        return round(LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        low, high = self._ys
        return round(HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    def axes(self, plot: Plot) -> list[str]:
        right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
        parts = []
        for value in ticks(*self._ys):
            y = self.y(value)
            parts.append(f'<path d="M{LEFT} {y}H{right}" stroke="{GRID}"/>')
            parts.append(_text(LEFT - 6, y + 4, _number(value), anchor="end", colour=DIM))
        for value in ticks(*self._xs, whole=True):
            x = self.x(value)
            parts.append(f'<path d="M{x} {bottom}v5" stroke="{DIM}"/>')
            parts.append(_text(x, bottom + 18, _number(value), anchor="middle", colour=DIM))
        parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="{INK}"/>')
        parts.append(_text(right, HEIGHT - 10, plot.x, anchor="end"))
        parts.append(_text(LEFT, TOP - 8, plot.y, colour=DIM))
        return parts

    def mark(self, x: float, word: str) -> str:
        at = self.x(x)
        line = f'<path d="M{at} {TOP}V{HEIGHT - BOTTOM}" stroke="{DIM}" stroke-dasharray="3 3"/>'
        return line + _text(at + 4, TOP + 11, word, colour=DIM)

    def line(self, line: Line, number: int) -> list[str]:
        if not line.points:
            return []
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        up = [f"{self.x(point.x)} {self.y(point.high)}" for point in line.points]
        down = [f"{self.x(point.x)} {self.y(point.low)}" for point in reversed(line.points)]
        middle = [f"{self.x(point.x)} {self.y(point.y)}" for point in line.points]
        drawn = f' stroke-dasharray="{dash}"' if dash else ""
        parts = [
            f'<path d="M{"L".join([*up, *down])}Z" fill="{colour}" fill-opacity=".15"/>',
            f'<path d="M{"L".join(middle)}" fill="none" stroke="{colour}" stroke-width="2"{drawn}/>',
        ]
        if len(middle) <= 60:
            parts += [
                f'<circle cx="{place.split()[0]}" cy="{place.split()[1]}" r="2.5" fill="{colour}"/>' for place in middle
            ]
        return parts


def ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Round values between two, at most TICKS + 1 of them."""
    step: float = 10.0 ** math.floor(math.log10((high - low) / TICKS))
    step = next(step * times for times in (1, 2, 5, 10) if (high - low) / (step * times) <= TICKS)
    if whole:
        step = max(1.0, step)
    first = math.ceil(low / step - 1e-9)
    return [round(step * number, 10) for number in range(first, math.floor(high / step + 1e-9) + 1)]


def _widened(values: Iterable[float]) -> tuple[float, float]:
    found = list(values)
    low, high = min(found), max(found)
    return (low - 0.5, high + 0.5) if high - low < 1e-9 else (low, high)


def _legend(lines: tuple[Line, ...]) -> list[str]:
    parts = []
    for number, line in enumerate(lines[:5]):
        x = WIDTH - RIGHT - 110 * (min(5, len(lines)) - number)
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        drawn = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path d="M{x} 16h24" stroke="{colour}" stroke-width="2"{drawn}/>')
        parts.append(_text(x + 30, 20, line.name))
    return parts


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", colour: str = INK, size: int = 12, weight: int = 400
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" font-size="{size}" font-weight="{weight}">'
        f"{_safe(text)}</text>"
    )


def _safe(text: str) -> str:
    """Escaped, without characters that no XML may hold."""
    return escape("".join(sign for sign in text if sign >= " " and not "\ud800" <= sign <= "\udfff"))


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")
