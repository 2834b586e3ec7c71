"""A person at the table in a real browser: by roles and names, by keys alone, by touch at 360 px; reloads, reasons."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, expect
from web.conftest import Watched
from web.play.at_table import OVER, act, deal, my_turn, press

from arena.web.play.tables import Tables, tables_of
from arena.web.site import Settings, Site

pytestmark = pytest.mark.needs("chromium")
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
MOVES = 60


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    data: Path = tmp_path_factory.mktemp("table")
    return Site.open(Settings(data, data))


@pytest.fixture(scope="module")
def address(served: Callable[[Site], str], site: Site) -> str:
    return served(site)


@pytest.fixture
def tables(site: Site) -> Tables:
    return tables_of(site)


@pytest.mark.parametrize("game", ["goat", "crow_and_pitcher:3"])
def test_a_script_plays_a_whole_game_by_roles_and_names(
    watched: Callable[..., Watched], address: str, game: str
) -> None:
    page = watched(address).page()
    deal(page, game=game)
    done = []
    while my_turn(page):
        expect(page).to_have_title(re.compile("^● "))
        expect(page.locator("#said")).to_have_text(re.compile(r"Your turn: \d+ legal (cards?|moves?)\.$"))
        done.append(act(page))
        assert len(done) < MOVES
    assert len(done) >= 4
    expect(page.get_by_role("region", name="Result").get_by_role("table")).to_be_visible()
    expect(page).to_have_title(re.compile("^(?!●)"))
    page.get_by_role("link", name="Show all hands").click()
    expect(page.get_by_text("A person sat in seat")).to_be_visible()


def test_a_whole_hand_of_crowsnest_by_keys_alone_two_clicks_from_home(
    watched: Callable[..., Watched], address: str, tables: Tables
) -> None:
    page = watched(address).page()
    page.goto("/")
    page.evaluate("localStorage.setItem('table', JSON.stringify({fast: true}))")
    page.get_by_role("navigation").get_by_role("link", name="Play").focus()
    press(page, "Enter")
    page.get_by_role("button", name="Deal").focus()
    press(page, "Enter")
    kinds = []
    while my_turn(page):
        kind = page.locator(".controls").get_attribute("data-kind")
        kinds.append(kind)
        assert len(kinds) < MOVES
        match kind:
            case "auction":
                press(page, "ArrowUp", "ArrowDown", "ArrowUp")
                expect(page.locator("[data-confirm]")).to_have_text(re.compile(r"^Bid \d+"))
                expect(page.locator("#said")).to_have_text(re.compile(r"\bBid \d+ chosen\.$"))
                press(page, *["ArrowUp"] * 12, "Enter")
            case "discard":
                expect(page.locator("[data-choice-line]")).to_contain_text("0 of 5 chosen")
                press(page, "1", "2", "3", "4", "ArrowUp", "Enter")
                expect(page.get_by_role("alert")).to_have_text("Choose exactly 5 cards: 4 chosen.")
                press(page, "Escape", "3", "4", "5", "9", "0", "r")
                expect(page.get_by_role("alert")).to_have_text("5 are chosen already: put one back first.")
                expect(page.locator("[data-choice-line]")).to_contain_text(
                    re.compile(r"^5 of 5 chosen · \d+ points in the discard · they go to the winner")
                )
                expect(page.locator("[data-confirm]")).to_have_attribute("aria-disabled", "true")
                press(page, "ArrowUp")
                expect(page.locator("[data-confirm]")).to_have_attribute("aria-disabled", "false")
                press(page, "Enter")
            case _:
                if kinds.count("play") == 3:
                    check_last_trick(page)
                place = page.locator(".card-button:not(.locked)").first.get_attribute("data-place")
                press(page, str(place), "Enter")
    assert kinds.count("play") == 9
    assert kinds[0] == "auction"
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text(re.compile("made|short"))
    assert result.get_by_role("columnheader").all_inner_texts() == ["side", "captured", "change", "total"]
    assert len(page.locator("#log li").all()) > 36
    assert [each for each in tables.room.held if not each.over] == []


def check_last_trick(page: Page) -> None:
    """`l` shows the trick before, and at the second time the running one again."""
    number = page.locator("#position .trick").get_attribute("data-number")
    press(page, "l")
    expect(page.locator("#position .trick")).to_have_attribute("data-number", str(int(number or 0) - 1))
    expect(page.locator("#position .play")).to_have_count(4)
    press(page, "l")
    expect(page.locator("#position .trick")).to_have_attribute("data-number", str(number))


def test_a_whole_hand_by_touch_at_360_px(watched: Callable[..., Watched], address: str) -> None:
    page = watched(address, **PHONE).page()
    deal(page, game="crowsnest", left="random", top="random", right="random")
    seen = set()
    while my_turn(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        kind = page.locator(".controls").get_attribute("data-kind")
        seen.add(kind)
        legal = page.locator(".card-button:not(.locked)")
        if kind == "auction":
            page.locator("[data-pick][aria-disabled=false]").last.tap()
            page.locator("[data-confirm]").tap()
        elif kind == "discard":
            check_two_rows_of_seven(page)
            for place in range(5):
                legal.nth(place).tap()
            page.locator("[data-suit=red]").tap()
            check_the_hand_is_in_sight(page)
            page.locator("[data-confirm]").tap()
        else:
            legal.first.tap()
            legal.first.tap()
    assert seen == {"auction", "discard", "play"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def check_the_hand_is_in_sight(page: Page) -> None:
    """The controls, which have the most lines now, do not stand before the hand."""
    hand, controls = (
        page.locator('#position .seat[data-place="bottom"]').bounding_box(),
        page.locator("#controls").bounding_box(),
    )
    assert hand is not None
    assert controls is not None
    assert hand["y"] >= 0
    assert hand["y"] + hand["height"] <= controls["y"] + 1


def check_two_rows_of_seven(page: Page) -> None:
    boxes = [card.bounding_box() for card in page.locator(".card-button").all()]
    found = [box for box in boxes if box is not None]
    assert len(found) == 14
    rows = [round(box["y"]) for box in found]
    assert [rows.count(row) for row in dict.fromkeys(rows)] == [7, 7]
    assert all(box["width"] >= 44 and box["height"] >= 62 for box in found)


def illegal(page: Page) -> Locator:
    return page.locator(".card-button.locked")


def test_an_illegal_card_tells_why_and_sends_nothing_and_a_reload_forgets_no_more_than_the_choice(
    watched: Callable[..., Watched], address: str
) -> None:
    seen = watched(address)
    page = seen.page()
    deal(page, game="crow_and_pitcher", length="match")
    sent: list[Any] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    for _ in range(MOVES):
        assert my_turn(page)
        if illegal(page).count() and page.locator(".card-button:not(.locked)").count() > 1:
            break
        act(page)
    sent.clear()
    illegal(page).first.click(force=True)
    expect(page.get_by_role("alert")).to_have_text(re.compile("was led; you hold|thirst"))
    assert sent == []
    hand = page.locator(".card-button").evaluate_all("nodes => nodes.map((node) => node.dataset.card)")
    legal = page.locator(".card-button:not(.locked)")
    legal.first.click()
    legal.last.click()
    expect(page.locator(".trick .line")).to_have_text(re.compile(": (counted|thirst led|pitcher)"))
    played = len(page.locator("#log li").all())
    page.reload()
    assert my_turn(page)
    assert page.locator(".card-button").evaluate_all("nodes => nodes.map((node) => node.dataset.card)") == hand
    assert len(page.locator("#log li").all()) == played
    assert page.locator('[aria-pressed="true"]').count() == 0
    expect(page.locator("[data-verb=play]")).to_have_attribute("aria-disabled", "true")
    page.context.set_offline(True)
    legal.first.click()
    page.locator("[data-verb=play]").click()
    expect(page.get_by_role("alert")).to_contain_text("nothing is played twice")
    expect(page.get_by_text(re.compile("^offline, last change"))).to_be_visible()
    page.context.set_offline(False)
    seen.wrong[:] = [each for each in seen.wrong if "ERR_INTERNET_DISCONNECTED" not in each]
    expect(page.get_by_text(re.compile("^offline, last change"))).to_be_hidden()
    page.locator("[data-verb=play]").click()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert my_turn(page)
    log = page.locator("#log li").all_text_contents()
    assert (
        sum(line.startswith("You play") for line in log)
        == sum(line.startswith("You play") for line in log[:played]) + 1
    )


def test_no_card_moves_away_from_the_pointer_whatever_it_would_come_to(
    watched: Callable[..., Watched], address: str
) -> None:
    page = watched(address).page()
    deal(page, game="crow_and_pitcher:3")
    for width in (600, 800, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert my_turn(page)
        page.mouse.move(1, 1)
        said, places = set(), [card.bounding_box() for card in page.locator(".card-button").all()]
        for card in page.locator(".card-button[data-preview]").all():
            card.hover()
            said.add(page.locator(".trick .line").inner_text())
            assert [each.bounding_box() for each in page.locator(".card-button").all()] == places, (width, said)
        assert said
        act(page)
    leave(page)


def test_of_two_pages_of_a_seat_one_plays_and_one_is_told(watched: Callable[..., Watched], address: str) -> None:
    seen = watched(address)
    page = seen.page()
    deal(page, game="crow_and_pitcher:3")
    assert my_turn(page)
    while page.locator(".card-button:not(.locked)").count() < 2:  # the same card sent by both is no other choice
        act(page)
        assert my_turn(page)
    other = page.context.new_page()
    other.route("**/steps?*", lambda route: route.abort() if "after=-1" not in route.request.url else route.continue_())
    other.goto(page.url)
    assert my_turn(other)
    before = page.locator("#log li").count()
    played = own_plays(page)
    page.locator(".card-button:not(.locked)").first.click()
    page.locator("[data-verb=play]").click()
    expect(page.locator("#log li").nth(before)).to_be_visible(visible=False)
    other.locator(".card-button:not(.locked)").last.click()
    other.locator("[data-verb=play]").dblclick()
    expect(other.get_by_role("alert")).to_contain_text("your choice was not played")
    assert my_turn(page)
    assert own_plays(page) == played + 1
    seen.wrong[:] = [each for each in seen.wrong if "ERR_FAILED" not in each]


def test_a_stranger_looks_on_and_pages_are_accessible(
    watched: Callable[..., Watched], address: str, tables: Tables
) -> None:
    page = watched(address).page()
    page.goto("/play")
    assert violations(page) == []
    deal(page, game="crowsnest")
    assert my_turn(page)
    assert violations(page) == []
    other = watched(address).page()
    other.goto(page.url)
    expect(other.get_by_text(re.compile("^Waiting for"))).to_be_visible()
    assert other.locator(".card-button").count() == 0
    assert other.get_by_role("button", name="Leave the table").count() == 0
    assert violations(other) == []
    before = other.locator("#log li").count()
    act(page)
    expect(other.locator("#log li").nth(before)).to_be_visible(visible=False)
    leave(page)
    expect(other.get_by_role("heading", name=OVER)).to_be_visible()


def leave(page: Page) -> None:
    page.get_by_text("Leave", exact=True).click()
    page.get_by_role("button", name="Leave the table").click()
    expect(page.get_by_text("The person left the table")).to_be_visible()


def own_plays(page: Page) -> int:
    return sum(line.startswith("You play") for line in page.locator("#log li").all_text_contents())


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]
