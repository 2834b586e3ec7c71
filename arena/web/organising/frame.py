"""What all pages of organisers share: who may, tabs, the last thing that was done."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse, Response

from arena.web.live.pulse import version_of
from arena.web.organising.acts import can_undo
from arena.web.people.accounts import audit_of
from arena.web.rendering import page
from arena.web.site import Site, site_of
from arena.web.submitting.rechecking import PART
from arena.web.viewer import Viewer, organiser_of

TheSite = Annotated[Site, Depends(site_of)]
Organiser = Annotated[Viewer, Depends(organiser_of)]
TABS = (
    ("/admin", "Overview"),
    ("/admin/submissions", "Submissions"),
    ("/admin/events", "Events"),
    ("/admin/bots", "Bots"),
    ("/admin/checks", "Checks"),
    ("/admin/people", "People"),
    ("/admin/tokens", "Tokens"),
    ("/admin/settings", "Settings"),
    ("/admin/audit", "Log"),
)


def framed(request: Request, site: Site, template: str, title: str, **context: Any) -> Response:  # Any: for templates
    """A page of organisers."""
    last = next(iter(audit_of(site).entries(limit=1)), None)
    shown = page(
        request,
        f"admin/{template}",
        title=title,
        tabs=TABS,
        last=last,
        undoable=bool(last and can_undo(last)),
        **context,
    )
    shown.headers["Cache-Control"] = "no-store"
    return shown


def live_since(site: Site) -> int:
    """The version of the live parts of these pages; asked for before what they show is read."""
    return version_of(site, PART)


def back(path: str) -> RedirectResponse:
    """To a page of organisers, after something was done there."""
    return RedirectResponse(path, 303)
