"""Registered versions of bots, on an open connection. Knows names, numbers and hashes; nothing of folders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select, update

from arena.core.errors import BotError
from arena.core.options import canonical_json
from arena.store import codec
from arena.store.models import FaultTable, RegisteredTable
from arena.store.tournaments import insert_new
from arena.store.values import BotState, Registered


def add(
    connection: Connection,
    name: str,
    version: str,
    manifest: Mapping[str, Any],  # Any: TOML
    message: str,
    now: datetime,
) -> Registered:
    """Store a version under the next number of its name; one that is there already becomes ready again.

    Raises BotError BAD_NAME when the name is taken but for its case.
    """
    table = RegisteredTable
    known = load(connection, name=name)
    refuse_other_case(known, name)
    same = next((each for each in known if each.version == version), None)
    if same is not None:
        connection.execute(
            update(table)
            .where(table.folded == name.casefold(), table.number == same.number)
            .values(state=BotState.READY.value)
        )
        return same._replace(state=BotState.READY)
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
    query = select(*columns).order_by(table.folded, table.number)
    if name is not None:
        query = query.where(table.folded == name.casefold())
    return [
        Registered(found, number, version, json.loads(manifest), message, BotState(state), added)
        for found, number, version, manifest, message, state, added in connection.execute(query)
    ]


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


def fault_counts(connection: Connection) -> dict[str, int]:
    """Faults of all tournaments by content hash; versions without any are left out."""
    query = select(FaultTable.version, func.count()).group_by(FaultTable.version)
    return {row[0]: row[1] for row in connection.execute(query)}
