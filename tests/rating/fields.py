"""Simulated fields for the tests of ratings: bots of fixed strength play duplicate boards that share their luck."""

from __future__ import annotations

import itertools
import random

from arena.rating import Pool
from arena.record.results import GameKey, GameRow, Verdict

PAIRS = Pool("test pairs", "goat", "{}", "pairs", "deal", ((0, 2), (1, 3)))
MATCHES = Pool("test matches", "goat", "{}", "pairs", "match", ((0, 2), (1, 3)))
FOUR = Pool("test four", "crow", "{}", "free_for_all", "match", ((0,), (1,), (2,), (3,)))
THREE = Pool("test three", "crow", "{}", "free_for_all", "match", ((0,), (1,), (2,)))


def row(
    key: tuple[int, int, int, int],
    bots: tuple[str, ...],
    scores: tuple[float, ...],
    *,
    tiebreaks: tuple[int, ...] = (),
    verdict: Verdict = Verdict.FINISHED,
    faults: tuple[tuple[int, str], ...] = (),
) -> GameRow:
    """A stored game; ranks follow from the scores."""
    order = sorted(set(scores), reverse=True)
    ranks = tuple(order.index(score) for score in scores)
    return GameRow(GameKey(*key), bots, verdict, scores, ranks, tiebreaks or (0,) * len(bots), faults)


def pair_game(
    board: int,
    seating: int,
    north: str,
    east: str,
    scores: tuple[float, float],
    *,
    tiebreaks: tuple[int, int] = (0, 0),
    table: int = 0,
    verdict: Verdict = Verdict.FINISHED,
    faults: tuple[tuple[int, str], ...] = (),
) -> GameRow:
    """A game of two sides: `north` sits in seats 0 and 2; scores and tiebreaks by side."""
    return row(
        (0, board, table, seating),
        (north, east, north, east),
        scores * 2,
        tiebreaks=tiebreaks * 2,
        verdict=verdict,
        faults=faults,
    )


def pair_block(board: int, one: str, other: str, swing: float, *, table: int = 0) -> list[GameRow]:
    """Both seatings; `one` makes `swing` points more than `other` in the first, nothing happens in the second."""
    return [
        pair_game(board, 0, one, other, (swing, 0), table=table),
        pair_game(board, 1, other, one, (0, 0), table=table),
    ]


def round_robin(strengths: dict[str, float], boards: int, *, seed: int = 1, noise: float = 20.0) -> list[GameRow]:
    """Every pairing on every board in both seatings. What a bot makes of a board's cards is the same at all tables."""
    rng = random.Random(seed)
    rows = []
    for board in range(boards):
        luck = rng.gauss(0, 40)
        touch = {bot: rng.gauss(0, noise) for bot in strengths}
        for table, (one, other) in enumerate(itertools.combinations(strengths, 2)):
            edge = strengths[one] + touch[one] - strengths[other] - touch[other] + rng.gauss(0, noise)
            for seating, (north, east, sign) in enumerate(((one, other, 1), (other, one, -1))):
                score = 5.0 * round((luck + sign * edge / 2) / 5)
                rows.append(pair_game(board, seating, north, east, (score, -score), table=table))
    return rows


def free_for_all(strengths: dict[str, float], boards: int, *, seats: int = 4, seed: int = 1) -> list[GameRow]:
    """One table a board with `seats` bots drawn from the field, in all rotations."""
    rng = random.Random(seed)
    rows = []
    for board in range(boards):
        bots = rng.sample(list(strengths), seats)
        luck = [rng.gauss(0, 12) for _ in range(seats)]
        for seating in range(seats):
            turned = tuple(bots[(seat + seating) % seats] for seat in range(seats))
            scores = tuple(float(round(luck[s] + strengths[bot] + rng.gauss(0, 8))) for s, bot in enumerate(turned))
            rows.append(row((0, board, 0, seating), turned, scores))
    return rows


def ring(boards: int, *, bots: int = 3, edge: float = 15.0, seed: int = 1) -> list[GameRow]:
    """Every bot beats the next one of a ring by `edge` points a block on average; others are level."""
    rng = random.Random(seed)
    rows = []
    for board in range(boards):
        for table, (one, other) in enumerate(itertools.combinations(range(bots), 2)):
            mean = {1: edge, bots - 1: -edge}.get((other - one) % bots, 0.0)
            rows += pair_block(board, f"b{one}", f"b{other}", round(rng.gauss(mean, 25)), table=table)
    return rows


def with_clone(rows: list[GameRow], bot: str, clone: str) -> list[GameRow]:
    """The same games, and all of `bot`'s again with `clone` in its place; the two are level on every board."""
    free = 1 + max(each.key.table for each in rows)
    copies = [
        each._replace(
            key=each.key._replace(table=free + 1 + each.key.table),
            bots=tuple(clone if name == bot else name for name in each.bots),
        )
        for each in rows
        if bot in each.bots
    ]
    boards = sorted({each.key.board for each in rows})
    return [*rows, *copies, *(game for board in boards for game in pair_block(board, bot, clone, 0, table=free))]
