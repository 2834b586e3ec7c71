"""Who may play an event, as organisers order it: not what is sent after its freeze, nor a bot that they disabled.

Every order is written into the log of organisers, with what undoes it. Knows nothing of pages and commands.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from arena.core.errors import ArenaError, ConfigError
from arena.runner.course import format_of
from arena.store.audit import COMMAND_LINE, Audit
from arena.store.freezes import Freezes
from arena.store.lock import coordinator_lock
from arena.store.place import Place
from arena.store.store import Store
from arena.store.values import Quarantined, State, Tournament

FREEZE, DISABLE, ENABLE = "freeze event", "disable bot", "enable bot"
CUPS = "cups"
"""The folder of the data folder with files of events that were written on the site."""
NAMED = 20
"""So many competitors are named to whoever names none of them."""
Data = Mapping[str, Any]
"""Any: JSON or TOML."""


class Desk(NamedTuple):
    """Where orders are given, and by whom."""

    store: Store
    data: Path
    """The data folder."""
    place: Place
    """Where the store is."""
    person: int | None = None
    who: str = COMMAND_LINE

    def note(self, action: str, target: str, reason: str, **data: object) -> None:
        """Write down what was ordered. `data`: what undoes it."""
        Audit(self.store.database).note(self.person, self.who, action, target, reason, data)


# Freezes


def takes_freeze(desk: Desk, event: str, file: Data | None = None) -> Data:
    """The settings of an event or series for which versions may yet be sent; `file`: what a file of that name says that
    is not kept by the site. Raises ArenaError NOTHING where its bots are fixed, ConfigError NO_TOURNAMENT."""
    begun = [each for each in desk.store.tournaments() if event in (each.name, each.series)]
    if begun:
        anew = [each for each in begun if takes_part_anew(each)]
        if not anew:
            raise ArenaError(
                f"the bots of {event!r} are fixed since it began",
                where=event,
                fix="ladders can be frozen",
                code="NOTHING",
            )
        return anew[0].config
    planned = file if file is not None else planned_in(desk.store, desk.data).get(event)
    if planned is None:
        raise _unknown(event)
    return planned


def freeze(desk: Desk, event: str, at: datetime | None) -> datetime | None:
    """Set the freeze of an event, move it, or with None take it away; what it was before."""
    before = Freezes(desk.store.database).set(event, at)
    if before != at:
        said = f"until {at:%Y-%m-%d %H:%M} UTC" if at is not None else "no freeze"
        desk.note(FREEZE, event, said, event=event, before=_text(before), after=_text(at))
    return before


def takes_part_anew(event: Tournament) -> bool:
    """Whether versions may yet join an event that has begun: a ladder, as long as it is not over."""
    return format_of(event.config).ladder and event.state is not State.FINISHED


def planned_in(store: Store, data: Path) -> dict[str, Data]:
    """The events that were written down on the site and have not begun: by name what their files say, which is nothing
    where one cannot be read."""
    known = {name for each in store.tournaments() for name in (each.name, each.series)}
    found: dict[str, Data] = {}
    for file in sorted((data / CUPS).glob("[!.]*.toml")):
        if file.stem not in known:
            try:
                found[file.stem] = tomllib.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError):
                found[file.stem] = {}
    return found


def time_in(text: str, where: str) -> datetime | None:
    """A time that was typed, in UTC unless it says otherwise; None: nothing was typed. Raises ArenaError USAGE."""
    words = text.strip().removesuffix("UTC").strip()
    if not words:
        return None
    try:
        at = datetime.fromisoformat(words)
        return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArenaError(
            "this is no time", where=where, saw=repr(text), fix="2026-05-04T12:00, in UTC", code="USAGE"
        ) from None


# Bots


def disable(desk: Desk, event: Tournament, name: str, reason: str) -> list[Quarantined]:
    """Take a bot out of an event, for a reason that all may read; on a ladder with all its versions that play. What it
    played counts. What is new. Raises ArenaError NOTHING when it plays no more anyway."""
    made = _disable(desk, event, name, reason)
    desk.note(DISABLE, f"{event.name}: {name}", reason, event=event.name, bot=name)
    return made


def _disable(desk: Desk, event: Tournament, name: str, reason: str) -> list[Quarantined]:
    if event.state is State.FINISHED:
        raise ArenaError(f"{event.name!r} is over", where=event.name, fix="results stay as they are", code="NOTHING")
    mine = _competitors(event, name)
    playing = [each for each in mine if each in _playing(event)]
    made = desk.store.disable(event.id, playing or mine, reason)
    if not made:
        out = {each.quarantine.bot for each in desk.store.quarantines(event.id, active=True)}
        others = [each for each in _playing(event) if each not in out]
        raise ArenaError(
            f"{name!r} does not play {event.name!r}, or no more",
            where=event.name,
            saw=repr(name),
            fix=f"who plays: {', '.join(others[:NAMED])}{' ...' if len(others) > NAMED else ''}",
            code="NOTHING",
        )
    return made


def enable(desk: Desk, event: Tournament, name: str, reason: str) -> list[Quarantined]:
    """Let a bot back in that an organiser took out, on a ladder with all its versions. What was lifted. Raises Busy
    while an event runs that is no ladder, ConfigError NOT_QUARANTINED when nobody took it out."""
    lifted = _enable(desk, event, name, reason)
    desk.note(ENABLE, f"{event.name}: {name}", reason, event=event.name, bot=name, before=lifted[0].disabled)
    return lifted


def _enable(desk: Desk, event: Tournament, name: str, reason: str) -> list[Quarantined]:
    """A ladder asks before each round who plays; elsewhere what was left out is played by the next run only."""
    ladder = format_of(event.config).ladder
    with nullcontext() if ladder else coordinator_lock(desk.data, event.name, desk.place):
        lifted = [desk.store.lift(event.id, each, reason, disabled=True) for each in _competitors(event, name)]
        found = [each for each in lifted if each is not None]
    if not found:
        out = [each.quarantine.bot for each in desk.store.quarantines(event.id, active=True) if each.disabled]
        raise ConfigError(
            f"no organiser took {name!r} out of {event.name!r}",
            where=event.name,
            saw=repr(name),
            fix=f"disabled: {', '.join(out)}" if out else "nobody is disabled",
            code="NOT_QUARANTINED",
        )
    return found


def _competitors(event: Tournament, name: str) -> list[str]:
    """A competitor; on a ladder all versions of the bot that ever played."""
    if not format_of(event.config).ladder:
        return [each.name for each in event.entrants if each.name == name]
    own = name.partition("@")[0].casefold()
    return [each.name for each in event.entrants if each.name.partition("@")[0].casefold() == own]


def _playing(event: Tournament) -> list[str]:
    """The competitors that have not left."""
    return [each.name for each in event.entrants if each.until_round is None]


# Undoing


def _undo_freeze(desk: Desk, data: Data) -> None:
    """Set the freeze that was before. Raises ConfigError when the event is there no more: another one of its name would
    be frozen."""
    before, event = data["before"], data["event"]
    known = {name for each in desk.store.tournaments() for name in (each.name, each.series)}
    if event not in known and event not in planned_in(desk.store, desk.data):
        raise _unknown(event)
    Freezes(desk.store.database).set(event, datetime.fromisoformat(before) if before else None)


def _undo_disable(desk: Desk, data: Data) -> None:
    """Let the bot back in. Raises as `enable`."""
    _enable(desk, _event(desk, data), data["bot"], "undone")


def _undo_enable(desk: Desk, data: Data) -> None:
    """Take the bot out again. Raises as `disable`."""
    _disable(desk, _event(desk, data), data["bot"], data["before"])


UNDOES: Mapping[str, Callable[[Desk, Data], None]] = {
    FREEZE: _undo_freeze, DISABLE: _undo_disable, ENABLE: _undo_enable,
}  # fmt: skip
"""By action: what undoes it, from the data of its entry in the log."""


def _event(desk: Desk, data: Data) -> Tournament:
    found = desk.store.tournament(data["event"])
    if found is None:
        raise _unknown(data["event"])
    return found


def _unknown(event: str) -> ConfigError:
    return ConfigError(f"there is no event {event!r}", where=event, saw=repr(event), code="NO_TOURNAMENT")


def _text(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at is not None else ""
