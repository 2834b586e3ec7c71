"""What has changed in a store since somebody last looked: a few small queries, however much is stored.

Made to be asked twice a second. Knows tournaments and games by number and name only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from arena.store.database import Database
from arena.store.models import FaultTable, GameTable, QuarantineTable, RoundTable, TournamentTable, VoidTable
from arena.store.values import State

LISTED = 500
"""So many new games are named; of more it is only said in which tournaments they are."""

COUNTED = 5_000
"""So many new games are looked at for one bot's."""


class Standing(NamedTuple):
    """A tournament as far as a change of it is to be noticed."""

    name: str
    state: State
    voids: int
    quarantines: tuple[int, int]
    """How many, and how many of them are lifted."""
    rounds: tuple[int, int]
    """How many are opened, and how many of them are closed."""


class Seen(NamedTuple):
    """A store at one moment."""

    last_game: int
    """The highest number of a game."""
    tournaments: Mapping[int, Standing]


class NewGame(NamedTuple):
    """A game that was stored."""

    public_id: str
    tournament_id: int
    board: int


class News(NamedTuple):
    """What is different from an earlier moment."""

    seen: Seen
    games: tuple[NewGame, ...]
    """Those stored since, at most LISTED."""
    with_games: frozenset[int]
    """The tournaments that have new games."""
    changed: frozenset[int]
    """The tournaments of which anything is different, new and removed ones too."""
    regrouped: frozenset[int]
    """Those of which more than games is different: states, rounds, voids, quarantines."""


NOTHING = Seen(0, {})


def news(database: Database, before: Seen | None) -> News:
    """What is different; without a moment before, only how the store is now. Raises as `Database.read`."""
    with database.read() as connection:
        now = _seen(connection)
        if before is None:
            return News(now, (), frozenset(), frozenset(), frozenset())
        games: tuple[NewGame, ...] = ()
        with_games: frozenset[int] = frozenset()
        if now.last_game > before.last_game:
            games, with_games = _new_games(connection, before.last_game)
    both = {*before.tournaments, *now.tournaments}
    regrouped = frozenset(each for each in both if before.tournaments.get(each) != now.tournaments.get(each))
    return News(now, games, with_games, regrouped | with_games, regrouped)


def _seen(connection: Connection) -> Seen:
    last = connection.execute(select(func.max(GameTable.id))).scalar() or 0
    voids = {row[0]: row[1] for row in connection.execute(_count(VoidTable.tournament_id))}
    quarantines = _count(QuarantineTable.tournament_id, QuarantineTable.lifted)
    out = {row[0]: (row[1], row[2]) for row in connection.execute(quarantines)}
    rows = connection.execute(select(TournamentTable.id, TournamentTable.name, TournamentTable.state)).all()
    going = [row[0] for row in rows if row[2] != State.FINISHED.value]
    query = _count(RoundTable.tournament_id, RoundTable.closed).where(RoundTable.tournament_id.in_(going))
    rounds = {row[0]: (row[1], row[2]) for row in connection.execute(query)}
    return Seen(
        int(last),
        {
            each: Standing(name, State(state), voids.get(each, 0), out.get(each, (0, 0)), rounds.get(each, (0, 0)))
            for each, name, state in rows
        },
    )


def _count(tournament: Any, *set_: Any) -> Any:
    """How many rows each tournament has, and in how many of them a column is set. Any: SQLAlchemy's columns."""
    return select(tournament, func.count(), *(func.count(each) for each in set_)).group_by(tournament)


def _new_games(connection: Connection, after: int) -> tuple[tuple[NewGame, ...], frozenset[int]]:
    table = GameTable
    query = select(table.public_id, table.tournament_id, table.board).where(table.id > after).limit(LISTED + 1)
    found = tuple(NewGame(*row) for row in connection.execute(query.order_by(table.id)))
    if len(found) <= LISTED:
        return found, frozenset(game.tournament_id for game in found)
    every = connection.execute(select(table.tournament_id).where(table.id > after).distinct())
    return found[:LISTED], frozenset(row[0] for row in every)


class Since(NamedTuple):
    """What came of one bot's games since a moment."""

    games: int
    faults: int


def since(database: Database, last_game: int, names: frozenset[str]) -> dict[str, Since]:
    """By name of a bot: games and faults in those stored after a game, at most COUNTED of them. Names without case."""
    if not names:
        return {}
    folded = {name.casefold(): name for name in names}
    games: dict[str, int] = dict.fromkeys(names, 0)
    faults: dict[str, int] = dict.fromkeys(names, 0)
    with database.read() as connection:
        query = select(GameTable.bots).where(GameTable.id > last_game).order_by(GameTable.id).limit(COUNTED)
        for (bots,) in connection.execute(query):
            for bare in {str(bot).partition("@")[0].casefold() for bot in json.loads(bots)}:
                if bare in folded:
                    games[folded[bare]] += 1
        if any(games.values()):
            wrong = select(FaultTable.bot).where(FaultTable.game_id > last_game).limit(COUNTED)
            for (bot,) in connection.execute(wrong):
                bare = str(bot).partition("@")[0].casefold()
                if bare in folded:
                    faults[folded[bare]] += 1
    return {name: Since(games[name], faults[name]) for name in names}


def last_game(database: Database) -> int:
    """The highest number of a game; 0 where there is none."""
    with database.read() as connection:
        return int(connection.execute(select(func.max(GameTable.id))).scalar() or 0)
