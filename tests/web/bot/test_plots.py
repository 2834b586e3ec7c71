"""Plots as SVG and as data."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from arena.web.plots import Line, Mark, Plot, Point, for_browser, rows, svg
from arena.web.plots.svg import ticks

HOSTILE = "</title><script>alert(1)</script>\x1b[2J&"
NAMESPACE = "{http://www.w3.org/2000/svg}"


def plot(count: int = 5, title: str = "fox in spring") -> Plot:
    points = tuple(Point(x, 20 + x, 15.0, 30.0 + x, f"/x{x}") for x in range(1, count + 1))
    return Plot(title, "round", "live rating", (Line("fox@1", points), Line("fox@2", points[2:])), (Mark(3, "v2"),))


def test_the_svg_has_a_line_a_band_and_axes() -> None:
    root = ElementTree.fromstring(svg(plot()))
    paths = root.findall(f"{NAMESPACE}path")
    assert sum(path.get("fill-opacity") is not None for path in paths) == 2
    assert len(root.findall(f"{NAMESPACE}circle")) == 5 + 3
    texts = {text.text for text in root.iter(f"{NAMESPACE}text")}
    assert {"fox in spring", "round", "live rating", "v2", "fox@1", "fox@2", "5"} <= texts


@pytest.mark.parametrize("made", [plot(title=HOSTILE), Plot(HOSTILE, "", "", ()), plot(1), plot(300)])
def test_every_svg_is_valid_and_has_no_foreign_element(made: Plot) -> None:
    root = ElementTree.fromstring(svg(made))
    assert {each.tag.removeprefix(NAMESPACE) for each in root.iter()} <= {
        "svg",
        "title",
        "rect",
        "path",
        "text",
        "circle",
    }
    assert not any(name.startswith("on") or name == "style" for each in root.iter() for name in each.attrib)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 3), (12.4, 38.1), (1, 100_000), (0.001, 0.0013), (5, 5.5)])
def test_ticks_are_few_round_and_within(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 1 <= len(found) <= 7
    assert all(low - 1e-9 <= value <= high + 1e-9 for value in found)
    assert all(value == round(value) for value in ticks(low, high, whole=True))


def test_columns_of_several_lines_have_holes() -> None:
    data = for_browser(plot())
    assert data["x"] == [1, 2, 3, 4, 5]
    assert data["lines"][1]["y"] == [None, None, 23, 24, 25]
    assert data["lines"][0]["links"][0] == "/x1"
    assert data["marks"] == [{"x": 3, "word": "v2"}]
    assert len(rows(plot())) == 8
    assert rows(plot())[0]["line"] == "fox@1"
