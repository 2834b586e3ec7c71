"""What nobody may make the site do: every address that changes something by who may ask it and with which key, headers
of every kind of answer, texts that no store holds, and a store that goes away and comes back."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import httpx2
import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from web.signing import session_of, sign_in

from arena.core.errors import ArenaFault
from arena.store.people import AUTHOR, ORGANISER, People
from arena.store.sessions import Sessions, csrf_of
from arena.web.app import create_app
from arena.web.people.limits import address_of
from arena.web.security import MAX_BODY, UPLOADS
from arena.web.site import Settings, Site

ANYBODY, AUTHORS, ORGANISERS, PROGRAMS = "anybody", "authors", "organisers", "programs"
CHANGES = {
    "/hide-results": ANYBODY,
    "/open": ANYBODY,
    "/in/{token}": ANYBODY,
    "/join": ANYBODY,
    "/out": ANYBODY,
    "/play": ANYBODY,
    "/g/{public_id}/move": ANYBODY,
    "/g/{public_id}/leave": ANYBODY,
    "/g/{public_id}/compare": ANYBODY,
    "/api/submissions": PROGRAMS,
    "/me/link": AUTHORS,
    "/me/tokens": AUTHORS,
    "/me/tokens/{number}/revoke": AUTHORS,
    "/me/sessions/{number}/end": AUTHORS,
    "/submit": AUTHORS,
}
"""Address that changes something -> who may ask it."""
FOLDERS = {"/admin/": ORGANISERS, "/me/": AUTHORS, "/bot/": AUTHORS, "/api/": PROGRAMS}
"""The same for all addresses that begin so."""
BOT = "1"
"""What is asked for everywhere; a bot of somebody else."""
PLAIN = {"Content-Type": "application/x-www-form-urlencoded"}


class Change(NamedTuple):
    """An address that changes something."""

    path: str
    who: str
    form: dict[str, str]
    """All that it can be sent, so that nothing is missing."""


def routes(client: TestClient) -> list[Any]:
    """All that is asked for one by one. Any: FastAPI's routes."""
    routers = client.app.router.routes  # type: ignore[attr-defined]
    return [each for router in routers for each in getattr(getattr(router, "original_router", None), "routes", ())]


def changes(client: TestClient) -> list[Change]:
    """By address that can be sent something: who may."""
    found = []
    for each in routes(client):
        if each.methods - {"GET", "HEAD"}:
            assert each.methods == {"POST"}, each.path
            folder = next((who for start, who in FOLDERS.items() if each.path.startswith(start)), "nobody")
            form = {field.alias: "1" for field in each.dependant.body_params}
            found.append(Change(each.path, CHANGES.get(each.path, folder), form))
    return found


def filled(path: str) -> str:
    return re.sub(r"{\w+}", BOT, path)


def test_it_is_known_who_may_change_what(client: TestClient) -> None:
    found = changes(client)
    assert [each.path for each in found if each.who == "nobody"] == []
    assert len(found) > 30


def test_nobody_who_is_signed_in_sends_anything_without_the_key_of_the_session(site: Site, client: TestClient) -> None:
    mine = sign_in(site, client, "Olga", ORGANISER)
    other = csrf_of(session_of(site, "Olga", ORGANISER))
    assert mine != other
    for path, who, _ in changes(client):
        for key in ("", other, "\u202e\u00e9") if who != PROGRAMS else ():
            form = urlencode({"csrf": key}) if key else ""
            found = client.post(filled(path), content=form, headers=PLAIN, follow_redirects=False)
            assert found.status_code in ((403,) if path != "/submit" else (400,)), path
            assert "FORGED" in found.text or path == "/submit", path
    assert client.get("/me").status_code == 200, "also not signed out"


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}, {"Origin": "http://127.0.0.1.evil"}]
)
def test_nothing_is_changed_for_other_sites(client: TestClient, headers: dict[str, str]) -> None:
    for path, _, _ in changes(client):
        assert client.post(filled(path), headers=headers, follow_redirects=False).status_code == 403, path


