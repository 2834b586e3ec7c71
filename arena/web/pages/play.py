"""A seat for a person: /play chooses and deals; a table lives at /g/ID, what is sent from it comes to /g/ID/move."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from arena.core.errors import ArenaError
from arena.record.text import seat_names
from arena.runner.roster import Roster
from arena.runner.sittings import Refused, Seating, Taken
from arena.store.sittings import FINISHED, LEFT, REMOVED, RUNNING, Sitting
from arena.web.errors import Forbidden, Gone, NotFound, status_of, wants_json
from arena.web.games.source import sources_of
from arena.web.live.pulse import version_of
from arena.web.people.limits import address_of
from arena.web.play.choosing import CLOCKS, LENGTHS, PACES, bot_groups, game_choices, read_form
from arena.web.play.comparing import game_of_sitting, plans_on, rows_of
from arena.web.play.source import COOKIE, find_sitting, news, seat_of
from arena.web.play.tables import Tables, tables_of
from arena.web.rendering import page
from arena.web.site import Site, site_of
from arena.web.viewer import Viewer, viewer_of

router = APIRouter()
SiteOf = Annotated[Site, Depends(site_of)]
ViewerOf = Annotated[Viewer, Depends(viewer_of)]
After = Annotated[int, Query(ge=-1, le=1_000_000)]
DAY_S = 24 * 3600
SOON_S = 0.3
"""How long the answer to a move waits for what follows it."""


def include(site: Site) -> None:
    """Make the tables, and let them be found."""
    tables_of(site)
    sources_of(site).add(find_sitting)


@router.get("/play")
def choose(request: Request, site: SiteOf) -> HTMLResponse:
    """What to play, and with whom. What the address names is chosen already: `/play?game=goat`."""
    return _form(request, site, dict(request.query_params))


def _form(request: Request, site: Site, form: dict[str, str], error: ArenaError | None = None) -> HTMLResponse:
    tables = tables_of(site)
    count = len([each for each in tables.room.held if not each.over])
    free = max(0, tables.most[0] - count)
    room = "" if free else f"All tables are taken: {count - tables.most[0]} in line before you."
    return page(
        request,
        "play/choose.html",
        status=status_of(error) if error is not None else 200,
        title="Play a hand",
        games=game_choices(),
        groups=bot_groups(site.settings.data, site.settings.store),
        lengths=LENGTHS,
        clocks=CLOCKS,
        paces=PACES,
        form=form,
        error=error,
        room=room,
        away=f"{tables.away_s / 60:g} minutes",
        bank=f"{tables.patience.bank_s / 60:g} minutes",
        each=f"{tables.patience.turn_s / 60:g} min",
    )


@router.post("/play")
async def deal(request: Request, site: SiteOf, viewer: ViewerOf) -> Response:
    """Deal the cards: to the table, with the key to its seat as a cookie of that table alone."""
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    tables = tables_of(site)
    try:
        wanted = await run_in_threadpool(read_form, form, site.settings.data, site.settings.store)
        address = address_of(request, behind_proxy=site.settings.behind_proxy)
        seating, key = await tables.deal(wanted, address, viewer.person)
    except ArenaError as error:
        if wants_json(request):
            raise
        return await run_in_threadpool(_form, request, site, form, error)
    return seated(request, seating.plan.id, key)


def seated(request: Request, public_id: str, key: str) -> Response:
    """To the table, with the key to its seat as a cookie of that table alone; without a key, to look on."""
    where = f"/g/{public_id}"
    answer = RedirectResponse(where, 303)
    if key:
        secure = request.url.scheme == "https"
        answer.set_cookie(COOKIE, key, max_age=DAY_S, path=where, httponly=True, samesite="lax", secure=secure)
    return answer


@router.get("/g/{public_id}/steps")
def steps(request: Request, site: SiteOf, public_id: str, after: After = -1) -> Response:
    """What came after position `after`, as this viewer may see it."""
    tables = tables_of(site)
    seating = tables.find(public_id)
    if seating is None:
        return JSONResponse(_gone(tables, public_id))
    return JSONResponse(news(tables, seating, after + 1, seat_of(request, seating)))


def _gone(tables: Tables, public_id: str) -> dict[str, Any]:
    """What is left to say of a table that is not held here any more. Raises NotFound."""
    kept = tables.kept.find(public_id)
    if kept is None:
        raise NotFound(f"no table {public_id!r}", where="/g/", fix="deal at /play", code="NO_GAME")
    state = kept.state if kept.state != RUNNING else "void"
    return {"id": public_id, "state": state, "reason": kept.reason, "steps": [], "gone": True, "end": None}


@router.post("/g/{public_id}/move")
async def move(
    request: Request,
    site: SiteOf,
    public_id: str,
    turn: Annotated[int, Body(ge=0)],
    move: Annotated[str, Body(max_length=200)],
    then: Annotated[str, Body(max_length=200)] = "",
    after: Annotated[int, Body(ge=-1)] = -1,
) -> Response:
    """Answer a turn; the answer to it has what followed. An answer to a turn that is gone changes nothing."""
    tables = tables_of(site)
    seating = _held(request, tables, public_id)
    assert seating.person is not None, "a seat with a key is a person's"
    refused = ""
    taken = Taken.STALE
    changed = seating.changed
    try:
        taken = seating.person.answer(turn, move, then)
    except Refused as error:
        refused = error.message
    if taken is Taken.PLAYED:
        await _settled(seating, changed, turn + 1)
    told = await run_in_threadpool(news, tables, seating, after + 1, seating.seat)
    return JSONResponse({**told, "taken": taken.value if not refused else "refused", "refused": refused})


async def _settled(seating: Seating, changed: asyncio.Event, turn: int) -> None:
    """Wait a moment until the move is played, and whatever follows at once."""
    end = asyncio.get_running_loop().time() + SOON_S
    while not seating.over and (len(seating.steps) <= turn or seating.person is None or seating.person.waiting is None):
        left = end - asyncio.get_running_loop().time()
        if left <= 0:
            return
        await asyncio.wait({asyncio.ensure_future(changed.wait())}, timeout=left)
        changed = seating.changed


def _held(request: Request, tables: Tables, public_id: str) -> Seating:
    """The table of an id, for whoever holds the key to its seat. Raises NotFound, Forbidden."""
    seating = tables.find(public_id)
    if seating is None:
        raise NotFound(f"no table {public_id!r}", where="/g/", fix="deal at /play", code="NO_GAME")
    if seat_of(request, seating) is None:
        raise Forbidden("this seat is another's", where=f"/g/{public_id}", fix="look on, or deal a hand of your own")
    return seating


@router.post("/g/{public_id}/leave")
async def leave(request: Request, site: SiteOf, public_id: str) -> Response:
    """Leave the table; the default moves are played to the end."""
    tables = tables_of(site)
    seating = _held(request, tables, public_id)
    tables.room.leave(seating, "the person left the table")
    if seating.task is not None:
        await asyncio.wait({seating.task}, timeout=SOON_S * 10)
    return RedirectResponse(f"/g/{public_id}", 303)


@router.get("/g/{public_id}/compare")
def compare(request: Request, site: SiteOf, public_id: str) -> HTMLResponse:
    """The person's game beside those of bots on the same cards."""
    tables = tables_of(site)
    sitting = _over(tables, public_id)
    rows = rows_of(tables.kept, sitting)
    goat = sitting.game == "goat"
    return page(
        request,
        "play/compare.html",
        title="same cards with bots in the seat",
        sitting=sitting,
        game=game_of_sitting(sitting),
        mark=seat_names(len(sitting.bots))[sitting.seat or 0],
        rows=rows,
        asked=len(rows) > 1,
        running=any(row.state == "being played" for row in rows),
        unit="points, minus defeat points" if goat else "points",
        since=version_of(site, f"sitting:{public_id}"),
    )


