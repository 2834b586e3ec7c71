"""Events as organisers see them: those that have begun, and those that are only written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from arena.runner.eligibility import takes_part_anew
from arena.runner.frozen import LADDERS, freeze_of
from arena.store.audit import Entry
from arena.store.freezes import Freezes
from arena.store.lock import Holder
from arena.store.quarantines import REMOVED
from arena.store.values import Quarantined, State, Tournament
from arena.web.organising.health import coordinator
from arena.web.organising.runs import runs_of
from arena.web.people.accounts import audit_of
from arena.web.site import Site
from arena.web.submitting.deadlines import planned_in

START, PAUSE, RESUME = "start event", "pause event", "resume event"
NOT_BEGUN, PAUSING, PAUSED = "not begun", "pausing", "paused"


class Event(NamedTuple):
    """One event."""

    name: str
    tournament: Tournament | None
    """None: it has not begun."""
    state: str
    """A word: "not begun", "running", "pausing" until its coordinator has stopped, "paused", "stopped", ..."""
    runs: Holder | None
    """Who runs it now."""
    here: bool
    """Whether its file is here, so that it can be begun or resumed."""
    ladder: bool
    freeze: datetime | None
    """Until when what is sent counts for it."""
    own: bool
    """Whether that was set for itself, not for all events."""

    @property
    def takes_freeze(self) -> bool:
        """Whether versions may yet come, so that there is something to freeze."""
        return self.tournament is None or takes_part_anew(self.tournament)

    @property
    def is_left(self) -> bool:
        """Whether it says that it runs, and nobody runs it."""
        return self.state == State.RUNNING.value and self.runs is None


class Competitor(NamedTuple):
    """One bot of an event."""

    name: str
    bot: str
    """Under which name it has a page."""
    version: str
    """"3", or empty: it is not registered."""
    out: Quarantined | None
    """Why it does not play."""
    until: int | None
    """Its last round on a ladder that it has left."""

    @property
    def is_disabled(self) -> bool:
        """Whether an organiser took it out."""
        return self.out is not None and bool(self.out.disabled)

    @property
    def is_removed(self) -> bool:
        """Whether it was removed from the arena, for good."""
        return self.out is not None and self.out.quarantine.reason.startswith(REMOVED)


def events_of(site: Site) -> list[Event]:
    """All events: those that have not begun, then the newest first."""
    acts = audit_of(site).entries(limit=None, actions=(START, PAUSE, RESUME))
    begun = [_begun(site, each, acts) for each in reversed(site.store.tournaments())]
    return [*(_planned(site, name, config) for name, config in planned_in(site).items()), *begun]


def event_of(site: Site, name: str) -> Event | None:
    """The event of a name."""
    tournament = site.store.tournament(name)
    if tournament is not None:
        return _begun(site, tournament, audit_of(site).entries(limit=None, actions=(START, PAUSE, RESUME)))
    config = planned_in(site).get(name)
    return _planned(site, name, config) if config is not None else None


def is_pausing(site: Site, name: str) -> bool:
    """Whether an event was told to pause and its coordinator has not stopped yet."""
    found = event_of(site, name)
    return found is not None and found.state == PAUSING


def _planned(site: Site, name: str, config: Mapping[str, Any]) -> Event:  # Any: TOML
    ladder = config.get("format") in LADDERS
    freeze = freeze_of(site.store, name, ladder=ladder)
    own = Freezes(site.store.database).of(name) is not None
    return Event(name, None, NOT_BEGUN, None, True, ladder, freeze, own)


def _begun(site: Site, event: Tournament, acts: Iterable[Entry]) -> Event:
    over = event.state is State.FINISHED
    runs = None if over else coordinator(site, event.name)
    names = {event.name, event.series} - {""}
    last = next((each for each in acts if each.target in names), None)
    state = event.state.value
    paused = last is not None and last.action == PAUSE
    if paused and last is not None and runs is not None and last.data.get("pid") == runs.pid:
        state = PAUSING
    elif paused and runs is None and event.state is State.STOPPED:
        state = PAUSED
    elif runs is not None and event.state in (State.STOPPED, State.WAITING):
        state = State.RUNNING.value  # it is being made ready
    ladder = event.config.get("format") in LADDERS
    freeze = freeze_of(site.store, event.name, event.series, ladder=True) if ladder else None
    here = runs_of(site).key_of(event) is not None
    return Event(event.name, event, state, runs, here, ladder, freeze, freeze is not None)


def competitors_of(site: Site, event: Tournament) -> list[Competitor]:
    """Who plays an event, or did: those who play first, in the order of the event."""
    out = {each.quarantine.bot: each for each in site.store.quarantines(event.id, active=True)}
    found = []
    for each in event.entrants:
        source, _, own = each.source.partition(":")
        bot, _, number = own.partition("@") if source == "registered" else (each.name.partition("@")[0], "", "")
        found.append(Competitor(each.name, bot, number, out.get(each.name), each.until_round))
    return sorted(found, key=lambda each: (each.until is not None and each.out is None, each.out is not None))
