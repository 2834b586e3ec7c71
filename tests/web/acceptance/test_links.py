"""Every link of the site leads somewhere; whatever answers is light, fenced in, and holds no markup of others."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

import pytest
from fastapi.testclient import TestClient
from web.acceptance.conftest import VISITOR, Walked
from web.acceptance.crawling import ORIGIN, Answer, kind, links_of, posts_of, walk
from web.acceptance.life import GONE, LIVE, ORGANISERS, OWNED, RATED, UNREADABLE, Life
from web.signing import sign_in

from arena.store.people import ORGANISER

pytestmark = pytest.mark.xdist_group("acceptance")
ROLES = (VISITOR, ORGANISER)
ANSWERED = {200, 303, 403, 410}
KB = 1000
FILES = ("files", "export.html", "game.arena", "game.json", "game.txt", "position.svg")
"""Addresses of things to take home, whose weight is their own."""


def pages(found: list[Answer]) -> list[Answer]:
    return [each for each in found if each.type == "text/html" and "content-disposition" not in each.headers]


@pytest.mark.parametrize("role", ROLES)
def test_every_link_leads_somewhere(walked: Walked, role: str) -> None:
    found = walked[role]
    assert len(found) > 120
    assert [(each.status, each.url, each.found_on) for each in found if each.status not in ANSWERED] == []


@pytest.mark.long
@pytest.mark.parametrize("role", ROLES)
def test_many_links_of_every_kind_lead_somewhere(life: Life, client: TestClient, role: str) -> None:
    if role == ORGANISER:
        sign_in(life.site, client, ORGANISERS, ORGANISER)
    found = list(walk(client, ["/"], 25, re.compile(f"(?!(/embed)?/g/({'|'.join(UNREADABLE)}))")))
    assert len(found) > 1000
    assert [(each.status, each.url, each.found_on) for each in found if each.status not in ANSWERED] == []


def test_what_was_removed_says_so(client: TestClient) -> None:
    answer = client.get(f"/bot/{GONE}")
    assert answer.status_code == 410
    assert "was removed on" in answer.text
    assert "it cheated" in answer.text


def test_a_version_that_played_from_a_folder_has_a_page(life: Life, client: TestClient) -> None:
    """Also where other versions of the bot were registered since."""
    tournament = life.site.store.tournament(RATED)
    assert tournament is not None
    content = next(each.version for each in tournament.entrants if each.name == OWNED)
    answer = client.get(f"/bot/{OWNED}?v={content[:12]}")
    assert (answer.status_code, content[:12] in answer.text) == (200, True)
    assert client.get(f"/bot/{OWNED}?v=abcdef123456").status_code == 404


def test_all_pages_can_be_come_by(walked: Walked, client: TestClient) -> None:
    """Every address that the application knows is linked somewhere, but for those that only programs ask."""
    routes = {
        each.path
        for router in client.app.router.routes  # type: ignore[attr-defined]
        for each in getattr(getattr(router, "original_router", None), "routes", ())
        if "GET" in each.methods
    }
    assert len(routes) > 60
    matched = set()
    for url in {each.url.partition("?")[0] for role in ROLES for each in walked[role]}:
        matched |= {route for route in routes if _fits(route, url)}
    programs = {"/events", "/api/submissions/{number}", "/g/{public_id}/steps", "/in/{token}", "/bot/{name}.json"}
    programs |= {"/g/{public_id}/sit/{key}"}
    programs |= {"/bot/{name}/logs.json", "/submission/{number}.json", "/admin/people/links/{key}.csv"}
    assert sorted(routes - matched - programs) == []


def _fits(route: str, url: str) -> bool:
    want, have = route.strip("/").split("/"), url.strip("/").split("/")
    return len(want) == len(have) and all(_is(one, other) for one, other in zip(want, have, strict=True))


def _is(want: str, have: str) -> bool:
    name, dot, suffix = want.partition("}.")
    if not want.startswith("{"):
        return want == have
    return have.endswith(f".{suffix}") if dot else not have.endswith((".csv", ".json", ".svg")) or not name


def test_forms_send_to_addresses_that_are_known(walked: Walked, client: TestClient) -> None:
    known = [
        each.path
        for router in client.app.router.routes  # type: ignore[attr-defined]
        for each in getattr(getattr(router, "original_router", None), "routes", ())
        if "POST" in each.methods
    ]
    found = {urljoin(page.url, post) for role in ROLES for page in pages(walked[role]) for post in posts_of(page.text)}
    posts = {re.split("[?#]", each)[0] for each in found}
    assert len(posts) > 8
    assert [post for post in sorted(posts) if not any(_fits(route, post) for route in known)] == []


def test_visitors_get_no_cookie_and_nobody_anything_from_elsewhere(walked: Walked) -> None:
    assert [each.url for each in walked[VISITOR] if "set-cookie" in each.headers] == []
    for role in ROLES:
        for each in walked[role]:
            assert "default-src 'none'" in each.headers["content-security-policy"], each.url
            assert each.headers["x-content-type-options"] == "nosniff", each.url
            assert "access-control-allow-origin" not in each.headers, each.url


class _Reader(HTMLParser):
    """Notes markup that no page of the site has."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.loose: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("img", "iframe", "object", "embed", "base", "style"):
            self.wrong.append(f"<{tag} {given}>")
        if tag == "script" and not (given.get("src") or "").startswith("/static/") and "json" not in str(given):
            self.wrong.append(f"<script {given}>")
        self.wrong += [f"{name}={value}" for name, value in attrs if name.startswith("on") or name == "style"]
        self.wrong += [str(value) for name, value in attrs if name == "href" and str(value).startswith("javascript")]
        self.ids += [str(value) for name, value in attrs if name == "id"]
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "\u202e" in data and not {"bdi", "pre", "textarea", "title", "script"} & set(self._inside):
            self.loose.append(data)


