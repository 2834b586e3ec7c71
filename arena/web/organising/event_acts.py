"""What organisers do to who may play an event: freeze it, take bots out, let them back in; and how that is undone."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from typing import Any

from arena.core.errors import ArenaError, ConfigError
from arena.runner.course import format_of
from arena.store.freezes import Freezes
from arena.store.lock import coordinator_lock
from arena.store.values import State, Tournament
from arena.web.live.pulse import pulse_of
from arena.web.people.accounts import note
from arena.web.site import Site
from arena.web.submitting.deadlines import planned_in
from arena.web.submitting.rechecking import PART
from arena.web.viewer import Viewer

FREEZE, DISABLE, ENABLE = "freeze event", "disable bot", "enable bot"
Data = Mapping[str, Any]
"""Any: JSON."""


def freeze(site: Site, viewer: Viewer, event: str, at: datetime | None) -> None:
    """Set the freeze of an event, move it, or with None take it away."""
    before = Freezes(site.store.database).set(event, at)
    if before != at:
        said = f"until {at:%Y-%m-%d %H:%M} UTC" if at is not None else "no freeze"
        note(site, viewer, FREEZE, event, said, event=event, before=_text(before), after=_text(at))
    pulse_of(site).bump(PART)


def disable(site: Site, viewer: Viewer, event: Tournament, name: str, reason: str) -> None:
    """Take a bot out of an event, for a reason that all may read; on a ladder with all its versions. What it played
    counts. Raises ArenaError when it plays no more anyway."""
    _disable(site, event, name, reason)
    note(site, viewer, DISABLE, f"{event.name}: {name}", reason, event=event.name, bot=name)
    pulse_of(site).bump(PART)


def _disable(site: Site, event: Tournament, name: str, reason: str) -> None:
    if event.state is State.FINISHED:
        raise ArenaError(f"{event.name!r} is over", where=event.name, fix="results stay as they are", code="NOTHING")
    if not site.store.disable(event.id, _names(event, name), reason):
        raise ArenaError(
            f"{name!r} does not play {event.name!r}, or no more", where=event.name, fix="see who plays", code="NOTHING"
        )


def enable(site: Site, viewer: Viewer, event: Tournament, name: str, reason: str) -> None:
    """Let a bot back in that an organiser took out. Raises Busy while an event runs that is no ladder, ConfigError when
    nobody took it out."""
    before = _enable(site, event, name, reason)
    note(site, viewer, ENABLE, f"{event.name}: {name}", reason, event=event.name, bot=name, before=before)
    pulse_of(site).bump(PART)


def _enable(site: Site, event: Tournament, name: str, reason: str) -> str:
    """Why it was out. A ladder asks before each round who plays; elsewhere what was left out is played by the next
    run only."""
    data, store = site.settings.data, site.settings.store
    ladder = format_of(event.config).ladder
    with nullcontext() if ladder else coordinator_lock(data, event.name, store):
        lifted = [site.store.lift(event.id, each, reason, disabled=True) for each in _names(event, name)]
    found = [each for each in lifted if each is not None]
    if not found:
        raise ConfigError(
            f"no organiser took {name!r} out of {event.name!r}", where=event.name, fix="", code="NOT_QUARANTINED"
        )
    return found[0].disabled


def _names(event: Tournament, name: str) -> list[str]:
    """A competitor; on a ladder all versions of the bot that have not left, or all that ever played."""
    if not format_of(event.config).ladder:
        return [each.name for each in event.entrants if each.name == name]
    own = name.partition("@")[0].casefold()
    mine = [each for each in event.entrants if each.name.partition("@")[0].casefold() == own]
    playing = [each.name for each in mine if each.until_round is None]
    return playing if name in playing else [each.name for each in mine]


def undo_freeze(site: Site, data: Data) -> None:
    """Set the freeze that was before. Raises ConfigError when the event is there no more: another one of its name would
    be frozen."""
    before, event = data["before"], data["event"]
    known = {name for each in site.store.tournaments() for name in (each.name, each.series)}
    if event not in known and event not in planned_in(site):
        raise _unknown(event)
    Freezes(site.store.database).set(event, datetime.fromisoformat(before) if before else None)


def undo_disable(site: Site, data: Data) -> None:
    """Let the bot back in. Raises as `enable`."""
    _enable(site, _event(site, data), data["bot"], "undone")


def undo_enable(site: Site, data: Data) -> None:
    """Take the bot out again. Raises as `disable`."""
    _disable(site, _event(site, data), data["bot"], data["before"])


def _event(site: Site, data: Data) -> Tournament:
    found = site.store.tournament(data["event"])
    if found is None:
        raise _unknown(data["event"])
    return found


def _unknown(event: str) -> ConfigError:
    return ConfigError(f"there is no event {event!r}", where="/admin/events", code="NO_TOURNAMENT")


def _text(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at is not None else ""
