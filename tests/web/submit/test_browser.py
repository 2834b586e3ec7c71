"""In a real browser: an organiser adds people, an author signs in and sends a bot, which is let in and plays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.terminal import piped
from playwright.sync_api import Page, expect
from web.conftest import Watched
from web.submit.sent import template

from arena.store.site_settings import SiteSettings
from arena.web.people.accounts import first_link
from arena.web.site import Settings, Site

WAIT_MS = 60_000


@pytest.mark.needs("chromium")
def test_from_the_organiser_s_link_to_a_bot_that_plays(
    tmp_path: Path, served: Callable[[Site], str], watched: Callable[..., Watched]
) -> None:
    site = Site.open(Settings(tmp_path / "data", tmp_path / "data", sandbox="none"))
    SiteSettings(site.store.database).set("check_boards", 0)
    address = served(site)
    organiser = watched(address).page()
    organiser.goto(f"/in/{first_link(site)}")
    clicks = Clicks(organiser)
    clicks.button("Sign in as Organiser")
    clicks.link("Organise")
    clicks.link("People")
    organiser.get_by_label("A name a line").fill(
        "name,student id\nAda,s1\n" + "\n".join(f"P{n},t{n}" for n in range(29))
    )
    clicks.button("Make links")
    with organiser.expect_download() as coming:
        clicks.link("Download links.csv")
    assert clicks.count <= 6
    rows = Path(coming.value.path()).read_text().splitlines()
    assert (len(rows), coming.value.suggested_filename) == (31, "links.csv")
    [link] = [row.rpartition(",")[2] for row in rows if row.startswith("Ada,s1,")]

    author = watched(address, viewport={"width": 360, "height": 740}).page()
    author.goto(link)
    author.get_by_role("button", name="Sign in as Ada").click()
    expect(author.get_by_role("heading", name="Ada")).to_be_visible()
    author.goto("/submit")
    narrow(author)
    file = tmp_path / "my fox.zip"
    file.write_bytes(template(tmp_path, "fox"))
    author.get_by_label("What is new").fill("bids <b>less</b>")
    author.get_by_label("Drop the zip file here").set_input_files(file)
    author.get_by_role("checkbox", name="CrowsNest").check()
    author.get_by_role("button", name="Send and check").click()
    author.wait_for_url(re.compile("/submission/"))
    expect(author.get_by_text("accepted as v1")).to_be_visible(timeout=WAIT_MS)  # it comes without a reload
    expect(author.get_by_role("listitem").filter(has_text="goodbye")).to_be_visible()
    narrow(author)
    author.reload()
    expect(author.get_by_text("accepted as v1")).to_be_visible()
    expect(author.get_by_text("crowsnest alone")).to_be_visible()
    author.goto("/me")
    expect(author.get_by_role("link", name="fox")).to_be_visible()
    narrow(author)

    played = piped("play", "crowsnest", "fox", "basic", "--sandbox", "none", "--data", str(tmp_path / "data"))
    assert played.status == 0, played.stderr

    organiser.goto("/admin/bots")
    organiser.locator("summary", has_text="Retire").click()
    organiser.get_by_label("Why").fill("too slow")
    organiser.get_by_role("button", name="Retire").click()
    expect(organiser.locator(".state", has_text="retired")).to_be_visible()
    organiser.get_by_role("button", name="Undo").click()
    expect(organiser.get_by_role("heading", name="Log")).to_be_visible()
    assert site.store.registered("fox")[0].state.value == "ready"


class Clicks:
    """Counts what an organiser clicks."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.count = 0

    def button(self, name: str) -> None:
        self.count += 1
        self._page.get_by_role("button", name=name).click()

    def link(self, name: str) -> None:
        self.count += 1
        self._page.get_by_role("link", name=name, exact=True).first.click()


def narrow(page: Page) -> None:
    """The page is no wider than the window."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
