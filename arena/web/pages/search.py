"""Search: bots, tournaments, games by their ids. One sure hit is gone to at once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response

from arena.web.rendering import page
from arena.web.site import Site, site_of
from arena.web.standing.finding import LONGEST, found

router = APIRouter()


@router.get("/search")
def search(
    request: Request, site: Annotated[Site, Depends(site_of)], q: Annotated[str, Query(max_length=1000)] = ""
) -> Response:
    """What a text names."""
    asked = q.strip()[:LONGEST]
    hits = found(site, asked)
    if hits.sure:
        return RedirectResponse(hits.sure, 303)
    return page(
        request, "tournament/search.html", title=f"search {asked}" if asked else "search", asked=asked, hits=hits
    )
