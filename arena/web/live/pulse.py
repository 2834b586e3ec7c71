"""The pulse of a server: one task looks at the store and at running games, and gives parts of pages new versions.

Parts that it knows: `home`, `running` (which games run), `featured`, `tournament:NAME`, `game:PUBLIC_ID`. Others are
bumped by whoever changes them: `pulse_of(site).bump("sitting:ID")`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.core.errors import ArenaError
from arena.runner.sealing import sealed_until
from arena.store.news import LISTED, News, Seen, news
from arena.store.values import State
from arena.web.live.versions import Versions, now_ms

if TYPE_CHECKING:
    from arena.web.site import Site

LOG = logging.getLogger("arena.web")
BEAT_S = 0.5
IDLE_S = 2.0
"""Between two looks while nobody waits."""
REST = 4
"""It rests so many times as long as it worked, so that it never takes more than a fifth of a processor."""
SLACK_MS = 3000
"""A page may have read what it shows so long before it says of which version it is."""
GAME = "game:"
Source = Callable[["Pulse"], None]
"""Called at every beat, in a thread: bumps what has changed."""


class Pulse:
    """The versions of parts, and what keeps them."""

    def __init__(self, site: Site) -> None:
        self.versions = Versions()
        self._site = site
        self._sources: list[Source] = []
        self._seen: Seen | None = None
        self._task: asyncio.Task[None] | None = None
        self._hurry: asyncio.Event | None = None
        self._failed = False
        self._looked: set[str] = set()
        """Watched parts `game:ID` of which it is known whether they may yet change."""
        site.starting.append(self._start)
        site.stopping.append(self._stop)

    def bump(self, part: str) -> int:
        """A part has changed; whoever shows it is told. Any thread may say so."""
        return self.versions.bump(part)

    def finish(self, parts: Iterable[str]) -> None:
        """These parts will not change any more."""
        self.versions.finish(parts)

    def add_source(self, source: Source) -> None:
        """Have something else looked at at every beat."""
        self._sources.append(source)

    def hurry(self) -> None:
        """Somebody has begun to wait: look soon. In the loop only."""
        if self._hurry is not None:
            self._hurry.set()

    @property
    def tournaments(self) -> frozenset[str]:
        """The names of all tournaments at the last beat."""
        seen = self._seen
        return frozenset(each.name for each in seen.tournaments.values()) if seen is not None else frozenset()

    async def _start(self) -> None:
        self._hurry = asyncio.Event()
        self.versions.attach(asyncio.get_running_loop())
        self._task = asyncio.create_task(self._beat())

    async def _stop(self) -> None:
        self.versions.attach(None)
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _beat(self) -> None:
        assert self._hurry is not None, "it was started"
        while True:
            began = time.monotonic()
            await asyncio.to_thread(self.look)
            pause = max(BEAT_S if self.versions.watched() else IDLE_S, REST * (time.monotonic() - began))
            self._hurry.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._hurry.wait()
                    await asyncio.sleep(min(pause, BEAT_S / 2))  # many may come at once

    def look(self) -> None:
        """One beat. What fails is tried again at the next one."""
        try:
            self._note(news(self._site.store.database, self._seen))
            for source in self._sources:
                source(self)
        except (ArenaError, OSError) as error:
            if not self._failed:
                LOG.warning("live pages: %s", error)
            self._failed = True
        else:
            self._failed = False

    def _note(self, found: News) -> None:
        first, before, self._seen = self._seen is None, self._seen, found.seen
        names = {each: standing.name for each, standing in found.seen.tournaments.items()}
        for each in found.changed:
            gone = before.tournaments.get(each) if before is not None else None
            name = names.get(each) or (gone.name if gone is not None else "")
            self.bump(f"tournament:{name}")
        if found.changed:
            self.bump("home")
        self._note_games(found)
        if first or found.changed:
            over = [each.name for each in found.seen.tournaments.values() if each.state is State.FINISHED]
            self.finish(f"tournament:{name}" for name in over)

    def _note_games(self, found: News) -> None:
        """Bump the games that were stored, and those whose cards may be open now; settle those that were looked up."""
        watched = {part for part in self.versions.watched() if part.startswith(GAME)}
        whole = found.regrouped | (found.with_games if len(found.games) == LISTED else frozenset())
        names = {found.seen.tournaments[each].name for each in whole if each in found.seen.tournaments}
        boards = {board_of(game.public_id) for game in found.games}
        for part in watched:
            public_id = part.removeprefix(GAME)
            if tournament_of(public_id) in names or board_of(public_id) in boards:
                self.bump(part)
                self._looked.discard(part)
        self._looked &= watched
        for part in watched - self._looked:
            self._looked.add(part)
            if self._is_settled(part.removeprefix(GAME)):
                self.finish([part])

    def _is_settled(self, public_id: str) -> bool:
        """Whether a game is over and its cards are open."""
        store = self._site.store
        tournament = store.tournament(tournament_of(public_id))
        full = store.game(public_id) if tournament is not None else None
        if tournament is None or full is None:
            return False
        return not sealed_until(store, tournament, full.info.row.key.board)


def tournament_of(public_id: str) -> str:
    """The tournament of a game: `spring-r1-b3-t2-1` -> `spring`."""
    return public_id.rsplit("-", 4)[0]


def board_of(public_id: str) -> tuple[str, str]:
    """What a game's id shares with all others on its cards: tournament and board."""
    words = public_id.rsplit("-", 4)
    return (words[0], words[2]) if len(words) == 5 else (public_id, "")


def pulse_of(site: Site) -> Pulse:
    """The pulse of a server; made while the app is made."""
    return site.service(Pulse, Pulse)


def version_of(site: Site, part: str) -> int:
    """What a page writes into `data-version` of a part: the version now, or what surely had been read by then. It may
    be asked for before or after the page's data is read."""
    return min(pulse_of(site).versions.of(part), now_ms() - SLACK_MS)
