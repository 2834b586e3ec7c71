"""Tables in a real browser: sorting, rows that open, keys, narrow screens, both themes, names that would be code."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from web.conftest import Watched
from web.tournament.events import crowd, event

from arena.web.site import Settings, Site

pytestmark = pytest.mark.needs("chromium")
HOSTILE = "<img src=x onerror=alert(1)>"
TABS = ("", "/cross", "/boards", "/schedule", "/faults", "/files")


@pytest.fixture(scope="module")
def address(served: Callable[[Site], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("site")
    site = Site.open(Settings(data, data))
    event(site.store, "cup", ("fox", "owl", "elk", HOSTILE), boards=8)
    event(site.store, "final", format="double_knockout")
    crowd(site.store, "crowd", 32, boards=1)
    return served(site)


def test_rows_open_and_keys_lead(address: str, watched: Callable[..., Watched]) -> None:
    page = watched(address, viewport={"width": 1200, "height": 800}).page()
    page.goto("/t/cup")
    assert page.locator("tr.details").first.is_hidden()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("tr.details").first).to_be_visible()
    assert page.locator("tr.details").first.get_by_text("Worst opponent").is_visible()
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page.locator("tr.details").first).to_be_hidden()
    page.get_by_role("link", name="Faults", exact=True).first.wait_for()
    page.get_by_role("link", name="Blocks", exact=True).click()
    page.wait_for_url("**/t/cup?sort=blocks")
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Blocks")
    for key, tab in (("c", "/cross"), ("b", "/boards"), ("s", "/schedule"), ("f", "/faults"), ("t", "")):
        page.keyboard.press(key)
        page.wait_for_url(f"**/t/cup{tab}")
    page.keyboard.press("/")
    page.keyboard.type("final")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/final")


def test_a_large_grid_is_read_and_followed_by_arrow_keys(address: str, watched: Callable[..., Watched]) -> None:
    page = watched(address).page()
    page.goto("/t/crowd/cross")
    page.locator(".cross-box").focus()
    page.keyboard.press("ArrowRight")
    first = page.locator("thead bdi").all_inner_texts()
    expect(page.locator("[data-reached]")).to_contain_text(f"{first[0]} against {first[1]}: ")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-reached]")).to_contain_text(f"{first[0]} against {first[2]}: ")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/bot/{first[0]}/vs/{first[2]}?t=crowd")


def test_nothing_goes_sideways_on_a_telephone(address: str, watched: Callable[..., Watched]) -> None:
    page = watched(address, viewport={"width": 360, "height": 740}, color_scheme="dark").page()
    for path in ["/t", "/search?q=f", "/t/final", "/t/crowd/cross", *[f"/t/cup{tab}" for tab in TABS]]:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText)"
        assert page.locator("th[scope=row].pinned").evaluate_all(cut) == [], path
    page.goto("/t/cup")
    page.locator(".sheet-box").evaluate("box => { box.scrollLeft = 400; }")
    name = page.locator("th[scope=row].pinned").first.bounding_box()
    assert name is not None
    assert 0 <= name["x"] < 150
    heading = page.locator("thead th").nth(1).bounding_box()
    assert heading is not None
    assert abs(heading["x"] - name["x"]) < 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(address: str, watched: Callable[..., Watched], scheme: str) -> None:
    page = watched(address, color_scheme=scheme, viewport={"width": 1200, "height": 800}).page()
    paths = ["/t", "/t/final", *[f"/t/cup{tab}" for tab in TABS]]
    for path in paths if scheme == "light" else paths[1:5]:
        page.goto(path)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"


def test_a_name_that_would_be_code_is_a_name(address: str, watched: Callable[..., Watched]) -> None:
    page = watched(address).page()
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    for tab in TABS:
        page.goto(f"/t/cup{tab}")
    page.goto("/t/cup")
    assert page.get_by_text(HOSTILE, exact=True).count() >= 1
    assert not asked
