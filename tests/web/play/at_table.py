"""A person at a table in a browser: what a test does there, by roles and names alone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

LEGAL = re.compile(r", legal$|, legal,")
OVER = "The game is over"


def deal(page: Page, **form: str) -> None:
    """From the form to the cards."""
    page.goto("/play")
    for name, value in {"pace": "fast", **form}.items():
        page.locator(f"[name={name}]").select_option(value)
    page.get_by_role("button", name="Deal").click()
    expect(page.get_by_role("list", name=re.compile("^Hand of ")).first).to_be_visible()


def my_turn(page: Page) -> bool:
    """Wait for a turn of one's own (True) or the end."""
    expect(page.locator("[aria-busy]")).to_have_count(0)
    turn, over = page.get_by_text("Your turn", exact=True), page.get_by_role("heading", name=OVER)
    expect(turn.or_(over)).to_be_visible()
    return turn.is_visible()


def buttons(page: Page, name: str | re.Pattern[str]) -> Locator:
    return page.get_by_role("button", name=name)


def act(page: Page) -> str:
    """Make any move by what the page says: roles and names alone. What was pressed last."""
    verb = buttons(page, re.compile(r"^(Play|Lead|Confirm|Drop face down|Bid)( |$)"))
    named = verb.first.inner_text()
    legal = buttons(page, LEGAL)
    if named.startswith("Bid"):
        buttons(page, re.compile("^Pass")).click()
        return "Pass"
    if named.startswith("Confirm"):
        for place in range(5 if legal.count() > 10 else 0):
            legal.nth(place).click()
        buttons(page, re.compile("^black .* held$")).click()
    elif named.startswith("Drop"):
        wanted = int(re.findall(r"Choose (\d) card", page.locator("#controls").inner_text())[0])
        for place in range(wanted):
            legal.nth(place).click()
    else:
        legal.first.click()
    verb.first.click()
    return named


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
