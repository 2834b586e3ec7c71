"""The other tables of a game's board, kept for the next page that asks for them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import NamedTuple

from arena.core.game import Team
from arena.record.compare import Digest, Swing, Told, Why, first_difference, losing_sides, majority_parting, why
from arena.runner.comparing import BoardTables, board_tables, swings_of
from arena.store.store import Store
from arena.store.values import State, Tournament
from arena.web.games.replays import Replay
from arena.web.games.source import Open
from arena.web.site import Site

KEPT = 12
"""So many boards are kept."""
GAMES = 64
"""So many games are kept compared."""
MOST = 120
"""So many tables of a board are compared with."""
FRESH_S = 60
"""So long a board is kept of a tournament that goes on: a block of it may still become void."""


class Board(NamedTuple):
    """A board with all that is asked of it."""

    tables: BoardTables
    digest: Digest
    until: float


class Difference(NamedTuple):
    """Where another game of the same block went another way."""

    public_id: str
    label: str
    turn: int
    own: str
    other: str


class Comparison(NamedTuple):
    """One game against the others on its board."""

    own: Told
    digest: Digest
    whys: tuple[Why, ...]
    """Why each side lost that lost; empty where nobody else played the board."""
    differences: tuple[Difference, ...]
    """From each of the other games of its block."""
    parting: int | None
    """The first turn at which it left what most tables did."""


class Comparisons:
    """The boards of a store that were asked for last."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[int, int], Board] = OrderedDict()
        self._games: OrderedDict[tuple[str, str], tuple[Board, Comparison | None]] = OrderedDict()
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def of(self, found: Open, replay: Replay) -> Comparison | None:
        """What a game is compared with; None for one that is on no board of a tournament."""
        if found.where is None:
            return None
        tournament = self._store.tournament(found.where.tournament)
        if tournament is None:
            return None
        board = self._board(tournament, found.where.board)
        name = (found.public_id, found.edition)
        with self._lock:
            known = self._games.get(name)
        if known is not None and known[0] is board:
            return known[1]
        made = _compared(tournament, board, found.public_id, replay)
        with self._lock:
            self._games[name] = (board, made)
            while len(self._games) > GAMES:
                self._games.popitem(last=False)
        return made

    def _board(self, tournament: Tournament, number: int) -> Board:
        """A board; its tables are read where they are not known: one board at a time, once for all who ask."""
        known = self._known(tournament.id, number)
        if known is not None:
            return known
        with self._reading:
            return self._known(tournament.id, number) or self._read(tournament, number)

    def _known(self, tournament: int, number: int) -> Board | None:
        with self._lock:
            known = self._kept.get((tournament, number))
            if known is None or known.until <= time.monotonic():
                return None
            self._kept.move_to_end((tournament, number))
            return known

    def _read(self, tournament: Tournament, number: int) -> Board:
        key = (tournament.id, number)
        tables = board_tables(self._store, tournament, number, most=MOST)
        until = float("inf") if tournament.state is State.FINISHED else time.monotonic() + FRESH_S
        made = Board(tables, Digest.of(tables.tables), until)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made


def _compared(tournament: Tournament, board: Board, public_id: str, replay: Replay) -> Comparison | None:
    """A game against its board; None when it is not on it any more."""
    infos = board.tables.infos
    key = next((info.row.key for info in infos if info.public_id == public_id), None)
    if key is None:
        return None
    own = Told.of(replay.transcript)
    swings = swings_of(tournament, own, key, infos)
    block = {info.public_id for info in infos if info.row.key[:3] == key[:3]} - {public_id}
    parted = majority_parting(board.tables.tables).get(public_id)
    return Comparison(
        own,
        board.digest,
        _whys(own, board.digest, swings),
        tuple(_differences(own, board.tables.tables, block)),
        parted.turn if parted is not None else None,
    )


def _whys(own: Told, digest: Digest, swings: tuple[Swing | None, ...]) -> tuple[Why, ...]:
    sides: tuple[Team, ...] = losing_sides(own, swings)
    return tuple(why(own, side, digest, swings[side] if swings else None) for side in sides)


def _differences(own: Told, tables: tuple[Told, ...], block: set[str]) -> list[Difference]:
    """Where the other games of a block parted from this one."""
    found = []
    for table in tables:
        parted = first_difference(own, table) if table.public_id in block else None
        if parted is not None:
            found.append(Difference(table.public_id, table.label, parted.turn, parted.own, parted.other))
    return found


def comparisons_of(site: Site) -> Comparisons:
    """Those of a site."""
    return site.service(Comparisons, lambda site: Comparisons(site.store))
