"""Games ready to be looked at, position by position; those that were asked for last are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.core.game import AnyGame, Seat
from arena.games import catalog
from arena.record.compare import Unit, units
from arena.record.replay import Position, game_of, replay
from arena.record.text import seat_names, side_names
from arena.record.transcript import Transcript
from arena.web.errors import NotFound
from arena.web.games.source import Open
from arena.web.site import Site

KEPT = 48
"""So many games are kept."""
VIEWS = 64
"""So many views of each."""


@dataclass(frozen=True)
class Replay:
    """One game with all its positions."""

    transcript: Transcript
    game: AnyGame
    positions: tuple[Position, ...]
    """One more than there are moves."""

    @classmethod
    def of(cls, transcript: Transcript) -> Replay:
        """A game from its transcript. Raises TranscriptError where the rules do not agree with it."""
        return cls(transcript, game_of(transcript), tuple(replay(transcript)))

    @property
    def last(self) -> int:
        """The number of the last position, in which nobody moves."""
        return len(self.positions) - 1

    @cached_property
    def family(self) -> str:
        """The game's family, which has the cards."""
        return catalog()[self.game.id].family

    @cached_property
    def names(self) -> tuple[str, ...]:
        """By seat: the name without its version."""
        return tuple(bot.partition("@")[0] for bot in self.transcript.bots)

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """By seat: S W N E or 1 2 3."""
        return seat_names(self.game.seats)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """By seat: "W fox"."""
        return tuple(f"{mark} {name}" for mark, name in zip(self.marks, self.names, strict=True))

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """By side: a name."""
        return side_names(self.game, self.names)

    @cached_property
    def movers(self) -> tuple[Seat, ...]:
        """By turn: who moved."""
        return tuple(move.seat for move in self.transcript.moves)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Tricks, and calls between them."""
        return units(self.transcript)

    def unit_at(self, turn: int) -> int | None:
        """The place in `units` of the one that a turn belongs to; after the last turn the last one.

        None: nothing was played.
        """
        if not self.units:
            return None
        return next((place for place, unit in enumerate(self.units) if turn <= unit.last), len(self.units) - 1)

    def units_until(self, turn: int | None) -> tuple[Unit, ...]:
        """The units that begin at a turn or before; None: all."""
        return tuple(unit for unit in self.units if turn is None or unit.first <= turn)

    def at(self, turn: int) -> Position:
        """The position before a turn. Raises NotFound."""
        if not 0 <= turn <= self.last:
            raise NotFound(f"no turn {turn}", where="?turn=", fix=f"this game has turns 0 to {self.last}")
        return self.positions[turn]

    def view(self, turn: int, seat: Seat | None) -> dict[str, Any]:
        """What a seat saw before a turn as data, to be read only; None: what spectators saw."""
        found = self._views.get((turn, seat))
        if found is None:
            if len(self._views) >= VIEWS:
                self._views.clear()
            found = self._views[turn, seat] = self.game.view_data(self.game.view(self.positions[turn].state, seat))
        return found

    @cached_property
    def groups(self) -> dict[Any, Any]:
        """Where the list of moves keeps what it has made. Any: its own."""
        return {}

    @cached_property
    def _views(self) -> dict[tuple[int, Seat | None], dict[str, Any]]:
        """Those that were asked for last: one position asks for the same ones several times. Any: as above."""
        return {}


class Replays:
    """The games of one server that were asked for last."""

    def __init__(self, _site: Site | None = None, most: int = KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], Replay] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, found: Open) -> Replay:
        """A game, ready. Raises TranscriptError."""
        key = (found.public_id, found.edition)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        made = Replay.of(found.transcript)
        if found.edition:
            with self._lock:
                self._kept[key] = made
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return made


def replays_of(site: Site) -> Replays:
    """Those of a site."""
    return site.service(Replays, Replays)
