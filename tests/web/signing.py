"""Signs clients and browsers in, as a person of a role, without a link."""

from __future__ import annotations

from fastapi.testclient import TestClient

from arena.store.people import AUTHOR, People
from arena.store.sessions import csrf_of
from arena.web.site import Site
from arena.web.viewer import SESSION, sessions_of


def session_of(site: Site, name: str = "Ada", role: str = AUTHOR) -> str:
    """The text of a new session of a person, who is added when there is none of that name."""
    people = People(site.store.database)
    person = people.named(name) or people.add(name, role)
    return sessions_of(site).begin(person.id, "test")


def sign_in(site: Site, client: TestClient, name: str = "Ada", role: str = AUTHOR) -> str:
    """Let a client be signed in; what its forms carry as `csrf`, or as the header X-CSRF."""
    text = session_of(site, name, role)
    client.cookies.set(SESSION, text)
    return csrf_of(text)
