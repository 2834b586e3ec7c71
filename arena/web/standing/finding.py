"""Finds bots, tournaments and games by what somebody typed."""

from __future__ import annotations

import difflib
from typing import NamedTuple

from arena.web.site import Site
from arena.web.standing.links import bot_path, game_path

MOST = 30
"""Hits of one kind that are listed."""
LONGEST = 128


class Hit(NamedTuple):
    """One thing that was found."""

    name: str
    path: str
    words: str


class Hits(NamedTuple):
    """All that was found."""

    tournaments: tuple[Hit, ...]
    bots: tuple[Hit, ...]
    near: tuple[Hit, ...]
    """Where nothing fits: what it may have been meant for."""
    sure: str
    """Where the one thing is that has exactly this name; empty: list them."""


def found(site: Site, asked: str) -> Hits:
    """What a text names: as a whole, whatever its case, or as a part of a name."""
    if not asked:
        return Hits((), (), (), "")
    stored = site.store.game(asked) if asked.count("-") >= 4 else None
    if stored is not None:
        return Hits((), (), (), game_path(asked))
    folded = asked.casefold()
    known = site.store.tournaments()
    tournaments = [Hit(each.name, f"/t/{each.name}", f"{each.game}, {each.state.value}") for each in reversed(known)]
    series = dict.fromkeys(each.series for each in known if each.series)
    tournaments += [Hit(name, f"/t/{name}", "a series") for name in series]
    bots = _bots(site, [entrant.name for each in known for entrant in each.entrants])
    every = [*tournaments, *bots]
    exact = [each for each in every if each.name.casefold() == folded]
    if len(exact) == 1:
        return Hits((), (), (), exact[0].path)

    def fitting(hits: list[Hit]) -> tuple[Hit, ...]:
        fits = [each for each in hits if folded in each.name.casefold()]
        fits.sort(key=lambda each: not each.name.casefold().startswith(folded))
        return tuple(fits[:MOST])

    fits, fit_bots = fitting(tournaments), fitting(bots)
    near: tuple[Hit, ...] = ()
    if not (fits or fit_bots):
        names = {each.name.casefold(): each for each in every}
        near = tuple(names[name] for name in difflib.get_close_matches(folded, names, n=5, cutoff=0.5))
    return Hits(fits, fit_bots, near, "")


def _bots(site: Site, entrants: list[str]) -> list[Hit]:
    """Bots by name, those that are registered and those that played somewhere."""
    registered = {each.name: f"registered, v{each.number}" for each in site.store.registered()}
    played = dict.fromkeys(name.partition("@")[0] for name in entrants)
    removed = {each.name: "removed" for each in site.store.removals() if each.kind == "bot"}
    every = {**dict.fromkeys(played, "played here"), **registered, **removed}
    return [Hit(name, bot_path(name), words) for name, words in sorted(every.items())]
