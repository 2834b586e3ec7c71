"""What of a tournament may leave the store: its games in canonical order, sealed ones without their cards.

A board's cards leave once it is open, the words of its bots (notes, view keys, details of faults) once all boards that
the same processes played are. Knows seals; nothing of formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from arena.core.errors import TranscriptError
from arena.record.transcript import Transcript, from_data, to_data, without_words
from arena.runner.sealing import Seals
from arena.store.store import Store
from arena.store.values import GameInfo, StoredGame, Tournament

SEALED = "sealed"
PRUNED = "pruned"


class Leaving(NamedTuple):
    """A game as it may leave."""

    info: GameInfo
    game: StoredGame
    """Without transcript where one is withheld."""
    withheld: str
    """Why the transcript is not there: SEALED or PRUNED; empty: it is."""

    def transcript(self) -> Transcript | None:
        """The transcript, read. Raises TranscriptError for one that is none."""
        return None if self.withheld else from_data(dict(self.game.result.transcript), where=self.info.public_id)


@dataclass(slots=True)
class Counts:
    """What was written so far."""

    games: int = 0
    sealed: int = 0
    """Games without their cards."""
    wordless: int = 0
    """Games without notes, view keys and details of faults, though their cards are open."""
    pruned: int = 0
    damaged: list[str] = field(default_factory=list)


def games_of(store: Store, tournament: Tournament, counts: Counts) -> Iterator[Leaving]:
    """The games of a tournament, a page at a time; counts what is withheld."""
    seals = Seals(store, tournament)
    opened = seals.open_boards()
    for full in store.full_games(tournament.id):
        key, game, withheld = full.info.row.key, full.game, ""
        if key.board not in opened:
            withheld, game = SEALED, bare(game)
            counts.sealed += 1
        elif full.pruned is not None:
            withheld, game = PRUNED, bare(game) if seals.sealed_with(key.round, key.table) else game
            counts.pruned += 1
        elif seals.sealed_with(key.round, key.table):
            game = wordless(game, full.info.public_id)
            counts.wordless += 1
        counts.games += 1
        yield Leaving(full.info, game, withheld)


def bare(game: StoredGame) -> StoredGame:
    """A game without its transcript and the details of its faults."""
    faults = tuple(fault._replace(detail="") for fault in game.result.faults)
    return replace(game, result=replace(game.result, faults=faults, transcript={}))


def wordless(game: StoredGame, where: str) -> StoredGame:
    """A game without the words of its bots. One whose transcript cannot be read goes without it."""
    plain = bare(game)
    try:
        told = to_data(without_words(from_data(dict(game.result.transcript), where=where)))
    except TranscriptError:
        return plain
    return replace(plain, result=replace(plain.result, transcript=told))
