"""Bots and boards in a real browser: plots are drawn, tables go in step by keys, phones do not scroll sideways."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from web.game.cups import THROWN, TURN, filled
from web.tournament.events import event

from arena.web.site import Site

pytestmark = pytest.mark.needs("chromium")
Watch = Callable[..., Any]
HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    site = filled(tmp_path_factory.mktemp("browser"), ("crowsnest", "goat"))
    event(site.store, "spring")
    site.store.register("fox", "1" * 64, {"name": "fox"}, HOSTILE, HOSTILE)
    return site


@pytest.fixture(scope="module")
def address(site: Site, served: Callable[[Site], str]) -> str:
    return served(site)


def fits(page: Page) -> bool:
    """Whether the page does not scroll sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_the_plot_is_drawn_and_zoomed_by_buttons_and_leads_to_blocks(address: str, watched: Watch) -> None:
    page = watched(address, viewport={"width": 1200, "height": 900}).page()
    page.goto("/bot/fox")
    canvas = page.locator(".plot canvas")
    expect(canvas).to_have_count(1)
    drawn = canvas.evaluate(
        "c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;"
        " for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; }"
    )
    assert drawn > 2000
    before = canvas.evaluate("c => c.toDataURL()")
    page.get_by_role("button", name="Zoom in").click()
    page.wait_for_function("before => document.querySelector('.plot canvas').toDataURL() !== before", arg=before)
    page.get_by_role("button", name="All").click()
    with page.expect_download() as png:
        page.get_by_role("button", name="PNG").click()
    assert png.value.suggested_filename == "fox-in-spring.png"
    page.locator(".plot .u-over").click(position={"x": 300, "y": 80})
    expect(page).to_have_url(re.compile(r"/bot/fox/history\?t=spring&name=fox&x=\d+#blocks$"))
    expect(page.locator("#blocks")).to_contain_text("Blocks behind")


def test_two_ticked_tables_go_in_step(address: str, watched: Watch) -> None:
    page = watched(address, viewport={"width": 1200, "height": 900}).page()
    page.goto("/t/crowsnest/b/1")
    button = page.get_by_role("button", name="Two side by side")
    expect(button).to_be_disabled()
    page.get_by_label("compare crowsnest-r1-b1-t1-1").check()
    page.get_by_label(f"compare {THROWN}").check()
    expect(page.get_by_label("compare crowsnest-r1-b1-t2-1")).to_be_disabled()
    button.click()
    bar = page.locator(".lockstep-bar")
    expect(bar).to_contain_text("turn 0 of")
    for turn in range(1, TURN + 1):
        page.keyboard.press("ArrowRight")
        expect(bar).to_contain_text(f"turn {turn} of")
    expect(page).to_have_url(re.compile(rf"&turn={TURN}$"))
    page.keyboard.press("End")
    expect(page.locator(".halves")).to_contain_text("crowsnest-r1-b1-t1-1")
    page.keyboard.press("d")  # whether or not the answer to the key before is there
    expect(page.locator(".parting")).to_contain_text("◆ Here they part at turn")
    page.reload()
    expect(page.locator(".parting.now")).to_be_visible()


PAIR = f"/t/crowsnest/b/1?a=crowsnest-r1-b1-t1-1&b={THROWN}&turn=20"
BOT = ("/bots", "/bot/fox", "/bot/basic/split", "/bot/fox/history", "/bot/fox/games", "/bot/fox/vs/owl")
PATHS = (*BOT, "/t/goat/b/1", PAIR)


def test_nothing_scrolls_sideways_on_a_phone_and_no_text_of_a_bot_does_anything(address: str, watched: Watch) -> None:
    page = watched(address, viewport={"width": 360, "height": 740}, color_scheme="dark", has_touch=True).page()
    page.on("dialog", lambda dialog: pytest.fail(f"a bot's text did something: {dialog.message}"))
    for path in PATHS:
        page.goto(path)
        expect(page.locator(".counting")).to_have_count(0)
        assert fits(page), path
    page.goto("/bot/fox")
    expect(page.locator("td.message").first).to_contain_text(HOSTILE)


def test_pages_break_no_rule_of_access(address: str, watched: Watch) -> None:
    page = watched(address, viewport={"width": 1200, "height": 900}).page()
    for path in (*BOT[:2], PAIR):
        page.goto(path)
        expect(page.locator(".counting")).to_have_count(0)
        found = Axe().run(page)
        assert not found.response["violations"], found.generate_report()
