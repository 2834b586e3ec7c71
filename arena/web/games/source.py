"""Where the games of the site come from: of an id, what there is and how much of it a viewer may see.

A source is a function of the site, an id and a viewer that answers with what it found, or None for an id that is not
its own. Sources are added while the app is made (`include`); that of the store is asked last:

    sources_of(site).add(find_running)

`Open` is a game that may be looked at whole: the page steps through it. `Closed` is anything else, with a template of
its own; a template gets `closed` and whatever is in `context`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from arena.core.game import Seat
from arena.match.clock import Clock
from arena.record.transcript import Transcript
from arena.web.errors import NotFound
from arena.web.site import Site
from arena.web.viewer import Viewer


@dataclass(frozen=True)
class Where:
    """The place of a game in a tournament."""

    tournament: str
    round: int
    board: int
    table: int
    seating: int
    """From 1, as people count."""


@dataclass(frozen=True)
class Open:
    """A game all of whose cards may be shown."""

    public_id: str
    transcript: Transcript
    """Without words that are sealed. Notes are in it: `notes` says whose may be shown."""
    edition: str = ""
    """Differs whenever the transcript of this id does."""
    where: Where | None = None
    """None: it belongs to no tournament."""
    clock: Clock | None = None
    """Under which it was played; None: without one, or unknown."""
    notes: frozenset[Seat] = frozenset()
    """The seats whose notes this viewer may read."""
    remarks: tuple[str, ...] = ()
    """Lines above the game: that an earlier attempt was void, that words are sealed."""


@dataclass(frozen=True)
class Closed:
    """A game that runs, is sealed, void or removed: what may be said of it."""

    public_id: str
    state: str
    """In a word: running, sealed, void, failed, removed."""
    line: str
    """In a sentence."""
    names: tuple[str, ...] = ()
    """By seat."""
    where: Where | None = None
    facts: tuple[tuple[str, str], ...] = ()
    """Further things to say: (label, value)."""
    results: tuple[tuple[str, str], ...] = ()
    """The same, of what came of it: left out for those who want to see no results."""
    links: tuple[tuple[str, str], ...] = ()
    """(words, address)."""
    status: int = 200
    template: str = "game/closed.html"
    context: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))  # Any: for the template


Found = Open | Closed
Source = Callable[[Site, str, Viewer], Found | None]


class Sources:
    """The sources of one site, the last one added asked first."""

    def __init__(self, _site: Site) -> None:
        from arena.web.games.stored import find_stored

        self._known: list[Source] = [find_stored]

    def add(self, source: Source) -> None:
        """One more."""
        self._known.insert(0, source)

    def find(self, site: Site, public_id: str, viewer: Viewer) -> Found | None:
        """What the first source has that knows the id."""
        return next((found for source in self._known if (found := source(site, public_id, viewer)) is not None), None)


def sources_of(site: Site) -> Sources:
    """The sources of a site."""
    return site.service(Sources, Sources)


def find(site: Site, public_id: str, viewer: Viewer) -> Found:
    """The game of an id, as far as this viewer may see it. Raises NotFound."""
    found = sources_of(site).find(site, public_id, viewer)
    if found is None:
        raise NotFound(f"no game {public_id!r}", where="/g/", fix="see the games of a tournament: /t", code="NO_GAME")
    return found
