"""What is new of the bots of whoever is signed in, since the last visit. The visits are kept in a cookie.

A cookie `visit` holds the number of the last game at the visit before, that at this visit, and when this one was last
seen: after half an hour of nothing the next look begins a new visit.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from fastapi import Request, Response

from arena.store.news import last_game, since
from arena.store.values import BotState
from arena.web.site import Site
from arena.web.viewer import Viewer

COOKIE = "arena_visit"
BREAK_S = 1800
KEPT_S = 90 * 24 * 3600
SHOWN = 5


class Visit(NamedTuple):
    """Between which games somebody was away."""

    before: int
    """The last game of the visit before."""
    now: int
    """The last game at the beginning of this visit."""
    seen: int
    """Unix time."""

    def text(self) -> str:
        """For the cookie."""
        return f"{self.before}.{self.now}.{self.seen}"


class Mine(NamedTuple):
    """One bot."""

    name: str
    games: int
    faults: int


def visit_of(request: Request, last: int) -> Visit:
    """The visit that a request belongs to; the first one has nothing new."""
    words = request.cookies.get(COOKIE, "").split(".")
    now = int(time.time())
    if len(words) != 3 or not all(word.isascii() and word.isdecimal() and len(word) < 16 for word in words):
        return Visit(last, last, now)
    known = Visit(*map(int, words))
    if now - known.seen > BREAK_S:
        return Visit(known.now, last, now)
    return known._replace(seen=now)


def my_bots(site: Site, viewer: Viewer, request: Request) -> tuple[list[Mine], Visit] | None:
    """The bots of a viewer with what is new of them; None for visitors."""
    if viewer.person is None:
        return None
    visit = visit_of(request, last_game(site.store.database))
    ready = [each for each in site.store.registered() if each.state is BotState.READY and viewer.owns(each.owner)]
    names = sorted({each.name for each in ready})
    news = since(site.store.database, visit.before, frozenset(names))
    return [Mine(name, news[name].games, news[name].faults) for name in names], visit


def remember(response: Response, visit: Visit, *, secure: bool) -> None:
    """Let the browser keep a visit."""
    response.set_cookie(COOKIE, visit.text(), max_age=KEPT_S, httponly=True, samesite="lax", secure=secure)
