"""A game: `/g/ID?turn=31&seat=2`, and its files."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from arena.core.errors import ArenaError, TranscriptError
from arena.record.rendering import rendered
from arena.record.transcript import DOCUMENT, Transcript, to_data, to_json
from arena.web import spoilers
from arena.web.errors import Forbidden, Gone, NotFound
from arena.web.games.comparison import comparisons_of
from arena.web.games.exporting import exports_of
from arena.web.games.eyes import ALL
from arena.web.games.frames import frame, title_of
from arena.web.games.moves import moves_at
from arena.web.games.positions import pieces, scene_at
from arena.web.games.replays import replays_of
from arena.web.games.shown import Shown, eyes_of
from arena.web.games.source import Closed, Open, find, sources_of
from arena.web.games.stored import RecentSeals
from arena.web.games.whys import why_lines
from arena.web.games.words import with_notes_of
from arena.web.rendering import fragment, page, wants_lists
from arena.web.site import Site, site_of
from arena.web.table import as_text, picture
from arena.web.viewer import Viewer, viewer_of

router = APIRouter()
SiteOf = Annotated[Site, Depends(site_of)]
ViewerOf = Annotated[Viewer, Depends(viewer_of)]
Turn = Annotated[int, Query(ge=0, le=1_000_000)]
Seat = Annotated[str, Query(max_length=8)]


def include(site: Site) -> None:
    """Make the services that games need."""
    sources_of(site)
    site.service(RecentSeals, RecentSeals)
    replays_of(site)
    comparisons_of(site)
    exports_of(site)


@router.get("/g/{public_id}")
def game(
    request: Request,
    site: SiteOf,
    viewer: ViewerOf,
    public_id: str,
    turn: Turn = 0,
    seat: Seat = ALL,
    end: int = 0,
) -> HTMLResponse:
    """One game at one turn, through somebody's eyes; with `part=position` the pieces of the position alone.

    Who hides results is led as far as the turn before the end; with `end=1` this game is shown as to everybody.
    """
    found = find(site, public_id, viewer)
    if isinstance(found, Closed):
        return closed_page(request, found)
    try:
        shown = shown_of(site, found, viewer, end=bool(end))
    except TranscriptError as error:
        return closed_page(request, unreadable(found, error))
    turn, ask = where_to(request, shown, turn)
    if request.query_params.get("part") == "position":
        return HTMLResponse(fragment("game/position.html", position=pieces(shown, turn, seat), turn=turn, ask=ask))
    eyes = eyes_of(shown, seat, turn)
    text = wants_lists(request)
    template = "game/text.html" if text else "game/page.html"
    return page(
        request,
        template,
        title=title_of(shown, turn),
        shown=shown,
        replay=shown.replay,
        turn=turn,
        eyes=eyes,
        mode="page",
        ask=ask,
        sections=as_text(scene_at(shown.replay, turn, eyes)) if text else (),
        whys=why_lines(shown, eyes) if text else (),
        groups=moves_at(shown.replay, turn, eyes, until=shown.until(turn)) if text else (),
        position=pieces(shown, turn, seat),
        **frame(shown, turn, eyes),
    )


def where_to(request: Request, shown: Shown, turn: int) -> tuple[int, bool]:
    """The turn that an address leads to, and whether it would have led on to an end that is hidden."""
    if shown.ended and "turn" not in request.query_params:
        turn = shown.replay.last
    if shown.results:
        return turn, False
    return min(turn, shown.farthest), turn > shown.farthest or "ask" in request.query_params


def unreadable(found: Open, error: TranscriptError) -> Closed:
    """A game that these rules cannot play again, as the games of an older arena may be."""
    address = f"/g/{found.public_id}/game"
    return Closed(
        found.public_id,
        "unreadable",
        f"It was written by arena {found.transcript.arena} and cannot be stepped through here: {error.message}.",
        tuple(bot.partition("@")[0] for bot in found.transcript.bots),
        found.where,
        links=(("its replay file", f"{address}.arena"), ("the same as JSON", f"{address}.json")),
    )


def closed_page(request: Request, found: Closed) -> HTMLResponse:
    """The page of a game that cannot be stepped through."""
    return page(
        request,
        found.template,
        status=found.status,
        title=f"{'-'.join(dict.fromkeys(found.names)) or found.public_id}, {found.state}",
        closed=found,
        **found.context,
    )


def shown_of(site: Site, found: Open, viewer: Viewer, *, end: bool = False) -> Shown:
    """A game as a viewer sees it; `end`: its end is asked for, also by who hides results."""
    replay = replays_of(site).of(found)
    comparison = comparisons_of(site).of(found, replay)
    told = bool(spoilers.shown(viewer, True, False))
    return Shown(found, replay, comparison, results=told or end, ended=end and not told, notes=found.notes)


def opened(site: Site, public_id: str, viewer: Viewer) -> Open:
    """A game all of whose cards may be shown. Raises Forbidden, Gone or NotFound."""
    found = find(site, public_id, viewer)
    if isinstance(found, Open):
        return found
    kind: type[ArenaError] = {"sealed": Forbidden, "running": Forbidden, "removed": Gone}.get(found.state, NotFound)
    raise kind(f"game {public_id} is {found.state}", where=f"/g/{public_id}", saw=found.line)


def _file(content: str, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _transcript(site: Site, public_id: str, viewer: Viewer) -> Transcript:
    found = opened(site, public_id, viewer)
    return with_notes_of(found.transcript, found.notes)


@router.get("/g/{public_id}/game.arena")
def replay_file(site: SiteOf, viewer: ViewerOf, public_id: str) -> Response:
    """The transcript, as `arena replay` reads it."""
    transcript = _transcript(site, public_id, viewer)
    return _file(to_json(transcript), f"{public_id}.arena", "application/x-arena-transcript+json")


@router.get("/g/{public_id}/game.json")
def json_file(site: SiteOf, viewer: ViewerOf, public_id: str) -> Response:
    """The transcript as a document, as `arena replay show --json` prints it."""
    document = {"schema": DOCUMENT, "data": to_data(_transcript(site, public_id, viewer))}
    return Response(json.dumps(document, indent=2, ensure_ascii=True) + "\n", media_type="application/json")


@router.get("/g/{public_id}/game.txt")
def text_file(site: SiteOf, viewer: ViewerOf, public_id: str) -> Response:
    """The game move by move, as `arena replay show` prints it."""
    told = "".join(rendered(_transcript(site, public_id, viewer), hands=True))
    return Response(told, media_type="text/plain; charset=utf-8")


@router.get("/g/{public_id}/position.svg")
def picture_file(site: SiteOf, viewer: ViewerOf, public_id: str, turn: Turn = 0, seat: Seat = ALL) -> Response:
    """The picture of one position."""
    shown = shown_of(site, opened(site, public_id, viewer), viewer)
    eyes = eyes_of(shown, seat, turn)
    drawn = picture(scene_at(shown.replay, turn, eyes))
    return _file(drawn, f"{public_id}-turn{turn}.svg", "image/svg+xml")


@router.get("/g/{public_id}/export.html")
def export_file(site: SiteOf, viewer: ViewerOf, public_id: str) -> Response:
    """The whole game as one file that opens without a server."""
    found = opened(site, public_id, viewer)
    shown = shown_of(site, found, viewer, end=True)  # a file is the same for everybody
    return _file(exports_of(site).of(shown), f"{public_id}.html", "text/html")
