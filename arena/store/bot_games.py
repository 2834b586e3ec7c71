"""What pages ask about the games of one bot, answered from indexes, however many games are stored.

A game says who sat where as one text, its line-up, and there are few different ones: filters of opponent and seat
choose line-ups first, and games by them. Whatever cannot be found by an index is looked for within bounds.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, insert, select, update

from arena.store import codec
from arena.store.database import Database
from arena.store.models import FaultTable, GameTable, TranscriptTable
from arena.store.pruning import MARK
from arena.store.reading import fetched, infos_of
from arena.store.site_tables import BotSettingTable, SubmissionTable
from arena.store.values import GameInfo

RARE = 20_000
"""With at most so many games a bot's games are found by its line-ups; more of them are met often enough by going back
from the newest game."""
MANY = 500
"""With more line-ups than this no index is asked for them."""
ONCE = 200
"""So many games that an index found are read in one query."""
STEP = 4_000
"""So many games are looked at in one query, going back ..."""
FAR = 40_000
"""... and so many for one page."""


class Lineups(NamedTuple):
    """The line-ups of a tournament."""

    games: Mapping[tuple[str, ...], int]
    """Bots by seat -> how many games."""

    def of(self, name: str) -> int:
        """Games of one competitor."""
        return sum(count for bots, count in self.games.items() if name in bots)


class Found(NamedTuple):
    """Games that were found, newest first."""

    games: list[GameInfo]
    ids: list[int]
    """Their row numbers."""
    further: int | None
    """Go on before this row number; None: there are no more."""


class LastCheck(NamedTuple):
    """The newest submission of a bot."""

    public_id: str
    state: str
    at: datetime


Keep = Callable[[tuple[str, ...], tuple[int, ...]], bool]
"""(bots by seat, ranks by seat, empty when void) -> whether a game is wanted."""


def everything(_bots: tuple[str, ...], _ranks: tuple[int, ...]) -> bool:
    """Keep every game."""
    return True


class BotGames:
    """Games by bot, on an open database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def lineups(self, tournament_id: int) -> Lineups:
        """The line-ups of a tournament, counted over an index."""
        query = (
            select(GameTable.bots, func.count())
            .where(GameTable.tournament_id == tournament_id)
            .group_by(GameTable.bots)
        )
        with self._database.read() as connection:
            return Lineups({tuple(json.loads(bots)): count for bots, count in fetched(connection, query)})

    def faults(self, names: Collection[str]) -> dict[tuple[int, str], dict[str, int]]:
        """(tournament, competitor) -> code -> how often, most often first."""
        query = (
            select(GameTable.tournament_id, FaultTable.bot, FaultTable.code, func.count())
            .join(GameTable, GameTable.id == FaultTable.game_id)
            .where(FaultTable.bot.in_(names))
            .group_by(GameTable.tournament_id, FaultTable.bot, FaultTable.code)
        )
        found: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)
        with self._database.read() as connection:
            for tournament, bot, code, count in sorted(fetched(connection, query), key=lambda row: (-row[3], row[2])):
                found[tournament, bot][code] = count
        return dict(found)

    def page(
        self,
        lineups: Collection[tuple[str, ...]],
        tournaments: Collection[int],
        *,
        games: int,
        before: int | None = None,
        limit: int = 50,
        fault: tuple[Collection[str], str] | None = None,
        keep: Keep = everything,
        far: int = FAR,
    ) -> Found:
        """The newest games of these line-ups in these tournaments, before a row number.

        `games`: how many they are in all, which decides how they are looked for. `fault`: only games in which one of
        these competitors had this fault ("": any). `keep`: what else must hold. Looks at no more than `far` games;
        where it stopped, `further` goes on.
        """
        texts = {codec.text_of(bots) for bots in lineups}
        with self._database.read() as connection:
            newest = connection.execute(select(func.max(GameTable.id))).scalar() or 0
            top = newest + 1 if before is None else min(before, newest + 1)
            few = games <= RARE and len(texts) <= MANY
            look = _once if few or fault is not None else _backwards
            # going back, rows are found by their numbers: no index on tournaments must be thought better
            place = GameTable.tournament_id + 0 if look is _backwards else GameTable.tournament_id
            where = [place.in_(tournaments)]
            if fault is not None:
                marked = select(FaultTable.game_id).where(FaultTable.bot.in_(fault[0]))
                where.append(GameTable.id.in_(marked.where(FaultTable.code == fault[1]) if fault[1] else marked))
            if few:
                where.append(GameTable.bots.in_(texts))
            found: list[int] = []
            further: int | None = None
            for seen, (number, bots, ranks) in enumerate(look(connection, where, top, far) if texts else ()):
                if len(found) == limit or seen == far:
                    further = found[-1] if len(found) == limit else number + 1
                    break
                if bots in texts and keep(tuple(json.loads(bots)), tuple(json.loads(ranks))):
                    found.append(number)
            return Found(infos_of(connection, found), found, further)

    def transcripts(self, ids: Sequence[int]) -> dict[int, bytes]:
        """The stored transcripts of games by row number; those that retention removed are left out."""
        query = select(TranscriptTable.game_id, TranscriptTable.data).where(TranscriptTable.game_id.in_(ids))
        with self._database.read() as connection:
            return {number: data for number, data in fetched(connection, query) if not data.startswith(MARK)}

    def last_checks(self) -> dict[str, LastCheck]:
        """By bot, in small letters: its newest submission."""
        newest = select(func.max(SubmissionTable.id)).where(SubmissionTable.bot != "").group_by(SubmissionTable.bot)
        table = SubmissionTable
        query = select(table.bot, table.public_id, table.state, table.finished, table.created).where(
            table.id.in_(newest)
        )
        with self._database.read() as connection:
            return {
                bot.casefold(): LastCheck(public_id, state, finished or created)
                for bot, public_id, state, finished, created in fetched(connection, query)
            }

    def settings(self) -> dict[str, tuple[bool, bool]]:
        """By bot, in small letters: (notes are public, paused); only bots whose owner changed something."""
        table = BotSettingTable
        with self._database.read() as connection:
            rows = fetched(connection, select(table.folded, table.notes_public, table.paused))
        return {folded: (bool(notes), bool(paused)) for folded, notes, paused in rows}

    def publish_notes(self, name: str, public: bool) -> None:
        """Let everybody read a bot's notes once the boards are open, or its owner alone."""
        self._choose(name, notes_public=public)

    def pause(self, name: str, paused: bool) -> None:
        """Let no new round of a ladder have a bot, in any version, or let it play on."""
        self._choose(name, paused=paused)

    def _choose(self, name: str, **chosen: bool) -> None:
        table, folded = BotSettingTable, name.casefold()
        with self._database.write() as connection:
            known = connection.execute(select(table.folded).where(table.folded == folded)).scalar()
            if known is None:
                connection.execute(
                    insert(table).values({"folded": folded, "notes_public": False, "paused": False, **chosen})
                )
            else:
                connection.execute(update(table).where(table.folded == folded).values(**chosen))


def _once(
    connection: Connection, where: list[Any], top: int, far: int
) -> Iterator[tuple[int, str, str]]:  # Any: conditions
    """Games before a row number, newest first, as an index finds them: their numbers first, which are all in it."""
    query = select(GameTable.id).where(GameTable.id < top, *where).order_by(GameTable.id.desc()).limit(far + 1)
    ids = [row[0] for row in fetched(connection, query)]
    for start in range(0, len(ids), ONCE):
        part = ids[start : start + ONCE]
        read = select(GameTable.id, GameTable.bots, GameTable.ranks).where(GameTable.id.in_(part))
        rows = {row[0]: row for row in fetched(connection, read)}
        for number in part:
            yield number, rows[number][1], rows[number][2]


def _backwards(
    connection: Connection, where: list[Any], top: int, far: int
) -> Iterator[tuple[int, str, str]]:  # Any: as above
    """The same, going back step by step."""
    while top > 0:
        low = max(0, top - min(STEP, far))
        query = select(GameTable.id, GameTable.bots, GameTable.ranks)
        query = query.where(GameTable.id < top, GameTable.id >= low, *where).order_by(GameTable.id.desc())
        for row in fetched(connection, query):
            yield row[0], row[1], row[2]
        top = low
