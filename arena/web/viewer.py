"""Who looks at a page: a visitor, or a person who signed in; and what they chose to see."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request

from arena.store.people import AUTHOR, ORGANISER
from arena.store.sessions import Sessions, csrf_of
from arena.web.errors import Forbidden
from arena.web.site import Settings, Site, site_of

HIDE_RESULTS = "hide_results"
"""Name of the cookie of those who want no results shown."""
SESSION = "arena_session"
"""Name of the cookie of those who are signed in."""


class Viewer(NamedTuple):
    """Whoever asks for a page."""

    person: int | None = None
    """The id of a person who is signed in."""
    name: str = ""
    role: str = "visitor"
    """visitor, author or organiser."""
    csrf: str = ""
    """What forms of this viewer carry; empty for visitors."""
    hide_results: bool = False
    """Whether no page may say how anything ended."""
    session: int | None = None
    """The number of the session that the person is signed in with; None: a proxy vouches for the person."""
    nobody: str = ""
    """A name that a proxy vouches for and that signs nobody in."""

    @property
    def is_organiser(self) -> bool:
        """Whether the viewer may do what organisers may."""
        return self.role == ORGANISER

    @property
    def is_author(self) -> bool:
        """Whether the viewer is signed in, and so may send bots."""
        return self.role in (AUTHOR, ORGANISER)

    def owns(self, owner: str) -> bool:
        """Whether the viewer is the person of that name."""
        return self.person is not None and self.name.casefold() == owner.casefold()


def viewer_of(request: Request) -> Viewer:
    """Who asks; for `Depends`. Looked up once a request."""
    found = getattr(request.state, "viewer", None)
    if found is None:
        found = request.state.viewer = _look_up(request)
    viewer: Viewer = found
    return viewer


def author_of(request: Request) -> Viewer:
    """Who asks, when signed in; for `Depends`. Raises Forbidden."""
    viewer = viewer_of(request)
    if viewer.nobody:
        from arena.web.people.vouched import why_not

        raise Forbidden(
            "your institution signed you in, and nobody of that name may do this",
            where=request.url.path,
            saw=viewer.nobody,
            fix=why_not(site_of(request), viewer.nobody),
        )
    if not viewer.is_author:
        raise Forbidden(
            "this is for people who are signed in",
            where=request.url.path,
            fix="open the link that an organiser gave you, or ask for a new one",
        )
    return viewer


def organiser_of(request: Request) -> Viewer:
    """Who asks, when an organiser; for `Depends`. Raises Forbidden."""
    viewer = viewer_of(request)
    if not viewer.is_organiser:
        raise Forbidden(
            "this is for organisers",
            where=request.url.path,
            fix="arena serve prints a link for one; or ask an organiser",
        )
    return viewer


def sessions_of(site: Site) -> Sessions:
    """The sessions of a site."""
    return site.service(Sessions, lambda made: Sessions(made.store.database))


def is_open(settings: Settings) -> bool:
    """Whether others could read what is sent, so that nobody may sign in."""
    return settings.public and not settings.behind_proxy


def _look_up(request: Request) -> Viewer:
    from arena.web.people.vouched import USER, form_key_of, person_of

    hide = request.cookies.get(HIDE_RESULTS) == "1"
    site = site_of(request)
    if is_open(site.settings):
        return Viewer(hide_results=hide)
    text = request.cookies.get(SESSION, "")
    found = sessions_of(site).holder(text) if text and len(text) <= 100 else None
    vouched: str = request.scope.get(USER, "")
    if vouched and not (found is not None and found[1].is_organiser):
        person = person_of(site, vouched)
        if person is None:
            return Viewer(hide_results=hide, nobody=vouched)
        return Viewer(person.id, person.name, person.role, form_key_of(site).csrf(person.id), hide)
    if found is None:
        return Viewer(hide_results=hide)
    session, person = found
    return Viewer(person.id, person.name, person.role, csrf_of(text), hide, session)
