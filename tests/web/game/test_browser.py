"""A game in a real browser: stepping by keys, from a lost game to the turn in two clicks, links to take away."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from web.game.browsing import Watch, count
from web.game.cups import THROWN, TURN, filled, first_of, opened

from arena.web.site import Site

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return filled(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def address(site: Site, served: Callable[[Site], str]) -> str:
    return served(site)


def test_keys_step_and_change_eyes_and_the_address_follows(address: str, watched: Watch, site: Site) -> None:
    _found, replay = opened(site, THROWN)
    page = watched(address, viewport={"width": 1200, "height": 900}).page()
    page.goto(f"/g/{THROWN}")
    page.keyboard.press("ArrowRight")
    count(page, 1)
    expect(page).to_have_url(re.compile(r"\?turn=1&seat=all$"))
    expect(page).to_have_title(re.compile(r"^turn 1, .*, board 1 · arena$"))
    expect(page.locator("[data-live]")).not_to_be_empty()
    for key, turn in (("]", replay.units[1].first), ("]", replay.units[2].first), ("[", replay.units[1].first)):
        page.keyboard.press(key)
        count(page, turn)
    page.keyboard.press("End")
    count(page, replay.last)
    expect(page.locator("[data-host=decision]")).to_contain_text("End")
    page.keyboard.press("Home")
    count(page, 0)
    page.keyboard.press("v")
    expect(page.locator(".g-eyes a[aria-current]")).to_have_text("As the mover saw")
    expect(page.locator(f'.table .seat[data-place="bottom"][data-seat="{replay.movers[0]}"] .hand')).to_be_visible()
    expect(page.locator(".table .seat .hand")).to_have_count(1)
    page.keyboard.press("3")
    expect(page).to_have_url(re.compile(r"\?turn=0&seat=2$"))
    expect(page.locator(".g-why").first).to_contain_text("What stands out")
    assert not re.search(rf"\b{replay.transcript.moves[TURN].move}\b", page.locator(".g-why").first.inner_text())
    page.keyboard.press("0")
    expect(page.locator(".table .seat .hand")).to_have_count(4)
    page.keyboard.press("w")
    count(page, TURN)
    expect(page.locator(".g-decision h2")).to_contain_text(f"Turn {TURN}")
    page.locator("[data-speed]").select_option("4")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator("[data-count]")).to_have_text(re.compile(r"^(\d\d|[3-9])$"))
    page.keyboard.press(" ")
    expect(page.locator("[data-play]")).to_have_text("▶ play")
    page.reload()
    assert int(page.locator("[data-count]").inner_text()) >= TURN + 2


def test_from_a_lost_game_to_the_named_turn_in_two_clicks(address: str, watched: Watch, site: Site) -> None:
    _found, replay = opened(site, THROWN)
    loser = replay.names[replay.movers[TURN]]
    page = watched(address).page()
    page.goto(f"/bot/{loser}")
    expect(page.locator(".lost-last a")).to_have_count(5)
    page.locator(".lost-last a").first.click()
    expect(page.locator(".g-why").first).to_contain_text("other tables")
    page.goto(f"/bot/{loser}/games")
    page.locator(f'main a[href^="/g/{THROWN}"]').first.click()
    thrower = page.locator(".g-why", has_text=f"turn {TURN}")
    thrower.get_by_role("link", name="Go there").click()
    count(page, TURN)
    assert re.search(rf"turn={TURN}&seat=\d$", page.url)
    expect(page.locator(".g-options .chosen")).to_have_count(1)
    private = watched(address).page()
    private.goto(page.url)
    count(private, TURN)
    assert private.locator(".g-chose").inner_text() == page.locator(".g-chose").inner_text()


def test_who_hides_results_is_asked_before_the_end(address: str, watched: Watch, site: Site) -> None:
    _found, replay = opened(site, THROWN)
    page = watched(address, viewport={"width": 1200, "height": 900}).page()
    page.context.add_cookies([{"name": "hide_results", "value": "1", "url": address}])
    second, third = replay.units[1].first, replay.units[2].first
    page.goto(f"/g/{THROWN}")
    page.keyboard.press("]")
    count(page, second)
    page.keyboard.press("]")
    count(page, third)
    expect(page.locator(".g-scrub")).to_have_attribute("max", str(third))
    page.keyboard.press("[")
    count(page, second)
    expect(page.locator(".g-scrub")).to_have_attribute("max", str(third))
    expect(page.locator("[data-host=moves] a[data-turn]").last).to_have_attribute("data-turn", str(second))
    page.keyboard.press("End")
    count(page, second)
    page.keyboard.press("Enter")
    count(page, replay.last)
    expect(page.locator(".g-result")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    count(page, replay.last - 1)
    page.goto(f"/g/{THROWN}?turn={replay.last - 2}")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("link", name="Show it")).to_be_focused()
    count(page, replay.last - 1)


def test_cards_and_moves_lead_to_their_turns(address: str, watched: Watch, site: Site) -> None:
    _found, replay = opened(site, THROWN)
    page = watched(address, viewport={"width": 1200, "height": 1400}).page()
    page.goto(f"/g/{THROWN}")
    turn = next(n for n, move in enumerate(replay.transcript.moves) if n > 12)
    page.locator(f".g-items a[data-turn='{turn}']").click()
    count(page, turn)
    played = replay.transcript.moves[-1].move
    shape = "CROW" if played == "ROOK" else played
    page.locator(f".g-table svg.card:has(use[href='#card-{shape}'])").first.click(position={"x": 4, "y": 4})
    count(page, replay.last - 1)


@pytest.mark.parametrize("family", ["crowsnest", "goat", "crow_and_pitcher"])
def test_pages_fit_and_are_accessible(address: str, watched: Watch, family: str) -> None:
    page = watched(address, viewport={"width": 360, "height": 740}).page()
    more = (f"/embed/g/{first_of(family)}?turn=14", f"/g/{first_of(family)}?turn=9&text=1", "/open")
    for path in (f"/g/{first_of(family)}?turn=14", *(more if family == "crowsnest" else ())):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        found = Axe().run(page)
        assert [each["id"] for each in found.response["violations"]] == [], (path, found.generate_report())


def test_pictures_and_links_to_take_away(address: str, watched: Watch) -> None:
    seen = watched(address, permissions=["clipboard-read", "clipboard-write"])
    page = seen.page()
    page.goto(f"/g/{first_of('goat')}?turn=4&seat=1")
    with page.expect_download() as saved:
        page.get_by_role("button", name="picture (PNG)").click()
    assert saved.value.suggested_filename == f"{first_of('goat')}-turn4.png"
    assert Path(saved.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}/g/{first_of('goat')}?turn=4&seat=1"


def test_without_scripts_every_step_is_a_link(address: str, watched: Watch) -> None:
    page = watched(address, java_script_enabled=False).page()
    page.goto(f"/g/{THROWN}")
    page.get_by_role("link", name="one turn on").click()
    page.get_by_role("link", name="As the mover saw").click()
    assert page.url.endswith("?turn=1&seat=mover")
    assert page.locator("[data-count]").inner_text() == "1"
