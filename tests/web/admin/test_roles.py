"""Every route that changes something or is not for all, asked by every role."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from web.signing import sign_in

from arena.store.people import AUTHOR, ORGANISER
from arena.web import pages
from arena.web.app import create_app
from arena.web.site import Settings, Site

AUTHORS = {"/me", "/me/link", "/me/tokens", "/me/tokens/{number}/revoke", "/me/sessions/{number}/end", "/submit",
           "/submission/{number}", "/submission/{number}.json"}  # fmt: skip
OPEN = {("GET", "/submit")}
"""The page itself is for all: it says how one comes to have the right."""
FILLED = {"number": "99999", "name": "fox", "event": "spring", "key": "k"}


def mine(path: str) -> bool:
    return path in AUTHORS or path.startswith("/admin")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, TestClient]]:
    data = tmp_path_factory.mktemp("roles") / "data"
    site = Site.open(Settings(data, data))
    with TestClient(create_app(site), base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield site, client


def every() -> list[APIRoute]:
    """The routes of all page modules."""
    modules = [
        importlib.import_module(f"{pages.__name__}.{each.name}") for each in pkgutil.iter_modules(pages.__path__)
    ]
    return [route for module in modules for route in module.router.routes if isinstance(route, APIRoute)]


def routes() -> list[tuple[str, str]]:
    return sorted((method, route.path) for route in every() if mine(route.path) for method in route.methods - {"HEAD"})


@pytest.mark.parametrize("role", ["visitor", AUTHOR, ORGANISER])
def test_every_route_lets_in_whom_it_is_for(opened: tuple[Site, TestClient], role: str) -> None:
    site, first = opened
    client = TestClient(first.app, base_url="http://127.0.0.1", follow_redirects=False)
    csrf = sign_in(site, client, role, role) if role != "visitor" else ""
    asked = routes()
    assert len(asked) > 30
    for method, path in asked:
        found = client.request(
            method, path.format(**FILLED), headers={"X-CSRF": csrf, "Accept": "application/json"}, data={}
        )
        may = (method, path) in OPEN or (path in AUTHORS and role != "visitor") or role == ORGANISER
        assert (found.status_code == 403) is not may, f"{role}: {method} {path} -> {found.status_code}"
        if not may:
            assert found.json()["data"]["code"] == "NOT_ALLOWED"


@pytest.mark.parametrize("role", [AUTHOR, ORGANISER])
def test_nothing_is_done_without_the_key_of_the_session(opened: tuple[Site, TestClient], role: str) -> None:
    site, first = opened
    client = TestClient(first.app, base_url="http://127.0.0.1", follow_redirects=False)
    sign_in(site, client, role, role)
    for method, path in routes():
        if method != "GET":
            found = client.request(method, path.format(**FILLED), headers={"X-CSRF": "0" * 64}, data={})
            assert found.status_code in (400, 403), f"{method} {path} -> {found.status_code}"
            assert "FORGED" in found.text or "no form with a file" in found.text, path


def test_every_other_route_that_changes_something_is_looked_over_as_well(opened: tuple[Site, TestClient]) -> None:
    site, client = opened
    sign_in(site, client)
    changing = [route for route in every() if "POST" in route.methods and not route.path.startswith("/api/")]
    assert len(changing) > 25
    for route in changing:
        if not route.path.startswith("/me"):
            path = route.path.format_map(Anything())
            found = client.post(path, data={"csrf": "wrong"})
            assert (found.status_code, path) == (403, path) or "no form with a file" in found.text


class Anything(dict[str, str]):
    """Fills every name of a path."""

    def __missing__(self, key: str) -> str:
        return "1"
