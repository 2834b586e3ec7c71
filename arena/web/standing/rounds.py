"""The schedule of a tournament: its rounds, and of one round every block: done, half played, running, waiting, void.

Where rounds depend on results, line-ups are known of blocks that have begun; elsewhere all are known beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request
from markupsafe import Markup, escape

from arena.record.results import Bout
from arena.runner.course import seatings_of
from arena.runner.spectating.room import live_folder, told
from arena.store.progress import (
    BlockGames,
    blocks_of_round,
    games_of_round,
    tables_of_round,
    voids_of_round,
)
from arena.store.values import Round, Tournament
from arena.tournament.schedule import Fixed
from arena.web.errors import NotFound
from arena.web.rendering import moment
from arena.web.sheets import Column, Sheet
from arena.web.site import Site
from arena.web.standing.paging import page_of, pager
from arena.web.standing.state import schedule_of, totals_of

TABLES = 50
"""Line-ups on a page."""
PUBLIC_ID = re.compile(r"-r(\d+)-b(\d+)-t(\d+)-\d+$")


class Cell(NamedTuple):
    """One block."""

    board: int
    state: str
    """done, half, running, void or waiting."""
    words: str


class Line(NamedTuple):
    """The blocks of one line-up at one table."""

    table: int
    lineup: tuple[str, ...]
    """Empty: not known before it begins."""
    cells: tuple[Cell, ...]

    def blocks(self, tournament: str) -> Markup:
        """The blocks as links to their boards."""
        path = f"/t/{quote(tournament)}/b/"
        return Markup(
            "".join(
                f'<a class="blk {cell.state}" href="{path}{cell.board}" title="{escape(cell.words)}">{cell.board}'
                f'<span class="sr"> {cell.state}</span></a>'
                for cell in self.cells
            )
        )

    def count(self, state: str) -> int:
        """How many blocks are so."""
        return sum(cell.state == state for cell in self.cells)


def rounds_sheet(request: Request, site: Site, tournament: Tournament) -> Sheet:
    """All rounds that are planned or were opened."""
    opened = {each.number: each for each in site.store.rounds(tournament.id)}
    totals = totals_of(tournament)
    last = max([*opened, totals.rounds if totals.exact else 0], default=0)
    name = tournament.name
    rows = tuple(_round(site, tournament, number, opened.get(number)) for number in range(1, last + 1))
    return Sheet(
        "rounds",
        "arena.rounds/1",
        (
            Column("round", "Round", lambda row: Markup('<a href="/t/{}/schedule?round={}">round {}</a>').format(
                name, row["round"], row["round"]), pinned=True),
            Column("state", "State", lambda row: Markup('<span class="state {}">{}</span>').format(
                "running" if row["state"] == "open" else "", row["state"])),
            Column("games", "Games", lambda row: f"{row['games']} of {row['games_planned']}" if row["games_planned"]
                   is not None else "–", right=True),
            Column("games_planned", "", hidden=True),
            Column("blocks", "Blocks planned", right=True),
            Column("bots", "Bots", right=True),
            Column("opened", "Opened", lambda row: moment(row["at"][0]), right=True),
            Column("closed", "Closed", lambda row: moment(row["at"][1]), right=True),
        ),
        rows,
        empty="No round is planned yet.",
    ).asked(request)  # fmt: skip


def _round(site: Site, tournament: Tournament, number: int, found: Round | None) -> dict[str, Any]:  # Any: JSON, times
    if found is None:
        return {"round": number, "state": "to come", "games": 0, "games_planned": None, "blocks": None, "bots": None,
                "opened": None, "closed": None, "at": (None, None)}  # fmt: skip
    games = found.games if found.closed else games_of_round(site.store.database, tournament.id, number)
    return {
        "round": number,
        "state": "closed" if found.closed else "open",
        "games": games,
        "games_planned": found.games,
        "blocks": found.blocks,
        "bots": len(found.field),
        "opened": found.opened.isoformat(timespec="seconds"),
        "closed": found.closed.isoformat(timespec="seconds") if found.closed else None,
        "at": (found.opened, found.closed),
    }


def round_asked(request: Request, rounds: Sequence[Mapping[str, Any]]) -> int:
    """The round of `?round=`, else the one that is played, else the last that was. Raises NotFound."""
    asked = request.query_params.get("round", "")
    if not asked:
        begun = [row["round"] for row in rounds if row["state"] != "to come"]
        playing = [row["round"] for row in rounds if row["state"] == "open"]
        return int(next(iter(playing), max(begun, default=1 if rounds else 0)))
    if not (asked.isdecimal() and asked.isascii() and len(asked) < 10) or not 1 <= int(asked) <= len(rounds):
        raise NotFound(f"there is no round {asked[:20]!r}", where=request.url.path, fix=f"1 to {len(rounds)}")
    return int(asked)


def lines_of(
    request: Request, site: Site, tournament: Tournament, number: int, *, whole: bool
) -> tuple[list[Line], Markup]:
    """The line-ups of a round, all or those of the page asked for, and links to the other pages."""
    database, schedule = site.store.database, schedule_of(tournament)
    bouts: Sequence[Bout] | None = None
    if isinstance(schedule, Fixed):
        bouts = list(schedule.round(number) or ())
        tables = [bout.table for bout in bouts]
    else:
        tables = tables_of_round(database, tournament.id, number)
    size = max(1, len(tables)) if whole else TABLES
    page, pages = page_of(request, len(tables), size)
    links = pager(request, page, pages, len(tables))
    shown = tables[(page - 1) * size : page * size]
    if not shown:
        return [], links
    bouts_shown = bouts[(page - 1) * size : page * size] if bouts is not None else ()
    boards = [board for bout in bouts_shown for board in bout.boards]
    span = (min(boards), max(boards)) if boards else None
    stored = blocks_of_round(database, tournament.id, number, (min(shown), max(shown)), span)
    voids = voids_of_round(database, tournament.id, number)
    running = _running(site, tournament, number)
    needed = seatings_of(tournament)
    lines = []
    if bouts is not None:
        for bout in bouts_shown:
            cells = [_cell(bout.table, board, stored, voids, running, needed) for board in bout.boards]
            lines.append(Line(bout.table, bout.lineup, tuple(cells)))
        return lines, links
    for table in shown:
        boards = sorted({board for at, board in {*stored, *voids, *running} if at == table})
        lineup = next((_lineup(games) for (at, _), games in sorted(stored.items()) if at == table), ())
        cells = [_cell(table, board, stored, voids, running, needed) for board in boards]
        lines.append(Line(table, lineup, tuple(cells)))
    return lines, links


def _lineup(games: BlockGames) -> tuple[str, ...]:
    return tuple(dict.fromkeys(games.bots))


def _cell(
    table: int,
    board: int,
    stored: Mapping[tuple[int, int], BlockGames],
    voids: Mapping[tuple[int, int], Sequence[str]],
    running: frozenset[tuple[int, int]],
    needed: int,
) -> Cell:
    place = table, board
    games = stored[place].games if place in stored else 0
    why = list(dict.fromkeys(voids.get(place, ())))
    before = f", void before: {', '.join(why)}" if why else ""
    if games >= needed:
        return Cell(board, "done", f"board {board}: done{before}")
    if place in running:
        return Cell(board, "running", f"board {board}: running, {games} of {needed} games done{before}")
    if games:
        return Cell(board, "half", f"board {board}: {games} of {needed} games done{before}")
    if why:
        return Cell(board, "void", f"board {board}: void ({', '.join(why)}), counts for nobody")
    return Cell(board, "waiting", f"board {board}: waiting")


def _running(site: Site, tournament: Tournament, number: int) -> frozenset[tuple[int, int]]:
    """(table, board) of the blocks of a round of which a game is told now."""
    found = set()
    for each in told(live_folder(site.settings.data)):
        match = PUBLIC_ID.search(each.public_id)
        if each.tournament == tournament.name and match is not None and int(match[1]) == number:
            found.add((int(match[3]), int(match[2])))
    return frozenset(found)


def lines_sheet(tournament: Tournament, number: int, lines: Sequence[Line], path: str) -> Sheet:
    """The line-ups of a page as rows, for CSV and JSON."""
    states = ("done", "half", "running", "waiting", "void")
    rows = tuple(
        {"round": number, "table": line.table, "lineup": list(line.lineup),
         "boards": [cell.board for cell in line.cells], **{state: line.count(state) for state in states}}
        for line in lines
    )  # fmt: skip
    keys = ("round", "table", "lineup", "boards", *states)
    return Sheet(
        "lineups", "arena.lineups/1", tuple(Column(key, key) for key in keys), rows, keep={"round": str(number)},
        path=path,
    )  # fmt: skip
