"""The games that run now, as the server knows them: what workers tell is read at every beat, positions are kept.

Where bots on machines of their own take part, nobody is shown a card of a running game: they could look, too.

A game that is over stays known until it is stored or a minute has passed, so that its address works all the time.
Positions are parsed when they are asked for; nothing here was ever more than what spectators may see.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from arena.core.game import AnyGame, Seat
from arena.games import make
from arena.record.text import seat_names
from arena.runner.course import is_remote
from arena.runner.spectating.room import MOST_BYTES, PLAYED, Told, live_folder, sweep, told
from arena.web.live.pulse import GAME, Pulse, pulse_of
from arena.web.site import Site

AFTER_S = 60.0
"""A game that has ended is known so long, if it is not stored before."""
LINGER_S = 5.0
"""The featured game stays so long after its end, so that its last trick can be read."""
SWEEP_S = 60.0
FRESH_S = 0.3
"""Whoever asks for a game has the files looked at, unless they were so lately."""
DRAWN = 16
"""So many drawn positions of a game are kept."""


class LivePosition(NamedTuple):
    """One position of a running game, and the move that led to it."""

    next: Seat | None
    view: Mapping[str, Any]  # Any: JSON, as spectators see it
    seat: Seat | None
    """Who moved; None: the first position."""
    move: str
    ms: int
    fault: str


class Drawn:
    """What was drawn of a game last, for the many who look at the same position."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Any, ...], Any] = OrderedDict()  # Any: whatever draws it
        self._lock = threading.Lock()

    def get(self, key: tuple[Any, ...]) -> Any:  # Any: as above
        """What was kept; None: nothing."""
        with self._lock:
            return self._kept.get(key)

    def keep(self, key: tuple[Any, ...], made: object) -> None:
        """Keep it, and let go of the oldest. The key has all that it was drawn from."""
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > DRAWN:
                self._kept.popitem(last=False)


class LiveGame:
    """A running game, or one that has just ended."""

    def __init__(
        self,
        public_id: str,
        tournament: str,
        heading: Mapping[str, Any],
        positions: list[bytes],
        *,
        covered: bool = False,
    ) -> None:
        """`covered`: of it only the score and how far it is may be told."""
        self.public_id = public_id
        self.covered = covered
        self.tournament = tournament
        self.heading = heading
        self.over: float | None = None
        """When it ended, by the monotonic clock; None: it runs."""
        self._positions = positions
        self.drawn = Drawn()

    @cached_property
    def game(self) -> AnyGame:
        """Its rules."""
        return make(self.heading["game"], self.heading["options"])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """By seat, without versions."""
        return tuple(str(name).partition("@")[0] for name in self.heading["names"])

    @cached_property
    def called(self) -> tuple[str, ...]:
        """By seat: "W fox"."""
        marks = seat_names(self.game.seats)
        return tuple(f"{mark} {name}" for mark, name in zip(marks, self.names, strict=True))

    @property
    def versus(self) -> str:
        """Who plays: "fox-owl"."""
        return "-".join(dict.fromkeys(self.names))

    @property
    def of_tournament(self) -> bool:
        """Whether it belongs to a tournament: else `arena play` plays it, and it counts for nobody."""
        return self.tournament != PLAYED

    @property
    def began(self) -> datetime:
        """When it began."""
        return datetime.fromisoformat(self.heading["began"])

    @property
    def last(self) -> int:
        """The number of the newest position: as many moves were made."""
        return len(self._positions) - 1

    def at(self, turn: int) -> LivePosition:
        """A position. Raises IndexError."""
        data = json.loads(self._positions[turn])
        return LivePosition(
            data["next"], data["view"], data.get("seat"), data.get("move", ""), data.get("ms", 0), data.get("fault", "")
        )


class _File:
    """One file that is read on and on."""

    def __init__(self, place: Told, *, covered: bool) -> None:
        self.place = place
        self.covered = covered
        self.read = 0
        """Bytes that were taken."""
        self.positions: list[bytes] = []
        self.game: LiveGame | None = None

    def take(self, size: int) -> bool:
        """Read whole lines up to a size; whether there were any. Raises OSError, ValueError."""
        if size <= self.read or self.read > MOST_BYTES:
            return False
        with self.place.file.open("rb") as file:
            file.seek(self.read)
            data = file.read(size - self.read)
        whole = data[: data.rfind(b"\n") + 1]
        if not whole:
            return False
        self.read += len(whole)
        lines = whole.splitlines()
        if self.game is None:
            heading = json.loads(lines.pop(0))
            own = (self.place.public_id, self.place.tournament)
            self.game = LiveGame(*own, heading, self.positions, covered=self.covered)
        self.positions.extend(lines)
        return True


