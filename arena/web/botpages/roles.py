"""The split of a bot as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from arena.web.botpages.split import Split
from arena.web.botpages.split.measures import SHARE
from arena.web.rendering import number
from arena.web.sheets import Column, Sheet

Row = Mapping[str, Any]  # Any: JSON


def split_sheet(split: Split) -> Sheet:
    """What it does in which role: means with intervals."""
    rows = tuple(row._asdict() for row in split.rows)
    return Sheet(
        "split",
        "arena.bot-split/1",
        SPLIT_COLUMNS,
        rows,
        empty="no finished game on an open board yet",
        group=lambda row: f"{row['game']}: {row['group']}",
        row_class=lambda row: "few" if row["grey"] else "",
    )


def times_sheet(split: Split) -> Sheet:
    """How long it took for its moves."""
    rows = tuple(row._asdict() for row in split.times)
    return Sheet("times", "arena.bot-times/1", TIME_COLUMNS, rows, empty="no move yet")


def _value(row: Row) -> str:
    return f"{row['value']:.1%}" if row["unit"] == SHARE else number(row["value"], 2)


def _interval(row: Row) -> str:
    if row["low"] is None:
        return "–"
    if row["unit"] == SHARE:
        return f"{row['low']:.0%} .. {row['high']:.0%}"
    return f"{number(row['low'], 2)} .. {number(row['high'], 2)}"


def _label(row: Row) -> Markup:
    few = Markup(' <span class="sr">(few)</span>') if row["grey"] else ""
    return Markup("{}{}").format(row["label"], few)


def _ms(key: str) -> Any:
    return lambda row: f"{row[key] / 1000:.1f} s" if row[key] >= 1000 else f"{row[key]:g} ms"


def _bank(row: Row) -> str | Markup:
    """The smallest bank left, with the game."""
    if row["bank"] is None:
        return "–"
    return Markup('<a href="/g/{}">{}</a>').format(row["bank_where"], _ms("bank")(row))


def _longest(row: Row) -> Markup:
    return Markup('<a href="/g/{}?turn={}">{}</a>').format(row["where"], row["turn"], _ms("longest")(row))


SPLIT_COLUMNS = (
    Column("label", "what", _label, pinned=True, sorts=False),
    Column("game", "game", hidden=True),
    Column("group", "group", hidden=True),
    Column("unit", "unit", hidden=True),
    Column("value", "mean", _value, right=True, sorts=False),
    Column("low", "95 % interval", _interval, right=True, sorts=False),
    Column("high", "high", hidden=True),
    Column("n", "n", right=True, sorts=False),
    Column("grey", "few", hidden=True),
)
TIME_COLUMNS = (
    Column("game", "game", pinned=True),
    Column("moves", "moves", right=True),
    Column("p50", "half within", _ms("p50"), right=True),
    Column("p99", "99 % within", _ms("p99"), right=True),
    Column("longest", "longest", _longest, right=True),
    Column("bank", "bank left, at least", _bank, right=True),
    Column("where", "game id", hidden=True),
    Column("turn", "turn", hidden=True),
    Column("bank_where", "game of the bank", hidden=True),
)
