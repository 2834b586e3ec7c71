"""A tournament: its table, and beside it pairs, boards, schedule, faults and files. Every tab has an address."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from arena.rating.data import disabled_to_data
from arena.runner.course import stored_game
from arena.runner.series import members_of
from arena.runner.standing import disabled_in
from arena.web.errors import NotFound
from arena.web.sheets import sheet_suffix
from arena.web.site import Site, site_of
from arena.web.standing.boards import boards_sheet
from arena.web.standing.cross import SMALL, cross_sheet, grid, partner_rows
from arena.web.standing.faults import counts_sheet, faults_sheet
from arena.web.standing.files import FILES, answer, proof_of
from arena.web.standing.formats import format_markup
from arena.web.standing.frame import find, frame_of, framed
from arena.web.standing.listing import series
from arena.web.standing.paging import paged
from arena.web.standing.rounds import lines_of, lines_sheet, round_asked, rounds_sheet
from arena.web.standing.series import series_service
from arena.web.standing.service import NOT_YET, standing_service
from arena.web.standing.state import course_service, schedule_of
from arena.web.standing.table import table_sheet, words_of
from arena.web.viewer import viewer_of

router = APIRouter()
NEWEST = 100
"""Rounds that the schedule lists; CSV and JSON have all of them."""
Here = Annotated[Site, Depends(site_of)]


def include(site: Site) -> None:
    """Make what the pages ask, and have the parts of pages fetched again when there are new figures."""
    from arena.web.live.pulse import pulse_of

    pulse = pulse_of(site)
    course_service(site)
    series_service(site)

    def tell(name: str) -> None:
        pulse.bump(f"tournament:{name}")

    standing_service(site).told.append(tell)


@router.get("/t/{name}")
@router.get("/t/{name}.csv")
@router.get("/t/{name}.json")
def table(request: Request, name: str, site: Here) -> Response:
    """The rating table."""
    found = site.store.tournament(name)
    if found is None and (members := members_of(site.store, name)):
        return series(request, site, name, members)
    frame = frame_of(site, found or find(site, name))
    made = standing_service(site).of(frame.tournament)
    suffix = sheet_suffix(request)
    if made.data is None:
        if suffix:
            frame.not_yet()
        return framed(request, "tournament/table.html", frame, made=NOT_YET)
    sheet = table_sheet(request, made.data, frame.versions)
    if suffix == ".csv":
        return sheet.csv()
    if suffix == ".json":
        now = {**made.data, "disabled": disabled_to_data(disabled_in(site.store, frame.tournament))}  # as the page says
        return sheet.json(**{key: value for key, value in now.items() if key != "standings"})
    hidden = viewer_of(request).hide_results
    extra = None if hidden else format_markup(made.data, frame.versions)
    return framed(
        request, "tournament/table.html", frame, made=made, sheet=sheet, words=words_of(made.data), extra=extra
    )


@router.get("/t/{name}/cross")
@router.get("/t/{name}/cross.csv")
@router.get("/t/{name}/cross.json")
def cross(request: Request, name: str, site: Here) -> Response:
    """Who does how well against whom."""
    frame = frame_of(site, find(site, name))
    made = standing_service(site).of(frame.tournament, "cross")
    suffix = sheet_suffix(request)
    if made.data is None:
        if suffix:
            frame.not_yet()
        return framed(request, "tournament/cross.html", frame, made=made, title="pairs")
    sheet = cross_sheet(request, made.data)
    if suffix:
        return sheet.csv() if suffix == ".csv" else sheet.json(bots=made.data["crosstable"]["bots"])
    bots = made.data["crosstable"]["bots"]
    return framed(
        request,
        "tournament/cross.html",
        frame,
        made=made,
        title="pairs",
        sheet=sheet,
        bots=bots,
        rows=grid(name, made.data["crosstable"]),
        many=len(bots) > SMALL,
        ffa=len(stored_game(frame.tournament).sides) > 2,
        partners=partner_rows(made.data["partners"]),
    )


@router.get("/t/{name}/boards")
@router.get("/t/{name}/boards.csv")
@router.get("/t/{name}/boards.json")
def boards(request: Request, name: str, site: Here) -> Response:
    """The boards, those first that tell the most."""
    frame = frame_of(site, find(site, name))
    made = standing_service(site).of(frame.tournament, "boards")
    suffix = sheet_suffix(request)
    if made.data is None:
        if suffix:
            frame.not_yet()
        return framed(request, "tournament/boards.html", frame, made=made, title="boards")
    sheet = boards_sheet(request, name, made.data, hide=viewer_of(request).hide_results)
    if suffix:
        return sheet.csv() if suffix == ".csv" else sheet.json(tournament=name)
    shown, pages = paged(request, sheet)
    worse = request.query_params.get("worse", "")
    return framed(
        request, "tournament/boards.html", frame, made=made, title="boards", sheet=shown, pages=pages, worse=worse
    )


@router.get("/t/{name}/schedule")
@router.get("/t/{name}/schedule.csv")
@router.get("/t/{name}/schedule.json")
def schedule(request: Request, name: str, site: Here) -> Response:
    """Rounds, and every block of one. As CSV and JSON the rounds, with `?round=` the line-ups of one."""
    tournament = find(site, name)
    frame, rounds = frame_of(site, tournament), rounds_sheet(request, site, tournament)
    number = round_asked(request, rounds.rows)
    suffix = sheet_suffix(request)
    if suffix and "round" not in request.query_params:
        return rounds.csv() if suffix == ".csv" else rounds.json(tournament=name)
    lines, pages = lines_of(request, site, tournament, number, whole=bool(suffix)) if number else ([], None)
    adaptive = schedule_of(tournament).adaptive
    hide = adaptive and viewer_of(request).hide_results
    lineups = lines_sheet(tournament, number, [] if hide else lines, f"/t/{name}/schedule")
    if suffix:
        return lineups.csv() if suffix == ".csv" else lineups.json(tournament=name)
    return framed(
        request,
        "tournament/schedule.html",
        frame,
        made=standing_service(site).peek(tournament),
        title=f"round {number}" if number else "schedule",
        rounds=replace(rounds, rows=rounds.rows[-NEWEST:]),
        last=len(rounds.rows),
        number=number,
        round_count=frame.stand.rounds_planned,
        lines=lines,
        lineups=lineups,
        pages=pages,
        adaptive=adaptive,
        hide=hide,
    )


@router.get("/t/{name}/faults")
@router.get("/t/{name}/faults.csv")
@router.get("/t/{name}/faults.json")
def faults(request: Request, name: str, site: Here) -> Response:
    """Faults by bot and code, and each with game and turn."""
    tournament = find(site, name)
    frame, suffix = frame_of(site, tournament), sheet_suffix(request)
    sheet, pages = faults_sheet(request, site, tournament, whole=bool(suffix))
    counts = counts_sheet(site, tournament, frame.versions)
    if suffix:
        return sheet.csv() if suffix == ".csv" else sheet.json(tournament=name, counts=list(counts.rows))
    return framed(
        request,
        "tournament/faults.html",
        frame,
        made=standing_service(site).peek(tournament),
        title="faults",
        sheet=sheet,
        counts=counts,
        pages=pages,
        bot=request.query_params.get("bot", "")[:64],
        code=request.query_params.get("code", "")[:64],
    )


@router.get("/t/{name}/files")
def files(request: Request, name: str, site: Here) -> Response:
    """What there is to take home, and how to verify it."""
    tournament = find(site, name)
    return framed(
        request,
        "tournament/files.html",
        frame_of(site, tournament),
        made=standing_service(site).peek(tournament),
        title="files",
        files=list(FILES.values()),
        proof=proof_of(site, tournament),
    )


@router.get("/t/{name}/files/{file}")
def download(request: Request, name: str, file: str, site: Here) -> Response:
    """One file, written while it is sent."""
    tournament = find(site, name)
    if file not in FILES:
        raise NotFound(f"there is no file {file[:80]!r}", where=request.url.path, fix=f"there are: {', '.join(FILES)}")
    return answer(site, tournament, FILES[file], words=viewer_of(request).is_organiser)
