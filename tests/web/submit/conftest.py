"""A site whose checks are short and without a sandbox, and an author who is signed in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient
from web.signing import sign_in

from arena.store.people import People, Person
from arena.store.site_settings import SiteSettings
from arena.web.app import create_app
from arena.web.site import Settings, Site


class Author(NamedTuple):
    """Somebody who sends bots."""

    client: TestClient
    person: Person
    csrf: str

    def send(self, data: bytes, name: str = "my bot.zip", message: str = "") -> str:
        """Send an archive; the id of the submission."""
        found = self.client.post("/submit", data={"csrf": self.csrf, "message": message}, files={"file": (name, data)})
        assert found.status_code == 303, found.text
        return found.headers["location"].removeprefix("/submission/")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A site on an empty store."""
    made = Site.open(Settings(tmp_path / "data", tmp_path / "data", sandbox="none"))
    SiteSettings(made.store.database).set("check_boards", 1)
    return made


@pytest.fixture
def ada(site: Site) -> Iterator[Author]:
    """An author; the queue is worked off meanwhile."""
    with TestClient(create_app(site), base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield Author(client, *_signed(site, client, "Ada"))


@pytest.fixture
def bob(site: Site, ada: Author) -> Author:
    """Another author of the same site."""
    client = TestClient(ada.client.app, base_url="http://127.0.0.1", follow_redirects=False)
    return Author(client, *_signed(site, client, "Bob"))


def _signed(site: Site, client: TestClient, name: str) -> tuple[Person, str]:
    csrf = sign_in(site, client, name)
    person = People(site.store.database).named(name)
    assert person is not None
    return person, csrf
