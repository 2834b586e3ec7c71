"""Figures that are counted for the first time come into the open page by themselves, and only their part of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from web.tournament.events import event

from arena.store.snapshots import Snapshots
from arena.web.site import Settings, Site
from arena.web.standing import service

pytestmark = pytest.mark.needs("chromium")


def test_a_page_that_waits_for_figures_swaps_them_in_without_loading_again(
    tmp_path: Path, served: Callable[[Site], str], watched: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SMALL", 0)
    site = Site.open(Settings(tmp_path / "data", tmp_path / "data"))
    event(site.store, "cup")
    monkeypatch.setattr(service.Standing, "_next", lambda _self: None)  # nothing is counted here
    address = served(site)
    page = watched(address).page()
    for path in ("/", "/t/cup"):
        page.goto(path)
        page.evaluate("window.same = true")
        expect(page.locator("[data-again]").first).to_be_visible()
    made = service.computed(site.store, site.store.tournaments()[0])
    version = service.standing_service(site).watch.of(1).version
    packed = {kind: service.packed(data) for kind, data in made.items()}
    Snapshots(site.store.database).save(1, packed, f"{service.FORMAT}-{version}", service.utc_now(), 1)
    expect(page.locator("#live table")).to_contain_text("fox")
    expect(page.locator("[data-again]")).to_have_count(0)
    assert page.evaluate("window.same") is True
    unscripted = watched(address, java_script_enabled=False).page()
    unscripted.goto("/t/cup")
    assert not re.search("http-equiv=.refresh", unscripted.content())
