"""Simulated fields of mixed partners: bots of fixed strength in whist rounds on duplicate boards."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from rating.fields import row

from arena.rating import Pool
from arena.record.results import GameRow
from arena.tournament.whist import lineups

MIXED = Pool("test mixed", "goat", "{}", "mixed", "deal", ((0, 2), (1, 3)))
MIXED_FOUR = Pool("test mixed", "goat", "{}", "mixed", "deal", ((0, 2), (1, 3)), rotations=4)


def mixed_block(
    board: int, table: int, seats: tuple[str, ...], swing: float, *, seatings: int = 2, luck: float = 0.0
) -> list[GameRow]:
    """All seatings of a line-up, by seat: its first side makes `swing` points more than the other in the block."""
    rows = []
    for seating in range(seatings):
        bots = tuple(seats[(seat + seating) % 4] for seat in range(4))
        own = (1.0 if seating % 2 == 0 else -1.0) * swing / seatings
        first = (luck + own) / 2
        rows.append(row((0, board, table, seating), bots, (first, -first, first, -first)))
    return rows


def whist_field(
    strengths: Mapping[str, float],
    boards: int,
    *,
    together: Mapping[frozenset[str], float] | None = None,
    seed: int = 1,
    noise: float = 8.0,
    tables: Iterable[tuple[int, ...]] | None = None,
) -> list[GameRow]:
    """All line-ups of a whist design on every board. What a bot makes of a board's cards is the same at all tables.

    `together`: what a partnership makes more than the strengths of its bots.
    """
    rng = random.Random(seed)
    names = list(strengths)
    design = list(tables) if tables is not None else list(lineups(len(names)))
    rows: list[GameRow] = []
    for board in range(boards):
        luck = rng.gauss(0, 40)
        touch = {bot: rng.gauss(0, noise / 2) for bot in names}
        for table, lineup in enumerate(design):
            seats = tuple(names[place] for place in lineup)
            edge = rng.gauss(0, noise)
            for sign, pair in ((1, seats[::2]), (-1, seats[1::2])):
                gain = (together or {}).get(frozenset(pair), 0.0)
                edge += sign * (gain + sum(strengths[bot] + touch[bot] for bot in pair))
            rows += mixed_block(board, table, seats, float(round(edge)), luck=luck)
    return rows
