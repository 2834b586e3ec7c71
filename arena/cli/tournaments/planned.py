"""`arena tournament run --dry-run`: what would be played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.cli.output import Output
from arena.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.runner.config import Cup
    from arena.store.place import Place


def plan_only(output: Output, cups: Sequence[Cup], workers: int, place: Place) -> None:
    """What a run would play, without drawing a secret or storing anything. Raises ConfigError as a run would."""
    from arena.runner.prepare import compare
    from arena.runner.series import check_names
    from arena.store.store import Store

    try:
        with Store.open(place, create=False) as store:
            check_names(store, cups)
            before = [store.tournament(cup.name) for cup in cups]
    except ConfigError as error:
        if error.code != "NO_STORE":
            raise
    else:
        for cup, stored in zip(cups, before, strict=True):
            if stored is not None:
                compare(stored, cup.settings(), cup.differences(stored.config))
    planned = [_plan_of(cup, workers) for cup in cups]
    if output.flags.json:
        several = {"series": cups[0].series, "tournaments": planned}
        output.document("plan/1", several if cups[0].series else planned[0])
        return
    for data in planned:
        if data is not planned[0]:
            output.line()
        for key, value in data.items():
            if key == "pairings" and not value:
                output.line(f"{key:<10}follow from results")
            elif key != "exact":
                output.line(f"{key:<10}{', '.join(value) if isinstance(value, list) else value}")
        if not data["exact"]:
            output.note("at least so much: what follows depends on results")


def _plan_of(cup: Cup, workers: int) -> dict[str, Any]:  # Any: JSON
    from arena.runner.prepare import schedule_of

    bots = [bot.name for bot in cup.find_bots()]
    totals = schedule_of(cup.settings(), b"").totals()
    return {"name": cup.name, "game": cup.game, "bots": bots, "workers": workers, **totals._asdict()}
