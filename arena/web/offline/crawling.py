"""All pages of a copy but those of games, which `replays` makes: from the table along every link that leads further.

Keeps them packed until all are there, so that afterwards every link is known to lead somewhere or not.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple

from arena.web.offline.asking import Asker
from arena.web.offline.places import INDEX, Place, Places
from arena.web.offline.rewriting import absolute, links_of

LIMIT = 60_000
"""More pages than this are not followed."""


class Fetched(NamedTuple):
    """One file as the site gave it."""

    address: str
    file: str
    page: bool
    packed: bytes

    @property
    def body(self) -> bytes:
        """Unpacked."""
        return zlib.decompress(self.packed)


class Crawl:
    """The pages, and where addresses lead once it is done."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._found: dict[str, Fetched] = {}

    def run(self, asker: Asker, start: str, tell: Callable[[int], None]) -> None:
        """Ask for everything from a page on. `tell`: told how many files there are."""
        waiting = [self._must(start)]
        known = {waiting[0].file}
        while waiting and len(self._found) < LIMIT:
            place = waiting.pop(0)
            answer = asker.ask(place.ask)
            if answer.status != 200:
                continue
            self._found[place.file] = Fetched(place.ask, place.file, answer.is_page, zlib.compress(answer.body, 1))
            tell(len(self._found))
            if answer.is_page:
                for each in self._leading(place.ask, answer.body):
                    if each.file not in known and not self._places.is_game(each):
                        known.add(each.file)
                        waiting.append(each)

    def place(self, address: str) -> Place | None:
        """Where an address leads; None for pages that there are not."""
        found = self._places.of(address)
        return found if found is not None and (found.file in self._found or self._places.is_game(found)) else None

    def files(self) -> Iterator[Fetched]:
        """Everything that was found."""
        return iter(self._found.values())

    @property
    def names(self) -> frozenset[str]:
        """The files of all pages."""
        return frozenset(self._found)

    def _leading(self, address: str, body: bytes) -> Iterator[Place]:
        for href in links_of(body.decode()):
            target = absolute(address, href)
            found = self._places.of(target) if target else None
            if found is not None:
                yield found

    def _must(self, address: str) -> Place:
        found = self._places.of(address)
        assert found is not None, f"{address} has no place in its own copy"
        assert found.file == INDEX, address
        return found
