"""How the server is, and what waits for a person to decide, oldest first."""

from __future__ import annotations

import shutil
from datetime import datetime
from typing import NamedTuple

from arena.core.errors import ArenaError
from arena.store.lock import Holder, holder
from arena.store.recent import void_counts
from arena.store.submissions import Status
from arena.store.values import State, Tournament
from arena.web.people.accounts import choices_of
from arena.web.site import Site
from arena.web.submitting.checking import checking_of

LOW_SPACE = 5_000_000_000


class Running(NamedTuple):
    """One tournament that is not finished."""

    tournament: Tournament
    coordinator: Holder | None
    """Who runs it now."""
    voids: int

    @property
    def is_left(self) -> bool:
        """Whether it says that it runs, and nobody runs it."""
        return self.tournament.state is State.RUNNING and self.coordinator is None


class Health(NamedTuple):
    """How the server is."""

    running: tuple[Running, ...]
    waiting: int
    """Submissions that are not checked yet."""
    checking: bool
    free: int
    """Bytes on the data folder's disk ..."""
    size: int
    """... of so many."""
    backup: datetime | None
    """When the last one was made from here."""

    @property
    def is_low(self) -> bool:
        """Whether the disk is nearly full."""
        return self.free < LOW_SPACE


class Need(NamedTuple):
    """One thing that somebody has to decide."""

    since: datetime
    what: str
    name: str
    detail: str
    href: str


def health(site: Site) -> Health:
    """How the server is now."""
    voids = void_counts(site.store.database)
    running = [each for each in site.store.tournaments() if each.state is not State.FINISHED]
    queue = checking_of(site).submissions.queue()
    disk = shutil.disk_usage(site.settings.data)
    last = str(choices_of(site).get("last_backup"))
    return Health(
        tuple(Running(each, coordinator(site, each.name), voids.get(each.id, 0)) for each in running),
        len(queue),
        any(each.status is Status.CHECKING for each in queue),
        disk.free,
        disk.total,
        datetime.fromisoformat(last) if last else None,
    )


def coordinator(site: Site, name: str) -> Holder | None:
    """Who runs a tournament now, as far as that can be known."""
    try:
        return holder(site.settings.data, name, site.settings.store)
    except ArenaError:
        return None


def needs(site: Site, state: Health) -> list[Need]:
    """What waits for a person, oldest first."""
    found = []
    submissions = checking_of(site).submissions
    for each in submissions.with_status(Status.HELD, Status.FAILED):
        since = each.finished or each.created
        href = "/admin/submissions"
        if each.status is Status.HELD:
            found.append(Need(since, "let in or refuse", each.bot, f"checked, sent by {each.owner}", href))
        elif not each.again:
            error = each.report.get("error") or {}
            found.append(Need(since, "check again", each.bot or "a submission", str(error.get("saw", "")), href))
    names = {each.name: each for each in site.store.tournaments()}
    for out in site.store.quarantines(active=True):
        event = names.get(out.tournament)
        if event is not None and event.state is not State.FINISHED:
            found.append(
                Need(
                    out.at,
                    "lift or leave",
                    f"{out.quarantine.bot} in {event.name}",
                    out.quarantine.reason,
                    "/admin/events",
                )
            )
    for running in state.running:
        if running.is_left:
            event = running.tournament
            found.append(
                Need(event.created, "resume", event.name, "it says running, and nobody runs it", "/admin/events")
            )
    return sorted(found)
