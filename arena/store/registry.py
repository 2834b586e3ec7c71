"""Registered versions of bots, on an open connection. Knows names, numbers and hashes; nothing of folders."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, update

from arena.core.errors import BotError
from arena.core.options import canonical_json
from arena.store import codec
from arena.store.models import BotTable, EntrantTable, FaultTable, GameTable, RegisteredTable
from arena.store.reading import fetched
from arena.store.tournaments import insert_new
from arena.store.values import BotState, Rate, Registered


def add(
    connection: Connection,
    name: str,
    version: str,
    manifest: Mapping[str, Any],  # Any: TOML
    message: str,
    now: datetime,
    owner: str = "",
) -> Registered:
    """Store a version under the next number of its name; one that is there already becomes ready again, with this
    manifest: it may have been sent for fewer games than it plays.

    A further version belongs to whom the first one belongs to. Raises BotError BAD_NAME when the name is taken but for
    its case.
    """
    table = RegisteredTable
    known = load(connection, name=name)
    refuse_other_case(known, name)
    same = next((each for each in known if each.version == version), None)
    if same is not None:
        manifest = manifest or same.manifest
        connection.execute(
            update(table)
            .where(table.folded == name.casefold(), table.number == same.number)
            .values(state=BotState.READY.value, manifest=canonical_json(manifest))
        )
        return same._replace(state=BotState.READY, manifest=manifest)
    number = max((each.number for each in known), default=0) + 1
    connection.execute(
        insert_new(connection, table).values(
            name=name,
            folded=name.casefold(),
            number=number,
            version=version,
            manifest=canonical_json(manifest),
            message=codec.storable(message),
            state=BotState.READY.value,
            added=now,
            owner=known[0].owner if known else codec.storable(owner),
        )
    )
    return next(each for each in load(connection, name=name) if each.version == version)


def refuse_other_case(known: list[Registered], name: str) -> None:
    """Raises BotError BAD_NAME when the versions known under a name, whatever its case, are spelled another way."""
    if known and known[0].name != name:
        raise BotError(
            f"the name {name!r} is taken by {known[0].name!r}: names differ by more than case",
            saw=name,
            fix=f"add it as a version of that one with --name {known[0].name}, or choose another name",
            code="BAD_NAME",
        )


def load(connection: Connection, *, name: str | None = None) -> list[Registered]:
    """The registered versions, of one name (whatever its case) or of all; by name, then number."""
    table = RegisteredTable
    columns = (table.name, table.number, table.version, table.manifest, table.message, table.state, table.added)
    query = select(*columns, table.owner)
    if name is not None:
        query = query.where(table.folded == name.casefold())
    known = [
        Registered(found, number, version, json.loads(manifest), message, BotState(state), added, owner)
        for found, number, version, manifest, message, state, added, owner in connection.execute(query)
    ]
    return sorted(known, key=lambda each: (each.name.casefold(), each.number))  # databases sort texts differently


def retire(connection: Connection, name: str, number: int | None) -> list[Registered]:
    """Retire a version, or all of a name; returns those that were ready before."""
    table = RegisteredTable
    chosen = [
        each for each in load(connection, name=name) if each.state is BotState.READY and number in (None, each.number)
    ]
    for each in chosen:
        connection.execute(
            update(table)
            .where(table.folded == name.casefold(), table.number == each.number)
            .values(state=BotState.RETIRED.value)
        )
    return [each._replace(state=BotState.RETIRED) for each in chosen]


def rates(connection: Connection) -> dict[str, Rate]:
    """Games and faults by code of each version that played, in all tournaments.

    Games are counted by line-up first, of which there are few, so that the database reads no more than an index.
    """
    games: Counter[str] = Counter()
    versions = {
        (tournament_id, name): version
        for tournament_id, name, version in connection.execute(
            select(EntrantTable.tournament_id, EntrantTable.name, BotTable.version).join(
                BotTable, BotTable.id == EntrantTable.bot_id
            )
        )
    }
    by_bots = select(GameTable.tournament_id, GameTable.bots, func.count()).group_by(
        GameTable.tournament_id, GameTable.bots
    )
    for tournament_id, bots, count in connection.execute(by_bots):
        for version in {versions[tournament_id, name] for name in json.loads(bots)}:
            games[version] += count
    faults: dict[str, dict[str, int]] = defaultdict(dict)
    by_code = select(FaultTable.version, FaultTable.code, func.count()).group_by(FaultTable.version, FaultTable.code)
    for version, code, count in sorted(fetched(connection, by_code)):
        faults[version][code] = count
    return {version: Rate(count, faults.get(version, {})) for version, count in sorted(games.items())}
