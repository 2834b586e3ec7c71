"""Finished games that are worth a look: those furthest from what the other tables made of the same cards; for those who
hide results the newest.

Looks at the games that were stored last, and remembers what it found until others are.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.core.errors import ArenaError
from arena.core.game import AnyGame
from arena.record.compare.tables import margin_of, mean
from arena.record.results import Verdict
from arena.record.text import side_names
from arena.runner.course import stored_game
from arena.store.news import last_game
from arena.store.values import GameInfo, Tournament
from arena.web.site import Site

LOOKED_AT = 300
SHOWN = 6


class Worth(NamedTuple):
    """One game."""

    public_id: str
    tournament: str
    board: int
    sides: tuple[str, ...]
    """By side: who played."""
    side: str
    """Whose result is far from the others'."""
    margin: float
    """Of that side, in points."""
    field: float
    """The mean margin of the same side at the other tables."""
    tables: int
    """How many others."""


class Newest(NamedTuple):
    """One game, of which no more is said than who played."""

    public_id: str
    tournament: str
    board: int
    sides: tuple[str, ...]


class _Looked(NamedTuple):
    """What was found at one look."""

    last: int = -1
    """The last game that was stored then."""
    worth: tuple[Worth, ...] = ()
    newest: tuple[Newest, ...] = ()


class WorthALook:
    """What was found last."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._found = _Looked()

    def find(self) -> tuple[Worth, ...]:
        """The games, the most unlike first, one a board."""
        return self._look().worth

    def newest(self) -> tuple[Newest, ...]:
        """The newest games, one a board; which they are follows from no result."""
        return self._look().newest

    def _look(self) -> _Looked:
        with self._lock:
            last = last_game(self._site.store.database)
            if last != self._found.last:
                infos = self._site.store.games(limit=LOOKED_AT, newest=True, verdict=Verdict.FINISHED)
                boards: dict[tuple[str, int], list[GameInfo]] = defaultdict(list)
                for info in infos:
                    boards[info.tournament, info.row.key.board].append(info)
                games = {name: _game(self._site.store.tournament(name)) for name in {name for name, _ in boards}}
                self._found = _Looked(last, tuple(_furthest_of(boards, games)), tuple(_newest_of(boards, games)))
            return self._found


Boards = Mapping[tuple[str, int], Sequence[GameInfo]]
"""(tournament, board) -> its games, the newest first."""
Games = Mapping[str, AnyGame | None]
"""By tournament; None: of a game that this arena does not know."""


def _newest_of(boards: Boards, games: Games) -> Iterator[Newest]:
    known = [(games[name], tables[0]) for (name, _board), tables in boards.items()]
    for game, info in [(game, info) for game, info in known if game is not None][:SHOWN]:
        names = side_names(game, [bot.partition("@")[0] for bot in info.row.bots])
        yield Newest(info.public_id, info.tournament, info.row.key.board, names)


def _furthest_of(boards: Boards, games: Games) -> list[Worth]:
    """The games, the most unlike first, one a board."""
    usual: dict[str, list[float]] = defaultdict(list)
    found: list[Worth] = []
    for (name, _board), tables in boards.items():
        game = games[name]
        if game is None or len(tables) < 3:
            continue
        worth, swings = _furthest(game, tables)
        usual[name] += swings
        found.append(worth)
    found.sort(key=lambda each: -abs(each.margin - each.field) / (mean(usual[each.tournament]) or 1.0))
    return [each for each in found if each.margin != each.field][:SHOWN]


def _game(tournament: Tournament | None) -> AnyGame | None:
    try:
        return stored_game(tournament) if tournament is not None else None
    except ArenaError:
        return None  # of a game that this arena does not know


def _furthest(game: AnyGame, tables: Sequence[GameInfo]) -> tuple[Worth, list[float]]:
    """The game of a board whose first side is furthest from the others, and how far all are."""
    points = [[table.row.scores[seats[0]] for seats in game.sides] for table in tables]
    best: tuple[float, int, int, float, float] | None = None
    swings = []
    for place, own in enumerate(points):
        others = points[:place] + points[place + 1 :]
        for side in range(len(game.sides)):
            margin = margin_of(own, side)
            field = mean([margin_of(each, side) for each in others])
            swings.append(abs(margin - field))
            if best is None or abs(margin - field) > best[0]:
                best = (abs(margin - field), place, side, margin, field)
    assert best is not None, "a board has tables"
    _, place, side, margin, field = best
    info = tables[place]
    names = side_names(game, [bot.partition("@")[0] for bot in info.row.bots])
    key = info.row.key
    worth = Worth(info.public_id, info.tournament, key.board, names, names[side], margin, field, len(tables) - 1)
    return worth, swings


def worth_of(site: Site) -> WorthALook:
    """The finder of a site; made while the app is made."""
    return site.service(WorthALook, WorthALook)
