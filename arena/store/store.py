"""The way into the store: tournaments and their games, registered bots; with `Events`, rounds and verdicts.

Only adds: a stored game is never changed or overwritten, so that work done twice is harmless and a process may be
killed at any moment. Only a void takes the games of its own block out again. Knows nothing of what is scheduled; hides
nothing, either: whoever shows cards asks `open_boards`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import repeat
from typing import Any

from sqlalchemy import Connection, func, select

from arena.core.errors import ArenaFault, ConfigError
from arena.record.results import GameKey, GameRow, Verdict
from arena.store import codec, counting, reading, registry, removals, tournaments
from arena.store.database import Database, open_database
from arena.store.exchange import Exchange
from arena.store.housekeeping import Housekeeping
from arena.store.models import FaultTable, GameTable, TournamentTable, TranscriptTable
from arena.store.place import Place
from arena.store.pruning import mark
from arena.store.tournaments import insert_new
from arena.store.values import FullGame, GameInfo, NewTournament, Registered, State, StoredGame, Tournament


def utc_now() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


class Store(Exchange, Housekeeping):
    """An open store. One writing process at a time is the caller's business (`lock`); any number may read."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    @classmethod
    def open(cls, place: Place, *, create: bool = True, now: Callable[[], datetime] = utc_now) -> Store:
        """Open the store in a data folder, a .db file or at a URL; make or migrate its tables as needed.

        Raises ConfigError when it is missing (`create` false) or newer than this program, ArenaFault when it is
        damaged or locked, or the disk is full. What cannot be written is opened for reading.
        """
        return cls(open_database(place, create=create), now)

    @property
    def where(self) -> str:
        """The file or URL, for messages."""
        return self._database.where

    @property
    def database(self) -> Database:
        """The open database, for what else is kept in it."""
        return self._database

    def check(self) -> None:
        """Look for damage in the whole file. Raises ArenaFault STORE_CORRUPT."""
        self._database.check()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Tournaments

    def create_tournament(self, new: NewTournament) -> Tournament:
        """Store a tournament before its first game, in state waiting. Raises ConfigError when the name is taken."""
        with self._database.write() as connection:
            tournament_id = tournaments.create(connection, new, self._now())
            if tournament_id is None:
                raise ConfigError(
                    f"there is a tournament {new.name!r} already",
                    where=self.where,
                    fix="give this one another name, or resume that one",
                    code="NAME_TAKEN",
                )
            return tournaments.load(connection, tournament_id=tournament_id)[0]

    def tournament(self, name: str) -> Tournament | None:
        """The tournament of a name."""
        with self._database.read() as connection:
            return next(iter(tournaments.load(connection, name=name)), None)

    def tournaments(self) -> list[Tournament]:
        """All tournaments, oldest first."""
        with self._database.read() as connection:
            return tournaments.load(connection)

    def set_state(self, tournament_id: int, state: State) -> None:
        """Change how a tournament stands; notes the time it first ran and the time it finished."""
        with self._database.write() as connection:
            tournaments.set_state(connection, tournament_id, state, self._now())

    # Registered bots

    def register(
        self,
        name: str,
        version: str,
        manifest: Mapping[str, Any],  # Any: TOML
        message: str = "",
        owner: str = "",
    ) -> Registered:
        """Give a version of a bot the next number of its name. A version that is there already keeps its number and
        its message, and becomes ready again; a further version belongs to the first one's owner. Raises BotError
        BAD_NAME when the name is taken but for its case, REMOVED when a bot of that name was removed.
        """
        with self._database.write() as connection:
            removals.refuse(connection, name)
            return registry.add(connection, name, version, manifest, message, self._now(), owner)

    def registered(self, name: str | None = None) -> list[Registered]:
        """The registered versions, of one name whatever its case, or of all; by name, then number."""
        with self._database.read() as connection:
            return registry.load(connection, name=name)

    def retire(self, name: str, number: int | None = None) -> list[Registered]:
        """Retire one version, or all of a name; returns those that were ready until now."""
        with self._database.write() as connection:
            return registry.retire(connection, name, number)

    # Games

    def add_games(
        self, tournament_id: int, games: Sequence[StoredGame], times: Sequence[datetime] | None = None
    ) -> int:
        """Store finished games in one transaction and return how many were new.

        A game whose key is stored already is ignored, whatever it says, and so is one that comes twice. A game for
        which nobody could start is void, but not played again: it is stored with its forfeits. `times`: when each was
        stored first, of games that come from another store; None: now. Raises ValueError for any other void game (see
        `void_block`) or a competitor that is not in the tournament, ArenaFault when the database cannot take them; then
        none is stored.
        """
        for game in games:
            if game.result.verdict is Verdict.VOID and not game.result.forfeits:
                raise ValueError(f"{game.key} is void: a void is no result")
        now = self._now()
        with self._database.write() as connection:
            name = self._name(connection, tournament_id)
            versions = {entrant.name: entrant.version for entrant in tournaments.entrants(connection, tournament_id)}
            by_name: dict[str, StoredGame] = {}
            columns = []
            for game, stored in zip(games, times or repeat(now), strict=times is not None):
                strangers = [bot for bot in game.bots if bot not in versions]
                if strangers:
                    raise ValueError(f"{strangers} are not in tournament {name!r}: {', '.join(versions)}")
                row = codec.game_columns(tournament_id, name, game, stored)
                if row["public_id"] not in by_name:
                    by_name[row["public_id"]] = game
                    columns.append(row)
            insert = insert_new(connection, GameTable).returning(GameTable.id, GameTable.public_id)
            new = connection.execute(insert, columns).all() if columns else []
            transcripts = []
            for game_id, public in new:
                told = by_name[public].result.transcript
                missing = times is not None and not told  # it was withheld where the game comes from
                transcripts.append({"game_id": game_id, "data": mark(now) if missing else codec.packed(told)})
            faults = [row for game_id, public in new for row in codec.fault_columns(game_id, by_name[public], versions)]
            if transcripts:
                connection.execute(insert_new(connection, TranscriptTable), transcripts)
            if faults:
                connection.execute(insert_new(connection, FaultTable), faults)
        return len(new)

    def keys(self, tournament_id: int) -> Iterator[GameKey]:
        """The keys of all stored games, streamed in canonical order."""
        with self._database.read() as connection:
            yield from reading.keys(connection, tournament_id)

    def done(self, tournament_id: int, round_: int) -> frozenset[GameKey]:
        """The keys of the stored games of one round: what resuming need not play again."""
        with self._database.read() as connection:
            return frozenset(reading.keys(connection, tournament_id, round_))

    def count(self, tournament_id: int) -> int:
        """How many games are stored."""
        with self._database.read() as connection:
            query = select(func.count()).where(GameTable.tournament_id == tournament_id)
            return int(connection.execute(query).scalar_one())

    def rows(
        self,
        tournament_id: int,
        before_round: int | None = None,
        *,
        round_: int | None = None,
        until: datetime | None = None,
    ) -> Iterator[GameRow]:
        """The stored games as tables and schedules need them, streamed in canonical order.

        All of them, those of the rounds before `before_round`, those of one round, or those stored at or before
        `until`; all from one moment, whatever is stored meanwhile.
        """
        with self._database.read() as connection:
            yield from reading.rows(connection, tournament_id, before_round, round_, until)

    def game(self, public_id: str) -> FullGame | None:
        """A game with its transcript. The caller sees to it that sealed cards stay sealed."""
        with self._database.read() as connection:
            return reading.full_game(connection, public_id)

    def games(
        self,
        tournament: str | None = None,
        *,
        bot: str | None = None,
        round_: int | None = None,
        board: int | None = None,
        verdict: Verdict | None = None,
        limit: int | None = 100,
        newest: bool = False,
    ) -> list[GameInfo]:
        """Stored games that pass all filters, by tournament (oldest first), then in canonical order.

        `newest`: those stored last, the last one first.
        """
        with self._database.read() as connection:
            return reading.infos(
                connection,
                tournament=tournament,
                bot=bot,
                round_=round_,
                board=board,
                verdict=verdict,
                limit=limit,
                newest=newest,
            )

    # Secrecy

    def open_boards(self, tournament_id: int, expected: Callable[[int], int]) -> frozenset[int]:
        """The boards whose cards may be shown; every other board is sealed.

        A board is open when all its tables are done: as many games are stored as `expected(board)` says (a schedule's
        `games_on`). Once the tournament is finished all its boards are open, also those with games that were given up:
        its secret is published then, and with it every card.
        """
        with self._database.read() as connection:
            finished = self._state(connection, tournament_id) is State.FINISHED
            return frozenset(
                board
                for board, count in counting.games_by_board(connection, tournament_id)
                if finished or count >= expected(board)
            )

    def is_sealed(self, tournament_id: int, board: int, expected: int) -> bool:
        """Whether the cards of one board must not be shown yet; `expected`: games that all its tables play."""
        with self._database.read() as connection:
            if self._state(connection, tournament_id) is State.FINISHED:
                return False
            query = select(func.count()).where(GameTable.tournament_id == tournament_id, GameTable.board == board)
            return int(connection.execute(query).scalar_one()) < expected

    def _state(self, connection: Connection, tournament_id: int) -> State:
        query = select(TournamentTable.state).where(TournamentTable.id == tournament_id)
        return State(connection.execute(query).scalar_one())

    def _name(self, connection: Connection, tournament_id: int) -> str:
        query = select(TournamentTable.name).where(TournamentTable.id == tournament_id)
        name = connection.execute(query).scalar()
        if name is None:
            raise ArenaFault(f"the store has no tournament {tournament_id!r}", where=self.where, code="STORE")
        return name
