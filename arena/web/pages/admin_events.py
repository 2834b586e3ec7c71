"""Pages of organisers about all events: plan, keep, begin, pause, resume, void, lift; tokens of bots elsewhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response

from arena.bots.manifest import NAME
from arena.core.errors import ArenaError, BotError
from arena.store.store import utc_now
from arena.store.tokens import Tokens
from arena.web.errors import NotFound
from arena.web.organising import acts
from arena.web.organising.acts import checked
from arena.web.organising.events import PAUSE, RESUME, START, events_of, is_pausing
from arena.web.organising.frame import Organiser, TheSite, back, framed, live_since
from arena.web.organising.runs import runs_of
from arena.web.organising.watch import watch_of
from arena.web.people.accounts import note
from arena.web.site import Id, Site
from arena.web.viewer import organiser_of

router = APIRouter(prefix="/admin", dependencies=[Depends(organiser_of)])
Reason = Annotated[str, Form(max_length=2000)]
MAX_OWNER = 100
EXAMPLE = """name = "spring"
game = "crowsnest"
bots = ["counter", "cautious", "basic"]
format = "round_robin"
boards = 30
"""


def include(site: Site) -> None:
    """Make the services that several threads ask for."""
    runs_of(site), watch_of(site)


@router.get("/events")
def events(request: Request, site: TheSite) -> Response:
    """All events, and the form for a new one."""
    return _events(request, site)


@router.post("/events")
def new_event(
    request: Request,
    site: TheSite,
    viewer: Organiser,
    toml: Annotated[str, Form()],
    do: Annotated[str, Form()] = "plan",
) -> Response:
    """Say what a file would play, keep it for later, or begin to play it."""
    runs = runs_of(site)
    try:
        if do == "keep":
            name = runs.keep(toml)
            note(site, viewer, "keep event", name, "", toml=toml)
            return back(f"/admin/events/{name}")
        if do != "start":
            return _events(request, site, toml=toml, plan=runs.plan(toml))
        name = runs.start(toml)
    except ArenaError as error:
        return _events(request, site, toml=toml, wrong=error)
    note(site, viewer, START, name, "", toml=toml)
    return back(f"/t/{name}" if runs.is_there(name) else "/admin/events")


@router.post("/events/{name}/pause")
def pause(site: TheSite, viewer: Organiser, name: str) -> Response:
    """Let running games end, and stop."""
    if not is_pausing(site, name):
        note(site, viewer, PAUSE, name, "", pid=runs_of(site).pause(name))
    return back(f"/admin/events/{name}")


@router.post("/events/{name}/resume")
def resume(site: TheSite, viewer: Organiser, name: str) -> Response:
    """Go on."""
    event, runs = site.store.tournament(name), runs_of(site)
    runs.resume(name if event is None else runs.key_of(event) or name)
    note(site, viewer, RESUME, name)
    return back(f"/admin/events/{name}")


@router.post("/events/{name}/void")
def void(
    site: TheSite, viewer: Organiser, name: str, game: Annotated[str, Form(max_length=200)], reason: Reason
) -> Response:
    """Take the block of a game back; it is played anew when the event goes on."""
    acts.void(site, viewer, name, game.strip().rpartition("/")[2], checked(reason))
    return back(f"/admin/events/{name}")


@router.post("/events/{name}/lift")
def lift(
    site: TheSite, viewer: Organiser, name: str, bot: Annotated[str, Form(max_length=100)], reason: Reason
) -> Response:
    """Let a bot back in."""
    acts.lift(site, viewer, name, bot, checked(reason))
    return back(f"/admin/events/{name}")


def _events(
    request: Request, site: Site, *, toml: str = "", plan: object = None, wrong: ArenaError | None = None
) -> Response:
    since = live_since(site)
    shown = framed(
        request, site, "events.html", "Events", events=events_of(site), since=since, toml=toml or EXAMPLE, plan=plan,
        wrong=wrong,
    )  # fmt: skip
    shown.status_code = 400 if wrong is not None else 200
    return shown


# Tokens of remote bots


@router.get("/tokens")
def tokens(request: Request, site: TheSite) -> Response:
    """Who may dial in."""
    return _tokens(request, site)


@router.post("/tokens")
def issue(
    request: Request,
    site: TheSite,
    viewer: Organiser,
    bot: Annotated[str, Form(max_length=40)],
    owner: Annotated[str, Form(max_length=MAX_OWNER)] = "",
    slots: Annotated[int, Form(ge=1, le=64)] = 1,
    days: Annotated[int, Form(ge=1, le=3650)] = 90,
) -> Response:
    """A token for a bot on its author's machine, shown once."""
    if not NAME.fullmatch(bot):
        raise BotError(
            f"no bot can be called {bot!r}", where="bot", fix="1 to 32 letters, digits, - or _", code="BAD_NAME"
        )
    if not owner.isprintable():
        raise ArenaError(
            "this is no owner's name", where="owner", saw=ascii(owner), fix="no controls", code="BAD_PERSON"
        )
    token, text = Tokens(site.store.database).issue(bot, owner.strip(), slots, utc_now() + timedelta(days=days))
    note(site, viewer, "issue token", f"{token.name}, number {token.id}")
    return _tokens(request, site, new=(token.name, text))


@router.post("/tokens/{number}/revoke")
def revoke(site: TheSite, viewer: Organiser, number: Id) -> Response:
    """Take a token back."""
    gone = Tokens(site.store.database).revoke_number(number)
    if gone is None:
        raise NotFound("there is no such token that holds", where=f"token {number}")
    note(site, viewer, "revoke token", f"{gone.name}, number {number}")
    return back("/admin/tokens")


def _tokens(request: Request, site: Site, new: tuple[str, str] = ("", "")) -> Response:
    now = utc_now()
    listed = [(each, each.state(now)) for each in reversed(Tokens(site.store.database).all())]
    return framed(request, site, "tokens.html", "Tokens", tokens=listed, new=new)
