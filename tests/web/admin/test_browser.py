"""The pages of organisers in a browser: they follow what happens, and nothing moves that is read or has focus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from web.admin.test_admin import stored
from web.conftest import Watched
from web.signing import session_of

from arena.store.people import ORGANISER
from arena.store.values import State
from arena.web.live.pulse import pulse_of
from arena.web.site import Settings, Site
from arena.web.submitting.rechecking import PART
from arena.web.viewer import SESSION


@pytest.mark.needs("chromium")
def test_events_are_live_and_leave_what_is_open_alone(
    tmp_path: Path, served: Callable[[Site], str], watched: Callable[..., Watched]
) -> None:
    site = Site.open(Settings(tmp_path / "data", tmp_path / "data"))
    number = stored(site, State.RUNNING)
    address = served(site)
    seen = watched(address, timezone_id="Asia/Tokyo")
    seen.context.add_cookies([{"name": SESSION, "value": session_of(site, "Grace", ORGANISER), "url": address}])
    page = seen.page()
    page.goto("/admin/events")
    page.get_by_label("Tournament file").fill('name = "mine"')
    page.evaluate("scrollTo(0, 40)")
    site.store.set_state(number, State.STOPPED)
    expect(page.locator("#live-list .state")).to_have_text("stopped")
    expect(page.get_by_label("Tournament file")).to_be_focused()
    expect(page.get_by_label("Tournament file")).to_have_value('name = "mine"')

    page.goto("/admin/events/spring")
    page.get_by_text("Disable counter").click()
    page.get_by_role("row", name="counter").get_by_label("Why").fill("it stalls")
    site.store.lift(number, "basic", "mended")
    expect(page.get_by_role("button", name="changed, show")).to_be_visible()
    expect(page.get_by_text("taken out")).to_be_visible()
    page.get_by_role("row", name="counter").get_by_role("button", name="Disable").click()
    expect(page.get_by_role("row", name="counter")).to_contain_text("disabled by an organiser: it stalls")
    expect(page.get_by_text("taken out")).to_have_count(0)
    assert pulse_of(site).versions.of(PART)
