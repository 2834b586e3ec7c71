"""From an empty store to the first rated rows, watched in a browser by the command line alone: `arena serve` and
`arena tournament run`. The server ends and starts again meanwhile, and nobody has to reload anything."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Page, expect
from web.begun import INTERRUPTED, STARTED_S, Started

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.xdist_group("first-table")]
Watch = Callable[..., Any]
CUP = """name = "spring"
game = "crowsnest"
boards = 600
options = { max_hands = 1 }
bots = ["basic", "cautious", "counter"]
"""
"""So many boards that it is still running when the test is done."""
RIGHT_AGAIN_MS = 50_000
"""Ten seconds, on a machine that does nothing else."""
ROWS = "#standings tbody th[scope=row]"


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    started: list[Started] = []

    def begin(*words: str) -> Started:
        started.append(Started(tmp_path, *words))
        return started[-1]

    yield begin
    for each in reversed(started):
        each.end()


def games(page: Page) -> int:
    """How many games the page says were played."""
    found = re.search(r"(\d+) games", page.locator("#live .state-line").inner_text())
    assert found is not None
    return int(found[1])


@pytest.mark.timed
def test_the_first_rows_appear_and_survive_a_restart(
    tmp_path: Path, begin: Callable[..., Started], watched: Watch
) -> None:
    (tmp_path / "spring.toml").write_text(CUP)
    server = begin("serve", "--port", "0")
    address = server.says(r"site: (http\S+)")
    assert httpx2.get(f"{address}/t/spring").status_code == 404
    context = watched(address)
    page = context.page()
    page.goto("/")
    expect(page.locator("main")).to_contain_text("arena demo")
    run = begin("tournament", "run", "spring.toml", "--workers", "1")
    until = time.monotonic() + STARTED_S
    while httpx2.get(f"{address}/t/spring").status_code == 404:
        assert time.monotonic() < until, run.said()
        assert run.is_running(), run.said()
        time.sleep(0.05)
    page.goto("/t/spring")
    page.evaluate("window.mine = 1")
    first = page.locator("#live").inner_text()
    assert re.search(r"^(waiting|running)[^a-z]*\d+ of 1800 blocks|being computed", first), "never an empty table"
    expect(page.locator("#live .state")).to_have_text("running", timeout=120_000)
    expect(page.locator(ROWS)).to_have_count(3, timeout=240_000)
    assert re.search(r"\d\d\.\d", page.locator("#standings").inner_text()), "rated"
    before = games(page)
    expect(page.locator("#live .state-line")).not_to_contain_text(f" {before} games", timeout=120_000)
    assert page.evaluate("window.mine") == 1

    assert server.end() == INTERRUPTED
    expect(page.locator("#chips .lost")).to_contain_text("offline, last change")
    assert page.locator(ROWS).count() == 3
    before = games(page)
    server = begin("serve", "--port", address.rpartition(":")[2])
    server.says(rf"site: ({address})")
    expect(page.locator("#chips .lost")).to_have_count(0, timeout=RIGHT_AGAIN_MS)
    page.wait_for_timeout(500)
    expect(page.locator("#live .state-line")).not_to_contain_text(f" {before} games", timeout=RIGHT_AGAIN_MS)
    assert page.locator(ROWS).count() == 3, "no row is there twice"
    assert games(page) > before
    assert page.evaluate("window.mine") == 1, "nothing was loaded again"
    assert run.is_running(), run.said()
    context.wrong[:] = [each for each in context.wrong if "ERR_" not in each]  # the server was away
