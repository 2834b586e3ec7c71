"""Live parts in a real browser: nothing moves under the reader, and nothing is missed, whatever the server does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from scale.million import games_of
from web.live.running import Running, started

from arena.store.values import State, StoredGame, Tournament
from arena.web.live.games import live_games_of
from arena.web.live.pulse import pulse_of
from arena.web.server import listen, serve_until
from arena.web.site import Settings, Site

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.timed]
SLACK = 5
GAME = "spring-r9-b1-t1-1"
CHIP = "#chips button"
Watched = Callable[..., Any]
COUNTED = """() => {
    const made = (count, words) =>
        `<p data-amount="${count}" data-amount-word="blocks"></p>` +
        `<details id="row"><summary>more</summary>${words}</details>`;
    const part = document.querySelector("#home"), real = window.fetch;
    part.innerHTML = made(3, "open");
    part.querySelector("details").open = true;
    window.fetch = async (where, how) =>
        String(where).includes("part=home") ? new Response(made(9, "new")) : real(where, how);
}"""
"""Lets the part `home` be one that counts blocks: 3 now, 9 when it is fetched."""
TIMED = """() => {
    window.times = [];
    document.addEventListener("arena:swapped", (event) => event.target.id === "home" && times.push(performance.now()));
}"""
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


class Server:
    """A site on one port that can be ended and started again."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = 0
        self.site: Site
        self._stop: threading.Event
        self._thread: threading.Thread

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.site = Site.open(Settings(self.data, self.data))
        listening = listen("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        self._stop, ready = threading.Event(), threading.Event()
        arguments = (self.site, listening, self._stop, ready.set)
        self._thread = threading.Thread(target=serve_until, args=arguments, daemon=True)
        self._thread.start()
        assert ready.wait(30), "the site did not start"

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(20)
        assert not self._thread.is_alive(), "open streams kept it"


class Cup:
    """A tournament that gets a few games at a time."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tournament: Tournament = started(server.site.store, bots=4, blocks=60)
        self._games: Iterator[StoredGame] = games_of(self.tournament, 60)

    def play(self, games: int) -> None:
        self.server.site.store.add_games(self.tournament.id, [next(self._games) for _ in range(games)])
        pulse_of(self.server.site).look()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("live"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def cup(server: Server) -> Cup:
    cup = Cup(server)
    cup.play(12)
    return cup


@pytest.fixture
def page(server: Server, cup: Cup, watched: Watched) -> Page:
    page: Page = watched(server.address).page()
    return page


def connected(page: Page, path: str) -> None:
    """Open a page, once nothing on it is being counted for the first time, and wait until it listens."""
    for _ in range(40):
        with page.expect_request("**/events?*"):
            answer = page.goto(path)
        if answer is not None and "data-again" not in answer.text():
            break
        page.wait_for_timeout(500)
    page.wait_for_timeout(300)


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait for something that is so at the server."""
    for _ in range(400):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it never came to be")


def version(page: Page, part: str) -> int:
    return int(page.locator(f'[data-part="{part}"]').first.get_attribute("data-version") or 0)


def later(page: Page, part: str, than: int) -> None:
    page.wait_for_function(
        "([part, than]) => Number(document.querySelector(`[data-part='${part}']`).dataset.version) > than",
        arg=[part, than],
    )


def test_a_page_shows_what_is_stored_without_being_loaded_again(page: Page, cup: Cup) -> None:
    connected(page, "/")
    page.evaluate("window.mine = 1")
    row = page.locator("#t-spring td.right")
    before = row.inner_text()
    cup.play(2)
    expect(row).not_to_have_text(before)
    assert page.evaluate("window.mine") == 1


def test_a_focused_part_waits_behind_a_chip_and_keeps_its_scroll(page: Page, cup: Cup) -> None:
    page.set_viewport_size({"width": 1000, "height": 200})
    connected(page, "/")
    link = page.locator("#t-spring th a")
    link.focus()
    place = page.evaluate("(scrollTo(0, 60), scrollY)")
    text = page.locator("#home").inner_text()
    cup.play(2)
    expect(page.locator(CHIP)).to_have_text("changed, show")
    assert page.locator("#home").inner_text() == text
    page.wait_for_timeout(1500)
    assert page.locator("#home").inner_text() == text, "it waits as long as it is held"
    expect(link).to_be_focused()
    page.locator(CHIP).evaluate("chip => chip.click()")
    expect(page.locator(CHIP)).to_have_count(0)
    assert page.locator("#home").inner_text() != text
    expect(page.locator("#t-spring th a")).to_be_focused()
    assert page.evaluate("scrollY") == place > 0
    assert page.locator("#t-spring").count() == 1


def test_an_open_row_stays_open_and_counts_what_waits(page: Page, cup: Cup) -> None:
    """A part that says how much there is of something has it counted in its chip."""
    connected(page, "/")
    page.evaluate(COUNTED)
    cup.play(1)
    expect(page.locator(CHIP)).to_have_text("6 new blocks, show")
    expect(page.locator("#row")).to_contain_text("open")
    page.locator(CHIP).click()
    expect(page.locator("#row")).to_contain_text("new")
    assert page.locator("#row").evaluate("row => row.open")


def test_a_part_is_swapped_at_most_once_in_two_seconds(page: Page, cup: Cup) -> None:
    connected(page, "/")
    page.evaluate(TIMED)
    for _ in range(10):
        pulse_of(cup.server.site).bump("home")
        page.wait_for_timeout(300)
    page.wait_for_timeout(1500)
    times = page.evaluate("times")
    assert 2 <= len(times) <= 4
    assert min(late - early for early, late in pairwise(times)) > 1900


def test_a_running_game_is_followed_and_reading_back_stays(page: Page, server: Server, cup: Cup) -> None:
    game = Running(server.data, GAME)
    game.move(8)
    pulse_of(server.site).look()
    connected(page, f"/g/{GAME}")
    now = page.locator(".live-now")
    expect(now).to_have_attribute("data-turn", "8")
    game.move(2)
    expect(now).to_have_attribute("data-turn", "10")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(150)
    expect(now).to_have_attribute("data-turn", "7")
    assert page.url.endswith("?turn=7")
    said = page.locator(".g-said").inner_text()
    for _ in range(10):
        game.move()
    expect(page.locator(".go-live")).to_have_text("10 new moves, go live (End)")
    assert page.locator(".g-said").inner_text() == said
    page.keyboard.press("End")
    expect(now).to_have_attribute("data-turn", "20")
    expect(page.locator(".go-live")).to_have_count(0)
    assert page.url.endswith(GAME)
    game.move()
    expect(now).to_have_attribute("data-turn", "21")
    game.end()
    expect(page.locator(".live-state .state")).to_have_text("just ended")


def test_two_pages_of_a_browser_share_one_stream(server: Server, cup: Cup, watched: Watched) -> None:
    context = watched(server.address)
    first, second = context.page(), context.page()
    connected(first, "/")
    second.goto("/t/spring")
    streams = pulse_of(server.site).versions
    until(second, lambda: {"home", "tournament:spring"} <= streams.watched())
    assert {len(waiting) for waiting in streams._waiting.values()} == {1}, "one of them listens for both"
    before = [version(first, "home"), version(second, "tournament:spring")]
    cup.play(1)
    later(first, "home", before[0])
    later(second, "tournament:spring", before[1])
    first.close()
    before[1] = version(second, "tournament:spring")
    second.wait_for_timeout(500)
    cup.play(1)
    later(second, "tournament:spring", before[1])


def test_a_hidden_page_listens_to_nothing(page: Page, server: Server, cup: Cup) -> None:
    connected(page, "/")
    page.evaluate(HIDE, True)
    until(page, lambda: "home" not in pulse_of(server.site).versions.watched())
    before = version(page, "home")
    cup.play(1)
    page.evaluate(HIDE, False)
    later(page, "home", before)


def test_what_is_finished_needs_no_stream(page: Page, server: Server) -> None:
    over = started(server.site.store, "winter")
    server.site.store.set_state(over.id, State.FINISHED)
    pulse_of(server.site).look()
    connected(page, "/t/winter")
    until(page, lambda: "tournament:winter" not in pulse_of(server.site).versions.watched())


def test_lost_and_found_again(server: Server, cup: Cup, watched: Watched) -> None:
    """The server ends and starts again while a page is open: it says so, and is right again within ten seconds."""
    context = watched(server.address)
    page = context.page()
    connected(page, "/")
    page.evaluate("window.mine = 1")
    rows = page.locator("#home tr[id]").count()
    before = page.locator("#t-spring td.right").inner_text()
    server.stop()
    expect(page.locator("#chips .lost")).to_contain_text("offline, last change")
    server.start()
    live_games_of(server.site)
    cup.play(2)
    expect(page.locator("#chips .lost")).to_have_count(0, timeout=10_000 * SLACK)
    expect(page.locator("#t-spring td.right")).not_to_have_text(before, timeout=10_000 * SLACK)
    assert page.locator("#home tr[id]").count() == rows
    assert page.evaluate("window.mine") == 1
    context.wrong = [wrong for wrong in context.wrong if "net::ERR_" not in wrong]
