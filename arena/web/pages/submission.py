"""One submission: how it stands, every step of its check, what to mend. For its author and for organisers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from arena.store.submissions import Status, Submission
from arena.web.errors import Forbidden, NotFound
from arena.web.live.pulse import pulse_of, version_of
from arena.web.rendering import TEMPLATING, page
from arena.web.sheets import sheet_suffix
from arena.web.site import Site, site_of
from arena.web.submitting.checking import checking_of
from arena.web.submitting.deadlines import late_for
from arena.web.submitting.report import SCHEMA, data_of, joins, visible
from arena.web.submitting.sending import stands
from arena.web.viewer import Viewer, author_of

router = APIRouter()
TEMPLATING.filters["visible"] = visible
TheSite = Annotated[Site, Depends(site_of)]
Author = Annotated[Viewer, Depends(author_of)]


@router.get("/submission/{number}")
@router.get("/submission/{number}.json")  # the lower one is asked first
def submission(request: Request, site: TheSite, viewer: Author, number: str) -> Response:
    """A submission of one's own."""
    version = version_of(site, f"submission:{number}")
    found = found_for(site, viewer, number)
    standing, joined, late = stands(checking_of(site), found), joins(site.store, found), late_for(site, found)
    if found.is_over:
        pulse_of(site).finish([f"submission:{found.public_id}"])
    if sheet_suffix(request) == ".json":
        return JSONResponse({"schema": SCHEMA, "data": data_of(found, standing, joined, late)})
    return page(
        request,
        "submit/submission.html",
        title=f"Submission {found.public_id}",
        submission=found,
        standing=standing,
        joins=joined,
        late=late,
        steps=found.report.get("steps", []),
        error=found.report.get("error"),
        live=version,
        moving=not found.is_over and found.status is not Status.HELD,
    )


def found_for(site: Site, viewer: Viewer, number: str) -> Submission:
    """The submission of an id, when it may be seen. Raises NotFound, Forbidden."""
    found = checking_of(site).submissions.get(number)
    if found is None:
        raise NotFound("there is no such submission", where=f"/submission/{number[:40]}", fix="yours are on /submit")
    if found.person != viewer.person and not viewer.is_organiser:
        raise Forbidden(
            "this is for its author and for organisers", where=f"/submission/{number}", fix="ask the author"
        )
    return found
