"""What has changed in a store since somebody last looked: a few small queries, however much is stored.

Made to be asked twice a second. Knows tournaments and games by number and name only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from arena.store.database import Database
from arena.store.models import GameTable, QuarantineTable, RoundTable, TournamentTable, VoidTable
from arena.store.values import State

LISTED = 500
"""So many new games are named; of more it is only said in which tournaments they are."""


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
