"""What a format says beyond its rating table: a bracket, a Swiss standing, shares of a gauntlet, evidence, partners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from arena.tournament.outcome import DECIDED
from arena.web.rendering import fragment
from arena.web.standing.links import bot_link

Data = Mapping[str, Any]  # Any: JSON


def format_markup(data: Data, versions: Mapping[str, str]) -> Markup | None:
    """What stands above the rating table; None where that says everything. `data`: the document `table`."""

    def bot(name: str) -> Markup:
        return bot_link(name, versions.get(name, "")) if name else Markup('<span class="dim">–</span>')

    shared: dict[str, Any] = {"data": data, "bot": bot, "decided": DECIDED}
    outcome = data["outcome"]
    if data["bracket"] is not None:
        return fragment("tournament/bracket.html", **shared, outcome=outcome, stages=data["bracket"])
    if data["evidence"] is not None:
        return fragment("tournament/evidence.html", **shared, found=data["evidence"], scale=_scale(data["evidence"]))
    if data["partner_pool"] is not None:
        return fragment("tournament/strangers.html", **shared, made=data["partner_pool"])
    if outcome is not None and outcome["standing"]:
        kind = "swiss" if "buchholz" in outcome["standing"][0] else "gauntlet"
        return fragment(f"tournament/{kind}.html", **shared, outcome=outcome)
    return None


def _scale(found: Data) -> dict[str, float]:
    """Where the evidence stands between its two bounds, on a line of 400."""
    bound = found["bound"]
    share = (min(max(found["likelihood"], -bound), bound) + bound) / (2 * bound)
    return {"at": round(400 * share, 1)}
