"""All bots: /bots, /bots.csv, /bots.json."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from arena.web.botpages.listing import bots_sheet
from arena.web.botpages.service import BotPages
from arena.web.rendering import page
from arena.web.sheets import sheet_suffix
from arena.web.site import Site, site_of

router = APIRouter()


def include(site: Site) -> None:
    """Make what the pages of bots keep."""
    BotPages.of(site)


@router.get("/bots")
@router.get("/bots.csv")
@router.get("/bots.json")
def bots(request: Request, site: Annotated[Site, Depends(site_of)]) -> Response:
    """The list."""
    made, complete = bots_sheet(BotPages.of(site))
    sheet = made.asked(request)
    suffix = sheet_suffix(request)
    if suffix == ".csv":
        return sheet.csv()
    if suffix == ".json":
        return sheet.json(complete=complete)
    return page(request, "bot/bots.html", title="Bots", sheet=sheet, complete=complete)
