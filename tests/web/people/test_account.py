"""Links sign in once; what is one's own can be seen, made and taken back; nobody reaches what is another's."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient
from web.signing import sign_in

from arena.runner.keeping.removal import UPLOADS, remove_person
from arena.store.people import AUTHOR, ORGANISER, People, Person
from arena.store.sessions import Sessions
from arena.store.site_settings import SiteSettings
from arena.store.submissions import Status, Submissions
from arena.store.tokens import hash_of
from arena.web.app import create_app
from arena.web.people.accounts import first_link, label_of
from arena.web.people.limits import Limit, TooMany
from arena.web.site import Settings, Site
from arena.web.viewer import SESSION

HOSTILE = "<script>alert(1)</script>"


class Ask(NamedTuple):
    """Who asks a site, and who is known there."""

    client: TestClient
    people: People
    ada: Person


@pytest.fixture
def ask(site: Site, client: TestClient) -> Ask:
    people = People(site.store.database)
    client.follow_redirects = False
    return Ask(client, people, people.add("Ada"))


def test_a_link_asks_first_and_signs_in_once(ask: Ask) -> None:
    link = f"/in/{ask.people.link(ask.ada.id)}"
    for _ in range(2):  # a preview by a chat program uses nothing up
        asked = ask.client.get(link)
        assert "Sign in as <bdi>Ada</bdi>?" in asked.text
        assert asked.headers["referrer-policy"] == "no-referrer"
        assert SESSION not in ask.client.cookies
    done = ask.client.post(link)
    cookie = done.headers["set-cookie"].lower()
    assert (done.status_code, done.headers["location"]) == (303, "/me")
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "max-age=7776000" in cookie
    assert "secure" not in cookie
    assert "<bdi>Ada</bdi>" in ask.client.get("/me").text
    assert ask.client.get(link).headers["location"] == "/me"
    ask.client.cookies.clear()
    for again in (ask.client.get(link), ask.client.post(link)):
        assert (again.status_code, "used" in again.text) == (410, True)
    assert SESSION not in ask.client.cookies


def test_the_cookie_crosses_https_only_where_there_is_https(site: Site) -> None:
    opened = Site(Settings(site.settings.data, site.settings.store, behind_proxy=True, public=True), site.store)
    people = People(site.store.database)
    link = f"/in/{people.link(people.add('Ada').id)}"
    with TestClient(create_app(opened), base_url="https://arena.example", follow_redirects=False) as client:
        assert "secure" in client.post(link).headers["set-cookie"].lower()


def test_a_public_address_without_tls_signs_nobody_in(site: Site) -> None:
    opened = Site(Settings(site.settings.data, site.settings.store, public=True), site.store)
    people = People(site.store.database)
    link = f"/in/{people.link(people.add('Ada').id)}"
    with TestClient(create_app(opened), headers={"Accept": "application/json"}) as client:
        for refused in (client.get(link), client.post(link)):
            error = refused.json()["data"]
            assert (refused.status_code, error["code"]) == (403, "INSECURE")
            assert all(error[part] for part in ("error", "where", "saw", "fix"))
    linked = people.linked(link.removeprefix("/in/"))
    assert linked is not None
    assert linked.used is None


def test_a_link_ends_with_time_and_with_its_person(ask: Ask) -> None:
    expired = ask.people.link(ask.ada.id, timedelta(0))
    assert "this link is expired" in ask.client.post(f"/in/{expired}").text
    revoked = ask.people.link(ask.ada.id)
    ask.people.revoke(ask.ada.id)
    assert ask.client.post(f"/in/{revoked}").status_code == 410
    assert SESSION not in ask.client.cookies


def test_nobody_guesses_links_for_long(ask: Ask) -> None:
    statuses = [ask.client.get(f"/in/{number}").status_code for number in range(25)]
    assert statuses == [404] * 20 + [429] * 5
    assert ask.client.post(f"/in/{ask.people.link(ask.ada.id)}").status_code == 429


def test_a_limit_lets_further_tries_in_with_time_and_remembers_few_keys() -> None:
    now = [0.0]
    limit = Limit("tries", 2, 60, lambda: now[0])
    limit.take("a")
    limit.take("a")
    with pytest.raises(TooMany, match="tries were too many"):
        limit.take("a")
    limit.take("b")
    now[0] = 60
    limit.take("a")
    for key in range(20_000):
        limit.note(key)
    assert len(limit._tried) <= 10_001


def test_tokens_and_links_are_shown_once_and_taken_back(ask: Ask, site: Site) -> None:
    csrf = sign_in(site, ask.client)
    made = ask.client.post("/me/tokens", data={"csrf": csrf, "name": HOSTILE})
    [text] = re.findall(r"arenaup_[\w-]{43}", made.text)
    assert HOSTILE not in made.text
    assert "no-store" in made.headers["cache-control"]
    assert text not in ask.client.get("/me").text
    sessions = Sessions(site.store.database)
    assert sessions.uploader(text) == ask.ada
    [token] = sessions.tokens(ask.ada.id)
    bob = TestClient(ask.client.app, base_url="http://127.0.0.1", follow_redirects=False)
    other = sign_in(site, bob, "Bob")
    assert bob.post(f"/me/tokens/{token.id}/revoke", data={"csrf": other}).status_code == 404
    assert ask.client.post(f"/me/tokens/{token.id}/revoke", data={"csrf": csrf}).status_code == 303
    assert sessions.uploader(text) is None
    linked = ask.client.post("/me/link", data={"csrf": csrf}).text
    [link] = re.findall(r"http://127\.0\.0\.1/in/([\w-]{22})", linked)
    found = ask.people.linked(link)
    assert found is not None
    assert found.person == ask.ada


def test_sessions_end_by_their_own_people_only(ask: Ask, site: Site) -> None:
    csrf = sign_in(site, ask.client)
    [session] = Sessions(site.store.database).of(ask.ada.id)
    bob = TestClient(ask.client.app, base_url="http://127.0.0.1", follow_redirects=False)
    other = sign_in(site, bob, "Bob")
    assert bob.post(f"/me/sessions/{session.id}/end", data={"csrf": other}).status_code == 404
    assert ask.client.post("/out", data={"csrf": "x"}).status_code == 403
    assert ask.client.get("/me").status_code == 200
    assert ask.client.post("/out", data={"csrf": csrf}).status_code == 303
    assert Sessions(site.store.database).of(ask.ada.id) == []
    assert ask.client.get("/me").status_code == 403


def test_a_class_joins_by_its_code(ask: Ask, site: Site) -> None:
    assert ask.client.get("/join").status_code == 404
    settings = SiteSettings(site.store.database)
    settings.set("open_signup", "code")
    settings.set("signup_code", hash_of("owls"))
    site.store.register("fox", "ab" * 32, {}, owner="Grace")
    assert ask.client.get("/join").status_code == 200
    assert ask.client.post("/join", data={"name": "Bob", "code": "foxes"}).status_code == 403
    for taken in ("ada", "GRACE", "removed person 1"):
        assert "BAD_PERSON" in ask.client.post("/join", data={"name": taken, "code": "owls"}).text
    assert ask.client.post("/join", data={"name": HOSTILE, "code": " owls "}).status_code == 303
    mine = ask.client.get("/me").text
    assert HOSTILE not in mine
    assert "&lt;script&gt;" in mine
    person = ask.people.named(HOSTILE)
    assert person is not None
    assert person.role == AUTHOR


def test_the_server_gives_its_organiser_a_way_in(ask: Ask, site: Site) -> None:
    assert ask.client.post(f"/in/{first_link(site)}").status_code == 303
    assert ask.people.linked(first_link(site)) is not None
    organisers = [person for person in ask.people.all() if person.role == ORGANISER]
    assert [person.name for person in organisers] == ["Organiser"]


def test_nothing_names_a_person_that_was_removed(ask: Ask, site: Site) -> None:
    csrf = sign_in(site, ask.client)
    ask.client.post("/me/tokens", data={"csrf": csrf, "name": "laptop"})
    ask.people.link(ask.ada.id)
    ask.people.change(ask.ada.id, student="s-1234")
    done = remove_person(site.store, site.settings.data, site.settings.store, "ADA", "asked for it")
    assert done.removal.name == "removed person 1"
    assert ask.client.get("/me").status_code == 403
    assert ask.people.named("Ada") is None
    assert ask.people.all() == []
    assert (site.settings.data / "arena.db").read_bytes().count(b"s-1234") == 0
    with site.store.database.read() as connection:
        for table in ("person", "link", "session", "upload_token", "audit", "submission"):
            rows = repr(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
            assert "Ada" not in rows
            assert "laptop" not in rows
    assert ask.people.add("Ada").id != ask.ada.id


def test_browsers_are_told_apart_in_few_words() -> None:
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    assert label_of(firefox) == "Firefox on Linux"
    assert label_of("curl/8") == "another program"


def test_what_a_removed_person_sent_goes_with_the_name(ask: Ask, site: Site) -> None:
    uploads = site.settings.data / UPLOADS
    uploads.mkdir(parents=True, exist_ok=True)
    (uploads / "x.zip").write_bytes(b"x")
    submissions = Submissions(site.store.database)
    sent = submissions.add(ask.ada.id, "x.zip", "00" * 32, 1, "by Ada", {"shown": "x.zip"})
    submissions.finish(sent.id, Status.FAILED, {}, keep_file=True)
    remove_person(site.store, site.settings.data, site.settings.store, "Ada", "left")
    assert list(uploads.iterdir()) == []
    left = submissions.get(sent.public_id)
    assert left is not None
    assert (left.owner, left.message, left.file) == ("removed person 1", "", "")


@pytest.mark.parametrize("path", ["/me/tokens/{}/revoke", "/me/sessions/{}/end", "/admin/people/{}/link"])
def test_a_number_that_no_store_can_hold_is_refused(site: Site, client: TestClient, path: str) -> None:
    csrf = sign_in(site, client, "Grace", ORGANISER)
    for number in ("9" * 10, "9" * 30, "-1"):
        assert client.post(path.format(number), data={"csrf": csrf}).status_code == 400
