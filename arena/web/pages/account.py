"""Signing in by a link, out again, and what people see of their own: sessions, upload tokens, bots."""

from __future__ import annotations

import hmac
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import RedirectResponse

from arena.core.errors import ArenaError
from arena.store.people import Link, checked_name
from arena.store.recent import faults_since
from arena.store.store import utc_now
from arena.store.tokens import hash_of
from arena.web.errors import Forbidden, Gone, NotFound
from arena.web.people import accounts
from arena.web.people.accounts import (
    choices_of,
    from_where,
    let_in,
    link_address,
    people_of,
    refuse_open,
    sign_ups,
    wrong_links,
)
from arena.web.rendering import page
from arena.web.site import Id, Site, site_of
from arena.web.viewer import SESSION, Viewer, author_of, sessions_of, viewer_of

router = APIRouter()
include = accounts.include
SECOND_DEVICE = timedelta(minutes=15)
"""How long a link that people make for another device of their own holds."""
RECENT = timedelta(days=7)
UNSEEN = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex", "Cache-Control": "no-store"}
"""Headers of pages whose address is a secret."""
TheSite = Annotated[Site, Depends(site_of)]
Author = Annotated[Viewer, Depends(author_of)]
MAX_TOKEN = 100


@router.get("/in/{token}")
def ask_in(request: Request, site: TheSite, token: str) -> Response:
    """Whether to sign in as the person of a link. Looking does not use it up: chat programs look at links too."""
    if _is_own(request, site, token):
        return RedirectResponse("/me", 303, headers=UNSEEN)
    link = _valid(request, site, token)
    found = page(request, "people/in.html", title="Sign in", person=link.person, token=token)
    found.headers.update(UNSEEN)
    return found


@router.post("/in/{token}")
def sign_in(request: Request, site: TheSite, token: str) -> Response:
    """Use a link up and sign in."""
    _valid(request, site, token)
    used = people_of(site).use(token)
    if used is None:
        raise Gone("this link was used just now, by somebody else", fix="ask an organiser for a new one")
    response = RedirectResponse("/me", 303, headers=UNSEEN)
    let_in(request, response, used.person)
    return response


def _is_own(request: Request, site: Site, token: str) -> bool:
    """Whether this browser is signed in as the person of the link: it was opened once more."""
    viewer = viewer_of(request)
    found = people_of(site).linked(token) if viewer.person is not None and len(token) <= MAX_TOKEN else None
    return found is not None and found.used is not None and found.person.id == viewer.person


def _valid(request: Request, site: Site, token: str) -> Link:
    """The link, when it can be used. Raises NotFound, Gone, TooMany, ArenaError INSECURE."""
    refuse_open(site, "/in/...")
    limit, key = wrong_links(site), from_where(request)
    limit.check(key)
    found = people_of(site).linked(token) if len(token) <= MAX_TOKEN else None
    if found is None:
        limit.note(key)
        raise NotFound(
            "there is no such link", where="/in/...", fix="copy all of it; or ask an organiser for a new one"
        )
    state = found.state(utc_now())
    if state != "valid":
        raise Gone(f"this link is {state}", where="/in/...", fix="it signs in once; ask an organiser for a new one")
    return found


@router.post("/out")
def sign_out(request: Request, site: TheSite) -> Response:
    """Sign this browser out."""
    viewer = viewer_of(request)
    if viewer.person is not None and viewer.session is not None:
        sessions_of(site).end(viewer.person, viewer.session)
    response = RedirectResponse("/", 303)
    response.delete_cookie(SESSION)
    return response


@router.get("/join")
def join_form(request: Request, site: TheSite) -> Response:
    """Where somebody with the code of a class makes an account."""
    _refuse_closed(site)
    return page(request, "people/join.html", title="Join", name=viewer_of(request).nobody)


@router.post("/join")
def join(
    request: Request, site: TheSite, name: Annotated[str, Form()], code: Annotated[str, Form(max_length=200)]
) -> Response:
    """Make an account with the code of a class, and sign in."""
    _refuse_closed(site)
    key = from_where(request)
    wrong_links(site).check(key)
    if not hmac.compare_digest(hash_of(code.strip()), str(choices_of(site).get("signup_code"))):
        wrong_links(site).note(key)
        raise Forbidden("this is not the code", where="/join", fix="ask whoever gives the class")
    sign_ups(site).take(key)
    name = viewer_of(request).nobody or checked_name(name)
    owners = {each.owner.casefold() for each in site.store.registered()}
    if name.casefold() in owners or site.store.owns_tokens(name):
        raise ArenaError(
            f"{name!r} owns bots already", where="name", fix="take another name; or ask an organiser", code="BAD_PERSON"
        )
    response = RedirectResponse("/me", 303)
    let_in(request, response, people_of(site).add(name))
    return response


def _refuse_closed(site: Site) -> None:
    refuse_open(site, "/join")
    if choices_of(site).get("open_signup") != "code":
        raise NotFound("nobody can join by himself here", where="/join", fix="ask an organiser for a link")


# What is one's own


@router.get("/me")
def me(request: Request, site: TheSite, viewer: Author) -> Response:
    """One's account."""
    return _me(request, site, viewer)


@router.post("/me/link")
def second_device(request: Request, site: TheSite, viewer: Author) -> Response:
    """A link for another device, shown once."""
    link = people_of(site).link(_id(viewer), SECOND_DEVICE)
    return _me(request, site, viewer, link=link_address(request, link))


@router.post("/me/tokens")
def new_token(request: Request, site: TheSite, viewer: Author, name: Annotated[str, Form(max_length=200)]) -> Response:
    """An upload token, shown once."""
    token, text = sessions_of(site).issue(_id(viewer), name)
    return _me(request, site, viewer, token=(token.name, text))


@router.post("/me/tokens/{number}/revoke")
def revoke_token(site: TheSite, viewer: Author, number: Id) -> Response:
    """Revoke an upload token of one's own."""
    if not sessions_of(site).revoke_token(_id(viewer), number):
        raise NotFound("you have no such token that is valid", where=f"token {number}")
    return RedirectResponse("/me", 303)


@router.post("/me/sessions/{number}/end")
def end_session(site: TheSite, viewer: Author, number: Id) -> Response:
    """Sign another browser of one's own out."""
    if not sessions_of(site).end(_id(viewer), number):
        raise NotFound("you have no such session", where=f"session {number}")
    return RedirectResponse("/me", 303)


def _id(viewer: Viewer) -> int:
    assert viewer.person is not None, "an author is a person"
    return viewer.person


def _me(request: Request, site: Site, viewer: Viewer, *, link: str = "", token: tuple[str, str] = ("", "")) -> Response:
    sessions, number = sessions_of(site), _id(viewer)
    mine = [each for each in site.store.registered() if viewer.owns(each.owner)]
    found = page(
        request,
        "people/me.html",
        title="You",
        sessions=sessions.of(number),
        tokens=[each for each in sessions.tokens(number) if each.revoked is None],
        bots=mine,
        faults=faults_since(site.store.database, {each.version for each in mine}, utc_now() - RECENT),
        new_link=link,
        new_token=token,
    )
    found.headers["Cache-Control"] = "no-store"
    return found
