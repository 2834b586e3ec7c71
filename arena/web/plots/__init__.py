"""Plots of lines with bands: as data for the browser, as SVG and as rows of a table. Knows no bot and no rating."""

from arena.web.plots.plot import Line, Mark, Plot, Point, for_browser, rows
from arena.web.plots.svg import svg

__all__ = ["Line", "Mark", "Plot", "Point", "for_browser", "rows", "svg"]
