"""`/open`: a file with a game, read by the browser alone."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from arena import __version__
from arena.web.games.exported import FORMAT
from arena.web.rendering import page

router = APIRouter()


@router.get("/open")
def open_file(request: Request) -> HTMLResponse:
    """Where a file is dropped. Nothing of it is sent anywhere."""
    return page(request, "game/open.html", title="Open a file", format=FORMAT, arena=__version__)
