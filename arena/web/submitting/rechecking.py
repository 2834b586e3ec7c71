"""Checks registered versions again that organisers asked for, while nothing waits that somebody sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from arena.runner.examine import Order
from arena.store.rechecks import Outcome, Recheck, Rechecks
from arena.web.live.pulse import pulse_of
from arena.web.people.accounts import choices_of
from arena.web.submitting.examining import broken, examined
from arena.web.submitting.report import with_line

if TYPE_CHECKING:
    from arena.web.site import Site

PART = "organising"
"""The part of pages of organisers, which shows how these checks stand."""
Data = dict[str, Any]
"""Any: JSON."""


def rechecks_of(site: Site) -> Rechecks:
    """The checks of a site; made while the app is made."""
    return site.service(Rechecks, lambda made: Rechecks(made.store.database))


async def check_again(site: Site, each: Recheck, wall_s: float) -> None:
    """Check one version and note how it ended; a check that the end of the server cut off waits again."""
    rechecks, report = rechecks_of(site), dict[str, Any]()
    await asyncio.to_thread(rechecks.start, each)
    pulse_of(site).bump(PART)

    async def hear(line: Data) -> None:
        nonlocal report
        report = with_line(report, line)
        await asyncio.to_thread(rechecks.progress, each, report)
        pulse_of(site).bump(PART)

    try:
        order = await asyncio.to_thread(_order, site, each)
        if order is None:
            end: Data = {"fault": broken("the version is not registered any more")}
        else:
            end = await examined(order, wall_s, hear)
    except asyncio.CancelledError:
        rechecks.back()  # the loop ends: nothing may wait
        raise
    state = Outcome.PASSED if "passed" in end else Outcome.FAILED if "refused" in end else Outcome.BROKEN
    await asyncio.to_thread(rechecks.finish, each, state, with_line(report, end))
    pulse_of(site).bump(PART)


def _order(site: Site, each: Recheck) -> Order | None:
    known = [one for one in site.store.registered(each.bot) if one.number == each.number]
    if not known:
        return None
    return Order(
        archive="",
        shown=each.bot,
        data=str(site.settings.data),
        store=str(site.settings.store),
        owner=known[0].owner,
        boards=int(choices_of(site).get("check_boards")),
        sandbox=site.settings.sandbox,
        games=known[0].manifest.get("games", ()),
        name=known[0].name,
        number=each.number,
        version=known[0].version,
    )