def test_roles_are_looked_at_before_anything_else(site: Site, client: TestClient) -> None:
    site.store.register(BOT, "1" * 64, {"name": BOT, "games": ["goat"]}, "", "Zoe")
    for path, who, form in changes(client):
        if who != ANYBODY:
            found = client.post(filled(path), data=form, follow_redirects=False)
            assert found.status_code in ((400, 403) if who == PROGRAMS else (403,)), f"{path} as a visitor"
    key = {"X-CSRF": sign_in(site, client, "Ada", AUTHOR)}
    for path, who, form in changes(client):
        if who == ORGANISERS or path.startswith("/bot/"):
            found = client.post(filled(path), headers=key, data=form, follow_redirects=False)
            assert found.status_code == 403, f"{path} as an author"
    for each in routes(client):
        if each.path.startswith("/admin") and "GET" in each.methods:
            assert client.get(filled(each.path)).status_code == 403, each.path


def test_more_than_is_taken_is_refused_alike_at_every_address(site: Site, client: TestClient) -> None:
    key = {"X-CSRF": sign_in(site, client, "Olga", ORGANISER), "Accept": "application/json"}
    for path, _, form in changes(client):
        if path not in UPLOADS:
            data = {**form, "more": "x" * MAX_BODY}
            found = client.post(filled(path), data=data, headers=key, follow_redirects=False)
            assert found.status_code == 413, path
            said = found.json()["data"]
            assert (said["code"], said["error"]) == ("TOO_LARGE", "more than 1024 KiB was sent"), path
            assert said["where"], path
            assert "at most 1024 KiB" in said["fix"], path


@pytest.fixture
def failing(site: Site) -> Iterator[TestClient]:
    """Answers as a server would where tests let errors through; `/fails` fails as nobody foresaw."""
    app = create_app(site)

    @app.get("/fails")
    def fails() -> None:
        raise RuntimeError("secret words")

    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


ANSWERS = [
    ("GET", "/", 200), ("HEAD", "/t", 200), ("GET", "/nowhere", 404), ("DELETE", "/t", 405), ("TRACE", "/", 405),
    ("PROPFIND", "/me", 405), ("POST", "/t", 405), ("OPTIONS", "/play", 405), ("GET", "/admin", 403),
    ("GET", "/static/arena.css", 200), ("GET", "/static/none.css", 404), ("POST", "/static/arena.css", 405),
    ("GET", "/static/%2e%2e/app.py", 404), ("GET", "/static/..%2fapp.py", 404), ("GET", "/static//etc/passwd", 404),
    ("GET", "/g/..%2f..%2fetc%2fpasswd", 404), ("GET", "/t/x/files/..%2farena.db", 404), ("GET", "/fails", 500),
    ("GET", "/embed/g/none", 404), ("GET", "/events?parts=%0aevent:x", 400), ("GET", "/bot/a%00", 400),
    ("GET", "/t/9/b/99999999999999999999", 404), ("GET", f"/search?q={'a' * 60_000}", 400),
    ("GET", "/g/none?turn=99999999999999999999", 400), ("HEAD", "/events", 405),
]  # fmt: skip
"""(method, path, status)."""


def test_every_kind_of_answer_is_fenced_in(failing: TestClient) -> None:
    for method, path, status in ANSWERS:
        found = failing.request(method, path, headers={"Accept": "text/html"}, follow_redirects=False)
        assert found.status_code == status, f"{method} {path[:80]}"
        ancestors = "*" if path.startswith("/embed/") else "'none'"
        assert f"frame-ancestors {ancestors}" in found.headers["content-security-policy"], path[:80]
        assert found.headers["x-content-type-options"] == "nosniff"
        assert "cache-control" in found.headers, path[:80]
        assert "secret words" not in found.text
        assert len(found.text) < 200_000


def test_a_head_is_that_of_the_page_without_it(client: TestClient) -> None:
    whole, head = client.get("/rules"), client.head("/rules")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]


def test_no_cookie_is_read_by_scripts_or_sent_for_other_sites(site: Site, client: TestClient) -> None:
    link = People(site.store.database).link(People(site.store.database).add("Ada").id, timedelta(minutes=1))
    for path, form in ((f"/in/{link}", {}), ("/hide-results", {"hide": "1"})):
        for scheme in ("http", "https"):
            found = client.post(f"{scheme}://127.0.0.1{path}", data=form, follow_redirects=False)
            if found.status_code == 303:
                words = {word.strip().lower() for word in found.headers["set-cookie"].split(";")}
                assert {"httponly", "samesite=lax"} <= words
                assert ("secure" in words) == (scheme == "https")


