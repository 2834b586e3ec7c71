"""Tournaments, their entrants and bot versions, on an open connection. Knows nothing of games."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from arena.core.options import canonical_json
from arena.store.models import BotTable, EntrantTable, Tables, TournamentTable
from arena.store.values import Entrant, NewTournament, State, Tournament, secret_hash


def insert_new(connection: Connection, table: type[Tables]) -> Any:  # Any: the two dialects' Insert share no type
    """INSERT that does nothing where the key exists already, in the words of the database in use."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return insert(table).on_conflict_do_nothing()


def create(connection: Connection, new: NewTournament, now: datetime) -> int | None:
    """Store a tournament in state waiting; its id, or None when the name is taken."""
    tournament_id: int | None = connection.execute(
        insert_new(connection, TournamentTable)
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
            series=new.series,
            state=State.WAITING.value,
            created=now,
        )
        .returning(TournamentTable.id)
    ).scalar()
    if tournament_id is not None:
        enter(connection, tournament_id, new.entrants)
    return tournament_id


def enter(connection: Connection, tournament_id: int, new: Sequence[Entrant]) -> None:
    """Add competitors after those that are there; one whose name is there already stays as it is."""
    query = select(func.coalesce(func.max(EntrantTable.place), -1)).where(EntrantTable.tournament_id == tournament_id)
    first = int(connection.execute(query).scalar_one()) + 1
    for place, entrant in enumerate(new, first):
        connection.execute(
            insert_new(connection, EntrantTable).values(
                tournament_id=tournament_id,
                name=entrant.name,
                place=place,
                bot_id=_bot(connection, entrant),
                since_round=entrant.since_round,
                until_round=entrant.until_round,
            )
        )


def leave(connection: Connection, tournament_id: int, names: Collection[str], until_round: int) -> None:
    """Let competitors end with a round, unless they have ended before."""
    connection.execute(
        update(EntrantTable)
        .where(
            EntrantTable.tournament_id == tournament_id,
            EntrantTable.name.in_(names),
            EntrantTable.until_round.is_(None),
        )
        .values(until_round=until_round)
    )


def come_back(connection: Connection, tournament_id: int, names: Collection[str]) -> None:
    """Let competitors go on that had ended."""
    change = update(EntrantTable).where(EntrantTable.tournament_id == tournament_id, EntrantTable.name.in_(names))
    connection.execute(change.values(until_round=None))


def load(connection: Connection, *, name: str | None = None, tournament_id: int | None = None) -> list[Tournament]:
    """The tournaments that pass the filters, oldest first."""
    query = select(TournamentTable.__table__).order_by(TournamentTable.id)
    if name is not None:
        query = query.where(TournamentTable.name == name)
    if tournament_id is not None:
        query = query.where(TournamentTable.id == tournament_id)
    loaded = []
    for row in connection.execute(query).mappings().all():
        values: dict[str, Any] = {**row, "config": json.loads(row["config"]), "state": State(row["state"])}
        loaded.append(Tournament(**values, entrants=entrants(connection, row["id"])))
    return loaded


def set_state(connection: Connection, tournament_id: int, state: State, now: datetime) -> None:
    """Change the state; note the first time it ran and the time it finished."""
    table = TournamentTable
    change = update(table).where(table.id == tournament_id)
    connection.execute(change.values(state=state.value))
    if state is State.RUNNING:
        connection.execute(change.where(table.started.is_(None)).values(started=now))
    if state is State.FINISHED:
        connection.execute(change.where(table.finished.is_(None)).values(finished=now))


def entrants(connection: Connection, tournament_id: int) -> tuple[Entrant, ...]:
    """The competitors of a tournament in its order."""
    query = (
        select(
            EntrantTable.name,
            BotTable.version,
            BotTable.source,
            BotTable.manifest,
            EntrantTable.since_round,
            EntrantTable.until_round,
        )
        .join(BotTable, BotTable.id == EntrantTable.bot_id)
        .where(EntrantTable.tournament_id == tournament_id)
        .order_by(EntrantTable.place)
    )
    return tuple(
        Entrant(name, version, source, json.loads(manifest), since, until)
        for name, version, source, manifest, since, until in connection.execute(query)
    )


def _bot(connection: Connection, entrant: Entrant) -> int:
    """The id of a bot version, stored if it is new."""
    connection.execute(
        insert_new(connection, BotTable).values(
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
