"""A copy in a real browser, from the disk: index, boards, board, game, steps; no errors, nothing asked of a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web.offline.conftest import Copy
from web.offline.copies import EVIL

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.xdist_group("offline")]
Watch = Callable[..., Any]


@pytest.fixture
def address(copy: Copy) -> str:
    return copy.folder.as_uri()


def widths(page: Page) -> tuple[int, int]:
    found = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return found[0], found[1]


def test_a_copy_is_read_from_the_disk(address: str, watched: Watch) -> None:
    page: Page = watched(address).page()
    page.goto(f"{address}/index.html")
    expect(page.get_by_role("heading", name="About this copy")).to_be_visible()
    bots = page.locator("#standings tbody tr:not(.details, .group) th bdi")
    assert EVIL in bots.all_inner_texts()
    page.get_by_role("button", name="Points per block").click()
    rising = bots.all_inner_texts()
    page.get_by_role("button", name="Points per block").click()
    assert bots.all_inner_texts() == rising[::-1]

    page.keyboard.press("b")
    page.locator("main a[href$='b/1.html']").first.click()
    expect(page.locator(".dealt svg.card").first).to_be_visible()
    page.locator("#tables tbody a").first.click()
    count = page.locator("[data-count]")
    expect(page.locator(".g-scrub")).to_be_visible()  # it can be stepped through
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(count).to_have_text("3")
    expect(page.locator("[data-host=table] svg.card").first).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("[data-eyes='1'][aria-current]")).to_be_visible()
    assert page.url.endswith("?turn=3&seat=1")
    page.keyboard.press("v")
    expect(page.locator("[data-eyes=mover][aria-current]")).to_be_visible()
    page.reload()
    expect(count).to_have_text("3")
    page.keyboard.press("b")
    expect(page.get_by_role("heading", name="Board 1")).to_be_visible()


def test_bots_have_their_plots_and_phones_need_not_scroll_sideways(address: str, watched: Watch) -> None:
    page: Page = watched(address, viewport={"width": 360, "height": 780}).page()
    page.goto(f"{address}/bot/Zanzibar.html")
    expect(page.locator(".plot-canvas canvas")).to_be_visible()
    for name in ("bot/Zanzibar.html", "index.html", "t/autumn/b/1.html", "g/autumn-r1-b1-t1-1.html"):
        page.goto(f"{address}/{name}")
        wide, narrow = widths(page)
        assert wide <= narrow, name