@pytest.mark.parametrize("role", ROLES)
def test_no_text_of_others_becomes_markup(walked: Walked, role: str) -> None:
    hostile = 0
    for page in pages(walked[role]):
        reader = _Reader()
        reader.feed(page.text)
        assert reader.wrong == [], page.url
        assert reader.loose == [], page.url
        hostile += "window.stolen=1" in page.text
        if "part=" not in page.url:
            twice = {each for each in reader.ids if reader.ids.count(each) > 1}
            assert twice == set(), page.url
            assert "<title>" in page.text, page.url
            assert "· arena</title>" in page.text or "/embed/" in page.url, page.url
    assert hostile >= 3


def test_pages_are_light(walked: Walked) -> None:
    """Compressed, with all that they load: 120 kB, and 160 kB with a table of cards."""
    loaded: dict[str, int] = {}
    for each in walked[VISITOR] + walked[ORGANISER]:
        loaded[each.url] = len(gzip.compress(each.body, 5)) if len(each.body) > 1000 else len(each.body)
    heaviest: dict[str, float] = {}
    for role in ROLES:
        for page in pages(walked[role]):
            parts = {
                urljoin(f"{ORIGIN}{page.url}", link).removeprefix(ORIGIN).partition("#")[0]
                for tag, link in links_of(page.text)
                if tag in ("link", "script", "use") and not link.startswith("#")
            }
            weight = loaded[page.url] + sum(loaded.get(part, 10**9) for part in parts)
            heaviest[kind(page.url)] = max(heaviest.get(kind(page.url), 0), weight / KB)
    cards = ("/g/", "/embed/", "/open", "/play", "/rules/")
    heavy = {name: kb for name, kb in heaviest.items() if kb > (160 if name.startswith(cards) else 120)}
    assert heavy == {}
    assert heaviest[kind(f"/g/{LIVE}")] > 20


def test_the_csv_and_the_json_of_an_address_have_the_same_rows(walked: Walked) -> None:
    found = {each.url: each for each in walked[VISITOR] if each.status == 200 and each.type in FORMS}
    pairs = 0
    for url, as_csv in found.items():
        as_json = found.get(url.replace(".csv", ".json", 1))
        if as_csv.type != "text/csv" or as_json is None:
            continue
        keys, *rows = list(csv.reader(io.StringIO(as_csv.text)))
        listed = _rows(json.loads(as_json.text)["data"], keys)
        assert listed is not None, url
        assert len([row for row in rows if not row[0].startswith("# incomplete")]) == len(listed), url
        pairs += 1
    assert pairs > 10


FORMS = ("text/csv", "application/json")


def _rows(data: dict[str, Any], keys: list[str]) -> list[Any] | None:
    """The rows of a document: the list whose items have the columns of the CSV."""
    lists = [value for value in data.values() if isinstance(value, list)]
    for each in lists:
        if each and isinstance(each[0], dict) and set(keys) <= set(each[0]):
            return each
    return next((each for each in lists if not each), None)
