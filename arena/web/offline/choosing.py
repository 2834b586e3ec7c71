"""Which games of a tournament are laid down with their replays: whole boards, those first on which results differ most.

A board has its page when its games have theirs. Knows results; no cards and no pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.record.results import GameRow, Verdict
from arena.runner.sealing import Seals
from arena.store.store import Store
from arena.store.values import Tournament, public_id


class Chosen(NamedTuple):
    """What has its page."""

    games: tuple[tuple[str, ...], ...]
    """By board: ids of the games."""
    boards: frozenset[int]
    left_out: int
    """Games on open boards whose replays are left out."""
    sealed: int
    """Games on sealed boards."""


def chosen(store: Store, tournament: Tournament, most: int) -> Chosen:
    """The boards that are open, until one more would make it more than `most` games; at least one board."""
    opened = Seals(store, tournament).open_boards()
    rows: dict[int, list[GameRow]] = {}
    sealed = 0
    for row in store.rows(tournament.id):
        if row.key.board in opened:
            rows.setdefault(row.key.board, []).append(row)
        else:
            sealed += 1
    taken: list[int] = []
    count = 0
    for board in sorted(rows, key=lambda number: (-spread(rows[number]), number)):
        if taken and count + len(rows[board]) > most:
            continue
        taken.append(board)
        count += len(rows[board])
    games = tuple(tuple(public_id(tournament.name, row.key) for row in rows[board]) for board in sorted(taken))
    return Chosen(games, frozenset(taken), sum(map(len, rows.values())) - count, sealed)


def spread(rows: Iterable[GameRow]) -> float:
    """How far apart the tables of a board are: variance of what the first seat's side scored."""
    scores = [row.scores[0] for row in rows if row.verdict is not Verdict.VOID and row.scores]
    if len(scores) < 2:
        return 0.0
    mean = sum(scores) / len(scores)
    return sum((score - mean) ** 2 for score in scores) / len(scores)
