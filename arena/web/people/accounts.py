"""What the pages about people have in common: services, cookies of sessions, links as addresses."""

from __future__ import annotations

from datetime import datetime, timedelta

from fastapi import Request, Response

from arena.core.errors import ArenaError
from arena.store.audit import Audit
from arena.store.people import ORGANISER, People, Person
from arena.store.sessions import SESSION_DAYS
from arena.store.site_settings import SiteSettings
from arena.web.people.limits import Limit, address_of
from arena.web.people.vouched import form_key_of
from arena.web.site import Site, site_of
from arena.web.viewer import SESSION, Viewer, is_open, sessions_of

SERVE_LINK = timedelta(minutes=15)
FIRST_ORGANISER = "Organiser"


class SignInLimit(Limit):
    """Wrong links and codes from one address."""


class SignUpLimit(Limit):
    """New people from one address."""


def include(site: Site) -> None:
    """Make the services that several threads ask for."""
    sessions_of(site), people_of(site), audit_of(site), choices_of(site), wrong_links(site), sign_ups(site)
    if site.settings.sign_in_header:
        form_key_of(site)


def people_of(site: Site) -> People:
    """The people of a site."""
    return site.service(People, lambda made: People(made.store.database))


def audit_of(site: Site) -> Audit:
    """The audit log of a site."""
    return site.service(Audit, lambda made: Audit(made.store.database))


def choices_of(site: Site) -> SiteSettings:
    """What organisers chose for a site."""
    return site.service(SiteSettings, lambda made: SiteSettings(made.store.database))


def wrong_links(site: Site) -> SignInLimit:
    """Counts wrong links and codes."""
    return site.service(SignInLimit, lambda _: SignInLimit("wrong links and codes from your network", 20, 600))


def sign_ups(site: Site) -> SignUpLimit:
    """Counts new people: a class may share one address."""
    return site.service(SignUpLimit, lambda _: SignUpLimit("new people from your network", 60, 3600))


def from_where(request: Request) -> str:
    """Where a request comes from, for counting."""
    return address_of(request, behind_proxy=site_of(request).settings.behind_proxy)


def refuse_open(site: Site, where: str) -> None:
    """Raises ArenaError INSECURE where others could read along."""
    if is_open(site.settings):
        raise ArenaError(
            "nobody can sign in here: others could read what is sent",
            where=where,
            saw="a public address without TLS",
            fix="put a proxy with TLS in front and start  arena serve --behind-proxy;  or serve on 127.0.0.1",
            code="INSECURE",
        )


def let_in(request: Request, response: Response, person: Person) -> None:
    """Sign this browser in as a person; who was signed in until now is not any more."""
    site = site_of(request)
    old = request.cookies.get(SESSION)
    if old and (held := sessions_of(site).holder(old)) is not None:
        sessions_of(site).end(held[1].id, held[0])
    text = sessions_of(site).begin(person.id, label_of(request.headers.get("user-agent", "")))
    response.set_cookie(
        SESSION,
        text,
        max_age=int(SESSION_DAYS.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def label_of(browser: str) -> str:
    """What a browser says of itself, in few words: "Firefox on Linux"."""
    kinds = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
    systems = (
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
        ("Linux", "Linux"),
    )  # fmt: skip
    kind = next((name for mark, name in kinds if mark in browser), "")
    system = next((name for mark, name in systems if mark in browser), "")
    return " on ".join(word for word in (kind, system) if word) or "another program"


def link_address(request: Request, text: str) -> str:
    """The address of a link, for people to open."""
    return str(request.url_for("ask_in", token=text))


def first_link(site: Site, holds: timedelta = SERVE_LINK) -> str:
    """The text of a link for the organiser who was there first; there is one from now on. For the host's terminal."""
    people = people_of(site)
    organisers = [person for person in people.all() if person.is_organiser]
    if not organisers:
        known = people.named(FIRST_ORGANISER)
        name = FIRST_ORGANISER if known is None else f"{FIRST_ORGANISER} {known.id + 1}"
        organisers = [people.add(name, ORGANISER)]
    return people.link(organisers[0].id, holds)


def note(site: Site, viewer: Viewer, action: str, target: str, reason: str = "", **data: object) -> int:
    """Write down what somebody did; the number of the entry."""
    return audit_of(site).note(viewer.person, viewer.name, action, target, reason, data)


def day(value: datetime) -> str:
    """A day for people."""
    return f"{value:%Y-%m-%d}"
