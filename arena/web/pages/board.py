"""One board of a tournament: what every table made of the same cards. /t/NAME/b/N with .csv and .json."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from arena.runner.course import stored_game, stored_schedule
from arena.runner.sealing import sealed_until
from arena.store.values import Tournament
from arena.tournament.schedule import Fixed
from arena.web.boards.diagram import diagrams_of
from arena.web.boards.lockstep import lockstep
from arena.web.boards.sheet import board_sheet, sealed_sheet
from arena.web.boards.tables import OpenBoard, SealedBoard, open_board, sealed_board
from arena.web.botpages.service import BotPages
from arena.web.errors import NotFound
from arena.web.live.games import live_games_of
from arena.web.live.pulse import version_of
from arena.web.rendering import page
from arena.web.sheets import sheet_suffix
from arena.web.site import Site, site_of
from arena.web.table import cards
from arena.web.viewer import Viewer, viewer_of

router = APIRouter()
TheSite = Annotated[Site, Depends(site_of)]
Asking = Annotated[Viewer, Depends(viewer_of)]
MOST = 2**31


def include(site: Site) -> None:
    """Make what boards are kept in."""
    BotPages.of(site)


@router.get("/t/{name}/b/{number}")
@router.get("/t/{name}/b/{number}.csv")
@router.get("/t/{name}/b/{number}.json")
def board(
    request: Request,
    site: TheSite,
    viewer: Asking,
    name: str,
    number: int,
    pick: Annotated[list[str] | None, Query(max_length=20)] = None,
    a: Annotated[str, Query(max_length=128)] = "",
    b: Annotated[str, Query(max_length=128)] = "",
    turn: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """The board; with two games picked, these side by side."""
    tournament = site.store.tournament(name)
    if tournament is None:
        raise NotFound(f"there is no tournament {name!r}", where=request.url.path, fix="all are at /t")
    where = f"/t/{tournament.name}/b/{number}"
    if pick is not None:
        two = list(dict.fromkeys(pick))[:2]
        query = urlencode({"a": two[0], "b": two[1]}) if len(two) == 2 else "few=1"
        return RedirectResponse(f"{where}?{query}#lockstep", 303)
    waits = sealed_until(site.store, tournament, _planned(tournament, number))
    if waits:
        running = {game.public_id for game in live_games_of(site).running()}
        return _sealed(request, tournament, sealed_board(site.store, tournament, number, waits, running))
    pages = BotPages.of(site)
    made = pages.counting.ask(
        ("board", tournament.id, number),
        pages.version(tournament),
        lambda: open_board(site.store, tournament, number),
    )
    if made.failed and made.value is None:
        raise NotFound(
            f"board {number} of {tournament.name!r} cannot be shown", where=where, fix="see the server's log"
        )
    both = lockstep(site, viewer, number, a, b, turn) if a and b else None
    if made.value is not None and not made.value.games:
        raise NotFound(
            f"no table has played board {number} of {tournament.name!r}", where=where, fix=f"/t/{name}/boards"
        )
    return _open(request, viewer, tournament, number, made.value, both=both, picked=(a, b))


def _planned(tournament: Tournament, number: int) -> int:
    """The number, when there is such a board. Raises NotFound."""
    schedule = stored_schedule(tournament)
    if number < 1 or number > MOST or (isinstance(schedule, Fixed) and number > schedule.totals().boards):
        raise NotFound(
            f"{tournament.name!r} has no board {number}",
            where=f"/t/{tournament.name}/b/{number}",
            fix=f"its boards are at /t/{tournament.name}/boards",
        )
    return number


def _open(
    request: Request, viewer: Viewer, tournament: Tournament, number: int, found: OpenBoard | None, **more: Any
) -> Response:
    suffix = sheet_suffix(request)
    if found is None:
        if suffix:
            data = {"tournament": tournament.name, "board": number, "complete": False}
            return JSONResponse({"schema": "arena.board/1", "data": data}, 202, headers={"Retry-After": "2"})
        return page(
            request, "board/counting.html", title=f"board {number}, {tournament.name}", tournament=tournament,
            number=number,
        )  # fmt: skip
    sheet = board_sheet(found, results=not viewer.hide_results or bool(suffix)).asked(request)
    if suffix == ".csv":
        rows = tuple({**row, "parting": _words(row["parting"]), "faults": _codes(row["faults"])} for row in sheet.rows)
        return replace(sheet, rows=rows).csv()
    if suffix == ".json":
        deals = [{"dealer": deal.dealer, "hands": deal.hands, "extras": dict(deal.extras)} for deal in found.deals]
        return sheet.json(
            tournament=tournament.name, board=number, sealed=None, deals=deals, games=found.games, complete=True
        )
    game = stored_game(tournament)
    family = diagrams_of(game, found)
    return page(
        request,
        "board/open.html",
        title=f"board {number}, {tournament.name}",
        tournament=tournament,
        number=number,
        board=found,
        sheet=replace(sheet, path=f"/t/{tournament.name}/b/{number}", keep={}),
        deals=family.deals,
        sprite=cards.sprite(family.name),
        few="few" in request.query_params,
        **more,
    )


def _words(parting: dict[str, Any] | None) -> str:
    return "" if parting is None else f"turn {parting['turn']}, seat {parting['seat']}: {parting['own']}"


def _codes(faults: list[dict[str, Any]]) -> str:
    return " ".join(f"{each['seat']}:{each['code']}" for each in faults)


def _sealed(request: Request, tournament: Tournament, found: SealedBoard) -> Response:
    sheet = sealed_sheet(found).asked(request)
    suffix = sheet_suffix(request)
    if suffix == ".csv":
        return sheet.csv()
    if suffix == ".json":
        return sheet.json(
            tournament=tournament.name, board=found.number, sealed=found.waits, done=found.done, to_go=found.to_go
        )
    return page(
        request,
        "board/sealed.html",
        title=f"board {found.number}, {tournament.name}",
        tournament=tournament,
        number=found.number,
        board=found,
        sheet=sheet,
        made=version_of(site_of(request), f"tournament:{tournament.name}"),
    )
