"""The rating table of a tournament as a sheet: what stands in which column, how bands and intervals are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fastapi import Request
from markupsafe import Markup

from arena.rating.records import ESTABLISHED_BLOCKS
from arena.web.rendering import bdi, fragment, number
from arena.web.sheets import Column, Sheet
from arena.web.standing.links import bot_link, versus_path

Row = Mapping[str, Any]  # Any: JSON
BAR_WIDTH, BAR_HEIGHT, BAR_EDGE = 120, 14, 4
LEFT = "no longer playing"
PROVISIONAL = "provisional: too little played, or too many faults, to stand among the others"


def table_sheet(request: Request, data: Mapping[str, Any], versions: Mapping[str, str]) -> Sheet:
    """The table that a request asks for. `data`: the document `table` (`compute`); `versions`: by competitor."""
    rows = tuple({**row, "nash": _nash(data).get(row["bot"])} for row in data["standings"])
    sheet = Sheet(
        "standings",
        "arena.ratings/1",
        _columns(data, versions),
        rows,
        empty="no block is complete yet",
        group=lambda row: _group(data, row),
        details=lambda row: _details(data, row),
    ).asked(request)
    classes = bands(sheet.rows, lambda row: _group(data, row))
    return replace(sheet, row_class=lambda row: classes[row["bot"]])


def _columns(data: Mapping[str, Any], versions: Mapping[str, str]) -> tuple[Column, ...]:
    bounds = scale_of(data["standings"])
    rated, nash = not data["unrated"], _nash(data)

    def linked(tab: str, show: Callable[[Row], Markup | str]) -> Callable[[Row], Markup]:
        return lambda row: _linked(data["tournament"], row["bot"], tab, show(row))

    return (
        Column("place", "Place", _place, right=True, pinned=True, sorts=False,
               help="the places that the results allow; equal ones share a bracket"),
        Column("place_low", "", hidden=True),
        Column("place_high", "", hidden=True),
        Column("bot", "Bot", lambda row: bot_link(row["bot"], versions.get(row["bot"], "")), pinned=True),
        Column("rating", "Rating", linked("history", _rating), right=True, help="TrueSkill, batch fit of all "
               "blocks; 25 is the mean of the field", hidden=not rated),
        Column("rating_low", "95 % interval", lambda row: interval(row, bounds), help="from boards drawn again",
               hidden=not rated),
        Column("rating_high", "", hidden=True),
        Column("sigma", "", hidden=True),
        Column("points_per_block", "Points per block", points, right=True,
               help="mean swing: own points of a block minus the opponents'"),
        Column("points_low", "", hidden=True),
        Column("points_high", "", hidden=True),
        Column("wins", "W-D-L", linked("games", _record), right=True,
               help="blocks won, drawn, lost"),
        Column("draws", "", hidden=True),
        Column("losses", "", hidden=True),
        Column("blocks", "Blocks", linked("history", _blocks), right=True, help="boards played in all seatings"),
        Column("games", "", hidden=True),
        Column("faults", "Faults", lambda row: _faults(data, row), right=True),
        Column("opponents", "", hidden=True),
        Column("provisional", "", hidden=True),
        Column("p_best", "P(best)", lambda row: share(row["p_best"]), right=True, hidden=not rated,
               help="how often it has the highest rating when boards are drawn again"),
        Column("part", "", hidden=True),
        Column("nash", "Nash", lambda row: share(row["nash"]), right=True, hidden=not nash,
               help="its share in the mixture of bots that no bot beats on average"),
    )  # fmt: skip


def _nash(data: Mapping[str, Any]) -> Mapping[str, float]:
    """By bot its share, where bots beat each other in a circle; elsewhere the table says everything."""
    structure = data["structure"]
    return structure["nash"] if structure is not None and structure["nontransitive"] else {}


def _group(data: Mapping[str, Any], row: Row) -> str:
    if row["bot"] in data["left"]:
        return LEFT
    part = f"part {row['part']}: nothing compares these with the others" if row["part"] else ""
    if row["provisional"]:
        return f"{part}; {PROVISIONAL}" if part else PROVISIONAL
    return part


def bands(rows: Sequence[Row], group: Any) -> dict[str, str]:
    """By bot: whether its row begins, continues or ends a bracket. Neighbours of one group and one band share one."""
    found = {}
    for index, row in enumerate(rows):

        def same(other: int, row: Row = row) -> bool:
            return 0 <= other < len(rows) and rows[other]["place"] == row["place"] and group(rows[other]) == group(row)

        above, below = same(index - 1), same(index + 1)
        found[row["bot"]] = {
            (False, False): "", (False, True): "band band-first", (True, True): "band", (True, False): "band band-last",
        }[above, below]  # fmt: skip
    return found


def _place(row: Row) -> str:
    return str(row["place"]).replace("-", "–")


def _rating(row: Row) -> Markup | str:
    """The rating; on narrow screens its interval below it, since its own column is out of sight there."""
    low, high = row["rating_low"], row["rating_high"]
    if low is None or high is None:
        return number(row["rating"], 1)
    return Markup('{}<span class="narrow dim" aria-hidden="true">{} .. {}</span>').format(
        number(row["rating"], 1), number(low, 1), number(high, 1)
    )


def _linked(tournament: str, competitor: str, tab: str, text: Markup | str) -> Markup:
    """A figure that leads to what it was made of."""
    bot, _, number = competitor.partition("@")
    version = Markup("&amp;v={}").format(number) if number.isdigit() else ""
    return Markup('<a class="figure" href="/bot/{}/{}?t={}{}">{}</a>').format(bot, tab, tournament, version, text)


def _record(row: Row) -> str:
    return f"{row['wins']}-{row['draws']}-{row['losses']}"


def _blocks(row: Row) -> Markup | str:
    if row["blocks"] < ESTABLISHED_BLOCKS:
        return Markup('{} <span class="dim">of {}</span>').format(row["blocks"], ESTABLISHED_BLOCKS)
    return str(row["blocks"])


def _faults(data: Mapping[str, Any], row: Row) -> Markup | str:
    if not row["faults"]:
        return "0"
    return Markup('<a href="/t/{}/faults?bot={}">{}</a>').format(data["tournament"], row["bot"], row["faults"])


def points(row: Row) -> Markup | str:
    """Points per block with half the interval."""
    low, high = row["points_low"], row["points_high"]
    margin = "" if low is None or high is None else Markup(' <span class="dim">± {}</span>').format(
        number((high - low) / 2, 1)
    )  # fmt: skip
    return Markup('<span class="{}">{}</span>{}').format(
        tone(row["points_per_block"]), number(row["points_per_block"], 1, plus=True), margin
    )


def tone(value: float | None) -> str:
    """The class of a number that is good above zero."""
    return "" if not value else "good" if value > 0 else "bad"


def share(value: float | None) -> str:
    """A share as a percentage; what rounds to none or all without being it is said so."""
    if value is None:
        return "–"
    if 0 < value < 0.005:
        return "<1 %"
    return ">99 %" if 0.995 < value < 1 else f"{value:.0%}".replace("%", " %")


def scale_of(rows: Sequence[Row]) -> tuple[float, float]:
    """The scale of all bars of a table: from the lowest to the highest bound."""
    ends = [row[key] for row in rows for key in ("rating", "rating_low", "rating_high") if row[key] is not None]
    return (min(ends), max(ends)) if ends else (0.0, 0.0)


def interval(row: Row, bounds: tuple[float, float]) -> Markup | str:
    """An interval as text and as a bar on the scale of the whole table."""
    low, high, mean = row["rating_low"], row["rating_high"], row["rating"]
    if low is None or high is None:
        return Markup('<span class="dim">too few boards</span>')
    width = max(bounds[1] - bounds[0], 1e-9)

    def x(value: float) -> float:
        return round(BAR_EDGE + (value - bounds[0]) / width * (BAR_WIDTH - 2 * BAR_EDGE), 1)

    return Markup(
        '<span class="interval"><span>{} .. {}</span>'
        '<svg class="bar" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true">'
        '<line x1="0" x2="{}" y1="7" y2="7" class="bar-scale"/>'
        '<rect x="{}" y="4" width="{}" height="6" rx="3" class="bar-range"/>'
        '<circle cx="{}" cy="7" r="3.5" class="bar-mean"/></svg></span>'
    ).format(
        number(low, 1), number(high, 1), BAR_WIDTH, BAR_HEIGHT, BAR_WIDTH, BAR_HEIGHT, BAR_WIDTH,
        x(low), max(1.0, round(x(high) - x(low), 1)), x(mean),
    )  # fmt: skip


def _details(data: Mapping[str, Any], row: Row) -> Markup | None:
    found = data["details"].get(row["bot"])
    if found is None:
        return None
    return fragment("tournament/row.html", tournament=data["tournament"], row=row, found=found, versus_path=versus_path)


def words_of(data: Mapping[str, Any]) -> list[str]:
    """What a reader must know to read a table, below it."""
    said = []
    if data["unrated"]:
        said.append(f"No ratings: {data['unrated']}.")
    elif data["standings"]:
        said.append(
            "95 % interval: if other boards were dealt to the same bots, a rating would lie in it 19 times out of 20. "
            f"A place like 1–2: {data['boards']} boards do not separate the bot from its neighbours, it may be either."
        )
    structure = data["structure"]
    if structure is not None and structure["nontransitive"] and structure["cycle"] is not None:
        cycle = structure["cycle"]
        after = [*cycle["bots"][1:], cycle["bots"][0]]
        ring = ", ".join(
            f"{bot} beats {other} ({share(part)})"
            for bot, other, part in zip(cycle["bots"], after, cycle["shares"], strict=True)
        )
        said.append(f"Ratings do not tell the whole story (p = {max(structure['p_value'], 0.001):.3f}): {ring}.")
    if data["clones"]:
        groups = "; ".join(" = ".join(group) for group in data["clones"])
        said.append(f"Behave identically and are counted once in bands, P(best) and Nash: {groups}.")
    taken_out = Markup("Taken out, with all its blocks: {} ({}).")
    said += [taken_out.format(bdi(each["bot"]), bdi(each["reason"])) for each in data["quarantined"]]
    if data["incomplete_blocks"] and data["standings"]:
        said.append(f"{data['incomplete_blocks']} blocks do not count yet: a game is missing or void.")
    if len(data["tiers"]) > 1:
        counts = ", ".join(f"{tier} ({count})" for tier, count in data["tiers"].items())
        said.append(f"Games of different sandbox tiers: {counts}.")
    if data["unsandboxed"]:
        said.append("Played without a sandbox, trusted bots only (tier D).")
    return said
