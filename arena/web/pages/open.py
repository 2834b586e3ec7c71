"""`/open`: a file with a game. What holds every position is read by the browser alone; a transcript, which holds moves,
may be sent here to be played by the rules, and is not kept.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, Response
from starlette.concurrency import run_in_threadpool

from arena import __version__
from arena.core.errors import TranscriptError
from arena.web.games.exported import FORMAT
from arena.web.games.exporting import exports_of
from arena.web.games.opening import FIX, sent
from arena.web.rendering import page
from arena.web.site import Site, site_of

router = APIRouter()


@router.get("/open")
def open_file(request: Request) -> HTMLResponse:
    """Where a file is dropped. Nothing of it is sent anywhere unasked."""
    return page(request, "game/open.html", title="Open a file", format=FORMAT, arena=__version__)


@router.post("/open")
async def play_file(request: Request, site: Annotated[Site, Depends(site_of)]) -> Response:
    """A transcript in, the same game as one HTML file out. Raises TranscriptError."""
    if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise TranscriptError("this is no transcript: a form was sent", where="the file", fix=FIX)
    body = await request.body()
    text = await run_in_threadpool(lambda: exports_of(site).once(sent(body)))
    name = {"Content-Disposition": 'attachment; filename="game.html"', "Cache-Control": "no-store"}
    return Response(text, media_type="text/html", headers=name)
