"""What waits for a person to decide, oldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from arena.store.rechecks import Outcome
from arena.store.store import utc_now
from arena.store.submissions import Status, Submission
from arena.store.values import BotState
from arena.web.organising.events import Event
from arena.web.site import Site
from arena.web.submitting.checking import checking_of
from arena.web.submitting.rechecking import rechecks_of

UNDECIDED = (Status.WAITING, Status.CHECKING, Status.HELD, Status.FAILED)


class Need(NamedTuple):
    """One thing that somebody has to decide."""

    since: datetime
    what: str
    name: str
    detail: str
    href: str


def needs(site: Site, events: Sequence[Event]) -> list[Need]:
    """All of them. `events`: those that are not finished."""
    waiting = checking_of(site).submissions.with_status(*UNDECIDED)
    found = [*_sent(waiting), *_checked(site), *_out(site, events), *_left(events), *_frozen(events, waiting)]
    return sorted(found)


def _sent(waiting: list[Submission]) -> Iterator[Need]:
    """What was sent: bots to let in, checks that broke for good."""
    for each in waiting:
        since = each.finished or each.created
        if each.status is Status.HELD:
            yield Need(since, "let in or refuse", each.bot, f"checked, sent by {each.owner}", "/admin/submissions")
        elif each.status is Status.FAILED and not each.again:
            error = each.report.get("error") or {}
            name = each.bot or "a submission"
            yield Need(since, "check again", name, str(error.get("saw", "")), "/admin/submissions")


def _checked(site: Site) -> Iterator[Need]:
    """Ready versions that did not pass when they were checked again."""
    found = [each for each in rechecks_of(site).all() if each.state in (Outcome.FAILED, Outcome.BROKEN)]
    if not found:
        return
    ready = {(each.name, each.number) for each in site.store.registered() if each.state is BotState.READY}
    out = {
        (each.tournament, each.quarantine.bot.partition("@")[0].casefold())
        for each in site.store.quarantines(active=True)
    }
    for each in found:
        if (each.bot, each.number) not in ready or (each.event, each.bot.casefold()) in out:
            continue
        what = "disable or retire" if each.state is Outcome.FAILED else "check again"
        error = each.report.get("error") or {}
        detail = f"its check failed: {error.get('error', '')}"
        yield Need(each.finished or each.asked, what, f"{each.bot} v{each.number}", detail, "/admin/checks")


def _out(site: Site, events: Sequence[Event]) -> Iterator[Need]:
    """Bots that their faults took out of events that go on."""
    names = {each.name for each in events if each.tournament is not None}
    for out in site.store.quarantines(active=True):
        if out.tournament in names and not out.disabled:
            name = f"{out.quarantine.bot} in {out.tournament}"
            yield Need(out.at, "lift or leave", name, out.quarantine.reason, f"/admin/events/{out.tournament}")


def _left(events: Sequence[Event]) -> Iterator[Need]:
    """Events that say that they run, and nobody runs them."""
    for each in events:
        if each.is_left and each.tournament is not None:
            href = f"/admin/events/{each.name}"
            yield Need(each.tournament.created, "resume", each.name, "it says running, and nobody runs it", href)


def _frozen(events: Sequence[Event], waiting: list[Submission]) -> Iterator[Need]:
    """Events whose freeze has passed: that wait to begin, and for which something was sent in time."""
    now = utc_now()
    for each in events:
        if each.freeze is None or not each.own or each.freeze > now or not each.takes_freeze:
            continue
        href = f"/admin/events/{each.name}"
        if each.tournament is None:
            yield Need(each.freeze, "begin", each.name, "its freeze has passed", href)
        count = sum(sent.created <= each.freeze for sent in waiting)
        if count:
            detail = f"{count} sent before its freeze {'is' if count == 1 else 'are'} not decided yet"
            yield Need(each.freeze, "decide", each.name, detail, "/admin/submissions")
