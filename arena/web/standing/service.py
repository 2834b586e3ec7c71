"""Keeps what pages show of tournaments ready: computed again when games came, never in a request that it would hold up.

Small tournaments are computed at once by whoever asks first, one thread for each; large ones by a process of their own,
one at a time, and seldom enough that computing takes a fifth of the time at most. Meanwhile everybody sees the snapshot
before. What was computed is kept in the store as well, so that a server that starts has it.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from arena.core.errors import ArenaError, ArenaFault
from arena.store.snapshots import Snapshot, Snapshots, Watch, packed, unpacked
from arena.store.store import utc_now
from arena.store.values import Tournament
from arena.web.children import Children
from arena.web.site import Site
from arena.web.standing.compute import KINDS, computed

LOG = logging.getLogger("arena.web.standing")
SMALL = 3000
"""Tournaments of fewer games are computed in a request."""
SMALL_PAUSE_S = 1.0
LARGE_PAUSE_S = 5.0
SHARE = 4
"""After computing it rests so many times as long as that took."""
SEEN = 64
"""Tournaments whose snapshots are kept in memory."""
DEADLINE_S = 900.0
FORMAT = 1
"""Of the documents: a change makes all snapshots old."""


class Made(NamedTuple):
    """A document as it is now."""

    data: Any  # Any: JSON
    """None: it is being computed for the first time."""
    at: datetime | None
    fresh: bool
    """Whether everything stored is in it; if not, a newer one is being computed."""


NOT_YET = Made(None, None, False)


class Standing:
    """The service; one a site. For any number of threads."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._kept = Snapshots(site.store.database)
        self.watch = Watch(site.store.database)
        self._memory: dict[int, dict[str, Snapshot]] = {}
        self._locks: dict[int, threading.Lock] = {}
        self._rests: dict[int, float] = {}
        """By tournament: before this time of `time.monotonic` it is not computed again."""
        self._wanted: dict[int, Tournament] = {}
        self._changed = threading.Condition()
        self._worker: threading.Thread | None = None
        self.children = Children()
        self._stopped = False
        self.told: list[Callable[[str], None]] = []
        """Called in some thread with the name of a tournament of which there is something new."""
        self._first: asyncio.Task[None] | None = None
        site.starting.append(self.start)
        site.stopping.append(self.stop)

    def of(self, tournament: Tournament, kind: str = "table") -> Made:
        """One of KINDS of a tournament, the newest that there is without waiting long."""
        reading = self.watch.of(tournament.id)
        version = f"{FORMAT}-{reading.version}"
        found = self._known(tournament.id, kind, version)
        if found is not None and found.version == version:
            return Made(found.data, found.at, True)
        if reading.games < SMALL and (found is None or time.monotonic() >= self._rests.get(tournament.id, 0.0)):
            lock = self._lock_of(tournament.id)
            if lock.acquire(blocking=found is None):
                try:
                    found = self._known(tournament.id, kind, version)
                    if found is None or found.version != version:
                        self._compute(tournament, version, large=False)
                        found = self._known(tournament.id, kind, version)
                finally:
                    lock.release()
                if found is not None:
                    return Made(found.data, found.at, found.version == version)
        self._want(tournament)
        return NOT_YET if found is None else Made(found.data, found.at, False)

    def peek(self, tournament: Tournament, kind: str = "table") -> Made:
        """As `of`, but nothing is computed for whoever asks: for lists of many tournaments."""
        version = f"{FORMAT}-{self.watch.of(tournament.id).version}"
        found = self._known(tournament.id, kind, version)
        if found is None or found.version != version:
            self._want(tournament)
        return NOT_YET if found is None else Made(found.data, found.at, found.version == version)

    def _known(self, tournament_id: int, kind: str, version: str) -> Snapshot | None:
        """What is in memory, or in the store if that is newer: another server on this store may have made it."""
        found = self._memory.get(tournament_id, {}).get(kind)
        if found is not None and found.version == version:
            return found
        kept = self._kept.version(tournament_id, kind)
        if kept.startswith(f"{FORMAT}-") and (found is None or kept == version):
            with suppress(ArenaFault):  # one that cannot be read is made again
                snapshot = self._kept.load(tournament_id, kind)
                if snapshot is not None:
                    self._remember(tournament_id, {kind: snapshot})
                    return snapshot
        return found

    def _remember(self, tournament_id: int, new: dict[str, Snapshot]) -> None:
        with self._changed:
            known = self._memory.pop(tournament_id, {})
            self._memory[tournament_id] = {**known, **new}
            while len(self._memory) > SEEN:
                del self._memory[next(iter(self._memory))]

    def _lock_of(self, tournament_id: int) -> threading.Lock:
        with self._changed:
            return self._locks.setdefault(tournament_id, threading.Lock())

    def _compute(self, tournament: Tournament, version: str, *, large: bool) -> None:
        """Compute all kinds, in another process if it takes long; remember them, and keep them where that can be done.

        `version`: as it was before reading began, so that what is stored meanwhile is noticed.
        """
        begun, at = time.monotonic(), utc_now()
        if large:
            lines = computed_apart(self._site, {"tournament": tournament.name}, len(KINDS), self.children)
            kinds = dict(zip(KINDS, lines, strict=True))
        else:
            current = self._site.store.tournament(tournament.name) or tournament
            kinds = {kind: packed(data) for kind, data in computed(self._site.store, current).items()}
        cost = time.monotonic() - begun
        self._rests[tournament.id] = time.monotonic() + max(LARGE_PAUSE_S if large else SMALL_PAUSE_S, SHARE * cost)
        self._remember(
            tournament.id,
            {kind: Snapshot(version, at, round(1000 * cost), unpacked(data)) for kind, data in kinds.items()},
        )
        try:
            self._kept.save(tournament.id, kinds, version, at, round(1000 * cost))
        except ArenaError as error:
            LOG.warning("the snapshot of %s is not kept: %s", tournament.name, error)

    # In the background

    def _want(self, tournament: Tournament) -> None:
        with self._changed:
            if self._stopped:
                return
            self._wanted[tournament.id] = tournament
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="standing", daemon=True)
                self._worker.start()
            self._changed.notify()

    def _work(self) -> None:
        while (tournament := self._next()) is not None:
            try:
                self._update(tournament)
            except Exception:  # whatever it is: pages go on with what they have
                if not self._stopped:
                    LOG.exception("computing %s failed", tournament.name)
                    self._rests[tournament.id] = time.monotonic() + 60.0

    def _next(self) -> Tournament | None:
        """The next that is wanted and has rested; None: the server stops."""
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                rest = {number: self._rests.get(number, 0.0) - now for number in self._wanted}
                ready = min(rest, key=lambda number: rest[number], default=None)
                if ready is not None and rest[ready] <= 0:
                    return self._wanted.pop(ready)
                self._changed.wait(None if ready is None else rest[ready])
            return None

    def _update(self, tournament: Tournament) -> None:
        with self._lock_of(tournament.id):
            reading = self.watch.of(tournament.id)
            version = f"{FORMAT}-{reading.version}"
            known = self._known(tournament.id, "table", version)
            if known is None or known.version != version:
                self._compute(tournament, version, large=reading.games >= SMALL)
        for tell in self.told:
            tell(tournament.name)

    async def start(self) -> None:
        """Begin to count games before anybody asks."""
        self._first = asyncio.create_task(asyncio.to_thread(self.watch.look))

    async def stop(self) -> None:
        """Let go of the thread and the process."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self.children.stop()
        if self._first is not None:
            with suppress(ArenaError):  # whoever asks for a page is told
                await self._first
        if self._worker is not None:
            await asyncio.to_thread(self._worker.join, 3.0)


def computed_apart(site: Site, what: dict[str, str], count: int, children: Children | None = None) -> list[bytes]:
    """What `compute` computes as a program of its own, packed. Raises ArenaFault."""
    children = children or standing_service(site).children
    order = {"place": str(site.settings.store), **what}
    lines = children.output("arena.web.standing.compute", order, DEADLINE_S).split()
    if len(lines) != count:
        raise ArenaFault(f"computing {what} gave {len(lines)} documents in place of {count}")
    return [base64.b64decode(line) for line in lines]


def standing_service(site: Site) -> Standing:
    """The service of a site."""
    return site.service(Standing, Standing)
