"""The faults of a tournament: counted by bot and code, and one by one with the game and the turn.

What a bot sent is shown only when the event is over: it may name cards that are sealed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request
from markupsafe import Markup

from arena.record.codes import CODES
from arena.store.progress import count_faults, faults_page
from arena.store.values import FaultInfo, State, Tournament
from arena.web.sheets import Column, Sheet
from arena.web.site import Site
from arena.web.standing.links import bot_link, game_link
from arena.web.standing.paging import page_of, pager

SIZE = 100
MOST = 5000
"""Faults in a CSV or JSON."""
CLASSES = {"D": "default move", "F": "game lost", "Q": "out of the event", "A": "the arena's own"}


def counts_sheet(site: Site, tournament: Tournament, versions: Mapping[str, str]) -> Sheet:
    """How often each bot made each fault, the most frequent first."""
    counts = site.store.fault_counts(tournament.id)
    rows: list[dict[str, Any]] = [
        {"bot": bot, "code": code, "count": count, "meaning": CODES[code].meaning if code in CODES else ""}
        for (bot, code), count in counts.items()
    ]
    rows.sort(key=lambda row: (-row["count"], row["bot"], row["code"]))
    name = tournament.name

    def count(row: Mapping[str, Any]) -> Markup:
        return Markup('<a href="/t/{}/faults?bot={}&amp;code={}">{}</a>').format(
            name, row["bot"], row["code"], row["count"]
        )

    return Sheet(
        "counts",
        "arena.fault_counts/1",
        (
            Column("bot", "Bot", lambda row: bot_link(row["bot"], versions.get(row["bot"], "")), pinned=True,
                   sorts=False),
            Column("code", "Code", lambda row: Markup("<code>{}</code>").format(row["code"]), sorts=False),
            Column("count", "Times", count, right=True, sorts=False),
            Column("meaning", "What it means", lambda row: Markup('<span class="wrap">{}</span>').format(
                row["meaning"]), sorts=False),
        ),
        tuple(rows),
    )  # fmt: skip


def faults_sheet(request: Request, site: Site, tournament: Tournament, *, whole: bool) -> tuple[Sheet, Markup]:
    """The faults that a request asks for with `?bot=` and `?code=`: a page of them, or as many as files hold."""
    bot, code = (request.query_params.get(key, "")[:64] for key in ("bot", "code"))
    count = count_faults(site.store.database, tournament.id, bot, code)
    page, pages = page_of(request, count, SIZE)
    first, most = (0, MOST) if whole else ((page - 1) * SIZE, SIZE)
    over = tournament.state is State.FINISHED
    found = faults_page(site.store.database, tournament.id, bot, code, skip=first, most=most)
    rows = tuple(_row(each, told=over) for each in found)
    left = count - MOST if whole else 0
    sheet = Sheet(
        "faults",
        "arena.faults/1",
        (
            Column("game", "Game", lambda row: game_link(row["game"]), pinned=True, sorts=False),
            Column("turn", "Turn", lambda row: game_link(row["game"], f"turn {row['turn']}", row["turn"])
                   if row["turn"] >= 0 else Markup('<span class="dim">at the start</span>'), right=True, sorts=False),
            Column("bot", "Bot", lambda row: bot_link(row["bot"]), sorts=False),
            Column("seat", "Seat", right=True, sorts=False),
            Column("code", "Code", lambda row: Markup('<code title="{}">{}</code>').format(
                CODES[row["code"]].meaning if row["code"] in CODES else "", row["code"]), sorts=False),
            Column("class", "Cost", lambda row: CLASSES.get(row["class"], row["class"]), sorts=False),
            Column("elapsed_ms", "After", lambda row: f"{row['elapsed_ms'] / 1000:.3f} s", right=True, sorts=False),
            Column("detail", "Detail", lambda row: Markup('<bdi class="wrap">{}</bdi>').format(
                row["detail"] if row["detail"] is not None else "told when the event is over"), sorts=False),
        ),
        rows,
        empty="No fault: every answer came in time and was legal." if not (bot or code) else "No such fault.",
        incomplete=f"{left} more faults are not in this file" if left > 0 else "",
    ).asked(request)  # fmt: skip
    return sheet, pager(request, page, pages, count)


def _row(each: FaultInfo, *, told: bool) -> dict[str, Any]:  # Any: JSON
    return {
        "game": each.public_id,
        "turn": each.turn,
        "bot": each.bot,
        "seat": each.seat,
        "code": each.code,
        "class": each.fault_class.value,
        "elapsed_ms": each.elapsed_ms,
        "detail": each.detail if told else None,
    }
