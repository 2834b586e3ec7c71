"""Pages of organisers about one event, who may play it and until when; and about checks of all bots."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response

from arena.core.errors import ArenaError
from arena.runner.eligibility import takes_freeze, time_in
from arena.runner.roster import newest
from arena.store.store import utc_now
from arena.store.values import BotState, Registered, Tournament
from arena.web.errors import NotFound
from arena.web.organising import acts, event_acts
from arena.web.organising.acts import checked
from arena.web.organising.checks import checks_of, progress_of
from arena.web.organising.events import Event, competitors_of, event_of
from arena.web.organising.frame import Organiser, TheSite, back, framed, live_since
from arena.web.organising.runs import runs_of
from arena.web.people.accounts import note
from arena.web.site import Site
from arena.web.submitting.checking import checking_of
from arena.web.submitting.deadlines import planned_in
from arena.web.submitting.rechecking import rechecks_of
from arena.web.viewer import organiser_of

router = APIRouter(prefix="/admin", dependencies=[Depends(organiser_of)])
Reason = Annotated[str, Form(max_length=2000)]
Bot = Annotated[str, Form(max_length=100)]
RECHECK, DISCARD = "check bots again", "discard event"


@router.get("/events/{name}")
def event(request: Request, site: TheSite, name: str) -> Response:
    """One event: how it stands, its freeze, its bots."""
    since, found = live_since(site), _found(site, name)
    tournament = found.tournament
    return framed(
        request,
        site,
        "event.html",
        found.name,
        event=found,
        since=since,
        bots=competitors_of(site, tournament) if tournament is not None else [],
        checks=[each for each in checks_of(site) if each.check.event == name],
        toml=runs_of(site).text_of(name) if tournament is None else "",
        now=utc_now(),
    )


@router.post("/events/{name}/freeze")
def freeze(
    site: TheSite,
    viewer: Organiser,
    name: str,
    at: Annotated[str, Form(max_length=40)] = "",
    do: Annotated[str, Form(pattern="^(set|now|day|remove)$")] = "set",
) -> Response:
    """Set, move or take away until when versions count."""
    found, now = _found(site, name), utc_now()
    takes_freeze(event_acts.desk_of(site, viewer), name)
    until = None
    if do == "set":
        until = time_in(at, "at")
        if until is None:
            raise ArenaError("a time is needed", where="at", fix="2026-05-04T12:00, in UTC", code="USAGE")
    elif do == "now":
        until = now.replace(microsecond=0)
    elif do == "day":
        until = _day_later(max(now, found.freeze or now))
    event_acts.freeze(site, viewer, name, until)
    return back(f"/admin/events/{name}")


def _day_later(at: datetime) -> datetime:
    try:
        return at.replace(microsecond=0) + timedelta(days=1)
    except OverflowError:
        raise ArenaError(
            "no day follows the year 9999", where="at", saw=f"{at:%Y-%m-%d}", fix="take the freeze away", code="USAGE"
        ) from None


@router.post("/events/{name}/disable")
def disable(site: TheSite, viewer: Organiser, name: str, bot: Bot, reason: Reason) -> Response:
    """Take a bot out; all may read why."""
    event_acts.disable(site, viewer, acts.found(site, name), bot, checked(reason))
    return back(f"/admin/events/{name}")


@router.post("/events/{name}/enable")
def enable(site: TheSite, viewer: Organiser, name: str, bot: Bot, reason: Reason) -> Response:
    """Let a bot back in."""
    event_acts.enable(site, viewer, acts.found(site, name), bot, checked(reason))
    return back(f"/admin/events/{name}")


@router.post("/events/{name}/discard")
def discard(site: TheSite, viewer: Organiser, name: str, reason: Reason) -> Response:
    """Throw an event away that has not begun; the log keeps its file."""
    why = checked(reason)
    note(site, viewer, DISCARD, name, why, toml=runs_of(site).discard(name))
    event_acts.freeze(site, viewer, name, None)
    return back("/admin/events")


@router.post("/events/{name}/recheck")
def recheck_event(site: TheSite, viewer: Organiser, name: str) -> Response:
    """Check the bots of an event again."""
    found = _found(site, name)
    versions = _playing(site, found.tournament) if found.tournament is not None else _named(site, name)
    _ask(site, viewer, versions, name)
    return back(f"/admin/events/{name}#checks")


@router.get("/checks")
def checks(request: Request, site: TheSite) -> Response:
    """How the last checks ended, those that failed first."""
    since, found = live_since(site), checks_of(site)
    return framed(request, site, "checks.html", "Checks", checks=found, since=since, progress=progress_of(found))


@router.post("/checks")
def recheck(site: TheSite, viewer: Organiser) -> Response:
    """Check the newest version of every bot that is ready again."""
    _ask(site, viewer, [each for each in newest(site.store.registered()) if each.state is BotState.READY])
    return back("/admin/checks")


def _ask(site: Site, viewer: Organiser, versions: list[Registered], event: str = "") -> None:
    if not versions:
        raise ArenaError("no registered bot is ready", where=event or "/admin/bots", fix="", code="NOTHING")
    count = rechecks_of(site).ask(versions, event)
    note(site, viewer, RECHECK, event or "all", "", bots=count)
    checking_of(site).hurry()


def _playing(site: Site, tournament: Tournament) -> list[Registered]:
    """The registered versions that play an event and are not out."""
    playing = {
        (each.bot.casefold(), each.version)
        for each in competitors_of(site, tournament)
        if each.out is None and each.until is None
    }
    return [each for each in site.store.registered() if (each.name.casefold(), str(each.number)) in playing]


def _named(site: Site, name: str) -> list[Registered]:
    """The newest ready versions that the file of an event names, or all where it is open."""
    config = planned_in(site).get(name, {})
    ready = [each for each in newest(site.store.registered()) if each.state is BotState.READY]
    if config.get("open"):
        return ready
    named = {str(each).partition("@")[0].casefold() for each in config.get("bots", [])}
    return [each for each in ready if each.name.casefold() in named]


def _found(site: Site, name: str) -> Event:
    found = event_of(site, name)
    if found is None:
        raise NotFound(f"there is no event {name[:80]!r}", where="/admin/events", fix="they are on /admin/events")
    return found
