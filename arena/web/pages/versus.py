"""Two bots head to head: /bot/A/vs/B?t=TOURNAMENT with .csv and .json."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from arena.web.botpages.identity import known_bot
from arena.web.botpages.service import BotPages
from arena.web.botpages.versus import meetings, versus
from arena.web.errors import NotFound
from arena.web.rendering import page
from arena.web.sheets import sheet_suffix
from arena.web.site import Site, site_of

router = APIRouter()


@router.get("/bot/{name}/vs/{other}")
@router.get("/bot/{name}/vs/{other}.csv")
@router.get("/bot/{name}/vs/{other}.json")
def head_to_head(request: Request, site: Annotated[Site, Depends(site_of)], name: str, other: str) -> Response:
    """Names may be those of a tournament, "fox@3"."""
    pages = BotPages.of(site)
    settings = pages.games.settings()
    bots = [known_bot(site.store, each.partition("@")[0], "", settings) for each in (name, other)]
    wanted = request.query_params.get("t", "")
    met = [
        (tournament, own, theirs)
        for tournament, own, theirs in meetings(*bots)
        if wanted in ("", tournament.name) and _means(name, own) and _means(other, theirs)
    ]
    where = f"/bot/{name}/vs/{other}"
    if not met:
        raise NotFound(
            f"{name} and {other} never played in one tournament"
            if not wanted
            else f"they do not both play in {wanted!r}",
            where=where,
            fix=f"the opponents of {name}: /bot/{bots[0].name}/opponents",
        )
    tournament, first, second = met[0]
    found = versus(pages, tournament, first, second).value
    suffix = sheet_suffix(request)
    if found is None and suffix:
        return JSONResponse(
            {"schema": "arena.versus/1", "data": {"complete": False}}, 202, headers={"Retry-After": "2"}
        )
    sheet = found.sheet.asked(request) if found is not None else None
    if found is not None and sheet is not None and suffix == ".csv":
        return sheet.csv()
    if found is not None and sheet is not None and suffix == ".json":
        cell = found.cell
        low, high = (
            (None, None) if cell is None or found.half is None else (cell.swing - found.half, cell.swing + found.half)
        )
        told = {"low": low, "high": high, **(cell._asdict() if cell is not None else {})}
        return sheet.json(tournament=tournament.name, bots=[first, second], summary=told, complete=True)
    return page(
        request,
        "bot/versus.html",
        title=f"{first} against {second}, {tournament.name}",
        found=found,
        sheet=sheet,
        tournament=tournament,
        first=first,
        second=second,
        others=[each for each in meetings(*bots) if each[0].id != tournament.id],
        bots=bots,
    )


def _means(asked: str, known: str) -> bool:
    """Whether a name in an address means an entrant: "fox" any of its versions, "fox@3" only that one."""
    return asked.casefold() in (known.casefold(), known.partition("@")[0].casefold())
