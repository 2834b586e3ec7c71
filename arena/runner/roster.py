"""Finds a bot by whatever it may be called. In this order, the first that holds decides:

    a/path   ./fox  ~/fox  .     with a slash, a tilde or only dots: a folder with a bot.toml, nothing else
    basic    basic@9c1e42        a house bot; with a hash it must be that content
    fox@3    fox@v3              version 3 of a registered bot, also a retired one
    fox@9c1e42                   the version whose hash begins so; at least 6 digits
    fox                          the newest version that is ready
    fox                          a folder of that name

Names are found whatever their case. A kept copy that is not what was added is refused.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from arena.bots.kept import kept_bot
from arena.bots.manifest import Bot, find_bot, house_names
from arena.core.errors import BotError, ConfigError
from arena.store.place import Place
from arena.store.removals import BOT, Removal, removed_error
from arena.store.store import Store
from arena.store.values import BotState, Registered

Answer = TypeVar("Answer")
MIN_HASH = 6
"""Digits of a hash that name a version."""


class Roster:
    """The bots that a data folder knows, beside house bots and folders."""

    def __init__(self, data: Path, store: Place | None = None) -> None:
        """`data`: the data folder; `store`: where the store is, if it is elsewhere."""
        self.kept = data / "bots"
        self._data = data
        self._store: Place = data if store is None else store

    def find(self, reference: str, near: Path | None = None) -> Bot:
        """The bot of a reference; paths are relative to `near`, or to the working folder.

        Raises BotError: NO_BOT for one that is nowhere, REMOVED for one that was removed, BOT_CHANGED for a kept copy
        that was changed, BAD_MANIFEST and BAD_NAME for what is wrong with a folder.
        """
        if is_path(reference):
            return find_bot(reference, near)
        name, _, wanted = reference.partition("@")
        if name in house_names():
            return self._house(name, wanted)
        known = self.registered(name)
        if known:
            found = chosen(known, wanted)
            bot = kept_bot(self.kept, found.name, found.number, found.version)
            entered = found.manifest.get("games", ["*"])
            return bot if "*" in entered else bot.only([game for game in entered if bot.plays(game)])
        if not wanted and ((near or Path()) / reference).is_dir():
            return find_bot(reference, near)
        raise self.nobody(reference)

    def removal(self, name: str) -> Removal | None:
        """Whether a bot of this name was removed: when, and why."""
        return self._ask(lambda store: store.removal(BOT, name), None)

    def registered(self, name: str | None = None) -> list[Registered]:
        """The registered versions of one name or of all; none where nothing was ever stored."""
        return self._ask(lambda store: store.registered(name), [])

    def _ask(self, question: Callable[[Store], Answer], otherwise: Answer) -> Answer:
        """What the store says, `otherwise` where nothing was ever stored."""
        try:
            with Store.open(self._store, create=False) as store:
                return question(store)
        except ConfigError as error:
            if error.code == "NO_STORE":
                return otherwise
            raise

    def versions(self, reference: str) -> list[Registered]:
        """The registered versions that NAME or NAME@VERSION means, retired ones too. Raises BotError NO_BOT."""
        name, _, wanted = reference.partition("@")
        known = self.registered(name)
        if not known:
            raise self.nobody(reference)
        return [chosen(known, wanted)] if wanted else known

    def _house(self, name: str, wanted: str) -> Bot:
        bot = find_bot(name)
        if wanted and not (len(wanted) >= MIN_HASH and bot.version.startswith(wanted.lower())):
            raise BotError(
                f"no version {wanted!r} of the house bot {name}",
                saw=f"sha256 {bot.version}",
                fix=f"name it without a version, or {name}@{bot.version[:12]}",
                code="NO_BOT",
            )
        return bot

    def nobody(self, reference: str) -> BotError:
        """The error for a reference that names no bot: that it was removed, or with the nearest name."""
        if reference.startswith("remote:"):
            return BotError(
                "a bot on a machine of its own has no place here",
                saw=reference,
                fix="it dials in to  arena play  and  arena tournament run, with --listen HOST:PORT",
                code="NO_BOT",
            )
        removal = self.removal(reference.partition("@")[0])
        if removal is not None:
            return removed_error(removal)
        registered = dict.fromkeys(each.name for each in self.registered())
        names = [*house_names(), *registered]
        near = difflib.get_close_matches(reference.partition("@")[0], names, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return BotError(
            f"no bot {reference!r}",
            where=str(self._data),
            saw=f"registered: {', '.join(registered) or 'none'}",
            fix=f"{hint}house bots: {', '.join(house_names())}; or a folder with a bot.toml; arena bot list",
            code="NO_BOT",
        )


def is_path(reference: str) -> bool:
    """Whether a reference can only be a folder."""
    return "/" in reference or reference.startswith("~") or reference in (".", "..")


def newest(known: list[Registered]) -> list[Registered]:
    """Of each name the newest version that is ready; the newest of all where none is."""
    found: dict[str, Registered] = {}
    for each in known:
        before = found.get(each.name)
        if before is None or each.state is BotState.READY or before.state is BotState.RETIRED:
            found[each.name] = each
    return list(found.values())


def chosen(known: list[Registered], wanted: str) -> Registered:
    """The version of one name that is wanted: a number, the start of a hash, or empty for the newest that is ready.

    Raises BotError NO_BOT.
    """
    name = known[0].name
    if not wanted:
        ready = [each for each in known if each.state is BotState.READY]
        if ready:
            return ready[-1]
        problem = f"every version of {name} is retired"
    elif re.fullmatch(r"v?\d{1,5}", wanted):
        found = [each for each in known if each.number == int(wanted.removeprefix("v"))]
        if found:
            return found[0]
        problem = f"no version {wanted.removeprefix('v')} of {name}"
    elif re.fullmatch(rf"[0-9a-fA-F]{{{MIN_HASH},64}}", wanted):
        found = [each for each in known if each.version.startswith(wanted.lower())]
        if len(found) == 1:
            return found[0]
        problem = f"{len(found)} versions of {name} have a hash that begins with {wanted}" if found else ""
        problem = problem or f"no version of {name} has a hash that begins with {wanted}"
    else:
        problem = f"{wanted!r} is no version"
    listed = ", ".join(f"{name}@{each.number}{' (retired)' * (each.state is BotState.RETIRED)}" for each in known[-8:])
    raise BotError(problem, saw=listed, fix=f"name a number, or at least {MIN_HASH} digits of a hash", code="NO_BOT")
