"""One site with life in it, asked by links, as a visitor and as an organiser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from web.acceptance.crawling import Answer, walk
from web.acceptance.life import ORGANISERS, RATED, SITTING, UNREADABLE, Life, lived, living
from web.signing import sign_in

from arena.store.people import ORGANISER
from arena.web.app import create_app

Walked = dict[str, list[Answer]]
VISITOR = "visitor"
MOST = 1
"""Addresses of a kind that are looked at."""


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which everything was made, for copies of it."""
    folder = tmp_path_factory.mktemp("made")
    lived(folder)
    return folder


@pytest.fixture(scope="module")
def life(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Life:
    folder = tmp_path_factory.mktemp("life") / "data"
    shutil.copytree(made, folder)
    return living(folder)


@pytest.fixture(scope="module")
def asking(life: Life) -> Iterator[TestClient]:
    with TestClient(create_app(life.site), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(asking: TestClient) -> Iterator[TestClient]:
    """Asks the site as a visitor."""
    asking.cookies.clear()
    yield asking
    asking.cookies.clear()


READABLE = re.compile(f"(?!(/embed)?/g/({'|'.join(UNREADABLE)}))")
"""Where links are followed: not into games that have no moves to look at."""


@pytest.fixture(scope="module")
def walked(life: Life, asking: TestClient) -> Walked:
    """By role, what answers to all links that it can come by."""
    start = ["/", "/join", f"/g/{SITTING}", f"/submission/{life.submission}", "/bot/fox/vs/owl?t=winter"]
    start += [f"/t/{RATED}", f"/t/{RATED}/boards", f"/t/{RATED}/faults", f"/t/{RATED}/schedule"]
    found = {VISITOR: list(walk(asking, [*start, "/me", "/admin"], MOST, READABLE))}
    sign_in(life.site, asking, ORGANISERS, ORGANISER)
    found[ORGANISER] = list(
        walk(
            asking,
            start,
            MOST,
            READABLE,
        )
    )
    asking.cookies.clear()
    return found
