"""Who should play on a ladder, by the tournament file and the registry, and what that changes. Pure functions.

Competitors are versions, named "fox@3". Knows bots and what the store says of them; not whether one can be made ready,
and not who meets whom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from arena.bots.manifest import Bot
from arena.runner.roster import is_path
from arena.store.values import BotState, Entrant, Registered

DIGITS = 8
"""Of a content hash, where a bot has no number."""


class Wanted(NamedTuple):
    """Who should play under one name: the first of these that can be made ready."""

    bots: tuple[Bot, ...] = ()
    """From the tournament file."""
    versions: tuple[Registered, ...] = ()
    """From the registry, the newest first."""

    @property
    def name(self) -> str:
        """Whose versions they are, in small letters."""
        return (self.bots or self.versions)[0].name.casefold()


class Changes(NamedTuple):
    """What is different from the round before. Names of competitors."""

    new: tuple[str, ...]
    back: tuple[str, ...]
    """Who was there once and left."""
    gone: tuple[str, ...]


def wanted(
    references: Sequence[str],
    bots: Sequence[Bot],
    registered: Sequence[Registered],
    game: str,
    *,
    open: bool,
    counts: Collection[tuple[str, int]] | None = None,
) -> list[Wanted]:
    """Who should play, by name, in order: the tournament file's bots, then, where it is open, all others.

    House bots and folders are as they were found. A registered bot is the newest version of its name that is ready, or
    with a version in its reference that one; retired ones and those that do not play the game are not wanted. `counts`:
    (name, number) of versions that were sent in time, None: all of them; one with a version in its reference is wanted
    all the same.
    """
    ready: dict[str, list[Registered]] = {}
    for each in registered:
        games = each.manifest.get("games", ["*"])
        if each.state is BotState.READY and ("*" in games or game in games):
            ready.setdefault(each.name.casefold(), []).insert(0, each)
    found: list[Wanted] = []
    for reference, bot in zip(references, bots, strict=True):
        if not bot.number:
            found.append(Wanted(bots=(bot,)))
            ready.pop(bot.name.casefold(), None)
            continue
        known = ready.pop(bot.name.casefold(), [])
        pinned = "@" in reference and not is_path(reference)
        versions = [each for each in known if each.number == bot.number] if pinned else _in_time(known, counts)
        if versions:
            found.append(Wanted(versions=tuple(versions)))
    if open:
        others = [_in_time(versions, counts) for _, versions in sorted(ready.items())]
        found += [Wanted(versions=tuple(versions)) for versions in others if versions]
    return found


def _in_time(known: Sequence[Registered], counts: Collection[tuple[str, int]] | None) -> list[Registered]:
    return [each for each in known if counts is None or (each.name, each.number) in counts]


def label(bot: Bot, known: Mapping[str, str]) -> str:
    """A version's name on the ladder: "fox@3"; of a bot without a number its own name, and with the beginning of its
    hash where that name stands for another content already. `known`: competitor -> content hash."""
    if bot.number:
        return f"{bot.name}@{bot.number}"
    return bot.name if known.get(bot.name, bot.version) == bot.version else f"{bot.name}@{bot.version[:DIGITS]}"


def changes(entrants: Sequence[Entrant], now: Collection[str]) -> Changes:
    """What has to change so that those play who are named in `now`."""
    there = {each.name: each.until_round is None for each in entrants}
    return Changes(
        tuple(name for name in now if name not in there),
        tuple(name for name in now if not there.get(name, True)),
        tuple(name for name, playing in there.items() if playing and name not in now),
    )
