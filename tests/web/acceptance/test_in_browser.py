"""Every kind of page in a real browser: no violation of access rules in light and dark, nothing goes sideways on a
telephone, the keyboard reaches all, and without scripts there is as much to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from web.acceptance.life import GONE, HALF, LIVE, ORGANISERS, OWNED, RATED, SITTING, Life
from web.game.cups import THROWN, TURN, first_of
from web.signing import session_of

from arena.store.people import ORGANISER
from arena.web.viewer import HIDE_RESULTS, SESSION

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.xdist_group("acceptance-browser")]
Watch = Callable[..., Any]
NARROW, WIDE = {"width": 360, "height": 740}, {"width": 1200, "height": 900}
VISITED = (
    "/", "/t", f"/t/{RATED}", f"/t/{RATED}/cross", f"/t/{RATED}/boards", f"/t/{RATED}/schedule", f"/t/{RATED}/faults",
    f"/t/{RATED}/files", "/t/knockout", f"/t/{RATED}/b/1", f"/t/{HALF}/b/2", "/t/crow_and_pitcher/b/1", f"/g/{THROWN}",
    f"/g/{first_of('goat')}?turn=9&seat=1", f"/g/{LIVE}", f"/g/{HALF}-r1-b2-t1-1", f"/g/{SITTING}",
    f"/g/{SITTING}/compare", f"/g/{first_of('goat')}?turn=9&text=1", f"/embed/g/{first_of('crow_and_pitcher')}?turn=9",
    "/bots", f"/bot/{OWNED}", f"/bot/{OWNED}/history", f"/bot/{OWNED}/split", f"/bot/{OWNED}/games",
    f"/bot/{OWNED}/opponents", f"/bot/{OWNED}/vs/owl?t={RATED}", f"/bot/{GONE}", "/play", "/submit", "/rules",
    "/rules/crowsnest", "/about", "/open", "/search?q=o", "/join", "/no/such/page",
)  # fmt: skip
SIGNED_IN = ("/me", "/admin", "/admin/events", "/admin/people", "/admin/bots", "/admin/submissions", "/admin/settings",
             "/admin/tokens", "/admin/audit", "/admin/checks", f"/admin/events/{HALF}", f"/bot/{OWNED}/logs",
             "SUBMISSION")  # fmt: skip
ELSEWHERE = re.compile(rf"/t/{RATED}(/[a-z]+)?$|/bot/{OWNED}(/[a-ln-z]\w*)?$|/g/(crowsnest|goat)-|/embed/|/play$")
"""Pages of which the tests of their own folders ask the rules of access; here only `--long` does."""
DARK = ("/", f"/g/{LIVE}", "/submit", "/admin", "/me")
"""Looked at in the dark every time."""
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


@pytest.fixture(scope="module")
def address(life: Life, served: Callable[..., str]) -> Iterator[str]:
    yield served(life.site)
    life.running.end()


def settled(page: Page, path: str) -> None:
    """Open a page and wait until nothing on it is being counted."""
    page.goto(path)
    expect(page.locator("main .empty[hx-get]")).to_have_count(0)


def wrong(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """What the rules of access say of a page."""
    found = Axe().run(page, options=options)
    return [f"{each['id']}: {node['html'][:120]}" for each in found.response["violations"] for node in each["nodes"]]


def looked_at(address: str, life: Life, watched: Watch, *, whole: bool) -> dict[str, list[str]]:
    """By page what is wrong with it: as a visitor, then as an organiser; dark and wide where that is wanted, or new."""
    context = watched(address, viewport=NARROW)
    page, found = context.page(), {}
    for path in (*VISITED, None, *SIGNED_IN):
        if path is None:
            session = session_of(life.site, ORGANISERS, ORGANISER)
            context.context.add_cookies([{"name": SESSION, "value": session, "url": address}])
            continue
        settled(page, path.replace("SUBMISSION", f"/submission/{life.submission}"))
        said = too_wide(page, NARROW)
        if whole or not ELSEWHERE.match(path):
            said += [f"narrow: {each}" for each in wrong(page)]
        if whole or path in DARK:
            page.emulate_media(color_scheme="dark")
            page.set_viewport_size(WIDE)
            said += [*too_wide(page, WIDE), *(f"dark: {each}" for each in wrong(page, None if whole else COLOURS))]
            page.set_viewport_size(NARROW)
            page.emulate_media(color_scheme="light")
        if said:
            found[path] = said
    return found


def too_wide(page: Page, size: dict[str, int]) -> list[str]:
    width = page.evaluate("document.documentElement.scrollWidth")
    return [f"{width} px wide on {size['width']}"] if width > size["width"] else []


def test_pages_keep_to_the_rules_of_access_and_fit(address: str, life: Life, watched: Watch) -> None:
    assert looked_at(address, life, watched, whole=False) == {}


@pytest.mark.long
def test_pages_keep_to_them_in_the_dark_and_wide(address: str, life: Life, watched: Watch) -> None:
    assert looked_at(address, life, watched, whole=True) == {}


def test_the_keyboard_gets_past_the_heading_and_is_seen(address: str, watched: Watch) -> None:
    page = watched(address, viewport=WIDE).page()
    for path in ("/", f"/t/{RATED}", f"/bot/{OWNED}", f"/g/{THROWN}", "/play", "/submit"):
        page.goto(path)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip", path
        assert page.locator(".skip").bounding_box()["x"] >= 0, "it shows itself"  # type: ignore[index]
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main", path
        for _ in range(8):
            page.keyboard.press("Tab")
            drawn = page.evaluate(
                "(() => { const at = document.activeElement, drawn = getComputedStyle(at);"
                " return [at.tagName, drawn.outlineStyle, drawn.outlineWidth, drawn.boxShadow]; })()"
            )
            assert drawn[0] == "BODY" or (drawn[1] != "none" and drawn[2] == "3px") or drawn[3] != "none", (path, drawn)


def test_pages_are_read_without_scripts(address: str, watched: Watch) -> None:
    page = watched(address, java_script_enabled=False, viewport=WIDE).page()
    page.goto(f"/t/{RATED}")
    rows = page.locator("tbody th[scope=row]")
    assert rows.count() >= 3
    page.get_by_role("link", name="Points per block", exact=True).click()
    assert "sort=points_per_block" in page.url
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("Points per block")
    page.locator("tbody th[scope=row] a").first.click()
    assert re.search(r"/bot/\w+", page.url)
    assert page.locator("main h1").inner_text()
    page.goto(f"/t/{RATED}/b/1")
    assert page.locator("main svg.card, main .hand, main use").count() >= 20
    assert page.locator("tbody tr").count() >= 6
    page.goto(f"/g/{THROWN}?turn=3")
    page.get_by_role("link", name="one turn on").click()
    assert "turn=4" in page.url
    assert page.locator("[data-count]").inner_text() == "4"
    page.locator(f".g-items a[data-turn='{TURN}']").click()
    assert f"turn={TURN}" in page.url


def test_from_a_lost_game_to_its_turn_in_two_clicks(address: str, watched: Watch) -> None:
    page = watched(address, viewport=WIDE).page()
    settled(page, "/bot/basic/games?t=crowsnest")
    page.locator(f"a[href^='/g/{THROWN}']").first.click()
    page.get_by_role("link", name="Go there").first.click()
    expect(page.locator("[data-count]")).to_have_text(str(TURN))
    assert re.search(rf"/g/{THROWN}\?turn={TURN}&seat=\d$", page.url)
    private = watched(address, viewport=WIDE).page()
    private.goto(page.url)
    expect(private.locator("[data-count]")).to_have_text(str(TURN))
    assert private.locator(".g-chose").inner_text() == page.locator(".g-chose").inner_text()
    assert (
        private.locator(".g-eyes a[aria-current]").inner_text() == page.locator(".g-eyes a[aria-current]").inner_text()
    )


def test_any_cell_of_the_pairs_leads_to_a_game_in_three_clicks(address: str, watched: Watch) -> None:
    page = watched(address, viewport=WIDE).page()
    settled(page, f"/t/{RATED}/cross")
    page.locator("table td a").first.click()
    page.wait_for_url("**/vs/**")
    page.locator("a[href^='/g/']").first.click()
    page.wait_for_url("**/g/**")
    expect(page.locator("#replay")).to_be_visible()


def test_hidden_results_stay_hidden_in_the_browser(address: str, watched: Watch) -> None:
    context = watched(address, viewport=WIDE)
    page = context.page()
    page.goto(f"/t/{RATED}")
    rating = page.locator("tbody tr td.right").nth(1).inner_text().split()[0]
    assert re.fullmatch(r"\d+\.\d", rating)
    page.get_by_role("button", name="Hide results").click()
    page.wait_for_load_state()
    assert page.url.endswith(f"/t/{RATED}")
    assert rating not in page.locator("main").inner_text()
    assert [each["name"] for each in context.context.cookies()] == [HIDE_RESULTS]
    page.get_by_role("button", name="Show results").click()
    expect(page.locator("main")).to_contain_text(rating)
