"""A game inside somebody else's page: `/embed/g/ID?turn=`. The same for everybody who looks, and takes no action."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse

from arena.web import spoilers
from arena.web.games.eyes import ALL
from arena.web.games.frames import frame, title_of
from arena.web.games.positions import pieces
from arena.web.games.replays import replays_of
from arena.web.games.shown import Shown, eyes_of
from arena.web.games.source import Closed, find
from arena.web.pages.game import where_to
from arena.web.rendering import fragment
from arena.web.site import Site, site_of
from arena.web.viewer import Viewer, viewer_of

router = APIRouter()


@router.get("/embed/g/{public_id}")
def embedded(
    request: Request,
    site: Annotated[Site, Depends(site_of)],
    public_id: str,
    turn: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    seat: Annotated[str, Query(max_length=8)] = ALL,
    end: int = 0,
) -> HTMLResponse:
    """One position, with steps; what is not open to everybody is not in it, whoever asks."""
    found = find(site, public_id, Viewer())
    if isinstance(found, Closed):
        return HTMLResponse(
            fragment("game/embed.html", title=found.state, closed=found, mode="embed"), status_code=found.status
        )
    told = bool(spoilers.shown(viewer_of(request), True, False))
    shown = Shown(
        found, replays_of(site).of(found), results=told or bool(end), ended=bool(end) and not told, links=False
    )
    turn, ask = where_to(request, shown, turn)
    position = pieces(shown, turn, seat)
    if request.query_params.get("part") == "position":
        return HTMLResponse(fragment("game/position.html", position=position, turn=turn, ask=ask))
    eyes = eyes_of(shown, seat, turn)
    return HTMLResponse(
        fragment(
            "game/embed.html",
            title=title_of(shown, turn),
            closed=None,
            shown=shown,
            replay=shown.replay,
            turn=turn,
            eyes=eyes,
            mode="embed",
            ask=ask,
            position=position,
            **frame(shown, turn, eyes),
        )
    )
