"""A bot's rating over time: a plot, its points as rows, and the blocks behind each with what they changed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from arena.store.values import Tournament
from arena.web.botpages.chronicle import SURE, Data, Point, Step
from arena.web.botpages.identity import Known
from arena.web.errors import NotFound
from arena.web.plots import Line, Mark, Plot
from arena.web.plots import Point as Dot
from arena.web.rendering import bdi, number
from arena.web.sheets import Column, Sheet

Row = Mapping[str, Any]  # Any: JSON


def chosen_tournament(bot: Known, wanted: str) -> Tournament | None:
    """The tournament that is asked for, by default the newest; None where it played none. Raises NotFound."""
    found = [tournament for tournament, _ in bot.played if wanted in ("", tournament.name)]
    if wanted and not found:
        raise NotFound(f"{bot.name} does not play in {wanted!r}", where=f"/bot/{bot.name}", fix="leave out ?t=")
    return found[0] if found else None


def history_plot(bot: Known, tournament: Tournament, told: Data) -> Plot:
    """The live rating of all versions of a bot in one tournament."""
    names = [known for cup, known in bot.played if cup.id == tournament.id]
    lines, marks = [], []
    for known in sorted(names):
        points = [Point(*each) for each in told["bots"].get(known, {}).get("points", ())]
        if not points:
            continue
        query = {"t": tournament.name, "name": known}
        dots = [
            Dot(
                point.x,
                point.mu,
                point.mu - SURE * point.sigma,
                point.mu + SURE * point.sigma,
                f"/bot/{bot.name}/history?{urlencode({**query, 'x': point.x})}#blocks",
            )
            for point in points
        ]
        lines.append(Line(known, tuple(dots)))
        if len(names) > 1:
            marks.append(Mark(points[0].x, known.partition("@")[2] or known))
    axis = "round" if told["axis"] == "round" else "blocks"
    return Plot(f"{bot.name} in {tournament.name}", axis, "live rating", tuple(lines), tuple(marks))


def history_sheet(bot: Known, tournament: Tournament, told: Data) -> Sheet:
    """The same points as rows: before, after, and the blocks behind each."""
    rows: list[dict[str, Any]] = []
    for known in sorted(known for cup, known in bot.played if cup.id == tournament.id):
        points = [Point(*each) for each in told["bots"].get(known, {}).get("points", ())]
        before = [None, *points]
        for last, point in zip(before, points, strict=False):
            rows.append(
                {
                    "name": known,
                    "x": point.x,
                    "before": last.mu if last is not None else 25.0,
                    "rating": point.mu,
                    "low": round(point.mu - SURE * point.sigma, 4),
                    "high": round(point.mu + SURE * point.sigma, 4),
                    "blocks": point.blocks,
                    "last_block": point.block,
                    "tournament": tournament.name,
                    "bot": bot.name,
                }
            )
    axis = told["axis"]
    columns = (
        Column("x", axis if axis == "round" else "after block", right=True, pinned=True),
        Column("name", "name there", lambda row: bdi(row["name"]), hidden=len({row["name"] for row in rows}) < 2),
        Column("before", "before", lambda row: number(row["before"], 2), right=True),
        Column("rating", "after", lambda row: number(row["rating"], 2), right=True),
        Column("low", "low", lambda row: number(row["low"], 1), right=True),
        Column("high", "high", lambda row: number(row["high"], 1), right=True),
        Column("blocks", "blocks", _behind, right=True),
        Column("last_block", "last block", hidden=True),
    )
    return Sheet("history", "arena.bot-history/1", columns, tuple(rows), empty="no block is complete yet", sort="-x")


def _behind(row: Row) -> Markup:
    query = urlencode({"t": row["tournament"], "name": row["name"], "x": row["x"]})
    return Markup('<a href="/bot/{}/history?{}#blocks">{}</a>').format(row["bot"], query, row["blocks"])


def steps_sheet(tournament: Tournament, known: str, told: Data, x: int | None) -> Sheet:
    """The blocks behind one point of the history, or the newest ones: what each changed."""
    own = told["bots"].get(known, {})
    steps = [Step(*each) for each in own.get("steps", ())]
    total = own.get("blocks", 0)
    first = total - len(steps)
    if x is not None:
        points = [Point(*each) for each in own.get("points", ())]
        ends = [0]
        for point in points:
            ends.append(ends[-1] + point.blocks)
        place = next((place for place, point in enumerate(points) if point.x == x), None)
        low, high = next(pair for at, pair in enumerate(pairwise(ends)) if at == place) if place is not None else (0, 0)
        steps = steps[max(0, low - first) : max(0, high - first)]
        gone = place is not None and low < first
    else:
        gone = first > 0
    rows = [
        {**step._asdict(), "opponents": list(step.opponents), "tournament": tournament.name, "name": known}
        for step in reversed(steps)
    ]
    return Sheet(
        "steps",
        "arena.bot-steps/1",
        STEP_COLUMNS,
        tuple(rows),
        empty="the blocks behind this point are older than those that are kept here" if gone else "no such blocks",
        incomplete="older blocks are left out" if gone else "",
    )


def _block(row: Row) -> Markup:
    return Markup('<a href="/t/{}/b/{}#{}">{}</a>').format(row["tournament"], row["board"], row["block"], row["block"])


def _first_game(row: Row) -> Markup:
    game = f"{row['tournament']}-{row['block']}-1"
    return Markup('<a href="/g/{}">{}</a>').format(game, "game")


def _opponents(row: Row) -> Markup:
    return Markup(", ").join(
        Markup('<a href="/bot/{}">{}</a>').format(name.partition("@")[0], bdi(name)) for name in row["opponents"]
    )


STEP_COLUMNS = (
    Column("block", "block", _block, pinned=True),
    Column("round", "round", hidden=True),
    Column("board", "board", hidden=True),
    Column("table", "table", hidden=True),
    Column("opponents", "against", _opponents),
    Column("swing", "swing", lambda row: number(row["swing"], 1, plus=True), right=True),
    Column("word", "result"),
    Column("before", "before", lambda row: number(row["before"], 2), right=True),
    Column("before_sigma", "sigma before", hidden=True),
    Column("after", "after", lambda row: number(row["after"], 2), right=True),
    Column("after_sigma", "sigma after", hidden=True),
    Column("change", "change", lambda row: number(row["after"] - row["before"], 2, plus=True), right=True, sorts=False),
    Column("game", "first game", _first_game, sorts=False),
)
