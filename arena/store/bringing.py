"""Tournaments that come from another store, on an open connection. What is there already is never changed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, select, update

from arena.core.options import canonical_json
from arena.store import codec, tournaments
from arena.store.models import QuarantineTable, RoundTable, TournamentTable, VoidTable
from arena.store.tournaments import insert_new
from arena.store.values import Quarantined, Round, State, Tournament, VoidInfo


def tournament(connection: Connection, brought: Tournament) -> int:
    """The id of a tournament, stored as stopped if its name is new; with the hash of its secret, if not the secret."""
    table = TournamentTable
    connection.execute(
        insert_new(connection, table).values(
            name=brought.name,
            game=brought.game,
            game_version=brought.game_version,
            ruleset=brought.ruleset,
            config=canonical_json(brought.config),
            secret=brought.secret,
            secret_hash=brought.secret_hash,
            open_seed=brought.open_seed,
            tier_minimum=brought.tier_minimum,
            series=brought.series,
            state=State.STOPPED.value,
            created=brought.created,
            started=brought.started,
        )
    )
    tournament_id = int(connection.execute(select(table.id).where(table.name == brought.name)).scalar_one())
    tournaments.enter(connection, tournament_id, brought.entrants)
    return tournament_id


def state(connection: Connection, brought: Tournament) -> None:
    """Set state and times, and the secret if it is published by now, of a tournament found by its name.

    One that is finished here stays so.
    """
    table = TournamentTable
    change = update(table).where(table.name == brought.name, table.state != State.FINISHED.value)
    if brought.secret:
        connection.execute(change.values(secret=brought.secret))
    connection.execute(change.values(state=brought.state.value, started=brought.started, finished=brought.finished))


def rounds(connection: Connection, tournament_id: int, brought: Sequence[Round]) -> None:
    """Rounds as they were opened and closed."""
    for each in brought:
        values = {
            "field": codec.text_of(list(each.field)),
            "blocks": each.blocks,
            "games": each.games,
            "opened": each.opened,
            "closed": each.closed,
        }
        connection.execute(
            insert_new(connection, RoundTable).values(tournament_id=tournament_id, number=each.number, **values)
        )


def voids(connection: Connection, tournament_id: int, brought: Sequence[VoidInfo]) -> None:
    """Attempts that counted for nobody."""
    for void, at in brought:
        connection.execute(
            insert_new(connection, VoidTable).values(
                tournament_id=tournament_id,
                **void.key._asdict(),
                attempt=void.attempt,
                reason=codec.storable(void.reason),
                bots=codec.text_of(void.bots),
                evidence=codec.storable(codec.text_of(dict(void.evidence))),
                at=at,
            )
        )


def quarantines(connection: Connection, tournament_id: int, brought: Sequence[Quarantined]) -> None:
    """Who was taken out, and what became of it."""
    for each in brought:
        why = each.quarantine
        connection.execute(
            insert_new(connection, QuarantineTable).values(
                tournament_id=tournament_id,
                bot=why.bot,
                since_round=why.since_round,
                version=each.version,
                reason=codec.storable(why.reason),
                games=codec.text_of(why.games),
                codes=codec.text_of(why.codes),
                at=each.at,
                lifted=each.lifted,
                lift_reason=codec.storable(each.lift_reason),
            )
        )
