"""The list of tournaments, of all or of one series; tests of versions, of interest to few, are a list apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from markupsafe import Markup

from arena.games import catalog
from arena.runner.versus import is_test
from arena.store.values import Tournament
from arena.web.live.pulse import version_of
from arena.web.rendering import page
from arena.web.sheets import Column, Sheet, sheet_suffix
from arena.web.site import Site
from arena.web.spoilers import shown
from arena.web.standing.frame import RETRY_S, part_src
from arena.web.standing.links import bot_link
from arena.web.standing.series import combined_sheet, series_service
from arena.web.standing.service import standing_service
from arena.web.standing.state import course_service, stand_data
from arena.web.viewer import Viewer, viewer_of

TOP = 3
NO_EVENT = "No tournament yet. Begin one with: arena tournament run cup.toml"
NO_TEST = "No test yet. Begin one with: arena bot test NEW --against OLD"


def tournament_rows(site: Site, tournaments: Sequence[Tournament]) -> list[dict[str, Any]]:  # Any: JSON
    """Tournaments as rows, in the order given; `top`: who stands first, as far as it is known; `counted`: whether
    there are figures yet."""
    rows = []
    for each in tournaments:
        row = stand_data(each, course_service(site).of(each))
        made = standing_service(site).peek(each)
        counted = made.data is not None
        rows.append({**row, "top": top_band(made.data), "blocks": (made.data or {}).get("blocks"), "counted": counted})
    return rows


def top_band(data: Mapping[str, Any] | None) -> list[str]:
    """Who has won, or who shares the first band among those that stand for sure; nobody while nothing is known."""
    if data is None:
        return []
    if data["outcome"] is not None and data["outcome"]["winners"]:
        return list(data["outcome"]["winners"])
    if data["unrated"]:
        return []
    here = [row for row in data["standings"] if row["bot"] not in data["left"]]
    return [row["bot"] for row in here if row["place_low"] == 1 and row["part"] in (0, 1)]


def list_sheet(site: Site, tournaments: Sequence[Tournament], viewer: Viewer, empty: str = NO_EVENT) -> Sheet:
    """The list as a sheet, the newest first; `empty`: what is said where there are none."""
    titles = {game: variant.title for game, variant in catalog().items()}

    def top(row: Mapping[str, Any]) -> object:
        if not row["top"]:
            return Markup('<span class="dim">–</span>')
        rest = len(row["top"]) - TOP
        more = Markup(' <span class="dim">and {} more</span>').format(rest) if rest > 0 else ""
        return shown(viewer, Markup(", ").join(bot_link(bot) for bot in row["top"][:TOP]) + more)

    return Sheet(
        "tournaments",
        "arena.tournaments/1",
        (
            Column("name", "Tournament", lambda row: Markup('<a href="/t/{}"><bdi>{}</bdi></a>').format(
                row["name"], row["name"]), pinned=True),
            Column("series", "", hidden=True),
            Column("state", "State", lambda row: Markup('<span class="state {}">{}</span>').format(
                row["state"], row["state"])),
            Column("games", "Progress", _progress, right=True),
            Column("games_planned", "", hidden=True),
            Column("blocks", "", hidden=True),
            Column("top", "Top", top, sorts=not viewer.hide_results,
                   help="who won, or shares the first band of places"),
            Column("game", "Game", lambda row: titles.get(row["game"], row["game"])),
            Column("format", "Format", lambda row: row["format"].replace("_", " ")),
            Column("bots", "Bots", right=True),
            Column("seatings", "", hidden=True),
            Column("created", "Begun", lambda row: row["created"][:10], right=True),
            Column("finished", "", hidden=True),
        ),
        tuple(reversed(tournament_rows(site, tournaments))),
        empty=empty,
    )  # fmt: skip


def _progress(row: Mapping[str, Any]) -> object:
    if row["games_planned"] and row["state"] != "finished":
        part = row["games"] / row["games_planned"]
        return Markup(
            '{} of {} <svg class="bar" viewBox="0 0 60 6" width="60" height="6" aria-hidden="true">'
            '<rect width="60" height="6" rx="3" class="bar-scale"/>'
            '<rect width="{}" height="6" rx="3" class="bar-done"/></svg>'
        ).format(row["games"], row["games_planned"], round(60 * min(1.0, part), 1))
    return f"{row['games']} games"


def listed(request: Request, site: Site) -> Response:
    """The list of all tournaments that are no tests of versions, with `?tests=1` of those: page, CSV or JSON."""
    known = site.store.tournaments()
    tests = [each for each in known if is_test(each)]
    if request.query_params.get("tests") == "1":
        return _answer(request, site, tests, "Tests of versions", "home", apart=True)
    events = [each for each in known if not is_test(each)]
    return _answer(request, site, events, "Tournaments", "home", tests=len(tests))


def series(request: Request, site: Site, name: str, members: Sequence[Tournament]) -> Response:
    """The members of a series, and the standing over all of them; as CSV and JSON the members."""
    return _answer(request, site, members, name, f"tournament:{members[-1].name}", name)


def _answer(
    request: Request,
    site: Site,
    tournaments: Sequence[Tournament],
    title: str,
    part: str,
    series: str = "",
    *,
    tests: int = 0,
    apart: bool = False,
) -> Response:
    """`tests`: how many are in the list apart; `apart`: whether this is that list."""
    version = version_of(site, part)
    viewer = viewer_of(request)
    sheet = list_sheet(site, tournaments, viewer, NO_TEST if apart else NO_EVENT).asked(request)
    suffix = sheet_suffix(request)
    if suffix == ".csv":
        return sheet.csv()
    if suffix == ".json":
        return sheet.json()
    made = series_service(site).of(tournaments) if series and not viewer.hide_results else None
    return page(
        request,
        "tournament/list.html",
        title=title,
        sheet=sheet,
        series=series,
        tests=tests,
        apart=apart,
        made=made,
        combined_sheet=combined_sheet,
        part_name=part,
        version_now=version,
        part_src=part_src(request),
        again_s=RETRY_S if made is not None and made.data is None else 0,
    )
