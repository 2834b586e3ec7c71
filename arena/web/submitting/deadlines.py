"""Until when what is sent counts for which event, and what came too late for which."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from arena.runner import eligibility
from arena.runner.eligibility import takes_part_anew
from arena.runner.frozen import deadline_in
from arena.store.freezes import Freezes
from arena.store.store import utc_now
from arena.store.submissions import Submission
from arena.web.site import Site


class Deadline(NamedTuple):
    """Until when what is sent counts."""

    event: str
    """For which event or ladder; empty: for every event that has no freeze of its own."""
    at: datetime
    over: bool
    games: frozenset[str]
    """What is played there, by id; empty: whatever it is."""

    def concerns(self, games: list[str]) -> bool:
        """Whether a bot that plays these games may be meant."""
        return not self.games or "*" in games or not self.games.isdisjoint(games)


def deadlines_of(site: Site) -> list[Deadline]:
    """Of the site and of every event that is not finished, the earliest first."""
    now, events = utc_now(), site.store.tournaments()
    freezes = Freezes(site.store.database).all()
    planned = planned_in(site) if freezes else {}
    found = []
    for name, at in freezes.items():
        mine = [each for each in events if name in (each.name, each.series)]
        if not mine:
            if name in planned:
                found.append(Deadline(name, at, now > at, frozenset(_games(planned[name]))))
        elif any(takes_part_anew(each) for each in mine):
            found.append(Deadline(name, at, now > at, frozenset(each.game for each in mine)))
    at_all = deadline_in(site.store)
    if at_all is not None:
        found.append(Deadline("", at_all, now > at_all, frozenset()))
    return sorted(found, key=lambda each: (each.at, each.event))


def late_for(site: Site, submission: Submission) -> list[str]:
    """The events for which a submission came too late, as their freezes stand now."""
    games = list(submission.report.get("games", []))
    return [
        each.event
        for each in deadlines_of(site)
        if each.event and submission.created > each.at and (each.concerns(games) if games else True)
    ]


def planned_in(site: Site) -> dict[str, Mapping[str, Any]]:  # Any: TOML
    """The events that were written down and have not begun: by name what their files say."""
    return eligibility.planned_in(site.store, site.settings.data)


def _games(config: Mapping[str, Any]) -> list[str]:  # Any: TOML
    named = config.get("games", [config.get("game")])
    return [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
