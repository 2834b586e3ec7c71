"""What each owner has of the arena, and whether that is more than the organiser allows.

The empty owner is the organiser: nothing is limited. Owners are the same whatever their case. Retired versions count as
bytes only: their files are kept.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from arena.core.errors import ArenaError
from arena.runner.course import format_of
from arena.runner.keeping.limits import Quotas
from arena.store.store import Store
from arena.store.tokens import Token
from arena.store.values import BotState, Registered

DAY = timedelta(days=1)
MEGABYTE = 1_000_000
ADDING = ("bots", "versions", "megabytes")
"""What a further version adds to."""


class Usage(NamedTuple):
    """What one owner has."""

    owner: str
    bots: int = 0
    """Names with a version that is ready."""
    versions: int = 0
    """Ready versions of the bot that has most."""
    megabytes: float = 0.0
    """Of kept files."""
    games_per_day: int = 0
    """Games of its bots in open-ended events, in the last 24 hours; a game of two of them counts twice."""
    tokens: int = 0
    """Valid ones."""


class Excess(NamedTuple):
    """One limit that is exceeded."""

    what: str
    """A field of `Quotas`."""
    has: float
    allowed: int


class OverQuota(ArenaError):
    """An owner has as much as it may have (exit status 4)."""

    code = "QUOTA"


def over_quota(usage: Usage, quotas: Quotas, what: Iterable[str] = Usage._fields[1:]) -> list[Excess]:
    """The limits that a usage exceeds, out of `what`; none for the organiser. A pure function."""
    if not usage.owner:
        return []
    found = [Excess(each, getattr(usage, each), getattr(quotas, each)) for each in what]
    return [each for each in found if each.allowed and each.has > each.allowed]


def refuse(excess: list[Excess], owner: str) -> None:
    """Raises OverQuota when there is any excess."""
    if excess:
        words = "; ".join(f"{each.what.replace('_', ' ')} {each.has:g} of at most {each.allowed}" for each in excess)
        raise OverQuota(
            f"{owner!r} would have more than the organiser allows",
            where="[quotas] of arena.toml",
            saw=words,
            fix=" ".join(dict.fromkeys(_MENDS[each.what] for each in excess)),
        )


_MENDS = {
    "bots": "retire or remove a bot: arena bot retire NAME.",
    "versions": "retire an older version: arena bot retire NAME@V.",
    "megabytes": "remove a bot with its files: arena bot remove NAME; or make this one smaller.",
    "games_per_day": "wait until tomorrow.",
    "tokens": "revoke one: arena token revoke NAME.",
}


def with_version(usage: Usage, known: Iterable[Registered], new_bytes: int) -> Usage:
    """The usage once a further version is ready. `known`: the versions of its name; `new_bytes`: files not kept yet."""
    ready = sum(each.state is BotState.READY for each in known)
    return usage._replace(
        bots=usage.bots + (ready == 0), versions=ready + 1, megabytes=usage.megabytes + new_bytes / MEGABYTE
    )


def with_token(usage: Usage) -> Usage:
    """The usage with one more token."""
    return usage._replace(tokens=usage.tokens + 1)


def usages(store: Store, tokens: Iterable[Token], data: Path, now: datetime) -> dict[str, Usage]:
    """What every owner has, by folded name, the organiser's under "" (always there); in order of names."""
    found: dict[str, Usage] = {"": Usage("")}
    registered = store.registered()
    by_owner: dict[str, list[Registered]] = defaultdict(list)
    for each in registered:
        by_owner[each.owner.casefold()].append(each)
        found.setdefault(each.owner.casefold(), Usage(each.owner))
    for owner, versions in by_owner.items():
        ready = Counter(each.name for each in versions if each.state is BotState.READY)
        size = sum(size_of(data / "bots" / version) for version in {each.version for each in versions})
        found[owner] = found[owner]._replace(
            bots=len(ready), versions=max(ready.values(), default=0), megabytes=size / MEGABYTE
        )
    for token in tokens:
        if token.state(now) == "valid":
            before = found.get(token.owner.casefold(), Usage(token.owner))
            found[token.owner.casefold()] = with_token(before)
    for owner, games in games_of_day(store, owners(registered), now).items():
        found[owner] = found[owner]._replace(games_per_day=games)
    return dict(sorted(found.items()))


def owners(registered: Iterable[Registered]) -> dict[str, str]:
    """Folded name of a registered bot -> its owner."""
    return {each.name.casefold(): each.owner for each in registered}


def games_of_day(store: Store, owner_of: Mapping[str, str], now: datetime) -> dict[str, int]:
    """Folded owner -> games of its bots in open-ended events in the last 24 hours. `owner_of`: as `owners` gives it."""
    games: Counter[str] = Counter()
    for tournament in store.tournaments():
        if not format_of(tournament.config).ladder:
            continue
        counts = store.games_since(tournament.id, now - DAY)
        for entrant in tournament.entrants:
            name = entrant.source.removeprefix("registered:").partition("@")[0]
            if entrant.source.startswith("registered:") and entrant.name in counts:
                games[owner_of.get(name.casefold(), "").casefold()] += counts[entrant.name]
    return dict(games)


def out_of_games(games: Mapping[str, int], quotas: Quotas) -> frozenset[str]:
    """The owners, folded, that have no game left today: their bots sit out rounds that begin now. A pure function."""
    limit = quotas.games_per_day
    return frozenset(owner.casefold() for owner, count in games.items() if owner and limit and count >= limit)


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder; 0 where there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
