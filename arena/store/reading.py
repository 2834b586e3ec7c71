"""Queries over games and faults. Each takes an open connection; long answers are streamed.

Knows tournaments by id. Does not know what a caller may see: see `Store.open_boards` for sealed cards.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import DBAPIError

from arena.record.results import OUT, Conduct, Fault, GameKey, GameRow, Verdict
from arena.store import codec, pruning
from arena.store.models import FaultTable, GameTable, TournamentTable, TranscriptTable
from arena.store.values import FaultInfo, FullGame, GameInfo

PAGE = 500
"""Games held in memory at once ..."""
FULL_PAGE = 100
"""... and of those with their transcripts."""


def keys(connection: Connection, tournament_id: int, round_: int | None = None) -> Iterator[GameKey]:
    """The keys of the stored games in canonical order, of one round or of all."""
    query = select(*codec.ORDER).where(GameTable.tournament_id == tournament_id).order_by(*codec.ORDER)
    if round_ is not None:
        query = query.where(GameTable.round == round_)
    for row in streamed(connection, query):
        yield GameKey(*row)


def rows(
    connection: Connection,
    tournament_id: int,
    before_round: int | None = None,
    round_: int | None = None,
    until: datetime | None = None,
) -> Iterator[GameRow]:
    """The stored games in canonical order, of the rounds before one, of one round, stored until then, or all."""
    wanted = [GameTable.tournament_id == tournament_id]
    if before_round is not None:
        wanted.append(GameTable.round < before_round)
    if round_ is not None:
        wanted.append(GameTable.round == round_)
    if until is not None:
        wanted.append(GameTable.stored <= until)
    query = select(*codec.ROW_COLUMNS).where(*wanted).order_by(*codec.ORDER)
    marks = (
        select(FaultTable.game_id, FaultTable.seat, FaultTable.code)
        .join(GameTable, GameTable.id == FaultTable.game_id)
        .where(*wanted)
        .order_by(*codec.ORDER, FaultTable.number)
    )
    # Both in the same order, side by side: asking for the faults of each page would take as long as all the rest.
    with closing(streamed(connection, marks)) as faults, closing(streamed(connection, query)) as games:
        mark = next(faults, None)
        for row in games:
            found = []
            while mark is not None and mark[0] == row[0]:
                found.append((mark[1], mark[2]))
                mark = next(faults, None)
            yield codec.row_of(row, found)


def infos(
    connection: Connection,
    *,
    tournament: str | None,
    bot: str | None,
    round_: int | None,
    board: int | None,
    verdict: Verdict | None,
    limit: int | None,
    newest: bool = False,
) -> list[GameInfo]:
    """Stored games that pass all filters, by tournament (oldest first), then in canonical order, or newest first."""
    query = (
        select(*codec.INFO_COLUMNS, TournamentTable.name)
        .join(TournamentTable, TournamentTable.id == GameTable.tournament_id)
        .order_by(*([GameTable.id.desc()] if newest else [GameTable.tournament_id, *codec.ORDER]))
        .limit(limit)
    )
    if tournament is not None:
        query = query.where(TournamentTable.name == tournament)
    if bot is not None:
        query = query.where(GameTable.bots.contains(codec.text_of(bot), autoescape=True))
    if round_ is not None:
        query = query.where(GameTable.round == round_)
    if board is not None:
        query = query.where(GameTable.board == board)
    if verdict is not None:
        query = query.where(GameTable.verdict == verdict.value)
    found = connection.execute(query).all()
    faults: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for start in range(0, len(found), PAGE):
        faults.update(_faults_of(connection, [row[0] for row in found[start : start + PAGE]]))
    return [codec.info_of(row, row[-1], faults[row[0]]) for row in found]


def infos_of(connection: Connection, ids: Sequence[int]) -> list[GameInfo]:
    """The games of at most PAGE row numbers, in their order; one that is not there any more is left out."""
    query = (
        select(*codec.INFO_COLUMNS, TournamentTable.name)
        .join(TournamentTable, TournamentTable.id == GameTable.tournament_id)
        .where(GameTable.id.in_(ids))
    )
    rows = {row[0]: row for row in connection.execute(query).all()}
    faults = _faults_of(connection, ids)
    return [codec.info_of(rows[number], rows[number][-1], faults[number]) for number in ids if number in rows]


def full_game(connection: Connection, public_id: str) -> FullGame | None:
    """A game with faults and transcript, which is empty when it was removed; None when there is none of that name."""
    row: Sequence[Any] | None = connection.execute(
        select(*codec.INFO_COLUMNS, TournamentTable.name, TranscriptTable.data)
        .join(TournamentTable, TournamentTable.id == GameTable.tournament_id)
        .join(TranscriptTable, TranscriptTable.game_id == GameTable.id)
        .where(GameTable.public_id == public_id)
    ).one_or_none()
    if row is None:
        return None
    faults = [
        codec.fault_of(fault)
        for fault in connection.execute(
            select(*codec.FAULT_COLUMNS).where(FaultTable.game_id == row[0]).order_by(FaultTable.number)
        )
    ]
    info = codec.info_of(row, row[-2], [(fault.seat, fault.code) for fault in faults])
    return FullGame(info, codec.stored_of(info, faults, row[-1]), pruning.removed_at(row[-1]))


def full_games(connection: Connection, tournament_id: int) -> Iterator[FullGame]:
    """The games of a tournament with faults and transcripts, in canonical order."""
    query = (
        select(*codec.INFO_COLUMNS, TournamentTable.name, TranscriptTable.data)
        .join(TournamentTable, TournamentTable.id == GameTable.tournament_id)
        .join(TranscriptTable, TranscriptTable.game_id == GameTable.id)
        .where(GameTable.tournament_id == tournament_id)
        .order_by(*codec.ORDER)
    )
    marks = (
        select(FaultTable.game_id, *codec.FAULT_COLUMNS)
        .join(GameTable, GameTable.id == FaultTable.game_id)
        .where(GameTable.tournament_id == tournament_id)
        .order_by(*codec.ORDER, FaultTable.number)
    )
    with closing(streamed(connection, marks)) as every, closing(streamed(connection, query, FULL_PAGE)) as games:
        mark = next(every, None)
        for row in games:
            found = []
            while mark is not None and mark[0] == row[0]:
                found.append(codec.fault_of(mark[1:]))
                mark = next(every, None)
            info = codec.info_of(row, row[-2], [(fault.seat, fault.code) for fault in found])
            yield FullGame(info, codec.stored_of(info, found, row[-1]), pruning.removed_at(row[-1]))


def faults(connection: Connection, tournament_id: int, bot: str | None = None) -> Iterator[FaultInfo]:
    """The faults of a tournament in canonical order of games, of one bot or of all."""
    query = (
        select(*codec.FAULT_INFO_COLUMNS)
        .join(GameTable, GameTable.id == FaultTable.game_id)
        .where(GameTable.tournament_id == tournament_id)
        .order_by(*codec.ORDER, FaultTable.number)
    )
    if bot is not None:
        query = query.where(FaultTable.bot == bot)
    yield from map(codec.fault_info_of, streamed(connection, query))


def conduct(connection: Connection, tournament_id: int, round_: int) -> Iterator[Conduct]:
    """The stored games of a round in canonical order, with those of their faults that forfeit."""
    query = (
        select(GameTable.id, *codec.ORDER, GameTable.bots)
        .where(GameTable.tournament_id == tournament_id, GameTable.round == round_)
        .order_by(*codec.ORDER)
    )
    forfeits = [each.value for each in OUT]
    for page in _pages(connection, query):
        found: dict[int, list[Fault]] = defaultdict(list)
        of_page = (
            select(FaultTable.game_id, *codec.FAULT_COLUMNS)
            .where(FaultTable.game_id.in_([row[0] for row in page]), FaultTable.fault_class.in_(forfeits))
            .order_by(FaultTable.game_id, FaultTable.number)
        )
        for game_id, *fault in connection.execute(of_page):
            found[game_id].append(codec.fault_of(fault))
        for game_id, number, board, table, seating, bots in page:
            key = GameKey(number, board, table, seating)
            yield Conduct(key, tuple(json.loads(bots)), tuple(found[game_id]))


def fetched(connection: Connection, query: Any) -> list[tuple[Any, ...]]:
    """The rows of a query that has few; Any: as in `_pages`."""
    return [tuple(row) for row in connection.execute(query)]


def streamed(connection: Connection, query: Any, page: int = PAGE) -> Generator[Sequence[Any], None, None]:
    """The rows of a query, of which a page at a time is in memory."""
    for rows in _pages(connection, query, page):
        yield from rows


def _pages(connection: Connection, query: Any, page: int = PAGE) -> Iterator[Sequence[Sequence[Any]]]:
    """The rows of a query, a page at a time; a reader that leaves half-way lets go of the rest at once."""
    # Any: the type parameters of Select and Row are not the same in SQLAlchemy 2.0 and 2.1
    found = connection.execute(query, execution_options={"yield_per": page})
    try:
        yield from found.partitions()
    finally:
        with suppress(DBAPIError):  # of a server that is gone; whoever reads on is told
            found.close()


def _faults_of(connection: Connection, ids: Sequence[int]) -> dict[int, list[tuple[int, str]]]:
    """(seat, code) of every fault by game, for at most PAGE games."""
    found: dict[int, list[tuple[int, str]]] = defaultdict(list)
    query = (
        select(FaultTable.game_id, FaultTable.seat, FaultTable.code)
        .where(FaultTable.game_id.in_(ids))
        .order_by(FaultTable.game_id, FaultTable.number)
    )
    for game_id, seat, code in connection.execute(query):
        found[game_id].append((seat, code))
    return found
