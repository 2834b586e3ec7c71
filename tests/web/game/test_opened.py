"""Files with games in a real browser: exported pages without a server, and whatever is opened at `/open`."""

from __future__ import annotations

import base64
import json
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from web.game.browsing import Watch, count
from web.game.cups import HOSTILE, filled, first_of, opened

from arena.web.games.exported import FORMAT, export
from arena.web.games.replays import Replay
from arena.web.site import Site

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return filled(tmp_path_factory.mktemp("opened"))


@pytest.fixture(scope="module")
def address(site: Site, served: Callable[[Site], str]) -> str:
    return served(site)


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
