"""How a bot did against each other bot, by tournament."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from arena.store.values import Tournament
from arena.web.botpages.chronicle import Data
from arena.web.botpages.identity import Known, version_word
from arena.web.rendering import bdi, number
from arena.web.sheets import Column, Sheet

Row = Mapping[str, Any]  # Any: JSON


def opponents_sheet(bot: Known, told: Iterable[tuple[Tournament, str, Data]]) -> Sheet:
    """How it did against each other bot, by tournament."""
    rows = []
    for tournament, known, data in told:
        found = data["bots"].get(known, {}).get("opponents", {})
        for opponent, cell in sorted(found.items(), key=lambda pair: pair[1]["swing"]):
            rows.append(
                {
                    "bot": known,
                    "tournament": tournament.name,
                    "opponent": opponent,
                    "version": version_word(tournament, opponent, {}),
                    **cell,
                }
            )
    return Sheet(
        "opponents",
        "arena.bot-opponents/1",
        OPPONENT_COLUMNS,
        tuple(rows),
        empty="no block is complete yet",
        group=lambda row: row["tournament"],
        row_class=lambda row: "few" if row["grey"] else "",
    )


def _versus(row: Row) -> Markup:
    return Markup('<a href="/bot/{}/vs/{}?t={}">{}</a>').format(
        row["bot"], row["opponent"], row["tournament"], bdi(row["opponent"])
    )


def _swing(row: Row) -> Markup:
    kind = "grey" if row["grey"] else "good" if (row["low"] or 0) > 0 else "bad" if (row["high"] or 0) < 0 else ""
    return Markup('<span class="{}">{}</span>').format(kind, number(row["swing"], 1, plus=True))


def between(row: Row) -> str:
    """The interval of a row with `low` and `high`."""
    if row["low"] is None:
        return "–"
    return f"{number(row['low'], 1, plus=True)} .. {number(row['high'], 1, plus=True)}"


def _likely(row: Row) -> str:
    return "–" if row["superiority"] is None else f"{row['superiority']:.0%}"


OPPONENT_COLUMNS = (
    Column("opponent", "opponent", _versus, pinned=True),
    Column("tournament", "tournament", hidden=True),
    Column("bot", "as", hidden=True),
    Column("version", "version", help="that it was last met with"),
    Column("swing", "mean swing", _swing, right=True, help="own block sum minus the other's"),
    Column("low", "95 % interval", between, right=True),
    Column("high", "high", hidden=True),
    Column("blocks", "blocks", right=True),
    Column(
        "superiority",
        "likely ahead",
        _likely,
        right=True,
        help="how likely the mean swing is above 0 on all boards there could be",
    ),
    Column("grey", "few", hidden=True),
)
