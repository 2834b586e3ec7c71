"""What only the owner of a bot and organisers see and do: its logs, notes, pause, upload token, tests of versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from arena.core.errors import ArenaError
from arena.rating.sequential import BOUND
from arena.web.botpages.identity import Known
from arena.web.botpages.service import BotPages
from arena.web.botpages.trials import AT_ONCE, MOST, Trials, playable
from arena.web.botpages.words import Words, data_of
from arena.web.errors import Forbidden, wants_json
from arena.web.live.pulse import version_of
from arena.web.pages.bot import about, known
from arena.web.people.accounts import note
from arena.web.rendering import page
from arena.web.site import Site, site_of
from arena.web.standing.frame import RETRY_S
from arena.web.viewer import Viewer, sessions_of, viewer_of

router = APIRouter()
TheSite = Annotated[Site, Depends(site_of)]
Asking = Annotated[Viewer, Depends(viewer_of)]
Short = Annotated[str, Form(max_length=64)]


def include(site: Site) -> None:
    """Make the services that several threads ask for."""
    Trials.of_site(site)


def _owned(request: Request, site: Site, viewer: Viewer, name: str, what: str = "logs") -> tuple[BotPages, Known]:
    """A bot, for its owner and organisers. Raises Forbidden for everybody else."""
    pages, bot = known(request, site, name)
    if not (viewer.is_organiser or viewer.owns(bot.owner)):
        raise Forbidden(
            f"{what} are private to the owner",
            where=request.url.path,
            fix="sign in as the owner of the bot, or as an organiser",
        )
    return pages, bot


@router.get("/bot/{name}/logs")
@router.get("/bot/{name}/logs.json")
def logs(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """What it wrote, and its builds."""
    _, bot = _owned(request, site, viewer, name)
    query = request.query_params
    words = Words(site.store, site.settings.data, bot, query.get("game", "")[:128])
    key, find = query.get("log", ""), query.get("find", "").strip()[:100]
    turn = _number(query.get("turn", ""))
    opened = words.open(key, _number(query.get("line", "")) or 1, turn) if key else None
    hits = words.find(find) if find and not key else None
    entries = words.entries()
    if wants_json(request):
        data = {"bot": bot.name, "logs": [data_of(entry) for entry in entries]}
        return JSONResponse({"schema": "arena.bot-logs/1", "data": data})
    return page(
        request, "bot/logs.html", title=f"Logs, {bot.name}", **about(bot, viewer, tab="logs"), words=words,
        entries=entries, opened=opened, hits=hits, find=find, turn=turn, complete=True,
    )  # fmt: skip


def _number(text: str) -> int | None:
    """A number of an address; None for whatever else stands there."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


@router.post("/bot/{name}/notes")
def notes(request: Request, site: TheSite, viewer: Asking, name: str, public: Annotated[str, Form()] = "0") -> Response:
    """Let everybody read its notes once boards are open, or its owner alone."""
    pages, bot = _owned(request, site, viewer, name)
    pages.games.publish_notes(bot.name, public == "1")
    return RedirectResponse(f"/bot/{bot.name}/logs", 303)


@router.post("/bot/{name}/pause")
def pause(request: Request, site: TheSite, viewer: Asking, name: str, paused: Annotated[str, Form()] = "1") -> Response:
    """Let it sit out new rounds of ladders, or go on."""
    pages, bot = _owned(request, site, viewer, name, "settings")
    if bot.source != "registered":
        raise ArenaError(f"{bot.name} is not registered", where=f"/bot/{bot.name}", fix="only those bots join ladders")
    if bot.paused != (paused == "1"):
        pages.games.pause(bot.name, paused == "1")
        note(site, viewer, "pause" if paused == "1" else "go on", bot.name)
    return RedirectResponse(f"/bot/{bot.name}", 303)


@router.post("/bot/{name}/token")
def token(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """An upload token of the owner, named after the bot and shown once."""
    _, bot = _owned(request, site, viewer, name, "upload tokens")
    if viewer.person is None or not viewer.owns(bot.owner):
        raise Forbidden(
            "upload tokens are their owner's alone", where=request.url.path, fix="make one of your own on /me"
        )
    made, text = sessions_of(site).issue(viewer.person, bot.name)
    found = page(
        request, "bot/token.html", title=f"Upload token, {bot.name}", **about(bot, viewer, tab=""), made=made, text=text
    )
    found.headers["Cache-Control"] = "no-store"
    return found


@router.get("/bot/{name}/tests")
def tests(request: Request, site: TheSite, viewer: Asking, name: str) -> Response:
    """Tests of its versions against each other: how they stand, and a form for a new one."""
    pages, bot = _owned(request, site, viewer, name, "tests")
    service = Trials.of_site(site)
    listed = service.listed(pages, bot)
    moving = next((each for each in listed if each.moves), None)
    part = f"tournament:{moving.name}" if moving is not None else ""
    return page(
        request,
        "bot/tests.html",
        title=f"Tests, {bot.name}",
        **about(bot, viewer, tab="tests"),
        trials=listed,
        moving=moving,
        part_name=part,
        part_version=version_of(site, part) if part else 0,
        games=playable(bot),
        most=MOST,
        at_once=AT_ONCE,
        bound=BOUND,
        again_s=RETRY_S if moving is not None else 0,
    )


@router.post("/bot/{name}/tests")
def begin_test(
    request: Request, site: TheSite, viewer: Asking, name: str, new: Short, old: Short, game: Short
) -> Response:
    """Begin a test, or go on with one."""
    _, bot = _owned(request, site, viewer, name, "tests")
    begun = Trials.of_site(site).begin(bot, new, old, game)
    return RedirectResponse(f"/bot/{bot.name}/tests#{begun}", 303)


@router.post("/bot/{name}/tests/{test}/stop")
def stop_test(request: Request, site: TheSite, viewer: Asking, name: str, test: str) -> Response:
    """Stop a test; it can go on later."""
    _, bot = _owned(request, site, viewer, name, "tests")
    Trials.of_site(site).stop(bot, test)
    return RedirectResponse(f"/bot/{bot.name}/tests", 303)