class LiveGames:
    """The running games of one server."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._live = live_folder(site.settings.data)
        self._files: dict[Path, _File] = {}
        self._games: dict[str, LiveGame] = {}
        self._away: dict[str, bool] = {}
        """By tournament: whether its running games are covered."""
        self._lock = threading.Lock()
        self._looked = self._swept = float("-inf")
        self._featured: LiveGame | None = None
        self._pulse = pulse_of(site)
        self._pulse.add_source(self.look)

    def running(self) -> list[LiveGame]:
        """Those that run now, the oldest first."""
        return sorted((game for game in list(self._games.values()) if game.over is None), key=lambda game: game.began)

    def find(self, public_id: str) -> LiveGame | None:
        """A game that runs, or ended a moment ago and is not stored yet."""
        known = self._games.get(public_id)
        if (known is None or known.over is None) and time.monotonic() - self._looked > FRESH_S:
            self.look(self._pulse)
        return self._games.get(public_id)

    def featured(self) -> LiveGame | None:
        """The game on the first page: the same until it ends, and a moment longer."""
        game, now = self._featured, time.monotonic()
        if game is None or (game.over is not None and now - game.over > LINGER_S):
            running = [each for each in self.running() if each.last >= 0 and not each.covered]
            game = self._featured = running[-1] if running else game if _is_late(game, now) else None
        return game

    def look(self, pulse: Pulse) -> None:
        """Read what is new. Bumps `game:ID`, `running` and `featured`."""
        with self._lock:
            before = self.featured()
            grown = self._read()
            ended = self._end()
            self._looked = time.monotonic()
            after = self.featured()
        for public_id in {*grown, *ended}:
            pulse.bump(f"{GAME}{public_id}")
        if ended or any(self._games[each].last <= 0 for each in grown if each in self._games):
            pulse.bump("running")
        if after is not before or (after is not None and after.public_id in {*grown, *ended}):
            pulse.bump("featured")
        if self._looked - self._swept > SWEEP_S:
            self._swept = self._looked
            sweep(self._live)

    def _read(self) -> list[str]:
        """Read files on; the games that have new positions."""
        known, grown, seen = self._tournaments(), [], set()
        for place in told(self._live):
            if place.tournament not in known and place.tournament != PLAYED:
                continue
            seen.add(place.file)
            if place.file not in self._files:
                self._files[place.file] = _File(place, covered=self._is_covered(place.tournament))
            file = self._files[place.file]
            try:
                more = file.take(place.size)
            except (OSError, ValueError, KeyError):
                continue
            if more and file.game is not None and file.positions:
                self._games[place.public_id] = file.game
                grown.append(place.public_id)
        for gone in self._files.keys() - seen:
            file = self._files.pop(gone)
            if file.game is not None and file.game.over is None:
                file.game.over = time.monotonic()
        return grown

    def _end(self) -> list[str]:
        """The games that have ended since the last look; those that ended long ago are forgotten."""
        now, ended = time.monotonic(), []
        for public_id, game in list(self._games.items()):
            if game.over is None:
                continue
            if game.over > self._looked:
                ended.append(public_id)
            if now - game.over > AFTER_S:
                del self._games[public_id]
        return ended

    def _is_covered(self, name: str) -> bool:
        """Whether bots on machines of their own take part in a tournament. Of other games nothing is told then."""
        if name == PLAYED:
            return False
        if name not in self._away:
            found = self._site.store.tournament(name)
            self._away[name] = found is None or is_remote(found.config)
        return self._away[name]

    def _tournaments(self) -> frozenset[str]:
        return self._pulse.tournaments


def _is_late(game: LiveGame | None, now: float) -> bool:
    """Whether a game that has ended may stay on the first page, since no other one runs."""
    return game is not None and game.over is not None and now - game.over <= AFTER_S


def live_games_of(site: Site) -> LiveGames:
    """Those of a site; made while the app is made."""
    return site.service(LiveGames, LiveGames)
