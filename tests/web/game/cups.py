"""Stored tournaments of each family for the tests of this folder: tables of one board, played in process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from record.compare.boards import SECRET, a_game, a_table, random_table, throwing

from arena.core.game import AnyGame
from arena.record.results import GameKey, GameResult, Verdict
from arena.record.transcript import PlayedMove, to_data
from arena.store.values import Entrant, NewTournament, State, StoredGame, public_id
from arena.tournament.entry import Entry
from arena.tournament.formats import make_schedule
from arena.tournament.schedule import Fixed, keys_of
from arena.web.games.replays import Replay
from arena.web.games.source import Open, find
from arena.web.site import Settings, Site
from arena.web.viewer import Viewer

FAMILIES = ("crowsnest", "goat", "crow_and_pitcher")
HOSTILE = "</pre><script>alert(1)</script>\u202e<img src=x onerror=alert(2)>"
"""A note that a bot leaves at every turn."""
CONFIG = {
    "boards": 1,
    "board_plan": "shared",
    "unit": "deal",
    "clock": {"bank": 10.0, "increment": 0.1, "cap": 5.0},
}
TURN = 1
"""The turn at which a bot does something else than it would ..."""
THROWN = "crowsnest-r1-b1-t3-1"
"""... in this game, against four others on its board."""


def names_of(game: AnyGame) -> tuple[str, ...]:
    """Three bots for games of partnerships, else one a seat."""
    return ("basic", "cautious", "thrower", "random")[: max(3, len(game.sides))]


@cache
def games_of(name: str) -> tuple[StoredGame, ...]:
    """All games of a board."""
    game = a_game(name)
    names = names_of(game)
    schedule = make_schedule("round_robin", Entry(names, len(game.sides), 1, SECRET, seats=game.seats))
    assert isinstance(schedule, Fixed)
    found = []
    for bout in schedule.round(1) or ():
        for key in keys_of(bout):
            bots = tuple(bout.side(key.board, key.seating, game.side_of(seat)) for seat in range(game.seats))
            found.append(_played(game, name, key, bots))
    return tuple(found)


def _played(game: AnyGame, cup: str, key: GameKey, bots: tuple[str, ...]) -> StoredGame:
    public = public_id(cup, key)
    if cup == "crowsnest":
        house = tuple("basic" if bot == "thrower" else bot for bot in bots)
        table = a_table(game, "x", house, throwing(TURN) if public == THROWN else throwing(), change=_noted)
    else:
        table = random_table(game, public)
    transcript = replace(table.transcript, public_id=public, bots=bots)
    result = GameResult(
        Verdict.FINISHED, transcript.scores, transcript.ranks, transcript.tiebreaks, (), (), to_data(transcript)
    )
    return StoredGame(key, bots, result, "D", 5)


def _noted(turn: int, move: PlayedMove) -> PlayedMove:
    return move._replace(note=HOSTILE, elapsed_ms=4000 if turn == 9 else 3)


def filled(
    folder: Path,
    families: Sequence[str] = FAMILIES,
    *,
    leave: int = 0,
    state: State = State.FINISHED,
    change: Callable[[StoredGame], StoredGame] = lambda game: game,
) -> Site:
    """A site on a store with a tournament of each family, without the last `leave` games of each."""
    site = Site.open(Settings(folder, folder))
    for name in families:
        game = a_game(name)
        entrants = tuple(Entrant(each, str(place) * 64, f"house:{each}") for place, each in enumerate(names_of(game)))
        made = site.store.create_tournament(
            NewTournament(name, game.id, game.version, game.describe(), CONFIG, SECRET, entrants)
        )
        games = games_of(name)
        site.store.add_games(made.id, [change(each) for each in games[: len(games) - leave]])
        site.store.set_state(made.id, state)
    return site


VISITOR = Viewer()


def opened(site: Site, public: str, viewer: Viewer = VISITOR) -> tuple[Open, Replay]:
    """A game that may be looked at whole."""
    found = find(site, public, viewer)
    assert isinstance(found, Open)
    return found, Replay.of(found.transcript)


def first_of(family: str) -> str:
    """The id of a tournament's first game."""
    return f"{family}-r1-b1-t1-1"


def texts(data: Any) -> Iterator[str]:
    """All texts in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for each in data.values():
            yield from texts(each)
    elif isinstance(data, list | tuple):
        for each in data:
            yield from texts(each)


def words(data: Any) -> set[str]:
    """All words in JSON data, the texts of cards among them."""
    return {word for text in texts(json.loads(json.dumps(data))) for word in text.split()}
