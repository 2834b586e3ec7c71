"""A bot's row in every tournament it played, its rating over time, and how it did against each opponent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from arena.store.values import Tournament
from arena.web.botpages.chronicle import SURE, Data, Point, Step
from arena.web.botpages.identity import Known, version_word
from arena.web.botpages.service import BotPages
from arena.web.errors import NotFound
from arena.web.plots import Line, Mark, Plot
from arena.web.plots import Point as Dot
from arena.web.rendering import bdi, number
from arena.web.sheets import Column, Sheet

MOST = 20
"""So many tournaments are shown, the newest."""
Row = Mapping[str, Any]  # Any: JSON


def numbers_of(bot: Known) -> dict[str, int]:
    """Hash -> number of its registered versions."""
    return {each.version: each.number for each in bot.versions}


# Its row in every tournament


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
    if row["quarantined"] is not None:
        return Markup('<span class="state quarantined">out</span>')
    return row["place"] or "–"


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


# Its rating over time


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


# Its opponents


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
