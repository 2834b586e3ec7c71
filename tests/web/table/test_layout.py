"""Tables in a real browser: what is where, how large, in both themes, and what an audit of access says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from laws.course import Spot
from laws.rulesets import game_of
from playwright.sync_api import Browser, Page
from web.table.positions import choosing, find, scene_at, seen_by

import arena.web
from arena.core.game import AnyGame
from arena.web.table import cards, markup

pytestmark = pytest.mark.needs("chromium")

STATIC = Path(arena.web.__file__).parent / "static"
STYLE = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("arena.css", "table.css"))
WIDTHS = (360, 768, 1200)


def at_table(name: str, wanted: Any) -> tuple[AnyGame, Spot]:
    game = game_of(name)
    return game, find(game, wanted, range(400))


def page_of(game: AnyGame, spot: Spot, *, everything: bool = False) -> str:
    """A page with the table of the seat to move, who chooses, or with all hands open."""
    assert spot.seat is not None
    seats = range(game.seats) if everything else (spot.seat,)
    choices = None if everything else choosing(game, spot)
    scene = scene_at(game, spot, seen_by(game, spot.state, *seats), spot.seat, choices)
    return (
        '<!doctype html><html lang="en"><head><title>table</title><meta name="viewport" content="width=device-width">'
        f"<style>{STYLE}</style></head><body><main><h1>Table</h1>{cards.sprite(scene.family)}{markup(scene)}</main>"
        "</body></html>"
    )


def fourteen(view: dict[str, Any]) -> bool:
    return view["phase"] == "discard"


def following(view: dict[str, Any]) -> bool:
    return len(view["played"]) % 4 == 2 and len(view["hand"]) > 6


def bound(view: dict[str, Any]) -> bool:
    """Two cards lie on the table; the hand has some of the suit led, and others."""
    held = {text[0] for text in view["hand"]}
    return len(view["played"]) % 4 == 2 and view["played"][-2][0] in held and len(held) > 1


def answering(view: dict[str, Any]) -> bool:
    return view["phase"] == "answer" and view["acts"][-1] == "beat" and "drop" in view["acts"]


def dropped(view: dict[str, Any]) -> bool:
    """Four cards were led, and four dropped beside them."""
    return view["phase"] == "answer" and view["acts"][-2:] == ["lead", "drop"] and view["act_counts"][-1] == 4


def beaten(view: dict[str, Any]) -> bool:
    """Three cards were beaten, and three dropped beside them."""
    return view["phase"] == "answer" and view["acts"][-3:] == ["lead", "beat", "drop"] and view["act_counts"][-1] == 3


TABLES = [
    ("crowsnest", fourteen),
    ("partnership", lambda view: len(view["played"]) == 3),
    ("crow", following),
    ("crow-of-three", lambda view: len(view["played"]) == 5),
    ("goat", answering),
    ("goat", dropped),
    ("goat", beaten),
]


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Any:
    """One page for all tests of this module."""
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.parametrize(("name", "wanted"), TABLES)
def test_no_table_scrolls_sideways_and_audits_find_nothing(sheet: Page, name: str, wanted: Any) -> None:
    game, spot = at_table(name, wanted)
    for everything in (False, True):
        sheet.set_content(page_of(game, spot, everything=everything))
        for width in WIDTHS:
            sheet.set_viewport_size({"width": width, "height": 800})
            assert sheet.evaluate("document.documentElement.scrollWidth") <= width, (name, everything, width)
        for theme in ("light", "dark"):
            sheet.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            found = Axe().run(sheet).response["violations"]
            assert not found, [(rule["id"], rule["nodes"][0]["html"]) for rule in found]


def test_a_long_line_under_a_trick_leaves_those_at_its_sides_their_room(sheet: Page) -> None:
    game, spot = at_table("crow", following)
    sheet.set_content(page_of(game, spot, everything=True))
    sheet.evaluate(
        "document.querySelector('.trick .line').textContent = 'led by thirst: the highest one takes it. '.repeat(3)"
    )
    for width in (640, 700, 900, 1200):
        sheet.set_viewport_size({"width": width, "height": 800})
        for place in ("left", "right"):
            seat = sheet.locator(f'.seat[data-place="{place}"]')
            box = seat.bounding_box()
            assert box is not None
            assert box["width"] >= 110, (width, place)
            assert seat.locator(".who bdi").evaluate("name => name.scrollWidth <= name.clientWidth"), (width, place)


def test_fourteen_cards_at_360_are_two_rows_of_seven(browser: Browser) -> None:
    game, spot = at_table("crowsnest", fourteen)
    page = browser.new_page(viewport={"width": 360, "height": 800}, has_touch=True, is_mobile=True)
    page.set_content(page_of(game, spot))
    boxes = [button.bounding_box() for button in page.locator(".card-button").all()]
    page.close()
    assert len(boxes) == 14
    rows: dict[int, int] = {}
    for box in boxes:
        assert box is not None
        assert round(box["width"]) >= 44
        assert round(box["height"]) >= 62
        assert 0 <= box["x"] <= 360 - box["width"]
        rows[round(box["y"])] = rows.get(round(box["y"]), 0) + 1
    assert list(rows.values()) == [7, 7]


def test_seats_are_where_people_expect_them(sheet: Page) -> None:
    game, spot = at_table("crow", following)
    sheet.set_content(page_of(game, spot))
    sheet.set_viewport_size({"width": 1200, "height": 800})
    found = {}
    for place in ("bottom", "left", "top", "right"):
        box = sheet.locator(f'.seat[data-place="{place}"]').bounding_box()
        assert box is not None
        found[place] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert found["left"][0] < found["top"][0] < found["right"][0]
    assert found["top"][1] < found["left"][1] < found["bottom"][1]
    assert abs(found["top"][0] - found["bottom"][0]) < 3


def test_the_reason_is_shown_on_focus(sheet: Page) -> None:
    game, spot = at_table("crow", bound)
    sheet.set_content(page_of(game, spot))
    locked = sheet.locator(".card-button.locked").first
    why = sheet.locator(f"#{locked.get_attribute('aria-describedby')}")
    assert not why.is_visible()
    locked.focus()
    assert why.is_visible()
    assert why.inner_text() == locked.get_attribute("data-reason")
