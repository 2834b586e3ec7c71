"""Who is who: sessions, what forms carry, hosts; nothing of it can be guessed, forged or read from the store."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fastapi import Depends, FastAPI, Request
from fastapi.testclient import TestClient
from web.signing import session_of, sign_in

from arena.store.people import ORGANISER, BadPerson, People
from arena.store.sessions import Sessions, csrf_of
from arena.web import errors
from arena.web.app import create_app
from arena.web.security import check_csrf, is_this_machine
from arena.web.site import Settings, Site
from arena.web.viewer import SESSION, author_of, organiser_of, viewer_of

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def asked(site: Site) -> TestClient:
    """An application with one route for each role, and one that takes forms and JSON."""
    app = FastAPI(dependencies=[Depends(check_csrf)])
    app.state.site = site
    errors.install(app)

    @app.get("/who")
    def who(request: Request) -> dict[str, object]:
        return viewer_of(request)._asdict()

    app.get("/author", dependencies=[Depends(author_of)])(lambda: "yes")
    app.get("/organiser", dependencies=[Depends(organiser_of)])(lambda: "yes")
    app.post("/do")(lambda: "done")
    return TestClient(app, base_url="http://127.0.0.1")


@pytest.mark.parametrize(
    ("role", "author", "organiser"), [("visitor", 403, 403), ("author", 200, 403), ("organiser", 200, 200)]
)
def test_each_role_reaches_what_is_for_it(
    site: Site, asked: TestClient, role: str, author: int, organiser: int
) -> None:
    if role != "visitor":
        sign_in(site, asked, role=role)
    assert asked.get("/who").json()["role"] == role
    assert asked.get("/author").status_code == author
    assert asked.get("/organiser").status_code == organiser


@pytest.mark.parametrize("wrong", ["", "0" * 64, "é" * 30, "other session"])
def test_a_form_that_this_session_did_not_make_is_refused(site: Site, asked: TestClient, wrong: str) -> None:
    right = sign_in(site, asked)
    if wrong == "other session":
        wrong = csrf_of(session_of(site))
    for sent in ({"csrf": wrong}, {"csrf": wrong, "x": "1"}):
        refused = asked.post("/do", data=sent)
        assert (refused.status_code, "FORGED" in refused.text) == (403, True)
    assert asked.post("/do", json={}, headers={b"X-CSRF": wrong.encode()}).status_code == 403
    assert asked.post("/do", json={}).status_code == 403
    assert asked.post("/do", files={"csrf": ("csrf", right)}).status_code == 403
    assert asked.post("/do", data={"csrf": right}).text == '"done"'
    assert asked.post("/do", json={}, headers={"X-CSRF": right}).text == '"done"'


def test_a_session_ends_with_time_with_the_person_and_when_it_is_told_to(site: Site) -> None:
    now = [NOON]
    people, sessions = People(site.store.database, lambda: now[0]), Sessions(site.store.database, lambda: now[0])
    ada = people.add("Ada", ORGANISER)
    first, second = sessions.begin(ada.id, "laptop"), sessions.begin(ada.id, "phone")
    number, found = sessions.holder(first) or pytest.fail("it holds")
    assert found == ada
    assert {each.label for each in sessions.of(ada.id)} == {"laptop", "phone"}
    assert not sessions.end(ada.id + 1, number)
    assert sessions.end(ada.id, number)
    assert sessions.holder(first) is None
    now[0] += timedelta(days=89)
    assert sessions.holder(second) is not None
    people.revoke(ada.id)
    assert sessions.holder(second) is None
    people.restore(ada.id)
    third = sessions.begin(ada.id, "laptop")
    now[0] += timedelta(days=90)
    assert sessions.holder(third) is None


def test_nothing_in_the_store_signs_anybody_in(site: Site) -> None:
    people, sessions = People(site.store.database), Sessions(site.store.database)
    ada = people.add("Ada")
    texts = [people.link(ada.id), sessions.begin(ada.id, "x"), sessions.issue(ada.id, "laptop")[1]]
    with site.store.database.read() as connection:
        dumped = "".join(
            repr(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
            for table in ("person", "link", "session", "upload_token")
        )
    assert "laptop" in dumped
    for text in texts:
        assert text not in dumped
        assert csrf_of(text) not in dumped


@pytest.mark.parametrize("name", ["", " ", "a\x00b", "x" * 65, "Removed Person 3", "\u202eevil", "ﬀ" * 40])
def test_nobody_is_called_what_cannot_be_shown(site: Site, name: str) -> None:
    with pytest.raises(BadPerson):
        People(site.store.database).add(name)


def test_a_name_is_taken_whatever_its_case_and_composition(site: Site) -> None:
    people = People(site.store.database)
    people.add("Zoë  Fox")
    assert people.named("ZOE\u0308 FOX") is not None
    with pytest.raises(BadPerson, match="already"):
        people.add("zoe\u0308 fox")


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8000", True), ("localhost", True), ("[::1]:80", True), ("127.9.9.9", True),
        ("evil.example", False), ("127.0.0.1.evil.example", False), ("localhost.evil.example:8000", False), ("", False),
        ("evil@127.0.0.1", False), ("10.0.0.1", False),
    ],
)  # fmt: skip
def test_a_server_for_this_machine_answers_to_its_own_names_only(site: Site, host: str, known: bool) -> None:
    assert is_this_machine(host) is known
    with TestClient(create_app(site), base_url="http://127.0.0.1") as client:
        assert (client.get("/", headers={"Host": host}).status_code == 200) is known


@pytest.mark.parametrize(("behind_proxy", "role"), [(False, "visitor"), (True, "organiser")])
def test_nobody_is_signed_in_where_others_can_read_along(site: Site, behind_proxy: bool, role: str) -> None:
    settings = Settings(site.settings.data, site.settings.store, behind_proxy=behind_proxy, public=True)
    opened = Site(settings, site.store)
    request = Request({"type": "http", "app": FastAPI(), "headers": [], "state": {}})
    request.app.state.site = opened
    request._cookies = {SESSION: session_of(opened, role=ORGANISER)}
    assert viewer_of(request).role == role
