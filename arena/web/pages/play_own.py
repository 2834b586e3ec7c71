"""Tables that a program opens for the owner of the data folder, and the address that seats a person at one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from arena.web.errors import Forbidden
from arena.web.pages.play import seated
from arena.web.play.own import OWNER, Wish, wanted_of
from arena.web.play.tables import may_sit, tables_of
from arena.web.reach import check_key
from arena.web.site import Site, site_of

router = APIRouter()
SiteOf = Annotated[Site, Depends(site_of)]


@router.post("/api/tables")
async def deal(request: Request, site: SiteOf, wish: Wish) -> Response:
    """Deal the cards: the id of the game, and the address, here, of the person's seat. Raises Forbidden."""
    check_key(request, site)
    wanted = await run_in_threadpool(wanted_of, wish, site.settings.data, site.settings.store)
    seating, key = await tables_of(site).deal(wanted, OWNER)
    data = {"id": seating.plan.id, "key": key, "seat": f"/g/{seating.plan.id}/sit/{key}"}
    return JSONResponse({"schema": "arena.table/1", "data": data})


@router.get("/g/{public_id}/sit/{key}")
def sit(request: Request, site: SiteOf, public_id: str, key: str) -> Response:
    """Sit down: the key becomes the cookie of the table, and the address that has it is left. Raises Forbidden."""
    seating = tables_of(site).find(public_id)
    if seating is not None and not may_sit(seating, key[:100]):
        raise Forbidden("this is not the key to the seat", where=f"/g/{public_id}", fix=f"look on: /g/{public_id}")
    return seated(request, public_id, key if seating is not None else "")