def _over(tables: Tables, public_id: str) -> Sitting:
    """A person's sitting that was played to its end. Raises NotFound, Gone, Forbidden."""
    sitting = tables.kept.find(public_id)
    if sitting is not None and sitting.state == REMOVED:
        raise Gone(f"game {public_id} is gone", where=f"/g/{public_id}", saw=sitting.reason, fix="play another: /play")
    if sitting is None or sitting.seat is None:
        raise NotFound(f"no game of a person {public_id!r}", where="/g/", fix="deal at /play", code="NO_GAME")
    if sitting.state not in (FINISHED, LEFT):
        raise Forbidden(
            "its cards are shown when it is over",
            where=f"/g/{public_id}",
            saw=f"it is {sitting.state}",
            fix="come later",
        )
    return sitting


@router.post("/g/{public_id}/compare")
async def compare_now(request: Request, site: SiteOf, public_id: str) -> Response:
    """Let house bots play a person's cards, once."""
    tables = tables_of(site)
    sitting = await run_in_threadpool(_over, tables, public_id)
    finder = Roster(site.settings.data, site.settings.store)
    async with tables.comparing:
        if not await run_in_threadpool(tables.kept.children, public_id):
            await tables.deal_again(sitting, await run_in_threadpool(plans_on, sitting, finder))
    return RedirectResponse(f"/g/{public_id}/compare", 303)
