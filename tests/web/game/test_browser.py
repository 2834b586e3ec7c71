"""A game in a real browser: stepping by keys, from a lost game to the turn in two clicks, files that were exported."""

from __future__ import annotations

import base64
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from web.game.cups import HOSTILE, THROWN, TURN, filled, first_of, opened

from arena.web.games.exported import FORMAT, export
from arena.web.games.replays import Replay
from arena.web.site import Site

pytestmark = pytest.mark.needs("chromium")
Watch = Callable[..., Any]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return filled(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def address(site: Site, served: Callable[[Site], str]) -> str:
    return served(site)


def count(page: Page, turn: int) -> None:
    """Wait until a turn is shown."""
    expect(page.locator("[data-count]")).to_have_text(str(turn))


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


def test_an_exported_file_steps_without_a_server(watched: Watch, site: Site, tmp_path: Path) -> None:
    found, replay = opened(site, first_of("goat"))
    file = tmp_path / "game.html"
    file.write_text(export(found, replay), encoding="utf-8")
    page = watched("file:///").page()
    page.goto(file.as_uri())
    expect(page.locator("[data-play]")).to_be_visible()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    count(page, 3)
    page.keyboard.press("v")
    expect(page.locator(".table .seat .hand")).to_have_count(1)
    page.keyboard.press("End")
    count(page, replay.last)
    page.goto(f"{file.as_uri()}?turn=5&seat=1")
    count(page, 5)
    expect(page.locator(".g-eyes a[aria-current]")).to_have_text("W")


def test_a_file_is_opened_by_the_browser_alone(address: str, watched: Watch, site: Site, tmp_path: Path) -> None:
    found, replay = opened(site, first_of("crow_and_pitcher"))
    page = watched(address).page()
    sent: list[str] = []
    page.goto("/open")
    page.on("request", lambda request: sent.append(request.url))
    file = tmp_path / "game.html"
    file.write_text(export(found, replay), encoding="utf-8")
    page.locator("#file").set_input_files(file)
    expect(page.locator("[data-opened]")).to_contain_text("written by arena")
    page.keyboard.press("ArrowRight")
    count(page, 1)
    page.keyboard.press("2")
    expect(page.locator(".table .seat .hand")).to_have_count(1)
    page.keyboard.press("End")
    count(page, replay.last)
    assert [url for url in sent if not url.split("?")[0].endswith("/icon.svg")] == []


def test_a_hostile_file_is_only_text(address: str, watched: Watch, site: Site, tmp_path: Path) -> None:
    found, replay = opened(site, first_of("goat"))
    text = hostile(export(found, replay), replay)
    seen = watched(address)
    page = seen.page()
    page.goto("/open")
    (tmp_path / "bad.html").write_text(text, encoding="utf-8")
    page.locator("#file").set_input_files(tmp_path / "bad.html")
    expect(page.locator("[data-opened]")).to_contain_text("written by arena")
    page.keyboard.press("ArrowRight")
    count(page, 1)
    opened_part = page.locator("[data-opened]")
    assert (
        opened_part.locator("script, img, iframe, object, form, style, link, foreignObject, animate, set").count() == 0
    )
    names = page.evaluate(
        "[...document.querySelectorAll('[data-opened] *')]"
        ".flatMap((each) => [...each.attributes].map((one) => one.name))"
    )
    assert not [name for name in names if name.startswith(("on", "hx-", "data-hx", "data-src", "style", "xlink"))]
    links = page.evaluate(
        "[...document.querySelectorAll('[data-opened] [href]')].map((each) => each.getAttribute('href'))"
    )
    assert [link for link in links if not link.startswith(("?", "#"))] == []
    assert page.evaluate("window.stolen") is None
    for name, content, told in (
        ("newer.html", text.replace(FORMAT, "arena.replay-page/9"), "This file needs arena"),
        ("other.html", "<p>nothing</p>", "is no exported game"),
        ("damaged.html", re.sub(r"(data-arena=\"[^\"]*\">)[A-Za-z0-9+/=]{40}", r"\1AAAA", text), "is damaged"),
    ):
        page.goto("/open")
        (tmp_path / name).write_text(content, encoding="utf-8")
        page.locator("#file").set_input_files(tmp_path / name)
        expect(page.get_by_role("alert")).to_contain_text(told)
    seen.wrong[:] = [wrong for wrong in seen.wrong if "The action has been blocked" not in wrong]  # the attempts


def test_a_game_out_of_the_archive_of_a_tournament_is_opened(
    address: str, watched: Watch, site: Site, tmp_path: Path
) -> None:
    seen = watched(address)
    page = seen.page()
    page.goto("/t/goat/files")
    with page.expect_download() as saved:
        page.get_by_role("link", name="replays.zip").click()
    file = tmp_path / "replays.zip"
    saved.value.save_as(file)
    _found, replay = opened(site, first_of("goat"))
    page.goto("/open")
    page.locator("#file").set_input_files(file)
    page.get_by_role("combobox", name="Games in").select_option(label=f"{first_of('goat')}.arena")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("button", name="Send it and open").click()
    expect(page.locator("[data-opened]")).to_contain_text(f"{first_of('goat')}.arena, written by arena")
    page.keyboard.press("End")
    count(page, replay.last)
    (tmp_path / "game.arena").write_text("{}", encoding="utf-8")
    page.goto("/open")
    page.locator("#file").set_input_files(tmp_path / "game.arena")
    page.get_by_role("button", name="Send it and open").click()
    expect(page.get_by_role("alert")).to_contain_text("game.arena: ")
    seen.wrong[:] = [wrong for wrong in seen.wrong if "400" not in wrong]  # the refusal


def test_a_damaged_archive_is_refused_in_words(address: str, watched: Watch, tmp_path: Path) -> None:
    file = tmp_path / "damaged.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("game.arena", "{}")
    packed = bytearray(file.read_bytes())
    begins = packed.index(b"PK\x01\x02") + 42
    packed[begins : begins + 4] = (2**31 - 1).to_bytes(4, "little")
    file.write_bytes(packed)
    page = watched(address).page()
    page.goto("/open")
    page.locator("#file").set_input_files(file)
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("game.arena cannot be read: ")


def hostile(text: str, replay: Replay) -> str:
    """An exported file in whose pieces and frame somebody put what steals."""
    evil = (
        f"{HOSTILE}<svg><script>window.stolen=1</script>"
        "<animate onbegin='window.stolen=1' attributeName=x dur=1s></animate>"
        "<use href='https://evil.example/x.svg#a'/><a xlink:href='javascript:window.stolen=1'><text>x</text></a></svg>"
        "<a href='javascript:window.stolen=1' data-hx-get='/me' hx-get='/me' data-src='/me' style='x:y'>x</a>"
        "<iframe srcdoc='<script>parent.stolen=1</script>'></iframe><form action='/me'><input type=text></form>"
        "<math><mtext><style><img src=x onerror='window.stolen=1'></style></mtext></math>"
    )
    found = re.search(r'(id="arena-positions"[^>]*>)([A-Za-z0-9+/=]+)<', text)
    assert found is not None
    data = json.loads(zlib.decompress(base64.b64decode(found[2])))
    data["lines"].append(evil)
    data["pieces"] = [[*piece, len(data["lines"]) - 1] for piece in data["pieces"]]
    packed = base64.b64encode(zlib.compress(json.dumps(data).encode())).decode()
    text = text.replace(found[2], packed)
    assert replay.last
    return text.replace('<nav class="g-eyes"', evil + '<nav class="g-eyes"')
