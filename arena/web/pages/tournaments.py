"""The list of tournaments."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from arena.web.site import Site, site_of
from arena.web.standing.listing import listed

router = APIRouter()


@router.get("/t")
@router.get("/t.csv")
@router.get("/t.json")
def tournaments(request: Request, site: Annotated[Site, Depends(site_of)]) -> Response:
    """All tournaments: state, progress, who is in front. With `?tests=1` the tests of versions, which are apart."""
    return listed(request, site)
