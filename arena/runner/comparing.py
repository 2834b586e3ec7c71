"""The stored games of a board, read for comparison: its tables, and why a game of it was lost.

Only boards whose cards may be shown. Nothing is kept here: whoever asks often keeps the answer of a board, which does
not change once it is open. What bots noted stays out as long as it is sealed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.core.errors import ArenaError, ConfigError
from arena.core.game import Team
from arena.rating.blocks import blocks
from arena.rating.folding import counts_wins
from arena.record.compare import Digest, Swing, Told, Why, losing_sides, why
from arena.record.compare.tables import mean
from arena.record.results import GameKey, Verdict
from arena.record.transcript import from_data, without_words
from arena.runner.course import stored_pool, stored_schedule
from arena.runner.sealing import Seals, check_open
from arena.store.store import Store
from arena.store.values import FullGame, GameInfo, Tournament
from arena.tournament.schedule import Fixed

MOST = 200
"""So many tables of a board are read."""


class BoardTables(NamedTuple):
    """The tables of a board."""

    tables: tuple[Told, ...]
    """In canonical order; spread evenly over all where there are more than were asked for."""
    games: int
    """How many games that are not void are stored."""
    infos: tuple[GameInfo, ...]
    """All stored games of the board, void ones too, in canonical order."""

    @property
    def complete(self) -> bool:
        """Whether `tables` are all games: none left out, none whose transcript retention removed."""
        return len(self.tables) == self.games


Sift = Callable[[Sequence[GameInfo]], Sequence[GameInfo]]


def all_of(infos: Sequence[GameInfo]) -> Sequence[GameInfo]:
    """Every game."""
    return infos


def board_tables(
    store: Store, tournament: Tournament, board: int, *, most: int = MOST, keep: str = "", of: Sift = all_of
) -> BoardTables:
    """The tables of an open board, at most so many; that of the game `keep` (a public id) is among them if it counts.

    `of`: chooses beforehand from which of its games, in canonical order and not void, they are.
    Raises ConfigError NO_GAME for a board that is not planned, ArenaError NOT_ALLOWED while it is sealed.
    """
    infos = tuple(store.games(tournament.name, board=board, limit=None))
    if not infos:
        _check_planned(store, tournament, board)
    check_open(store, tournament, board)
    played = [info for info in infos if info.row.verdict is not Verdict.VOID]
    seals = Seals(store, tournament)
    tables = []
    for info in _spread(of(played), most, keep):
        full = store.game(info.public_id)
        if full is not None and full.pruned is None:
            tables.append(_told(full, seals))
    return BoardTables(tuple(tables), len(played), infos)


class Compared(NamedTuple):
    """A game and all that it is compared with."""

    own: Told
    board: BoardTables
    digest: Digest
    """Of the board's tables."""
    swings: tuple[Swing | None, ...]
    """By side: how its block went; empty where the block is not complete or not rated."""

    def losing(self) -> tuple[Team, ...]:
        """The sides of which the page says why."""
        return losing_sides(self.own, self.swings)

    def why(self, side: Team) -> Why:
        """Why a side lost."""
        return why(self.own, side, self.digest, self.swings[side] if self.swings else None)


def compared(store: Store, public_id: str) -> Compared:
    """A stored game with its board.

    Raises ConfigError NO_GAME, ArenaError NOT_ALLOWED while the board is sealed, PRUNED where the transcript is gone.
    """
    full = store.game(public_id)
    tournament = store.tournament(full.info.tournament) if full is not None else None
    if full is None or tournament is None:
        raise ConfigError(
            f"no game {public_id!r}", where=store.where, fix="arena replay list shows the ids", code="NO_GAME"
        )
    key = full.info.row.key
    board = board_tables(store, tournament, key.board, keep=public_id)
    if full.pruned is not None:
        raise ArenaError(f"transcript removed on {full.pruned:%Y-%m-%d} by retention", where=public_id, code="PRUNED")
    kept = (table for table in board.tables if table.public_id == public_id)
    own = next(kept, None) or _told(full, Seals(store, tournament))
    return Compared(own, board, Digest.of(board.tables), swings_of(tournament, own, key, board.infos))


def why_of(store: Store, public_id: str) -> tuple[Why, ...]:
    """Why each side lost that lost a game's block, or the game where no block decides. Raises as `compared`."""
    found = compared(store, public_id)
    return tuple(found.why(side) for side in found.losing())


def swings_of(tournament: Tournament, own: Told, key: GameKey, infos: Sequence[GameInfo]) -> tuple[Swing | None, ...]:
    """How the block of a game went, by side; empty where it is not complete or is not rated.

    `infos`: stored games, those of the block among them.
    """
    pool = stored_pool(tournament)
    rows = [info.row for info in infos if info.row.key[:3] == key[:3]]
    block = next(iter(blocks(rows, pool)), None)
    if block is None:
        return ()
    ties = dict(zip(block.bots, block.tiebreaks, strict=True))
    by_bot = {
        bot: Swing(by, counts_wins(pool), ties[bot] - mean([ties[other] for other in block.opponents(bot)]))
        for bot, by in zip(block.bots, block.swings, strict=True)
    }
    row = next(row for row in rows if row.key == key)
    return tuple(by_bot.get(row.bots[seats[0]]) for seats in own.game.sides)


def _check_planned(store: Store, tournament: Tournament, board: int) -> None:
    """Raises ConfigError NO_GAME for a board that no round plays; of schedules that depend on results any may come."""
    schedule = stored_schedule(tournament)
    boards = schedule.totals().boards
    if board < 1 or (isinstance(schedule, Fixed) and board > boards):
        raise ConfigError(
            f"no board {board} in {tournament.name!r}",
            where=store.where,
            fix=f"boards are numbered from 1, {boards} are planned",
            code="NO_GAME",
        )


def _spread(infos: Sequence[GameInfo], most: int, keep: str) -> list[GameInfo]:
    """At most so many, evenly spread, with the one that is to be kept."""
    if len(infos) <= most:
        return list(infos)
    chosen = {place * len(infos) // most for place in range(most)}
    kept = next((place for place, info in enumerate(infos) if info.public_id == keep), None)
    if kept is not None and kept not in chosen:
        chosen.discard(min(chosen, key=lambda place: abs(place - kept)))
        chosen.add(kept)
    return [infos[place] for place in sorted(chosen)]


def _told(full: FullGame, seals: Seals) -> Told:
    """A table, without words that are sealed."""
    key = full.info.row.key
    table = Told.of(
        from_data(dict(full.game.result.transcript), where=full.info.public_id),
        f"r{key.round}-t{key.table}-{key.seating + 1}",
    )
    if seals.sealed_with(key.round, key.table):
        return table._replace(transcript=without_words(table.transcript))
    return table
