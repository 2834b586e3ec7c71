"""One bot: what it is and how it does, its rating over time, opponents, roles, games.

/bot/NAME, then /history /opponents /split /games with .csv and .json (history also .svg).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from arena.store.values import State
from arena.web.botpages.history import History, history_of, svg_of
from arena.web.botpages.identity import Known, known_bot
from arena.web.botpages.opponents import opponents_sheet
from arena.web.botpages.played import RESULTS, Filters, games_of, lost_last
from arena.web.botpages.profile import faults_of, profile_data, profile_of, told_of
from arena.web.botpages.ratings import ratings_sheet
from arena.web.botpages.roles import split_sheet, times_sheet
from arena.web.botpages.service import BotPages
from arena.web.live.pulse import version_of
from arena.web.rendering import page
from arena.web.sheets import Sheet, sheet_suffix
from arena.web.site import Site, site_of
from arena.web.viewer import Viewer, viewer_of

router = APIRouter()
TheSite = Annotated[Site, Depends(site_of)]
Asking = Annotated[Viewer, Depends(viewer_of)]


def known(request: Request, site: Site, name: str) -> tuple[BotPages, Known]:
    """The bot of an address: "fox", "fox?v=3" or, as tables of ladders name it, "fox@3"."""
    pages = BotPages.of(site)
    name, _, version = name.partition("@")
    wanted = request.query_params.get("v", version)[:64]
    return pages, known_bot(site.store, name, wanted, pages.games.settings())


def about(bot: Known, viewer: Viewer, **more: Any) -> dict[str, Any]:  # Any: what templates show
    """What the head of each of the pages shows."""
    mine = viewer.owns(bot.owner)
    private = viewer.is_organiser or mine
    return {"bot": bot, "private": private, "mine": mine, "query": f"?v={bot.version}" if bot.version else "", **more}


@router.get("/bot/{name}")
@router.get("/bot/{name}.json")
def overview(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """What it is and how it does."""
    pages, bot = known(request, site, name)
    if sheet_suffix(request):
        return JSONResponse({"schema": "arena.bot/1", "data": profile_data(pages, bot)})
    ratings, rated = ratings_sheet(pages, bot)
    told, complete = told_of(pages, bot)
    opponents = _placed(opponents_sheet(bot, told), bot, "opponents")
    return page(
        request,
        "bot/bot.html",
        title=bot.name,
        **about(bot, viewer, tab=""),
        profile=profile_of(pages, bot),
        ratings=_placed(ratings, bot, "ratings"),
        opponents=opponents,
        history=history_of(pages, bot, request.query_params),
        complete=complete and rated,
        lost=() if viewer.hide_results else lost_last(pages, bot),
        live=_live(site, bot),
    )


def _live(site: Site, bot: Known) -> tuple[str, int] | None:
    """(part, its version) of the newest tournament of the bot that is running."""
    for tournament, _ in bot.played:
        if tournament.state is State.RUNNING:
            part = f"tournament:{tournament.name}"
            return part, version_of(site, part)
    return None


def _placed(sheet: Sheet, bot: Known, part: str) -> Sheet:
    """A sheet whose links lead to its own page."""
    return replace(sheet, path=f"/bot/{bot.name}/{part}", keep={"v": bot.version} if bot.version else {})


@router.get("/bot/{name}/ratings")
@router.get("/bot/{name}/ratings.csv")
@router.get("/bot/{name}/ratings.json")
def ratings(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """Its row in every tournament."""
    pages, bot = known(request, site, name)
    sheet, complete = ratings_sheet(pages, bot)
    return _sheet_page(request, viewer, bot, sheet, "ratings", "How it stands", complete)


@router.get("/bot/{name}/opponents")
@router.get("/bot/{name}/opponents.csv")
@router.get("/bot/{name}/opponents.json")
def opponents(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """How it did against each other bot."""
    pages, bot = known(request, site, name)
    told, complete = told_of(pages, bot)
    return _sheet_page(request, viewer, bot, opponents_sheet(bot, told), "opponents", "Opponents", complete)


def _sheet_page(
    request: Request, viewer: Viewer, bot: Known, sheet: Sheet, tab: str, heading: str, complete: bool
) -> Response:
    sheet = sheet.asked(request)
    suffix = sheet_suffix(request)
    if suffix == ".csv":
        return (sheet if complete else replace(sheet, incomplete="not everything is counted yet")).csv()
    if suffix == ".json":
        return sheet.json(bot=bot.name, complete=complete)
    return page(
        request, "bot/sheet.html", title=f"{heading}, {bot.name}", **about(bot, viewer, tab=tab),
        sheet=sheet, heading=heading, complete=complete,
    )  # fmt: skip


@router.get("/bot/{name}/history")
@router.get("/bot/{name}/history.csv")
@router.get("/bot/{name}/history.json")
@router.get("/bot/{name}/history.svg")
def history(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """Its rating over time, and what is behind each point."""
    pages, bot = known(request, site, name)
    found = history_of(pages, bot, request.query_params)
    if request.url.path.endswith(".svg"):
        return Response(svg_of(bot, found), media_type="image/svg+xml")
    sheet = found.sheet.asked(request)
    suffix = sheet_suffix(request)
    if suffix == ".csv":
        return (sheet if found.complete else replace(sheet, incomplete="not everything is counted yet")).csv()
    if suffix == ".json":
        return sheet.json(bot=bot.name, tournament=found.tournament, complete=found.complete, steps=_steps(found))
    return page(
        request,
        "bot/history.html",
        title=f"Rating, {bot.name}",
        **about(bot, viewer, tab="history"),
        history=found,
        sheet=sheet,
        complete=found.complete,
    )


def _steps(found: History) -> list[dict[str, Any]]:  # Any: JSON
    return [{key: value for key, value in row.items() if key not in ("tournament", "name")} for row in found.steps.rows]


@router.get("/bot/{name}/split")
@router.get("/bot/{name}/split.csv")
@router.get("/bot/{name}/split.json")
def split(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """What it does in which role, and how long it takes."""
    pages, bot = known(request, site, name)
    made = pages.split(bot.name, bot.played)
    sheet = split_sheet(made.value).asked(request) if made.value is not None else None
    suffix = sheet_suffix(request)
    if suffix and sheet is None:
        return JSONResponse(
            {"schema": "arena.bot-split/1", "data": {"bot": bot.name, "complete": False}},
            202,
            headers={"Retry-After": "2"},
        )
    if sheet is not None and suffix == ".csv":
        return sheet.csv()
    if sheet is not None and made.value is not None and suffix == ".json":
        times = [row._asdict() for row in made.value.times]
        return sheet.json(bot=bot.name, games=made.value.games, times=times, complete=made.current)
    return page(
        request, "bot/split.html", title=f"Roles, {bot.name}", **about(bot, viewer, tab="split"),
        split=made.value, sheet=sheet, complete=made.current, failed=made.failed,
        times=times_sheet(made.value) if made.value is not None else None,
    )  # fmt: skip


@router.get("/bot/{name}/games")
@router.get("/bot/{name}/games.csv")
@router.get("/bot/{name}/games.json")
def games(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """Its games, newest first."""
    pages, bot = known(request, site, name)
    asked = Filters.of(request.query_params)
    found = games_of(pages, bot, asked, results=not viewer.hide_results)
    sheet = replace(found.sheet, path=f"/bot/{bot.name}/games", keep=dict(request.query_params))
    suffix = sheet_suffix(request)
    if suffix == ".csv":
        return sheet.csv()
    if suffix == ".json":
        rows = [{key: value for key, value in row.items() if key not in ("at", "marks")} for row in sheet.rows]
        return replace(sheet, rows=tuple(rows)).json(bot=bot.name, total=found.total, before=found.further)
    return page(
        request, "bot/games.html", title=f"Games, {bot.name}", **about(bot, viewer, tab="games"), found=found,
        sheet=sheet, asked=asked, results=RESULTS, complete=found.counted, faults=faults_of(pages, bot),
    )  # fmt: skip
