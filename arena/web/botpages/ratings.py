"""A bot's row in every tournament it played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from arena.web.botpages.identity import Known, version_word
from arena.web.botpages.service import BotPages
from arena.web.rendering import bdi, number
from arena.web.sheets import Column, Sheet

MOST = 20
"""So many tournaments are shown, the newest."""
Row = Mapping[str, Any]  # Any: JSON


def numbers_of(bot: Known) -> dict[str, int]:
    """Hash -> number of its registered versions."""
    return {each.version: each.number for each in bot.versions}


def ratings_sheet(pages: BotPages, bot: Known) -> tuple[Sheet, bool]:
    """The rows, and whether all are there."""
    rows: list[Row] = []
    complete = True
    numbers, out = numbers_of(bot), {(each.tournament, each.quarantine.bot): each for each in bot.quarantines}
    for tournament, known in bot.played[:MOST]:
        made = pages.standing.peek(tournament) if rows else pages.standing.of(tournament)
        table = made.data or {}
        complete &= made.data is not None
        own: Row = next((row for row in table.get("standings", ()) if row["bot"] == known), {})
        held = out.get((tournament.name, known))
        rows.append(
            {
                "tournament": tournament.name,
                "name": known,
                "game": tournament.game,
                "pool": table.get("pool", {}).get("name", tournament.game),
                "state": tournament.state.value,
                "version": version_word(tournament, known, numbers),
                **{key: own.get(key) for key in STANDING},
                "quarantined": held.quarantine.reason if held is not None else None,
                "disabled": held is not None and bool(held.disabled),
            }
        )
    left = len(bot.played) - MOST
    sheet = Sheet(
        "ratings",
        "arena.bot-ratings/1",
        RATING_COLUMNS,
        tuple(rows),
        empty="no tournament yet",
        incomplete=f"{left} older tournaments are left out" if left > 0 else "",
    )
    return sheet, complete


STANDING = (
    "place",
    "rating",
    "rating_low",
    "rating_high",
    "points_per_block",
    "points_low",
    "points_high",
    "wins",
    "draws",
    "losses",
    "blocks",
    "games",
    "faults",
    "provisional",
)


def _event(row: Row) -> Markup:
    name = Markup('<a href="/t/{}">{}</a>').format(row["tournament"], bdi(row["tournament"]))
    return name + (Markup(" <span class='dim'>as {}</span>").format(bdi(row["name"])) if "@" in row["name"] else "")


def _interval(row: Row) -> str:
    if row["rating_low"] is None:
        return "–"
    return f"{number(row['rating_low'], 1)} .. {number(row['rating_high'], 1)}"


def _points(row: Row) -> str:
    text = number(row["points_per_block"], 1, plus=True)
    if row["points_low"] is None:
        return text
    return f"{text} ± {number((row['points_high'] - row['points_low']) / 2, 1)}"


def _record(row: Row) -> str:
    return "–" if row["wins"] is None else f"{row['wins']}-{row['draws']}-{row['losses']}"


def _place(row: Row) -> object:
    if row["quarantined"] is None:
        return row["place"] or "–"
    if row["disabled"]:
        return Markup('{} <span class="state quarantined">disabled</span>').format(row["place"] or "–")
    return Markup('<span class="state quarantined">out</span>')


def _blocks(row: Row) -> object:
    if row["blocks"] is None:
        return "–"
    mark = Markup(' <span class="chip" title="{}">provisional</span>').format(", ".join(row["provisional"] or ()))
    return Markup("{}{}").format(row["blocks"], mark if row["provisional"] else "")


RATING_COLUMNS = (
    Column("tournament", "tournament", _event, pinned=True),
    Column("game", "game"),
    Column("pool", "pool", hidden=True),
    Column("state", "state"),
    Column("name", "name there", hidden=True),
    Column("version", "version"),
    Column("place", "place", _place, right=True),
    Column("rating", "rating", lambda row: number(row["rating"], 1), right=True),
    Column("rating_low", "95 % interval", _interval, right=True),
    Column("rating_high", "high", hidden=True),
    Column("points_per_block", "points a block", _points, right=True),
    Column("points_low", "low", hidden=True),
    Column("points_high", "high", hidden=True),
    Column("wins", "W-D-L", _record, right=True),
    Column("draws", "draws", hidden=True),
    Column("losses", "losses", hidden=True),
    Column("blocks", "blocks", _blocks, right=True),
    Column("games", "games", right=True),
    Column("faults", "faults", right=True),
    Column("provisional", "provisional", hidden=True),
    Column("quarantined", "quarantined", hidden=True),
)