@pytest.mark.parametrize(
    "place",
    [
        "//evil.example",
        "/\\evil.example",
        "///evil.example",
        "https:evil.example",
        "/\t/evil.example",
        "/\r\nX-Evil: 1",
    ],
)
def test_no_choice_leads_away_or_adds_headers(client: TestClient, place: str) -> None:
    found = client.post("/hide-results", data={"hide": "0", "next": place}, follow_redirects=False)
    assert found.status_code == 303
    assert re.fullmatch(r"/([^/\\\s][^\s\\]*)?", found.headers["location"])
    assert "x-evil" not in found.headers


def test_what_answers_somebody_is_kept_by_no_cache(site: Site, client: TestClient) -> None:
    assert client.get("/").headers["cache-control"] == "no-cache"
    assert (
        client.get("/api/submissions/1", headers={"Authorization": "Bearer x"}).headers["cache-control"] == "no-store"
    )
    sign_in(site, client)
    for path in ("/", "/me", "/admin", "/nowhere", "/t.json", "/bot/none.json"):
        assert client.get(path).headers["cache-control"] == "no-store", path


def test_a_text_with_a_nul_is_refused_whatever_keeps_the_store(site: Site, client: TestClient) -> None:
    key = sign_in(site, client, "Olga", ORGANISER)
    for path, form in (("/me/tokens", {"name": "a\0b"}), ("/admin/people", {"names": "a", "b\0": "c"})):
        found = client.post(path, data={"csrf": key, **form})
        assert (found.status_code, "NUL" in found.text) == (400, True), path


def test_a_store_that_is_away_is_said_and_the_page_looks_again(
    site: Site, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(site, client)

    def gone(*_: object) -> None:
        raise ArenaFault(
            "the database server has gone", where="db.inside:5432", saw="no route", fix="wait", code="STORE_GONE"
        )

    with monkeypatch.context() as patch:
        patch.setattr(Sessions, "holder", gone)
        found = client.get("/t?sort=-name&x=<i>", headers={"Accept": "text/html"})
        assert (found.status_code, found.headers["retry-after"]) == (503, "5")
        for part in ("the database server has gone", "db.inside:5432", "no route", "wait", "STORE_GONE"):
            assert part in found.text
        assert '<meta http-equiv="refresh" content="5">' in found.text
        assert 'href="/t?sort=-name&amp;x=' in found.text
        sent = client.post("/me/link", headers={"Accept": "text/html"})
        assert (sent.status_code, "http-equiv" in sent.text) == (503, False)
        as_json = client.get("/t.json").json()["data"]
        assert (as_json["code"], as_json["where"]) == ("STORE_GONE", "db.inside:5432")
        site.settings = replace(site.settings, behind_proxy=True)
        found = client.get("/t.json")
        assert "inside" not in found.text, "others are not told where it is"
        assert found.json()["data"]["code"] == "STORE_GONE"
    site.settings = replace(site.settings, behind_proxy=False)
    assert client.get("/t").status_code == 200


def test_a_client_cannot_choose_the_address_that_limits_count() -> None:
    lines = [(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"2.2.2.2, 3.3.3.3")]
    request = Request({"type": "http", "headers": lines, "client": ("127.0.0.1", 1)})
    assert address_of(request, behind_proxy=True) == "3.3.3.3"
    assert address_of(request, behind_proxy=False) == "127.0.0.1"


def test_what_comes_before_a_body_has_bounds(tmp_path: Path, served: Callable[[Site], str]) -> None:
    address = served(Site.open(Settings(tmp_path / "data", tmp_path / "data")))
    host, port = address.removeprefix("http://").split(":")
    for start in (b"GET /?q=", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "):
        with socket.create_connection((host, int(port)), timeout=30) as asking:
            answer = b""
            with suppress(ConnectionError):
                for _ in range(64):
                    asking.sendall(start + b"a" * (1 << 16))
                    start = b""
                answer = asking.recv(100)
            assert answer[:12] in (b"", b"HTTP/1.1 400"), "it was cut off"
    assert httpx2.get(f"{address}/rules", timeout=30).status_code == 200
