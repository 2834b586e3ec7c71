"""Who is signed in by the header of a proxy, who is not, and what nobody becomes by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.signing import session_of

from arena.cli.commands.serve import vouching_of
from arena.cli.flags import UsageError
from arena.core.errors import ConfigError
from arena.store.people import ORGANISER, People
from arena.store.site_settings import SiteSettings
from arena.store.tokens import hash_of
from arena.web.people.vouched import LOOPBACK, FormKey, Vouching, checked_header, form_key_of, name_in, network_of
from arena.web.server import application
from arena.web.site import Settings, Site
from arena.web.viewer import SESSION

HEADER = "X-Remote-User"
Asking = Callable[..., TestClient]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    settings = Settings(tmp_path / "data", tmp_path / "data", behind_proxy=True, public=True, sign_in_header=HEADER)
    made = Site.open(settings)
    SiteSettings(made.store.database).set("open_signup", "proxy")
    return made


@pytest.fixture
def asking(site: Site) -> Iterator[Asking]:
    """Makes clients that come straight from an address."""
    with ExitStack() as held:
        served = application(site)

        def client(host: str = "127.0.0.1") -> TestClient:
            return TestClient(served, base_url="https://arena.test", client=(host, 50000), follow_redirects=False)

        held.enter_context(client())
        yield client


def names(site: Site) -> list[str]:
    return [each.name for each in People(site.store.database).all()]


def csrf_in(text: str) -> str:
    return text.partition('name="csrf" value="')[2].partition('"')[0]


def test_an_account_is_made_at_the_first_visit_and_is_an_authors(site: Site, asking: Asking) -> None:
    client = asking()
    for _ in range(2):
        me = client.get("/me", headers={HEADER: "ada@example.org"})
        assert me.status_code == 200
        assert "<bdi>ada@example.org</bdi>" in me.text
        assert me.headers["cache-control"] == "no-store"
    assert "set-cookie" not in me.headers
    assert "sign out there" in me.text
    assert [(each.name, each.role) for each in People(site.store.database).all()] == [("ada@example.org", "author")]
    assert client.get("/me").status_code == 403
    assert client.get("/admin", headers={HEADER: "ada@example.org"}).status_code == 403


def test_its_forms_need_their_key_and_hold_over_a_restart(site: Site, asking: Asking) -> None:
    client, known = asking(), {HEADER: "Ada"}
    key = csrf_in(client.get("/me", headers=known).text)
    assert len(key) == 64
    for wrong in ("", "x", "0" * 64, csrf_in(client.get("/me", headers={HEADER: "Bob"}).text)):
        assert client.post("/me/tokens", data={"name": "a", "csrf": wrong}, headers=known).status_code == 403
    del site.services[FormKey]
    form_key_of(site)
    assert "Shown this once" in client.post("/me/tokens", data={"name": "a", "csrf": key}, headers=known).text


def test_from_anywhere_else_the_header_is_ignored(site: Site, asking: Asking) -> None:
    for host in ("10.0.0.9", "192.168.1.4", "::2", "testclient", "127.0.0.1.example.org", ""):
        client = asking(host)
        for more in ({}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": "127.0.0.1, ::1", "X-Real-IP": "::1"}):
            refused = client.get("/me", headers={HEADER: "Ada", **more})
            assert refused.status_code == 403
            assert "Ada" not in refused.text
    assert names(site) == []


def test_this_machine_is_trusted_wherever_the_browser_is(asking: Asking) -> None:
    for host in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"):
        headers = {HEADER.lower(): "Ada", "X-Forwarded-For": "203.0.113.7"}
        assert asking(host).get("/me", headers=headers).status_code == 200


NO_NAMES = (
    b"", b" ", b"\t", b"Ada,Olga", b"Ada, Olga", b"A" * 65, b"A" * 100_000, b"Ada\x00", b"A\x1bda", b"Ada\x7f",
    "Ada\u202e".encode(), "Ada\u2028".encode(), "Ada\u200b".encode(), b"Ada  Lovelace", b"removed person 3",
)  # fmt: skip


def test_what_is_no_one_name_signs_nobody_in(site: Site, asking: Asking) -> None:
    client = asking()
    for value in NO_NAMES:
        assert client.get("/me", headers=[(HEADER.encode(), value)]).status_code == 403, value
    for first in ("Ada", "Olga", ""):
        assert client.get("/me", headers=[(HEADER, first), (HEADER.lower(), "Ada")]).status_code == 403
    assert names(site) == []
    assert [name_in([value]) for value in (*NO_NAMES, b"\xff\xfe", b"Ada\r\nX: y")] == [""] * (len(NO_NAMES) + 2)
    assert (name_in([b"Ada"]), name_in([b"Ada", b"Ada"]), name_in([])) == ("Ada", "", "")


def test_like_headers_are_others(site: Site, asking: Asking) -> None:
    for name in ("X_Remote_User", "Remote-User", "X-Remote-User-2", "X-Arena-User", "arena.user"):
        assert asking().get("/me", headers={name: "Ada"}).status_code == 403
    assert names(site) == []


def test_no_organiser_is_made_or_signed_in_by_it(site: Site, asking: Asking) -> None:
    People(site.store.database).add("Olga", ORGANISER)
    client = asking()
    for name in ("Olga", "OLGA", "organiser", "admin"):
        for path in ("/admin", "/admin/people", "/admin/settings"):
            assert client.get(path, headers={HEADER: name}).status_code == 403
    assert "organisers sign in by a link" in client.get("/me", headers={HEADER: "Olga"}).text
    assert {each.name: each.role for each in People(site.store.database).all()} == {
        "Olga": "organiser", "organiser": "author", "admin": "author",
    }  # fmt: skip
    client.cookies.set(SESSION, session_of(site, "Olga", ORGANISER))
    assert client.get("/admin", headers={HEADER: "Ada"}).status_code == 200, "signed in by a link as well"


def test_who_is_vouched_for_is_nobody_else_by_an_old_cookie(site: Site, asking: Asking) -> None:
    client = asking()
    client.cookies.set(SESSION, session_of(site, "Bob"))
    assert "<bdi>Bob</bdi>" in client.get("/me").text
    assert "<bdi>Ada</bdi>" in client.get("/me", headers={HEADER: "Ada"}).text
    SiteSettings(site.store.database).set("open_signup", "off")
    unknown = client.get("/me", headers={HEADER: "Cid"})
    assert unknown.status_code == 403
    assert "Bob" not in unknown.text


def test_whoever_has_no_account_is_told_what_to_do(site: Site, asking: Asking) -> None:
    people, settings, client = People(site.store.database), SiteSettings(site.store.database), asking()
    people.revoke(people.add("Gone").id)
    site.store.register("fox", "1" * 64, {"name": "fox"}, "", "Dan")
    for name, words in (("Gone", "taken back"), ("Dan", "ask an organiser to add Dan")):
        assert words in client.get("/me", headers={HEADER: name}).text
    settings.set("open_signup", "off")
    refused = client.get("/submit.json", headers={HEADER: "Eve"})
    assert refused.status_code == 404
    assert client.get("/", headers={HEADER: "Eve"}).status_code == 200
    assert "ask an organiser to add Eve" in client.get("/me", headers={HEADER: "Eve"}).text
    assert client.get("/join", headers={HEADER: "Eve"}).status_code == 404
    people.add("Eve")
    assert client.get("/me", headers={HEADER: "eve"}).status_code == 200
    settings.set("open_signup", "code")
    settings.set("signup_code", hash_of("crow"))
    assert "code of your class: /join" in client.get("/me", headers={HEADER: "Fay"}).text
    assert 'value="Fay" readonly' in client.get("/join", headers={HEADER: "Fay"}).text
    joined = client.post("/join", data={"name": "Eve", "code": "crow"}, headers={HEADER: "Fay"})
    assert joined.status_code == 303
    assert "Fay" in names(site), "under the name that was vouched for, whatever the form said"


def test_without_a_proxy_in_front_the_header_is_nothing(tmp_path: Path) -> None:
    site = Site.open(Settings(tmp_path, tmp_path, sign_in_header=HEADER))
    with TestClient(application(site), base_url="http://127.0.0.1", client=("127.0.0.1", 1)) as client:
        assert client.get("/me", headers={HEADER: "Ada"}).status_code == 403
    assert SiteSettings(site.store.database).get("open_signup") == "off"


def test_headers_that_cannot_say_who_asks() -> None:
    others = ("Cookie", "authorization", "X-Forwarded-For", "Sec-Fetch-Site", "Expect")
    for name in ("", *others, "x", "X Remote", "X-Us\u00e9r", "X\r\nY", "1X"):
        with pytest.raises(ConfigError, match="cannot say who asks"):
            checked_header(name)


def test_addresses_are_numbers() -> None:
    assert str(network_of("[::1]")) == "::1/128"
    for wrong in ("", "proxy.example.org", "10.0.0.0/33", "10.0.0.1/8"):
        with pytest.raises(ConfigError, match="is no address"):
            Vouching(None, HEADER, [wrong])  # type: ignore[arg-type]


def test_flags_that_are_nothing_alone() -> None:
    assert vouching_of("", [], behind_proxy=True) == ("", LOOPBACK)
    assert vouching_of(HEADER, ["10.0.0.5"], behind_proxy=True) == (HEADER, ("10.0.0.5",))
    for header, proxies, needed in ((HEADER, [], "--behind-proxy"), ("", ["10.0.0.5"], "--sign-in-header")):
        with pytest.raises(UsageError, match=f"needs {needed}"):
            vouching_of(header, proxies, behind_proxy=False)
    with pytest.raises(ConfigError):
        vouching_of("Cookie", [], behind_proxy=True)
    with pytest.raises(ConfigError):
        vouching_of(HEADER, ["somewhere"], behind_proxy=True)
