"""The first page: a game that runs, the others that do, tournaments, games worth a look, one's own bots."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from arena.games import catalog
from arena.runner.versus import is_test
from arena.store.values import State, Tournament
from arena.web.live.games import LiveGame, live_games_of
from arena.web.live.mine import my_bots, remember
from arena.web.live.pulse import version_of
from arena.web.live.shown import table_of
from arena.web.live.told import said
from arena.web.live.worth import worth_of
from arena.web.rendering import page
from arena.web.site import Site, site_of
from arena.web.standing.frame import RETRY_S
from arena.web.standing.links import bot_link
from arena.web.standing.listing import tournament_rows
from arena.web.table import cards
from arena.web.viewer import Viewer, viewer_of

router = APIRouter()
RUNNING, TOURNAMENTS = 10, 8
PARTS = ("featured", "running", "home")


def include(site: Site) -> None:
    """Make the services of the page."""
    live_games_of(site)
    worth_of(site)


@router.get("/")
def home(
    request: Request, site: Annotated[Site, Depends(site_of)], viewer: Annotated[Viewer, Depends(viewer_of)]
) -> HTMLResponse:
    """What there is to look at; with `?part=` one part of it, for which the others are not made."""
    part = request.query_params.get("part")
    versions = {name: version_of(site, name) for name in PARTS}
    games = live_games_of(site)
    context: dict[str, Any] = {"versions": versions, "empty": False, "mine": None, "bot_link": bot_link}
    if part in (None, "featured"):
        context |= featured(games.featured(), request.query_params.get("family", ""), viewer)
    if part in (None, "running"):
        running = games.running()
        context |= {"running": list(reversed(running))[:RUNNING], "running_more": max(0, len(running) - RUNNING)}
    if part in (None, "home"):
        tournaments = site.store.tournaments()
        shown = first_ones(tournaments)
        context |= {
            "rows": tournament_rows(site, shown),
            "tournaments_more": events_in(tournaments) - events_in(shown),
            "worth": () if viewer.hide_results else worth_of(site).find(),
            "newest": worth_of(site).newest() if viewer.hide_results else (),
            "titles": {game: variant.title for game, variant in catalog().items()},
            "empty": not tournaments,
        }
    if part is not None:
        return page(request, "home.html", title="Home", **context)
    mine = my_bots(site, viewer, request)
    if mine is not None:
        context["mine"] = mine[0]
    waits = not context["live"] and not all(row["counted"] for row in context["rows"])
    response = page(request, "home.html", title="Home", again_s=RETRY_S if waits else 0, **context)
    if mine is not None:
        remember(response, mine[1], secure=request.url.scheme == "https")
    return response


def featured(live: LiveGame | None, family: str, viewer: Viewer) -> dict[str, Any]:  # Any: for the template
    """The table on the page. `family`: whose cards the page has already."""
    if live is None:
        return {"live": None, "sprite": "", "family": family}
    own = catalog()[live.game.id].family
    last = live.last
    if viewer.hide_results and last > 0 and live.at(last).next is None:
        last -= 1
    return {
        "live": live,
        "sprite": cards.sprite(own) if own != family else "",
        "family": own,
        "table": table_of(live, last),
        "said": said(live, last),
        "moves": live.last,
    }


def events_in(tournaments: list[Tournament]) -> int:
    """How many are no tests of one bot against another."""
    return sum(not is_test(each) for each in tournaments)


def first_ones(tournaments: list[Tournament]) -> list[Tournament]:
    """Those that run first, then the newest; tests of one bot against another last."""
    newest = list(reversed(tournaments))
    newest.sort(key=is_test)
    running = [each for each in newest if each.state is State.RUNNING]
    return (running + [each for each in newest if each.state is not State.RUNNING])[:TOURNAMENTS]
