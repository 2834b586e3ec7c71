"""What a bot wrote is shown as it is: its signs harmless, its lines counted as the terminal has them."""

from __future__ import annotations

import re

from cli.terminal import piped
from fastapi.testclient import TestClient
from web.signing import sign_in

from arena.web.botpages.words import visible
from arena.web.site import Site

WROTE = "one\x0cpage\rhalf\u2028more\x85and\x1cmore\n\n[turn 7]\nlast words\n"
LOG = "fox-r1-t1-g1-1-1.log"


def test_signs_that_would_be_obeyed_are_written_out() -> None:
    assert visible("a\x00\u202e<b>\t") == (
        'a<span class="control">\\x00</span><span class="control">\\u202e</span>&lt;b&gt;\t'
    )
    assert visible("a\u2028b\u2029") == 'a<span class="control">\\u2028</span>b<span class="control">\\u2029</span>'


def test_lines_are_those_of_the_terminal_whatever_signs_a_bot_writes(site: Site, client: TestClient) -> None:
    data = site.settings.data
    site.store.register("fox", "1" * 64, {"name": "fox", "games": ["*"]}, "", "Ada")
    folder = data / "logs" / "play"
    folder.mkdir(parents=True)
    (folder / LOG).write_bytes(WROTE.encode())
    sign_in(site, client, "Ada")
    page = f"/bot/fox/logs?log=play/{LOG}"
    text = client.get(page).text
    ran = piped("bot", "logs", "fox", "--data", str(data), folder=data)
    assert ran.status == 0, ran.stderr
    heading, *lines = ran.stdout.removesuffix("\n").split("\n")
    assert heading.startswith("== play")
    assert lines == ["one\\x0cpage\\rhalf\\u2028more\\x85and\\x1cmore", "", "[turn 7]", "last words"]
    assert list(map(int, re.findall(r'id="L(\d+)"', text))) == [1, 2, 3, 4]
    assert 'one<span class="control">\\x0c</span>page' in text
    assert 'class="log-line log-found" id="L3"' in client.get(f"{page}&turn=7").text
    assert f"{LOG}:4" in client.get("/bot/fox/logs?find=last+words").text


def test_an_empty_log_has_no_line(site: Site, client: TestClient) -> None:
    site.store.register("fox", "1" * 64, {"name": "fox", "games": ["*"]}, "", "Ada")
    folder = site.settings.data / "logs" / "play"
    folder.mkdir(parents=True)
    (folder / LOG).write_bytes(b"")
    sign_in(site, client, "Ada")
    found = client.get(f"/bot/fox/logs?log=play/{LOG}")
    assert (found.status_code, "(empty)" in found.text) == (200, True)
