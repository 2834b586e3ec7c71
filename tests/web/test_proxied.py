"""The site behind nginx, as `docs/site.md` says: TLS, sign-in, streams, uploads, limits, and restarts when
a real proxy stands before a real `arena serve`."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import expect
from remote.dialling import papers
from web.live.running import started
from web.play.sitter import Sitter, first
from web.proxy import Place, Proxied, standing

from arena.bots.archive import DEFAULT
from arena.cli.bots.sending import Line
from arena.core.errors import ArenaError, ArenaFault
from arena.runner.keeping.removal import UPLOADS
from arena.store.people import People
from arena.store.sessions import Sessions
from arena.store.site_settings import SiteSettings
from arena.store.submissions import Submissions

pytestmark = [pytest.mark.needs("nginx"), pytest.mark.needs("openssl"), pytest.mark.xdist_group("proxied")]
HTML = {"accept": "text/html"}
SOON_S, WAIT_S = 2.0, 60.0
PIECE = 1 << 20
WRONG_LINKS = 20
FORGED = {"X-Remote-User": "ada@example.org"}
CSRF = re.compile(r'name="csrf" value="(\w+)"')


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    """Both servers of the page, each before a site of its own."""
    with standing(tmp_path_factory.mktemp("proxied")) as both:
        yield both


@pytest.fixture
def plain(proxied: Proxied) -> Place:
    return proxied.plain


@pytest.fixture
def client(plain: Place) -> Iterator[httpx2.Client]:
    """A visitor of the site."""
    with plain.client() as client:
        yield client


def signed_in(place: Place, client: httpx2.Client, name: str) -> str:
    """Sign a client in by a link; what its forms carry."""
    store = place.store()
    link = People(store.database).link((People(store.database).named(name) or People(store.database).add(name)).id)
    store.close()
    assert client.post(f"/in/{link}").status_code == 303
    found = CSRF.search(client.get("/me").text)
    assert found is not None
    return found[1]


def test_the_printed_link_signs_in_through_the_proxy(plain: Place, client: httpx2.Client) -> None:
    link = plain.server[0].says(r"organiser: http://[^/]+(/in/\S+)")
    assert client.get(link).status_code == 200
    done = client.post(link)
    assert done.status_code == 303
    assert {"secure", "httponly", "samesite=lax"} <= {
        each.strip().lower() for each in done.headers["set-cookie"].split(";")
    }
    me = client.get("/me")
    assert me.status_code == client.get("/admin").status_code == 200
    found = CSRF.search(me.text)
    assert found is not None
    second = client.post("/me/link", data={"csrf": found[1]}, headers=HTML)
    assert f"{plain.address}/in/" in second.text, "links lead to where the browser is"


def test_forms_are_taken_from_this_site_alone(plain: Place, client: httpx2.Client) -> None:
    key = signed_in(plain, client, "Ada")
    form = {"name": "laptop", "csrf": key}
    for headers in (
        {"origin": "https://localhost"},
        {"origin": "https://evil.example"},
        {"sec-fetch-site": "same-site"},
    ):
        refused = client.post("/me/tokens", data=form, headers=headers)
        assert (refused.status_code, "another site" in refused.text) == (403, True), headers
    assert client.post("/me/tokens", data={"name": "laptop", "csrf": "0" * 64}).status_code == 403
    for headers in ({"origin": plain.address}, {"origin": plain.address, "sec-fetch-site": "same-origin"}):
        assert client.post("/me/tokens", data=form, headers=headers).status_code == 200, headers


@pytest.mark.timed
def test_a_change_is_told_at_once(plain: Place, client: httpx2.Client) -> None:
    store, told = plain.store(), 0
    with client.stream("GET", "/events?parts=home") as stream:
        for line in stream.iter_lines():
            told += line.startswith("data:")
            if told == 2 and line.startswith("data:"):
                began = time.monotonic()
                started(store, f"cup{time.time_ns()}")
            if told == 3:
                break
    took = time.monotonic() - began
    store.close()
    assert took < SOON_S


def test_archives_up_to_the_limit_come_through_and_larger_ones_are_told_so(plain: Place, client: httpx2.Client) -> None:
    store, uploads = plain.store(), plain.folder / ".arena" / UPLOADS
    _, token = Sessions(store.database).issue(People(store.database).add("Bob").id, "laptop")
    bearer = {"Authorization": f"Bearer {token}"}

    def pieces(size: int) -> Iterator[bytes]:
        yield from (b"x" * min(PIECE, size - at) for at in range(0, size, PIECE))

    def watched_pieces(size: int) -> Iterator[bytes]:
        """Stops in the middle until the site has some of it."""
        yield from pieces(size // 2)
        until = time.monotonic() + WAIT_S
        while not any(part.stat().st_size for part in uploads.glob("*.part")):
            assert time.monotonic() < until, "the proxy keeps it to itself"
            time.sleep(0.02)
        yield from pieces(size - size // 2)

    def sent(size: int, *, said: bool, how: Callable[[int], Iterator[bytes]] = pieces) -> tuple[int, Any]:
        length = {"Content-Length": str(size)} if said else {}
        found = client.post("/api/submissions", content=how(size), headers=bearer | length)
        return found.status_code, found.json()["data"]

    taken = ((DEFAULT.bytes, True, pieces), (PIECE, True, watched_pieces), (PIECE + 1, False, watched_pieces))
    for size, said, how in taken:
        status, data = sent(size, said=said, how=how)
        assert status == 202, data
        kept = Submissions(store.database).get(data["id"])
        assert kept is not None
        assert kept.size == size
    for said in (True, False):  # refused before it comes, and counted while it comes
        status, data = sent(DEFAULT.bytes + (1 << 17), said=said)
        assert (status, data["code"]) == (413, "TOO_LARGE"), data
    store.close()


def test_who_is_refused_while_sending_hears_why(client: httpx2.Client) -> None:
    refused = {"/api/submissions": 403, "/submit": 403, "/play": 413}
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for path, status in refused.items():
        for _ in range(4):
            found = client.post(path, content=iter([b"x" * PIECE] * 20), headers=form)
            assert found.status_code == status, path


def test_what_the_proxy_refuses_is_understood_by_the_command(
    plain: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(papers().authority))
    with (tmp_path / "large.zip").open("w+b") as large:
        large.truncate(110_000_000)
        with pytest.raises(ArenaError) as refused:
            Line(plain.address, "arenaup_x").ask("POST", "/api/submissions", large)
    assert refused.value.code == "TOO_LARGE"


def test_a_hand_is_played(client: httpx2.Client) -> None:
    table = Sitter(client, game="crowsnest", left="random", right="basic")
    assert "secure" in table.cookie.lower()
    news = table.wait()
    move, then = first(table.steps[-1]["choice"])
    assert table.send(news["waiting"], move, then, key="").status_code == 403
    assert table.send(news["waiting"], move, then).json()["taken"] == "played"
    assert client.post(f"{table.path}/leave", headers={"cookie": f"seat_key={table.key}"}).status_code == 303


ODD = ("PROPFIND", "MKCOL", "PUT", "DELETE", "PATCH", "LOCK", "TRACE", "OPTIONS", "FOO")


def test_odd_methods_and_paths_get_nothing(client: httpx2.Client) -> None:
    for method in ODD:
        assert client.request(method, "/me").status_code == 405, method
    for path in ("/static/..%2fapp.py", "/static/%2e%2e/app.py", "/@away", "/whoami", "/g/..%2f..%2fetc%2fpasswd"):
        assert client.get(path).status_code in (400, 404), path


def test_limits_count_the_address_that_the_proxy_saw(plain: Place) -> None:
    with plain.client("127.0.0.2") as guessing, plain.client("127.0.0.3") as other:
        found = []
        for number in range(WRONG_LINKS + 1):
            claimed = {"X-Forwarded-For": f"192.0.2.{number}", "X-Real-IP": "192.0.2.1", "Forwarded": "for=192.0.2.9"}
            found.append(guessing.get(f"/in/wrong{number}", headers=claimed).status_code)
        assert found == [404] * WRONG_LINKS + [429]
        assert other.get("/in/wrong", headers={"X-Forwarded-For": "127.0.0.2"}).status_code == 404


def test_nobody_says_who_they_are_but_the_institution(proxied: Proxied) -> None:
    place = proxied.signing
    store = place.store()
    SiteSettings(store.database).set("open_signup", "proxy")
    People(store.database).add("Olga", "organiser")
    with place.client() as client, proxied.plain.client() as elsewhere:
        assert elsewhere.get("/me", headers=FORGED).status_code == 403, "a site without the flag reads no such header"
        for cookie in ("", "institution=none", "institution=two"):
            for name in ("X-Remote-User", "x-remote-user", "X_Remote_User"):
                sent = {name: "ada@example.org", "X-User": "ada@example.org", "cookie": cookie}
                assert client.get("/me", headers=sent).status_code == 403, (cookie, name)
        assert client.get("/", headers=FORGED).status_code == 200
        refused = client.get("/api/submissions/1", headers={**FORGED, "cookie": "institution=ada"})
        assert (refused.status_code, refused.json()["data"]["code"]) == (403, "BAD_TOKEN")
        assert [each.name for each in People(store.database).all()] == ["Organiser", "Olga"]
        ada = {"cookie": "institution=ada", "X-Remote-User": "Bob"}
        me = client.get("/me", headers=ada)
        assert "<bdi>ada@example.org</bdi>" in me.text
        key = CSRF.search(me.text)
        assert key is not None
        made = client.post("/me/tokens", data={"name": "a", "csrf": key[1]}, headers=ada)
        assert "Shown this once" in made.text
        assert client.get("/admin", headers={"cookie": "institution=olga"}).status_code == 403
        stranger = {"cookie": "institution=stranger"}
        assert client.get("/", headers=stranger).status_code == 401
        assert client.get("/api/submissions/1", headers=stranger).json()["data"]["code"] == "BAD_TOKEN"
        assert client.get("/whoami").status_code == 404, "what the institution is asked is not for others"
    store.close()


@pytest.mark.needs("chromium")
def test_while_the_site_is_started_anew_pages_wait_and_go_on(
    plain: Place, client: httpx2.Client, watched: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(papers().authority))
    context = watched(plain.address, ignore_https_errors=True)
    here, later = context.page(), context.page()
    here.goto("/")
    here.evaluate("window.mine = 1")
    with plain.away():
        for method, again in (("GET", "5"), ("POST", None)):
            away = client.request(method, "/submit")
            assert (away.status_code, away.headers.get("refresh"), away.headers["retry-after"]) == (503, again, "5")
            assert "started anew" in away.text
        with pytest.raises(ArenaFault, match="cannot be reached"):
            Line(plain.address, "arenaup_x").ask("GET", "/api/submissions/1")
        later.goto("/t")
        expect(later.locator("body")).to_contain_text("started anew")
        here.bring_to_front()
        expect(here.locator("#chips .lost")).to_contain_text("offline")
    expect(here.locator("#chips .lost")).to_have_count(0)
    assert here.evaluate("window.mine") == 1, "nothing was loaded again"
    expect(later.locator("h1")).to_have_text("Tournaments")
    context.wrong[:] = [each for each in context.wrong if " 503 " not in each and "ERR_" not in each]  # it was away
