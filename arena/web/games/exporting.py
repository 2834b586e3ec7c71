"""Exported games of one server: the last ones are kept, few are written at a time. Writing one takes seconds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

from arena.core.errors import ArenaError
from arena.core.game import Seat
from arena.web.games.comparison import Comparison
from arena.web.games.exported import export
from arena.web.games.shown import Shown
from arena.web.site import Site

MOST = 2
"""Files that are written at the same time."""
KEPT = 12
"""So many are kept."""


class Busy(ArenaError):
    """Others are being written."""

    code = "BUSY"


class _Kept(NamedTuple):
    comparison: Comparison | None
    """What it was compared with when it was written."""
    text: str


class Exports:
    """The files that were asked for last."""

    def __init__(self, _site: Site | None = None) -> None:
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._lock = threading.Lock()
        self._writing = threading.BoundedSemaphore(MOST)

    def of(self, shown: Shown) -> str:
        """A game as a file; notes are in none. Raises Busy at once when enough are written already."""
        key = (shown.found.public_id, shown.found.edition)
        with self._lock:
            known = self._kept.get(key)
            if known is not None and known.comparison is shown.comparison:
                self._kept.move_to_end(key)
                return known.text
        text = self._write(shown, frozenset())
        with self._lock:
            self._kept[key] = _Kept(shown.comparison, text)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return text

    def once(self, shown: Shown) -> str:
        """A game as a file, with the notes that are shown, which is not kept. Raises Busy as `of`."""
        return self._write(shown, shown.notes)

    def _write(self, shown: Shown, notes: frozenset[Seat]) -> str:
        if not self._writing.acquire(blocking=False):
            raise Busy(
                f"{MOST} games are being written as files already",
                where=f"/g/{shown.found.public_id}/export.html",
                fix="ask again in a few seconds; or write it yourself: arena replay export",
            )
        try:
            return export(shown.found, shown.replay, shown.comparison, notes=notes)
        finally:
            self._writing.release()


def exports_of(site: Site) -> Exports:
    """Those of a site; made while the app is made."""
    return site.service(Exports, Exports)
