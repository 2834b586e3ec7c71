"""The rating of a bot over time as pages show it: plot, points, and the blocks behind one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from arena.web.botpages.changes import chosen_tournament, history_plot, history_sheet, steps_sheet
from arena.web.botpages.identity import Known
from arena.web.botpages.service import BotPages
from arena.web.plots import Plot, svg
from arena.web.sheets import Sheet


class History(NamedTuple):
    """What is shown."""

    tournament: str | None
    """Of this tournament; None: it played none."""
    others: tuple[str, ...]
    """All that there are histories of, newest first."""
    plot: Plot | None
    """None: it is being counted, or there is nothing."""
    sheet: Sheet
    steps: Sheet
    """The blocks behind a point, or the newest."""
    at: str
    """What point they are behind: "round 3"; empty: they are the newest."""
    complete: bool
    unrated: str
    query: str
    """Of the address that shows the same."""


def history_of(pages: BotPages, bot: Known, query: Mapping[str, str]) -> History:
    """The history that an address asks for: `t` the tournament, `name` and `x` a point. Raises NotFound."""
    tournament = chosen_tournament(bot, query.get("t", ""))
    others = tuple(dict.fromkeys(cup.name for cup, _ in bot.played))
    empty = Sheet("history", "arena.bot-history/1", (), (), empty="no games yet")
    if tournament is None:
        return History(None, others, None, empty, empty, "", True, "", "")
    made = pages.chronicle(tournament)
    asked = {"t": tournament.name, **({"v": bot.version} if bot.version else {})}
    address = f"?{urlencode(asked)}"
    if made.value is None:
        return History(tournament.name, others, None, empty, empty, "", False, "", address)
    told = made.value
    names = [known for cup, known in bot.played if cup.id == tournament.id]
    known = query.get("name", "") if query.get("name", "") in names else names[0]
    wanted = query.get("x", "")
    x = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 10 else None
    word = "round" if told["axis"] == "round" else "the point after block"
    return History(
        tournament.name,
        others,
        history_plot(bot, tournament, told),
        history_sheet(bot, tournament, told),
        steps_sheet(tournament, known, told, x),
        f"{word} {x}" if x is not None else "",
        made.current,
        told["unrated"],
        address,
    )


def svg_of(bot: Known, found: History) -> str:
    """The plot as a document, an empty one where there is none."""
    return svg(found.plot if found.plot is not None else Plot(f"{bot.name}: no rating yet", "", "", ()))
