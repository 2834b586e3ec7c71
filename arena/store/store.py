"""The way into the store: tournaments, their games, faults and voids.

Only adds: a stored game is never changed or overwritten, so that work done twice is harmless and a process may be
killed at any moment. Knows nothing of what is scheduled; hides nothing, either: whoever shows cards asks `open_boards`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from arena.core.errors import ArenaFault, ConfigError
from arena.core.options import canonical_json
from arena.record.results import GameKey, GameRow, Verdict
from arena.store import codec, reading
from arena.store.database import Database, open_database
from arena.store.models import (
    BotTable,
    EntrantTable,
    FaultTable,
    GameTable,
    Tables,
    TournamentTable,
    TranscriptTable,
    VoidTable,
)
from arena.store.values import (
    Entrant,
    FaultInfo,
    FullGame,
    GameInfo,
    NewTournament,
    State,
    StoredGame,
    Tournament,
    Void,
    VoidInfo,
    secret_hash,
)


def utc_now() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


class Store:
    """An open store. One writing process at a time is the caller's business (`lock`); any number may read."""

    def __init__(self, database: Database, now: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._now = now

    @classmethod
    def open(cls, place: str | Path, *, create: bool = True, now: Callable[[], datetime] = utc_now) -> Store:
        """Open the store in a data folder, a .db file or at a URL; make or migrate its tables as needed.

        Raises ConfigError when it is missing (`create` false) or newer than this program, ArenaFault when it is
        damaged, locked, read-only or the disk is full.
        """
        return cls(open_database(place, create=create), now)

    @property
    def where(self) -> str:
        """The file or URL, for messages."""
        return self._database.where

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
            tournament_id = connection.execute(
                _insert_new(connection, TournamentTable)
                .values(
                    name=new.name,
                    game=new.game,
                    game_version=new.game_version,
                    ruleset=new.ruleset,
                    config=canonical_json(new.config),
                    secret=new.secret,
                    secret_hash=secret_hash(new.secret),
                    open_seed=new.open_seed,
                    tier_minimum=new.tier_minimum,
                    state=State.WAITING.value,
                    created=self._now(),
                )
                .returning(TournamentTable.id)
            ).scalar()
            if tournament_id is None:
                raise ConfigError(
                    f"there is a tournament {new.name!r} already",
                    where=self.where,
                    fix="give this one another name, or resume that one",
                    code="NAME_TAKEN",
                )
            for place, entrant in enumerate(new.entrants):
                connection.execute(
                    _insert_new(connection, EntrantTable).values(
                        tournament_id=tournament_id, name=entrant.name, place=place, bot_id=_bot(connection, entrant)
                    )
                )
            return self._load(connection, select(TournamentTable).where(TournamentTable.id == tournament_id))[0]

    def tournament(self, name: str) -> Tournament | None:
        """The tournament of a name."""
        with self._database.read() as connection:
            found = self._load(connection, select(TournamentTable).where(TournamentTable.name == name))
        return found[0] if found else None

    def tournaments(self) -> list[Tournament]:
        """All tournaments, oldest first."""
        with self._database.read() as connection:
            return self._load(connection, select(TournamentTable).order_by(TournamentTable.id))

    def set_state(self, tournament_id: int, state: State) -> None:
        """Change how a tournament stands; notes the time it first ran and the time it finished."""
        table = TournamentTable
        with self._database.write() as connection:
            change = update(table).where(table.id == tournament_id)
            connection.execute(change.values(state=state.value))
            if state is State.RUNNING:
                connection.execute(change.where(table.started.is_(None)).values(started=self._now()))
            if state is State.FINISHED:
                connection.execute(change.where(table.finished.is_(None)).values(finished=self._now()))

    def _load(self, connection: Connection, query: Any) -> list[Tournament]:
        # Any: the type parameters of Select are not the same in SQLAlchemy 2.0 and 2.1
        loaded = []
        for row in connection.execute(query).all():
            values = dict(row._mapping)
            values["config"] = json.loads(values["config"])
            values["state"] = State(values["state"])
            loaded.append(Tournament(**values, entrants=_entrants(connection, values["id"])))
        return loaded

    # Games

    def add_games(self, tournament_id: int, games: Sequence[StoredGame]) -> int:
        """Store finished games in one transaction and return how many were new.

        A game whose key is stored already is ignored, whatever it says. Raises ValueError for a void game (see
        `add_voids`) or a competitor that is not in the tournament, ArenaFault when the database cannot take them; then
        none is stored.
        """
        for game in games:
            if game.result.verdict is Verdict.VOID:
                raise ValueError(f"{game.key} is void: a void is no result")
        now = self._now()
        transcripts: list[dict[str, Any]] = []
        faults: list[dict[str, Any]] = []
        with self._database.write() as connection:
            name = self._name(connection, tournament_id)
            versions = {entrant.name: entrant.version for entrant in _entrants(connection, tournament_id)}
            insert = _insert_new(connection, GameTable).returning(GameTable.id)
            for game in games:
                strangers = [bot for bot in game.bots if bot not in versions]
                if strangers:
                    raise ValueError(f"{strangers} are not in tournament {name!r}: {', '.join(versions)}")
                game_id = connection.execute(insert, codec.game_columns(tournament_id, name, game, now)).scalar()
                if game_id is not None:
                    transcripts.append({"game_id": game_id, "data": codec.packed(game.result.transcript)})
                    faults.extend(codec.fault_columns(game_id, game, versions))
            if transcripts:
                connection.execute(_insert_new(connection, TranscriptTable), transcripts)
            if faults:
                connection.execute(_insert_new(connection, FaultTable), faults)
        return len(transcripts)

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

    def rows(self, tournament_id: int, before_round: int | None = None) -> Iterator[GameRow]:
        """The stored games as tables and schedules need them, streamed in canonical order.

        All of them, or those of the rounds before `before_round`; all from one moment, whatever is stored meanwhile.
        """
        with self._database.read() as connection:
            yield from reading.rows(connection, tournament_id, before_round)

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
    ) -> list[GameInfo]:
        """Stored games that pass all filters, by tournament (oldest first), then in canonical order."""
        with self._database.read() as connection:
            return reading.infos(
                connection, tournament=tournament, bot=bot, round_=round_, board=board, verdict=verdict, limit=limit
            )

    # Faults, voids, secrecy

    def faults(self, tournament_id: int, bot: str | None = None) -> Iterator[FaultInfo]:
        """The faults of a tournament, streamed in canonical order of games."""
        with self._database.read() as connection:
            yield from reading.faults(connection, tournament_id, bot)

    def fault_counts(self, tournament_id: int) -> dict[tuple[str, str], int]:
        """How often each (bot, code) occurred."""
        with self._database.read() as connection:
            return reading.fault_counts(connection, tournament_id)

    def add_voids(self, tournament_id: int, voids: Iterable[Void]) -> int:
        """Note attempts that counted for nobody; returns how many were new. The same attempt is noted once."""
        new = 0
        now = self._now()
        with self._database.write() as connection:
            for void in voids:
                new += (
                    connection.execute(
                        _insert_new(connection, VoidTable)
                        .values(
                            tournament_id=tournament_id,
                            **void.key._asdict(),
                            attempt=void.attempt,
                            reason=codec.storable(void.reason),
                            at=now,
                        )
                        .returning(VoidTable.attempt)
                    ).scalar()
                    is not None
                )
        return new

    def voids(self, tournament_id: int) -> Iterator[VoidInfo]:
        """The voids of a tournament, streamed in canonical order, then by attempt."""
        with self._database.read() as connection:
            yield from reading.voids(connection, tournament_id)

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
                for board, count in reading.games_by_board(connection, tournament_id)
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


def _insert_new(connection: Connection, table: type[Tables]) -> Any:  # Any: the two dialects' Insert share no type
    """INSERT that does nothing where the key exists already, in the words of the database in use."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing()


def _bot(connection: Connection, entrant: Entrant) -> int:
    """The id of a bot version, stored if it is new."""
    connection.execute(
        _insert_new(connection, BotTable).values(
            name=entrant.name,
            version=entrant.version,
            source=entrant.source,
            manifest=canonical_json(entrant.manifest),
        )
    )
    query = select(BotTable.id).where(
        BotTable.name == entrant.name, BotTable.version == entrant.version, BotTable.source == entrant.source
    )
    return connection.execute(query).scalar_one()


def _entrants(connection: Connection, tournament_id: int) -> tuple[Entrant, ...]:
    query = (
        select(EntrantTable.name, BotTable.version, BotTable.source, BotTable.manifest)
        .join(BotTable, BotTable.id == EntrantTable.bot_id)
        .where(EntrantTable.tournament_id == tournament_id)
        .order_by(EntrantTable.place)
    )
    return tuple(
        Entrant(name, version, source, json.loads(manifest))
        for name, version, source, manifest in connection.execute(query)
    )
