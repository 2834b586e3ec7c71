"""What all tabs of a tournament share: finding it, its heading, its state line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NoReturn
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import Response

from arena.core.errors import ArenaError
from arena.games import catalog
from arena.runner.course import format_of
from arena.runner.eligibility import takes_part_anew
from arena.runner.frozen import freeze_of
from arena.runner.standing import disabled_in
from arena.store.store import utc_now
from arena.store.values import Tournament
from arena.web.errors import NotFound
from arena.web.live.pulse import version_of
from arena.web.rendering import page
from arena.web.site import Site
from arena.web.standing.links import bot_link, bot_path, versions_of, versus_path
from arena.web.standing.service import Made, standing_service
from arena.web.standing.state import Stand, course_service

TABS = (
    ("t", "", "Table"), ("c", "/cross", "Pairs"), ("b", "/boards", "Boards"), ("s", "/schedule", "Schedule"),
    ("f", "/faults", "Faults"), ("", "/files", "Files"),
)  # fmt: skip
"""Key, end of the address, word."""
RETRY_S = 2
OLD = timedelta(seconds=15)
"""Figures that are younger are as good as new."""


class NotYet(ArenaError):
    """It is being computed."""

    code = "BUSY"


@dataclass(frozen=True)
class Frame:
    """One tournament as a page shows it."""

    tournament: Tournament
    stand: Stand
    versions: Mapping[str, str]
    """By competitor, see `versions_of`."""
    live_version: int

    def not_yet(self) -> NoReturn:
        """Raises NotYet: there are no figures yet for a program to read."""
        raise NotYet(
            f"the figures of {self.tournament.name!r} are being computed for the first time", fix="ask again soon"
        )


def find(site: Site, name: str) -> Tournament:
    """The tournament of a name. Raises NotFound with the nearest name."""
    found = site.store.tournament(name)
    if found is None:
        raise nowhere(site, name)
    return found


def nowhere(site: Site, name: str) -> NotFound:
    """The error for a name that no tournament has, with one that it may have been meant for."""
    known = {each.name for each in site.store.tournaments()}
    known |= {each.series for each in site.store.tournaments() if each.series}
    folded = {each.casefold(): each for each in sorted(known)}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    hint = f"perhaps {folded[near[0]]!r}: /t/{folded[near[0]]}" if near else "all of them: /t"
    return NotFound(f"there is no tournament {name[:80]!r}", where="/t", fix=hint)


def frame_of(site: Site, tournament: Tournament) -> Frame:
    """A tournament with what its pages say about it."""
    return Frame(
        tournament,
        course_service(site).of(tournament),
        versions_of(tournament, site.store.registered()),
        version_of(site, f"tournament:{tournament.name}"),
    )


def framed(request: Request, template: str, frame: Frame, made: Made, *, title: str = "", **context: Any) -> Response:
    """A tab as a page. Any: what its template shows. A page without figures asks for itself again soon."""
    tournament, store = frame.tournament, request.app.state.site.store
    freezes = takes_part_anew(tournament)
    figures = standing_service(request.app.state.site).peek(tournament)
    tab = request.url.path.removeprefix(f"/t/{tournament.name}")
    return page(
        request,
        template,
        title=f"{title} · {tournament.name}" if title else tournament.name,
        tournament=tournament,
        stand=frame.stand,
        versions=frame.versions,
        disabled=disabled_in(store, tournament),
        frozen=freeze_of(store, tournament.name, tournament.series, ladder=True) if freezes else None,
        version_now=frame.live_version,
        what=what(tournament),
        state_pieces=state_pieces(frame, figures),
        tabs=TABS,
        tab=tab,
        part_src=part_src(request),
        made=made,
        as_of=_old(made),
        bot_link=bot_link,
        bot_path=bot_path,
        versus_path=versus_path,
        again_s=RETRY_S if made.data is None else 0,
        **context,
    )


def _old(made: Made) -> datetime | None:
    """Of when the figures are, where that is worth saying."""
    if made.fresh or made.at is None or utc_now() - made.at < OLD:
        return None
    return made.at


def part_src(request: Request, part: str = "live") -> str:
    """The address of a part of a page, with the query of the page."""
    query = [(key, value) for key, value in request.query_params.multi_items() if key != "part"]
    return f"{request.url.path}?{urlencode([('part', part), *query])}"


def what(tournament: Tournament) -> str:
    """Game, format and clock in a line."""
    clock = tournament.config.get("clock")
    entry = catalog().get(tournament.game)
    words = [entry.title if entry is not None else tournament.game, format_of(tournament.config).name.replace("_", " ")]
    if tournament.config.get("unit"):
        words.append("single deals" if tournament.config["unit"] == "deal" else "whole matches")
    if clock and "cap" in clock:
        words.append(f"at most {clock['cap']:g} s a move")
    return " · ".join(words)


def state_pieces(frame: Frame, made: Made) -> list[str]:
    """The pieces of the state line behind the state itself."""
    stand, tournament = frame.stand, frame.tournament
    pieces = []
    if stand.rounds and not stand.is_over:
        of = f" of {stand.rounds_planned}" if stand.rounds_planned else ""
        pieces.append(f"round {min(stand.closed + 1, stand.rounds)}{of}")
    data = made.data or {}
    if "blocks" in data:
        planned = f" of {stand.blocks_planned}" if stand.blocks_planned and not stand.is_over else ""
        pieces.append(f"{data['blocks']}{planned} blocks")
    pieces.append(f"{stand.games} games")
    if stand.left:
        pieces.append(stand.left)
    if data.get("tiers"):
        pieces.append("tier " + ", ".join(data["tiers"]))
    if format_of(tournament.config).ladder:
        pieces.append("every round has a secret of its own: its hash is published before, see Files")
    elif tournament.open_seed:
        pieces.append("open seed: the cards were known beforehand")
    else:
        pieces.append(f"seed hash {tournament.secret_hash[:8]}… (published before the first game)")
    return pieces
