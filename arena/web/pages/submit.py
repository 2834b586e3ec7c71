"""Where bots are sent: a form for people, an address for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from arena.bots.archive import DEFAULT
from arena.bots.build import BUILD_S
from arena.games import catalog
from arena.store.people import Person
from arena.web.errors import Forbidden, wants_json
from arena.web.people.accounts import from_where, refuse_open, wrong_links
from arena.web.rendering import page
from arena.web.security import FIELD, HEADER, checks_itself, refuse_forged
from arena.web.site import Site, site_of
from arena.web.submitting import sending
from arena.web.submitting.checking import checking_of
from arena.web.submitting.deadlines import deadlines_of, late_for
from arena.web.submitting.receiving import Received, receive, receive_form, too_large
from arena.web.submitting.report import SCHEMA, data_of, joins
from arena.web.submitting.sending import LIMIT, checked_games, put, refuse_more, stands
from arena.web.viewer import Viewer, author_of, sessions_of, viewer_of

router = APIRouter()
include = sending.include
TheSite = Annotated[Site, Depends(site_of)]


@router.get("/submit")
def submit_form(request: Request, site: TheSite) -> Response:
    """The rules, then the form."""
    viewer = viewer_of(request)
    checking = checking_of(site)
    mine = checking.submissions.of(viewer.person, 10) if viewer.person is not None else []
    return page(
        request,
        "submit/form.html",
        title="Submit a bot",
        megabytes=LIMIT // 1_000_000,
        files=DEFAULT.files,
        build_s=int(BUILD_S),
        mine=[(each, stands(checking, each)) for each in mine],
        deadlines=deadlines_of(site),
        limit=LIMIT,
        games=catalog(),
    )


@router.post("/submit")
@checks_itself
async def submit(request: Request, site: TheSite) -> Response:
    """Receive a bot from a form, and put it into the queue."""
    viewer = await run_in_threadpool(author_of, request)
    await _refuse(request, site, viewer.person or 0)

    def check(fields: Mapping[str, str]) -> None:
        refuse_forged(request, viewer.csrf, request.headers.get(HEADER) or fields.get(FIELD))
        checked_games([fields.get("games", "")])

    kind = request.headers.get("content-type", "")
    received = await receive_form(request.stream(), kind, checking_of(site).uploads, LIMIT, check)
    games = checked_games([received.fields.get("games", "")])
    added = await _put(site, viewer.person or 0, received, received.fields.get("message", ""), games)
    if wants_json(request):
        return JSONResponse({"schema": SCHEMA, "data": {"id": added, "page": f"/submission/{added}"}}, 202)
    return RedirectResponse(f"/submission/{added}", 303)


@router.post("/api/submissions")
@checks_itself
async def submit_by_program(
    request: Request,
    site: TheSite,
    message: str = "",
    name: str = "archive.zip",
    games: Annotated[tuple[str, ...], Query()] = (),
) -> JSONResponse:
    """Receive an archive that is the body, from a program with an upload token."""
    person = await run_in_threadpool(uploader_of, request, site)
    await _refuse(request, site, person.id)
    wanted = checked_games(games)
    received = await receive(request.stream(), checking_of(site).uploads, LIMIT, name)
    added = await _put(site, person.id, received, message, wanted)
    return JSONResponse(
        {"schema": SCHEMA, "data": {"id": added, "page": f"/submission/{added}"}},
        202,
        {"Location": f"/api/submissions/{added}"},
    )


@router.get("/api/submissions/{number}")
def submission_for_program(request: Request, site: TheSite, number: str) -> JSONResponse:
    """How a submission stands, for a program with an upload token of its author."""
    from arena.web.pages.submission import found_for

    person = uploader_of(request, site)
    viewer = Viewer(person.id, person.name, person.role)
    submission = found_for(site, viewer, number)
    late = late_for(site, submission)
    data = data_of(submission, stands(checking_of(site), submission), joins(site.store, submission), late)
    return JSONResponse({"schema": SCHEMA, "data": data})


def uploader_of(request: Request, site: Site) -> Person:
    """Whose upload token a program sends. Raises Forbidden, TooMany, ArenaError INSECURE."""
    refuse_open(site, request.url.path)
    limit, key = wrong_links(site), from_where(request)
    limit.check(key)
    kind, _, text = request.headers.get("authorization", "").partition(" ")
    person = sessions_of(site).uploader(text.strip()) if kind.casefold() == "bearer" and len(text) < 200 else None
    if person is None:
        limit.note(key)
        raise Forbidden(
            "no valid upload token was sent",
            where="Authorization: Bearer ...",
            saw="no token" if not text else "a token that is unknown or revoked",
            fix="make one on your page, /me, and put it into ARENA_TOKEN",
            code="BAD_TOKEN",
        )
    return person


async def _refuse(request: Request, site: Site, person: int) -> None:
    """Refuse before anything is read what would be refused anyway."""
    length = request.headers.get("content-length", "")
    await run_in_threadpool(refuse_more, site, person)
    if length.isdecimal() and int(length) > LIMIT + 64 * 1024:
        raise too_large(LIMIT)


async def _put(site: Site, person: int, received: Received, message: str, games: Sequence[str]) -> str:
    added = await run_in_threadpool(put, site, person, received, message, games)
    return added.public_id
