"""A tournament: its table, and beside it pairs, boards, schedule, faults and files. Every tab has an address."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from arena.runner.series import members_of
from arena.web.sheets import sheet_suffix
from arena.web.site import Site, site_of
from arena.web.standing.formats import format_markup
from arena.web.standing.frame import find, frame_of, framed
from arena.web.standing.listing import series
from arena.web.standing.service import NOT_YET, standing_service
from arena.web.standing.state import course_service
from arena.web.standing.table import table_sheet, words_of
from arena.web.viewer import viewer_of

router = APIRouter()
Here = Annotated[Site, Depends(site_of)]


def include(site: Site) -> None:
    """Make what the pages ask, and have the parts of pages fetched again when there are new figures."""
    from arena.web.live.pulse import pulse_of

    pulse = pulse_of(site)
    course_service(site)

    def tell(name: str) -> None:
        pulse.bump(f"tournament:{name}")

    standing_service(site).told.append(tell)


@router.get("/t/{name}")
@router.get("/t/{name}.csv")
@router.get("/t/{name}.json")
def table(request: Request, name: str, site: Here) -> Response:
    """The rating table."""
    found = site.store.tournament(name)
    if found is None and (members := members_of(site.store, name)):
        return series(request, site, name, members)
    frame = frame_of(site, found or find(site, name))
    made = standing_service(site).of(frame.tournament)
    suffix = sheet_suffix(request)
    if made.data is None:
        if suffix:
            frame.not_yet()
        return framed(request, "tournament/table.html", frame, made=NOT_YET)
    sheet = table_sheet(request, made.data, frame.versions)
    if suffix == ".csv":
        return sheet.csv()
    if suffix == ".json":
        return sheet.json(**{key: value for key, value in made.data.items() if key != "standings"})
    hidden = viewer_of(request).hide_results
    extra = None if hidden else format_markup(made.data, frame.versions)
    return framed(
        request, "tournament/table.html", frame, made=made, sheet=sheet, words=words_of(made.data), extra=extra
    )
