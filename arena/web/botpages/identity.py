"""Which bot an address means: registered, of the house, or one that only ever came from a folder."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, NamedTuple

from arena.bots.manifest import find_bot, house_names
from arena.core.errors import BotError
from arena.runner.profile import tournaments_of
from arena.runner.roster import chosen
from arena.runner.versus import is_test
from arena.store.quarantines import REMOVED
from arena.store.removals import BOT
from arena.store.store import Store
from arena.store.values import BotState, Quarantined, Registered, Tournament
from arena.web.errors import Gone, NotFound

SHORT = 8
"""Digits of a hash that are shown."""


class Known(NamedTuple):
    """One bot, or one version of it."""

    name: str
    source: str
    """registered, house or folder."""
    manifest: Mapping[str, Any]  # Any: TOML
    versions: tuple[Registered, ...]
    """All registered ones."""
    version: str
    """What was asked for, "v3" or the start of a hash; empty: all versions."""
    played: tuple[tuple[Tournament, str], ...]
    """(tournament, its name there) of the bot or version, newest first, tests of its versions last."""
    quarantines: tuple[Quarantined, ...]
    """Those that hold."""
    paused: bool
    notes_public: bool

    @property
    def owner(self) -> str:
        """Whose it is; empty: the organiser's."""
        return self.versions[0].owner if self.versions else ""

    @property
    def newest(self) -> Registered | None:
        """The newest version that is ready, the newest of all where none is; None for a bot that is not registered."""
        ready = [each for each in self.versions if each.state is BotState.READY]
        return next(reversed(ready or self.versions), None)

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called anywhere."""
        return tuple(dict.fromkeys([self.name, *(known for _, known in self.played)]))

    @property
    def games(self) -> tuple[str, ...]:
        """The ids of the games that it plays; "*": all."""
        return tuple(self.manifest.get("games", ["*"]))


def known_bot(store: Store, name: str, wanted: str, settings: Mapping[str, tuple[bool, bool]]) -> Known:
    """The bot of a name, whatever its case. `settings`: as `BotGames.settings`.

    Raises Gone for one that was removed, NotFound for one that never was, or has no such version.
    """
    removal = store.removal(BOT, name)
    if removal is not None:
        raise Gone(
            f"{removal.name!r} was removed on {removal.at:%Y-%m-%d}: {removal.reason}",
            where=f"/bot/{removal.name}",
            saw="its results stay in the tables of the events that it played",
            fix="see its events at /t; the name is never given again",
        )
    versions = store.registered(name)
    house = next((each for each in house_names() if each == name.casefold()), "")
    everywhere = tournaments_of(store, name, None)
    version = _version(versions, wanted, everywhere)
    if not (versions or house or everywhere):
        raise nobody(store, name)
    shown = versions[0].name if versions else house or everywhere[0][1].partition("@")[0]
    played = [pair for pair in everywhere if not wanted or _plays(pair, version, wanted)]
    played.sort(key=lambda pair: is_test(pair[0]))
    if wanted and version is None and not played:
        raise NotFound(f"{shown} has no version {wanted!r}", where=f"/bot/{shown}", fix="leave out ?v=")
    named = {known for _, known in everywhere}
    out = [
        each
        for each in store.quarantines(active=True)
        if each.quarantine.bot in named and not each.quarantine.reason.startswith(REMOVED)
    ]
    notes, paused = settings.get(shown.casefold(), (False, False))
    return Known(
        shown,
        "registered" if versions else "house" if house else "folder",
        _manifest(version or (versions[-1] if versions else None), house, played or everywhere),
        tuple(versions),
        f"v{version.number}" if version is not None else wanted,
        tuple(played),
        tuple(out),
        paused,
        notes,
    )


def nobody(store: Store, name: str) -> NotFound:
    """The error for a name that no bot has, with the nearest one."""
    names = {*house_names(), *(each.name for each in store.registered())}
    names |= {entrant.name.partition("@")[0] for cup in store.tournaments() for entrant in cup.entrants}
    near = difflib.get_close_matches(name, sorted(names), 1)
    return NotFound(
        f"there is no bot {name!r}",
        where=f"/bot/{name}",
        fix=f"did you mean /bot/{near[0]}?" if near else "all bots are at /bots",
    )


def _version(versions: list[Registered], wanted: str, everywhere: list[tuple[Tournament, str]]) -> Registered | None:
    """The registered version that is meant; None where none is, or one that played from a folder."""
    if not (versions and wanted):
        return None
    try:
        return chosen(versions, wanted)
    except BotError as error:
        if any(_plays(pair, None, wanted) for pair in everywhere):
            return None
        raise NotFound(error.message, where=f"/bot/{versions[0].name}", saw=error.saw, fix=error.fix) from None


def _plays(pair: tuple[Tournament, str], version: Registered | None, wanted: str) -> bool:
    tournament, known = pair
    content = next(entrant.version for entrant in tournament.entrants if entrant.name == known)
    return content == version.version if version is not None else content.startswith(wanted.lower())


def _manifest(meant: Registered | None, house: str, played: list[tuple[Tournament, str]]) -> Mapping[str, Any]:
    if meant is not None:
        return meant.manifest
    if house:
        return find_bot(house).manifest
    tournament, known = played[0]
    return next(entrant.manifest for entrant in tournament.entrants if entrant.name == known)


def version_word(tournament: Tournament, name: str, numbers: Mapping[str, int]) -> str:
    """Which version plays under a name: "v3", else the start of its hash. `numbers`: hash -> number."""
    content = next((entrant.version for entrant in tournament.entrants if entrant.name == name), "")
    number = numbers.get(content)
    return f"v{number}" if number is not None else content[:SHORT]
