"""Two bots against each other in one tournament: the boards that both played at one table, the worst for the first one
on top."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from markupsafe import Markup

from arena.rating.blocks import Block, sort_out
from arena.rating.crosstables import Cell, cell_of
from arena.record.results import GameKey, GameRow
from arena.runner.course import stored_pool
from arena.store.values import Tournament, public_id
from arena.web.botpages.chronicle import margin
from arena.web.botpages.counting import Counted
from arena.web.botpages.identity import Known
from arena.web.botpages.service import BotPages
from arena.web.rendering import bdi, number
from arena.web.sheets import Column, Sheet

MOST = 1000
"""So many games are read, the newest ..."""
ROWS = 250
"""... and so many blocks shown, the worst ones."""
AT_ONCE = 500
Row = Mapping[str, Any]  # Any: JSON


class Versus(NamedTuple):
    """Head to head."""

    tournament: Tournament
    first: str
    """Names in the tournament."""
    second: str
    cell: Cell | None
    """None: no block is complete."""
    half: float | None
    """Half the width of the interval of the mean swing."""
    sheet: Sheet
    games: int
    """Games that both sit in."""
    partners: bool
    """Whether some of them sit on one side."""


def meetings(one: Known, other: Known) -> list[tuple[Tournament, str, str]]:
    """(tournament, name of the first, name of the second) of all tournaments that both play, newest first."""
    theirs: dict[int, list[str]] = defaultdict(list)
    for tournament, name in other.played:
        theirs[tournament.id].append(name)
    return [
        (tournament, own, name)
        for tournament, own in one.played
        for name in theirs.get(tournament.id, ())
        if name != own
    ]


def versus(pages: BotPages, tournament: Tournament, first: str, second: str) -> Counted[Versus]:
    """How two entrants did against each other."""
    return pages.counting.ask(
        ("versus", tournament.id, first, second),
        pages.version(tournament),
        lambda: _versus(pages, tournament, first, second),
    )


def _versus(pages: BotPages, tournament: Tournament, first: str, second: str) -> Versus:
    every = pages.games.lineups(tournament.id).games
    lineups = {bots: count for bots, count in every.items() if first in bots and second in bots}
    total = sum(lineups.values())
    rows: list[GameRow] = []
    before: int | None = None
    while len(rows) < MOST:
        found = pages.games.page(lineups, [tournament.id], games=total, before=before, limit=AT_ONCE)
        rows += [info.row for info in found.games]
        before = found.further
        if before is None or not found.games:
            break
    sorted_out = sort_out(rows, stored_pool(tournament))
    blocks = [block for block in sorted_out.blocks if second in block.opponents(first)]
    by_board: dict[int, list[float]] = defaultdict(list)
    for block in blocks:
        by_board[block.board].append(_swing(block, first, second))
    values = list(by_board.values())
    listed = sorted((_row(tournament, block, first, second) for block in blocks), key=lambda row: row["swing"])
    gone = [f"{total - len(rows)} older games are left out"] if before is not None else []
    gone += [f"{len(listed) - ROWS} better blocks are left out"] if len(listed) > ROWS else []
    sheet = Sheet(
        "blocks",
        "arena.versus/1",
        _columns(first, second, others=any(row["others"] for row in listed)),
        tuple(listed[:ROWS]),
        empty="no block of both is complete yet" if total else "they never sat at one table",
        incomplete="; ".join(gone),
    )
    return Versus(
        tournament,
        first,
        second,
        cell_of(values) if values else None,
        margin(values),
        sheet,
        total,
        any(block.teams and second not in block.opponents(first) for block in sorted_out.blocks),
    )


def _swing(block: Block, first: str, second: str) -> float:
    return block.scores[block.bots.index(first)] - block.scores[block.bots.index(second)]


def _row(tournament: Tournament, block: Block, first: str, second: str) -> dict[str, Any]:
    key = GameKey(block.round, block.board, block.table, 0)
    return {
        "board": block.board,
        "block": block.id,
        "tournament": tournament.name,
        "first": block.scores[block.bots.index(first)],
        "second": block.scores[block.bots.index(second)],
        "swing": _swing(block, first, second),
        "others": [name for name in block.bots if name not in (first, second)],
        "games": [public_id(tournament.name, key._replace(seating=seating)) for seating in range(_games(tournament))],
    }


def _games(tournament: Tournament) -> int:
    return stored_pool(tournament).seatings


def _columns(first: str, second: str, *, others: bool) -> tuple[Column, ...]:
    def board(row: Row) -> Markup:
        return Markup('<a href="/t/{}/b/{}">board {}</a>').format(row["tournament"], row["board"], row["board"])

    def games(row: Row) -> Markup:
        return Markup(" ").join(
            Markup('<a href="/g/{}">{}</a>').format(game, place) for place, game in enumerate(row["games"], 1)
        )

    def swing(row: Row) -> Markup:
        kind = "good" if row["swing"] > 0 else "bad" if row["swing"] < 0 else ""
        return Markup('<span class="{}">{}</span>').format(kind, number(row["swing"], 1, plus=True))

    return (
        Column("board", "board", board, pinned=True),
        Column("block", "block"),
        Column("first", first, lambda row: number(row["first"], 1), right=True),
        Column("second", second, lambda row: number(row["second"], 1), right=True),
        Column("swing", "swing", swing, right=True, help=f"the sum of {first} minus that of {second}"),
        Column(
            "others", "also there", lambda row: bdi(", ".join(row["others"]) or "–"), sorts=False, hidden=not others
        ),
        Column("games", "games", games, sorts=False),
    )
