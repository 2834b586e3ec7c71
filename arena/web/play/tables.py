"""The tables of this server: deals, keeps who may sit where, writes down how games end. One service a site."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from arena.bots.build import built
from arena.core import options
from arena.core.errors import ArenaError
from arena.core.game import Seat
from arena.runner.means import means_kept
from arena.runner.sittings import Plan, Room, Seating
from arena.runner.sittings.person import AWAY_S, PATIENCE
from arena.runner.sittings.room import LINE, STOPPED, TABLES, RoomFull, State
from arena.store.sittings import VOID, Sitting, Sittings, hash_of, new_key
from arena.web.live.pulse import pulse_of
from arena.web.people.limits import Limit, TooMany
from arena.web.play.choosing import Wanted
from arena.web.play.keeping import Keeping
from arena.web.play.seen import eyes_of, position
from arena.web.site import Site

LOG = logging.getLogger("arena.sittings")
HELD = 4
"""Tables that one person, or one address, may hold at once."""
DEALS, DEALS_S = 40, 600.0
"""Deals of one person, or one address, in so many seconds."""
ENDED = 64
"""Tables that are kept in memory after their end, for those who look on."""
KEPT = 2000
"""Drawn positions that are kept."""
BATCH = 24
"""Positions in one answer at most."""


class Tables:
    """Running sittings and their store."""

    def __init__(self, site: Site) -> None:
        self.kept = Sittings(site.store.database)
        self.keeping = Keeping(self.kept)
        self.away_s = AWAY_S
        """How long a person may think; a table takes it when it is dealt."""
        self.patience = PATIENCE
        """How long a person may think at one table in all; the room takes it when it opens."""
        self.most = (TABLES, LINE)
        self._site = site
        self._pulse = pulse_of(site)
        self._room: Room | None = None
        self._holders: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._deals = Limit("deals", DEALS, DEALS_S)
        self._over: OrderedDict[str, Seating] = OrderedDict()
        self._drawn: OrderedDict[tuple[str, int, Seat | None], dict[str, Any]] = OrderedDict()
        self._lock = Lock()
        self.comparing = asyncio.Lock()
        """Held while the games on a person's cards are written down."""
        self._background: set[asyncio.Task[None]] = set()
        site.starting.append(self._start)
        site.stopping.append(self._stop)

    async def _start(self) -> None:
        await asyncio.to_thread(self.kept.interrupted, STOPPED)
        await self._keep()
        tables, line = self.most
        self._room = Room(
            self._ended,
            prepare=self._prepare,
            tables=tables,
            line=line,
            away_s=self.away_s,
            patience=self.patience,
            changed=self._changed,
        )

    async def _stop(self) -> None:
        for task in self._background:
            task.cancel()
        if self._room is not None:
            await self._room.close()

    @property
    def room(self) -> Room:
        """The room; only while the server runs."""
        assert self._room is not None, "the server runs"
        return self._room

    # Dealing

    async def deal(self, wanted: Wanted, address: str, person_id: int | None = None) -> tuple[Seating, str]:
        """Deal the cards: the table and the key to its seat. Raises TooMany, RoomFull."""
        holder = address if person_id is None else f"person {person_id}"
        self._refuse_many(holder)
        plan, key = wanted.plan, new_key()
        seating = self.room.open(plan, key=hash_of(key), clock=wanted.clock, holder=holder)
        self._holders[plan.id] = holder
        await asyncio.to_thread(
            partial(
                self.kept.add,
                plan.id,
                game=plan.game.id,
                ruleset=options.to_data(plan.game.ruleset),
                secret=plan.secret,
                bots=references(plan),
                seat=plan.seat,
                key=key,
                person_id=person_id,
                settings=wanted.settings,
            )
        )
        return seating, key

    async def deal_again(self, parent: Sitting, plans: Sequence[Plan]) -> None:
        """Let bots alone play the cards of a sitting, one plan after the other, while others may go on."""
        for plan in plans:
            await asyncio.to_thread(
                partial(
                    self.kept.add,
                    plan.id,
                    game=parent.game,
                    ruleset=parent.ruleset,
                    secret=parent.secret,
                    bots=references(plan),
                    parent=parent.public_id,
                )
            )
        self._parents.update({plan.id: parent.public_id for plan in plans})
        self._begin(self._one_by_one(plans))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _keep(self) -> None:
        try:
            await asyncio.to_thread(self.keeping)
        except ArenaError as error:
            LOG.warning("old games of people were not removed: %s", error.message)

    async def _one_by_one(self, plans: Sequence[Plan]) -> None:
        for plan in plans:
            try:
                seating = self.room.open(plan)
            except RoomFull as full:
                await asyncio.to_thread(self.kept.end, plan.id, VOID, full.message)
                continue
            if seating.task is not None:
                await asyncio.wait({seating.task})

    def _refuse_many(self, holder: str) -> None:
        held = [each for each, other in self._holders.items() if other == holder and self.room.find(each)]
        if len(held) >= HELD:
            raise TooMany(
                f"you hold {len(held)} tables, or others at your address do",
                where="/play",
                saw=" ".join(f"/g/{each}" for each in held),
                fix="finish or leave one of them first",
            )
        self._deals.take(holder)

    async def _prepare(self, plan: Plan) -> Plan:
        """The plan with its bots built."""
        data = Path(self._site.settings.data)
        means = await means_kept([bot for bot in plan.bots if bot is not None])
        ready = [
            await asyncio.to_thread(partial(built, bot, data / "builds", means=means)) if bot is not None else None
            for bot in plan.bots
        ]
        return replace(plan, bots=tuple(ready))

    async def _ended(self, seating: Seating, state: State, reason: str) -> None:
        """Write down how a sitting ended."""
        transcript = seating.ending.transcript if seating.ending is not None else None
        self._holders.pop(seating.plan.id, None)
        await asyncio.to_thread(self.kept.end, seating.plan.id, state, reason, transcript)
        self._begin(self._keep())
        self._over[seating.plan.id] = seating
        while len(self._over) > ENDED:
            self._over.popitem(last=False)

    def _changed(self, seating: Seating) -> None:
        self._pulse.bump(f"sitting:{self._parents.get(seating.plan.id, seating.plan.id)}")

    # Looking

    def find(self, public_id: str) -> Seating | None:
        """The table of an id while it is played here, and for a while after."""
        return self.running(public_id) or self._over.get(public_id)

    def running(self, public_id: str) -> Seating | None:
        """The table of an id while it is played here."""
        return self._room.find(public_id) if self._room is not None else None

    def since(self, seating: Seating, number: int, seat: Seat | None) -> list[dict[str, Any]]:
        """The positions from `number` on as the person in `seat` sees them, None: as spectators do."""
        last = len(seating.steps)
        return [self._position(seating, each, seat) for each in range(max(0, number), min(last, number + BATCH))]

    def _position(self, seating: Seating, number: int, seat: Seat | None) -> dict[str, Any]:
        wanted = (seating.plan.id, number, seat)
        with self._lock:
            found = self._drawn.get(wanted)
            if found is not None:
                self._drawn.move_to_end(wanted)
                return found
        drawn = position(seating.steps, number, eyes_of(seating.plan, seat))
        with self._lock:
            self._drawn[wanted] = drawn
            while len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
        return drawn


def references(plan: Plan) -> list[str]:
    """The bots of a plan by seat; empty for the person's."""
    return [bot.reference if bot is not None else "" for bot in plan.bots]


def tables_of(site: Site) -> Tables:
    """The tables of a site; asked for first while the app is made."""
    return site.service(Tables, Tables)


def may_sit(seating: Seating, key: str) -> bool:
    """Whether a key opens the person's seat of a table."""
    return bool(seating.key) and secrets.compare_digest(seating.key, hash_of(key))
