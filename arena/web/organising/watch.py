"""Tells the pages of organisers when something that they show has changed, while somebody looks at them."""

from __future__ import annotations

from collections.abc import Hashable

from arena.store.freezes import Freezes
from arena.store.submissions import Status
from arena.web.live.pulse import Pulse, pulse_of
from arena.web.organising.events import events_of
from arena.web.site import Site
from arena.web.submitting.checking import checking_of
from arena.web.submitting.rechecking import PART, rechecks_of

LISTED = (Status.WAITING, Status.CHECKING, Status.HELD, Status.FAILED)


class Watch:
    """A source of the pulse."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._seen: Hashable = None
        """What was there at the last beat; None: nobody looked."""
        pulse_of(site).add_source(self.look)

    def look(self, pulse: Pulse) -> None:
        """One beat; runs in a thread."""
        if PART not in pulse.versions.watched():
            self._seen = None
            return
        now = self._now()
        if now != self._seen:
            self._seen = now
            pulse.bump(PART)

    def _now(self) -> Hashable:
        site = self._site
        out = site.store.quarantines()
        return (
            tuple((each.name, each.state, each.runs, each.here, each.freeze) for each in events_of(site)),
            tuple(Freezes(site.store.database).all().items()),
            tuple((each.bot, each.number, each.state, each.asked) for each in rechecks_of(site).all()),
            tuple((each.id, each.status, each.again) for each in checking_of(site).submissions.with_status(*LISTED)),
            tuple((each.tournament, each.quarantine.bot, each.quarantine.since_round, each.lifted) for each in out),
        )


def watch_of(site: Site) -> Watch:
    """The source of a site; made while the app is made."""
    return site.service(Watch, Watch)
