"""What organisers do on pages to who may play an event: freeze it, take bots out, let them back in; how that is undone.

The orders themselves are `arena.runner.eligibility`; here the pages of organisers are told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from arena.runner import eligibility
from arena.runner.eligibility import Desk
from arena.store.values import Tournament
from arena.web.live.pulse import pulse_of
from arena.web.site import Site
from arena.web.submitting.rechecking import PART
from arena.web.viewer import Viewer

Data = Mapping[str, Any]
"""Any: JSON."""


def desk_of(site: Site, viewer: Viewer) -> Desk:
    """Where an organiser of the site gives orders."""
    return Desk(site.store, site.settings.data, site.settings.store, viewer.person, viewer.name)


def freeze(site: Site, viewer: Viewer, event: str, at: datetime | None) -> None:
    """Set the freeze of an event, move it, or with None take it away."""
    eligibility.freeze(desk_of(site, viewer), event, at)
    pulse_of(site).bump(PART)


def disable(site: Site, viewer: Viewer, event: Tournament, name: str, reason: str) -> None:
    """Take a bot out of an event. Raises as `eligibility.disable`."""
    eligibility.disable(desk_of(site, viewer), event, name, reason)
    pulse_of(site).bump(PART)


def enable(site: Site, viewer: Viewer, event: Tournament, name: str, reason: str) -> None:
    """Let a bot back in that an organiser took out. Raises as `eligibility.enable`."""
    eligibility.enable(desk_of(site, viewer), event, name, reason)
    pulse_of(site).bump(PART)


def _undo(undo: Callable[[Desk, Data], None], site: Site, data: Data) -> None:
    """Whoever undoes it is written down with the entry that is undone."""
    undo(Desk(site.store, site.settings.data, site.settings.store), data)


UNDOES: Mapping[str, Callable[[Site, Data], None]] = {
    action: partial(_undo, undo) for action, undo in eligibility.UNDOES.items()
}
"""By action: what undoes it, from the entry's data."""
