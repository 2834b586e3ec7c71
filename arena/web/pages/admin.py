"""Pages of organisers: how the server is, what waits for a person, submissions, bots, settings, the log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response
from markupsafe import Markup

from arena.core.errors import ArenaError
from arena.runner.eligibility import time_in
from arena.store.audit import Entry
from arena.store.submissions import Status, Submission
from arena.store.tokens import hash_of
from arena.store.values import State
from arena.web.errors import NotFound
from arena.web.organising import acts
from arena.web.organising.acts import checked
from arena.web.organising.events import events_of
from arena.web.organising.frame import Organiser, TheSite, back, framed, live_since
from arena.web.organising.health import health
from arena.web.organising.needs import needs
from arena.web.people.accounts import audit_of, choices_of, note
from arena.web.rendering import bdi, moment
from arena.web.sheets import Column, Sheet, sheet_suffix
from arena.web.site import Id, Site
from arena.web.submitting import admitting
from arena.web.submitting.checking import checking_of
from arena.web.submitting.sending import stands
from arena.web.viewer import organiser_of

router = APIRouter(prefix="/admin", dependencies=[Depends(organiser_of)])
Reason = Annotated[str, Form(max_length=2000)]


@router.get("")
def overview(request: Request, site: TheSite) -> Response:
    """Health, and what needs a person."""
    since, state = live_since(site), health(site)
    events = [each for each in events_of(site) if each.state != State.FINISHED.value]
    return framed(
        request, site, "overview.html", "Organise", state=state, needs=needs(site, events), events=events, since=since
    )


# Submissions


@router.get("/submissions")
def submissions(request: Request, site: TheSite) -> Response:
    """The last ones, those that wait for somebody first."""
    checking = checking_of(site)
    listed = checking.submissions.newest()
    held = [each for each in checking.submissions.with_status(Status.HELD, Status.FAILED) if not each.again]
    rest = [each for each in listed if each.id not in {one.id for one in held}]
    rows = [(each, stands(checking, each)) for each in (*held, *rest)]
    return framed(request, site, "submissions.html", "Submissions", rows=rows)


@router.post("/submissions/{number}/approve")
def approve(site: TheSite, viewer: Organiser, number: str) -> Response:
    """Let a checked bot in."""
    found = _held(site, number)
    checking = checking_of(site)
    if admitting.register(site, checking.submissions, found, found.report):
        note(site, viewer, "approve", f"{found.bot} ({number})")
    checking.changed(found)
    return back("/admin/submissions")


@router.post("/submissions/{number}/refuse")
def refuse(site: TheSite, viewer: Organiser, number: str, reason: Reason) -> Response:
    """Refuse a checked bot."""
    why, found = checked(reason), _held(site, number)
    checking = checking_of(site)
    admitting.refuse(checking.submissions, site, found, why)
    note(site, viewer, "refuse", f"{found.bot} ({number})", why)
    checking.changed(found)
    return back("/admin/submissions")


@router.post("/submissions/{number}/again")
def check_again(site: TheSite, viewer: Organiser, number: str) -> Response:
    """Check one again that failed for good."""
    checking = checking_of(site)
    found = checking.submissions.get(number)
    if found is None or not checking.submissions.again(found.id):
        raise NotFound("there is no such submission that failed", where=number)
    note(site, viewer, "check again", number)
    checking.hurry()
    checking.changed(found)
    return back("/admin/submissions")


def _held(site: Site, number: str) -> Submission:
    found = checking_of(site).submissions.get(number)
    if found is None or found.status is not Status.HELD:
        raise NotFound("no such submission waits for you", where=number, fix="somebody decided already")
    return found


# Bots


@router.get("/bots")
def bots(request: Request, site: TheSite) -> Response:
    """All versions, those that are ready first."""
    listed = sorted(site.store.registered(), key=lambda each: (each.state.value, each.name.casefold(), -each.number))
    return framed(request, site, "bots.html", "Bots", bots=listed)


@router.post("/bots/{name}/{number}/retire")
def retire(site: TheSite, viewer: Organiser, name: str, number: Id, reason: Reason) -> Response:
    """Retire one version."""
    acts.retire(site, viewer, name, number, checked(reason))
    return back("/admin/bots")


# Settings


@router.get("/settings")
def settings(request: Request, site: TheSite) -> Response:
    """What can be chosen."""
    choices = choices_of(site)
    names = ("open_signup", "approval", "check_boards", "daily_uploads", "deadline")
    chosen = {name: choices.get(name) for name in names}
    return framed(
        request, site, "settings.html", "Settings", chosen=chosen, has_code=bool(choices.get("signup_code")),
        quotas=site.settings.quotas, sandbox=site.settings.sandbox,
    )  # fmt: skip


@router.post("/settings")
def choose(
    site: TheSite,
    viewer: Organiser,
    open_signup: Annotated[str, Form(pattern="^(off|code|proxy)$")],
    approval: Annotated[str, Form(pattern="^(auto|manual)$")],
    check_boards: Annotated[int, Form(ge=0, le=50)],
    daily_uploads: Annotated[int, Form(ge=0, le=1000)],
    code: Annotated[str, Form(max_length=200)] = "",
    deadline: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Choose. The class code is kept as its hash only."""
    at = time_in(deadline, "deadline")
    until = at.isoformat(timespec="minutes") if at is not None else ""
    if open_signup == "code" and not (code.strip() or choices_of(site).get("signup_code")):
        raise ArenaError("a code is needed", where="code", fix="type one that the class is told", code="USAGE")
    chosen = {"open_signup": open_signup, "approval": approval, "check_boards": check_boards,
              "daily_uploads": daily_uploads, "deadline": until}  # fmt: skip
    for name, value in chosen.items():
        acts.choose(site, viewer, name, value)
    if code.strip():
        acts.choose(site, viewer, "signup_code", hash_of(code.strip()))
    return back("/admin/settings")


