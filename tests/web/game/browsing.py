"""A game's page in a real browser, as tests wait for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

Watch = Callable[..., Any]
"""What the fixture `watched` is."""


def count(page: Page, turn: int) -> None:
    """Wait until a turn is shown."""
    expect(page.locator("[data-count]")).to_have_text(str(turn))
