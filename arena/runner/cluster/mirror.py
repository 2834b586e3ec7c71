"""At the coordinator: shows what workers on other machines tell of running games, in its own folder.

Every relay gets a room as a process on this machine has one, so that whoever looks on finds no difference. A game is
shown from its first position or not at all: what does not continue what came before takes it away. Only games that a
worker was asked to play are taken, by the names that the coordinator gives them. Whatever goes wrong here, the event
goes on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.runner.cluster.given import Given
from arena.runner.cluster.order import Piece, Relayed
from arena.runner.spectating.onlookers import to_its_end
from arena.runner.spectating.room import MOST_BYTES, Room
from arena.store.values import public_id
from arena.tournament.schedule import keys_of

LOG = logging.getLogger("arena.spectating")
PERIOD_S = 0.5
ANSWER_S = 10.0
"""How long the exchange is waited for."""
QUIET_S = 20.0
"""A relay that says nothing for so long is taken for dead; it gives a sign of life every few seconds."""


class Asked(NamedTuple):
    """An order that is out."""

    live: str
    """Where its games are shown."""
    ids: frozenset[str]
    """Public ids of the games of which no end is known."""


def asked_of(given: Given) -> Asked:
    """What may be shown of a bout that is out."""
    task = given.task
    over = task.skip | given.arrived
    keys = (key for key in keys_of(task.bout) if (key.board, key.seating) not in over)
    return Asked(task.live, frozenset(public_id(task.event, key) for key in keys))


class Mirrored:
    """The games of one relay."""

    def __init__(self, relay: str, live: str, before: frozenset[str]) -> None:
        self.relay = relay
        self.before = before
        """Earlier relays of the same order, whose workers were lost: they are not heard any more."""
        self.heard = 0.0
        """When it last said anything."""
        self._live = live
        self._room: Room | None = None
        self._sizes: dict[str, int] = {}
        self._dropped: set[str] = set()

    def hear(self, pieces: Iterable[Piece], ids: frozenset[str]) -> None:
        """What a relay says: all games that run, with what is new of each. Raises OSError."""
        texts: dict[str, bytes] = {}
        listed = set()
        for name, start, text in pieces:
            if name not in ids or name in self._dropped:
                continue
            listed.add(name)
            size = self._sizes.get(name, 0)
            new = text[max(0, size - start) :]  # what came before comes again where an answer was lost
            if not new:
                continue
            if start > size or start + len(text) > MOST_BYTES or not new.endswith(b"\n"):
                self._dropped.add(name)
                listed.discard(name)
                continue
            texts[name] = texts.get(name, b"") + new
            self._sizes[name] = size + len(new)
        self.keep_only(listed)
        if texts:
            if self._room is None:
                self._room = Room(Path(self._live))
            self._room.add(texts)

    def keep_only(self, ids: Iterable[str]) -> None:
        """All other games are over."""
        for gone in self._sizes.keys() - set(ids):
            del self._sizes[gone]
            if self._room is not None:
                self._room.remove(gone)

    def close(self) -> None:
        """Nothing is left."""
        self._sizes.clear()
        room, self._room = self._room, None
        if room is not None:
            room.close()


class Mirror:
    """What one coordinator shows of games elsewhere."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._mirrored: dict[str, Mirrored] = {}
        """By order."""
        self._signs: dict[str, Room | None] = {}
        """By folder of a tournament: an empty room, which only a worker that shares the folder sees."""
        self._warned = False

    @property
    def orders(self) -> frozenset[str]:
        """Those of which games are shown, or were."""
        return frozenset(self._mirrored)

    def sign(self, live: str) -> str:
        """A folder that tells a worker whether it shares the one of a tournament; "": nobody may look on there."""
        if live and live not in self._signs:
            try:
                self._signs[live] = Room(Path(live))
            except OSError as error:
                self._signs[live] = None
                self.warn(error)
        room = self._signs.get(live)
        return str(room.folder) if room is not None else ""

    def look(self, said: Iterable[Relayed], asked: Mapping[str, Asked]) -> None:
        """Show what relays said, and nothing of those that are quiet or whose order is not out any more.

        `asked`: by order, at least for `orders` and those in `said`, if it is out.
        """
        for order, relay, pieces in said:
            if order in asked:
                self._hear(order, relay, pieces, asked[order])
        for order, mirrored in list(self._mirrored.items()):
            if order not in asked:
                mirrored.close()
                del self._mirrored[order]
            elif self._now() - mirrored.heard > QUIET_S:
                mirrored.close()
            else:
                mirrored.keep_only(asked[order].ids)

    def _hear(self, order: str, relay: str, pieces: Iterable[Piece], asked: Asked) -> None:
        mirrored = self._mirrored.get(order)
        if mirrored is None or mirrored.relay != relay:
            if mirrored is not None and relay in mirrored.before:
                return
            before = frozenset[str]()
            if mirrored is not None:
                before = mirrored.before | {mirrored.relay}
                mirrored.close()
            mirrored = self._mirrored[order] = Mirrored(relay, asked.live, before)
        mirrored.heard = self._now()
        try:
            mirrored.hear(pieces, asked.ids)
        except OSError as error:
            mirrored.close()
            self.warn(error)

    def warn(self, error: Exception) -> None:
        """Say once that nothing can be shown."""
        if not self._warned:
            self._warned = True
            LOG.warning("running games of the cluster cannot be shown: %s", error or type(error).__name__)

    def close(self) -> None:
        """The run is over."""
        for mirrored in self._mirrored.values():
            mirrored.close()
        for room in self._signs.values():
            if room is not None:
                room.close()
        self._mirrored.clear()
        self._signs.clear()


async def keep(mirror: Mirror, scheduler: Any, client: str, out: Mapping[str, Given]) -> None:
    """Show what comes, until cancelled or until it cannot be done. Any: the handlers of a scheduler are its methods.

    `client`: the coordinator's id. `out`: the orders that are out, by key, as they come and go.
    """
    try:
        while True:
            await asyncio.sleep(PERIOD_S)
            said = await _said(scheduler, client)
            orders = mirror.orders | {order for order, _relay, _pieces in said}
            asked = {order: asked_of(out[order]) for order in orders if order in out}
            if orders:
                await to_its_end(asyncio.to_thread(mirror.look, said, asked))
    except Exception as error:
        mirror.warn(error)
        mirror.close()


async def _said(scheduler: Any, client: str) -> Sequence[Relayed]:  # Any: as above
    """What has come since the last time. Nothing when the scheduler is lost, which is for others to say."""
    try:
        async with asyncio.timeout(ANSWER_S):
            return await scheduler.arena_told(client=client) or ()
    except (OSError, TimeoutError):
        return ()