# The log


@router.get("/audit")
@router.get("/audit.csv")
@router.get("/audit.json")
def audit(request: Request, site: TheSite, viewer: Organiser) -> Response:
    """What organisers did."""
    sheet = _sheet(audit_of(site).entries(), viewer.csrf).asked(request)
    suffix = sheet_suffix(request)
    if suffix:
        return sheet.csv() if suffix == ".csv" else sheet.json()
    return framed(request, site, "audit.html", "Log", sheet=sheet)


@router.post("/audit/{number}/undo")
def undo(request: Request, site: TheSite, viewer: Organiser, number: Id) -> Response:
    """Undo one thing."""
    acts.undo(site, viewer, number)
    return back("/admin/audit")


def _sheet(entries: list[Entry], csrf: str) -> Sheet:
    rows = tuple(
        {
            "number": each.id, "at": each.at.isoformat(timespec="seconds"), "who": each.who, "action": each.action,
            "target": each.target, "reason": each.reason, "data": dict(each.data),
            "undone": each.undone.isoformat(timespec="seconds") if each.undone is not None else None,
        }
        for each in entries
    )  # fmt: skip
    open_ = {each.id for each in entries if acts.can_undo(each)}
    button = Markup(
        '<form method="post" action="/admin/audit/{}/undo" class="inline"><input type="hidden" name="csrf" value="{}">'
        '<button class="quiet">Undo</button></form>'
    )

    def undone(number: int, at: str | None) -> object:
        if at is not None:
            return moment(datetime.fromisoformat(at))
        return button.format(number, csrf) if number in open_ else "–"

    return Sheet(
        "entries",
        "arena.audit/1",
        (
            Column("at", "When", lambda row: moment(datetime.fromisoformat(row["at"]))),
            Column("who", "Who", lambda row: bdi(row["who"])),
            Column("action", "What", lambda row: bdi(row["action"])),
            Column("target", "To what", lambda row: bdi(row["target"])),
            Column("reason", "Why", lambda row: bdi(row["reason"])),
            Column("undone", "Undone", lambda row: undone(row["number"], row["undone"])),
            Column("number", "", hidden=True),
            Column("data", "", hidden=True),
        ),
        rows,
        empty="nothing was done yet; whatever organisers do is written down here",
    )  # fmt: skip
