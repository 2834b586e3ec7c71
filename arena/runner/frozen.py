"""Which versions count for an event: those that were sent before its freeze.

An event's own freeze counts, else that of the series it is a part of, else, where it is no ladder, the deadline of the
site. Who names a version with its number means that one, whenever it was sent. House bots and folders are never sent.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.bots.kept import kept_bot
from arena.bots.manifest import Bot, house_names
from arena.core.errors import BotError, ConfigError
from arena.runner.roster import Roster, is_path
from arena.store.freezes import Freezes
from arena.store.place import Place
from arena.store.site_settings import SiteSettings
from arena.store.store import Store
from arena.store.values import BotState, Entrant, Registered
from arena.tournament.formats import FORMATS

Find = Callable[[str, Path | None], Bot]
LADDERS = [name for name, format in FORMATS.items() if format.ladder]


def deadline_in(store: Store) -> datetime | None:
    """The deadline of the site, for events that have no freeze of their own."""
    try:
        at = datetime.fromisoformat(str(SiteSettings(store.database).get("deadline")))
    except ValueError:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def freeze_of(store: Store, event: str, series: str = "", *, ladder: bool) -> datetime | None:
    """Until when what is sent counts for an event; None: nothing is frozen."""
    own = Freezes(store.database).of(*filter(None, (event, series)))
    return own if own is not None or ladder else deadline_in(store)


def counting(store: Store, registered: Collection[Registered], freeze: datetime | None) -> list[Registered]:
    """Of registered versions those that were sent before a freeze, all where there is none."""
    if freeze is None:
        return list(registered)
    sent = Freezes(store.database).sent()
    return [each for each in registered if sent.get((each.name, each.number), each.added) <= freeze]


def with_frozen(find: Find, roster: Roster, file: Path, place: Place) -> Find:
    """`find` for the tournament in a file: the name of a registered bot means the version that entered, or before the
    event begins the newest ready one that counts. On a ladder that is decided before each round."""

    def frozen(reference: str, near: Path | None = None) -> Bot:
        if is_path(reference) or "@" in reference or reference.casefold() in house_names():
            return find(reference, near)
        found = _version(roster, reference, file, place)
        return (
            find(reference, near) if found is None else kept_bot(roster.kept, found.name, found.number, found.version)
        )

    return frozen


def _version(roster: Roster, name: str, file: Path, place: Place) -> Registered | None:
    """The version that a name means; None: whatever it means elsewhere. Raises BotError where none counts."""
    known = roster.registered(name)
    config = config_of(file)
    if not known or config.get("format") in LADDERS:
        return None
    event = str(config.get("name", ""))
    with Store.open(place, create=False) as store:
        entered = _entered(store, event, name, series="games" in config)
        if entered is not None:
            return next((each for each in known if each.version == entered.version), None)
        freeze = freeze_of(store, event, ladder=False)
        ready = [each for each in known if each.state is BotState.READY]
        counts = counting(store, ready, freeze)
    if counts:
        return counts[-1]
    if not ready or freeze is None:
        return None
    raise BotError(
        f"no version of {known[0].name} was sent before the freeze of {event!r}",
        saw=f"frozen since {freeze:%Y-%m-%d %H:%M} UTC",
        fix=f"leave it out, move the freeze, or name a version: {known[0].name}@{ready[-1].number}",
        code="NO_BOT",
    )


def _entered(store: Store, event: str, name: str, *, series: bool) -> Entrant | None:
    """Who plays under the name of a bot in an event that has begun, or in the first one of a series."""
    if series:
        begun = next((each for each in store.tournaments() if each.series == event), None)
    else:
        begun = store.tournament(event)
    for each in begun.entrants if begun is not None else ():
        source, _, own = each.source.partition(":")
        if source == "registered" and own.partition("@")[0].casefold() == name.casefold():
            return each
    return None


def config_of(file: Path) -> dict[str, Any]:  # Any: TOML
    """What a tournament file says, unchecked. Raises ConfigError where it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"the tournament file cannot be read: {error}", where=str(file)) from None
