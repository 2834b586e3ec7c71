"""The skeleton: headers, errors in five parts, static files, forged requests, choices, and a page in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.conftest import Watched

from arena.record.codes import CODES
from arena.web.assets import asset
from arena.web.site import Settings, Site


def test_pages_are_fenced_in_and_set_no_cookie(client: TestClient) -> None:
    found = client.get("/")
    assert found.status_code == 200
    policy = found.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert "set-cookie" not in found.headers


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_an_unknown_page_says_so_in_five_parts(client: TestClient, accept: str) -> None:
    found = client.get("/no/such<b>", headers={"Accept": accept})
    assert found.status_code == 404
    if accept == "application/json":
        error = found.json()["data"]
        assert (error["code"], error["where"]) == ("NOT_FOUND", "/no/such<b>")
    else:
        assert "/no/such&lt;b&gt;" in found.text
        assert "/no/such<b>" not in found.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/g/none?turn=x", 400), ("POST", "/t", 405), ("POST", "/hide-results?next=/", 400)],
)
def test_what_cannot_be_used_has_a_code_that_is_explained_and_a_way_on(
    client: TestClient, method: str, path: str, status: int
) -> None:
    found = client.request(method, path, headers={"Accept": "application/json"})
    error = found.json()["data"]
    assert (found.status_code, error["where"]) == (status, path.partition("?")[0])
    assert error["code"] in CODES
    assert error["fix"]


def test_static_files_are_kept_for_good_under_names_of_their_contents(client: TestClient) -> None:
    found = client.get(asset("arena.css"))
    assert "immutable" in found.headers["cache-control"]
    assert client.get("/static/arena.css").headers["cache-control"] == "no-cache"
    assert client.get("/static/../app.py").status_code == 404


@pytest.mark.parametrize("path", ["/g/a%00", "/bot/%00b", "/search?q=a%00b"])
def test_a_name_with_a_nul_is_refused_whatever_keeps_the_store(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1"}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({}, 303),
    ],
)
def test_what_another_site_makes_a_browser_send_is_refused(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    found = client.post("/hide-results", data={"hide": "1"}, headers=headers, follow_redirects=False)
    assert found.status_code == status


@pytest.mark.parametrize("next_", ["//evil.example", "http://evil.example", "/\\evil.example"])
def test_a_choice_leads_back_to_this_site_only(client: TestClient, next_: str) -> None:
    found = client.post("/hide-results", data={"hide": "1", "next": next_}, follow_redirects=False)
    assert found.headers["location"] == "/"
    assert "hide_results=1" in found.headers["set-cookie"]


@pytest.mark.needs("chromium")
def test_the_first_page_in_a_browser(
    tmp_path: Path, served: Callable[[Site], str], watched: Callable[..., Watched]
) -> None:
    address = served(Site.open(Settings(tmp_path / "data", tmp_path / "data")))
    page = watched(address).page()
    page.goto("/")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").get_by_text("go to tournaments").is_visible()
    page.get_by_role("button", name="Close").click()
    assert page.title() == "Home · arena"
