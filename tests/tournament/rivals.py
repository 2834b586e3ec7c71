"""Events of bots with known strengths, played through a schedule without any game: every block is decided by a rule."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from arena.games import make
from arena.rating.pool import Pool
from arena.record.results import Bout, GameRow, Verdict
from arena.tournament.entry import Entry
from arena.tournament.history import History
from arena.tournament.schedule import Schedule, keys_of

SECRET = b"\x07" * 32
TWO_SIDES = Pool.of(make("crowsnest", {"max_hands": 1}), "deal")
POOLS = {2: TWO_SIDES, **{seats: Pool.of(make("crow_and_pitcher", {"players": seats}), "match") for seats in (3, 4)}}
"""By competitors at a table."""
MATCHES = Pool.of(make("goat", {}), "match")
"""Two sides, whole matches: a game gives 1, 1/2 or 0."""
Score = Callable[[str, int, int], float]
"""(bot, board, round) -> its points in each of its games on that board; what is left of a block is drawn."""


def names(count: int) -> tuple[str, ...]:
    """bot00, bot01, ..."""
    return tuple(f"bot{number:02}" for number in range(count))


def entry(count: int, places: int = 2, boards: int = 3, chunk: int = 25, **keys: object) -> Entry:
    """An entry of that many bots."""
    return Entry(names(count), places, boards, SECRET, "shared", chunk, keys=keys)


def rows_of(bout: Bout, pool: Pool, score: Score) -> list[GameRow]:
    """All games of a bout; the scores follow from the bot alone."""
    rows = []
    for key in keys_of(bout):
        sides = [bout.side(key.board, key.seating, side) for side in range(len(bout.lineup))]
        bots, scores = [""] * pool.seats, [0.0] * pool.seats
        for side, seats in enumerate(pool.sides):
            for seat in seats:
                bots[seat] = sides[side]
                scores[seat] = score(sides[side], key.board, bout.round)
        ranks = tuple(sum(other > own for other in set(scores)) for own in scores)
        rows.append(GameRow(key, tuple(bots), Verdict.FINISHED, tuple(scores), ranks, (0,) * pool.seats, ()))
    return rows


def play(
    schedule: Schedule,
    pool: Pool,
    score: Score,
    field: Callable[[int], Sequence[str]] = lambda _: (),
    most: int = 200,
) -> tuple[History, list[list[Bout]]]:
    """Play a whole event; the history and the bouts of each round. `field`: who takes part in a round."""
    history = History(pool)
    rounds: list[list[Bout]] = []
    for number in range(1, most + 1):
        found = schedule.round(number, history, field(number))
        if found is None:
            return history, rounds
        bouts = list(found)
        rounds.append(bouts)
        history.close(number, [row for bout in bouts for row in rows_of(bout, pool, score)], field(number))
    raise AssertionError(f"no end after {most} rounds")


def by_strength(strengths: dict[str, float]) -> Score:
    """The stronger wins every block."""
    return lambda bot, _board, _round: strengths[bot]


def by_chance(seed: int, spread: int = 3) -> Score:
    """Everybody gets a few points, drawn for each bot, board and round: ties are frequent."""
    return lambda bot, board, number: float(random.Random(f"{seed} {bot} {board} {number}").randrange(spread))


def check_numbering(rounds: list[list[Bout]], boards: int, chunk: int = 25) -> None:
    """What holds in every format: tables are numbered, nobody sits twice at one, no board is in two rounds."""
    of_board: dict[int, set[int]] = {}
    for number, bouts in enumerate(rounds, 1):
        assert [bout.table for bout in bouts] == list(range(1, len(bouts) + 1))
        seats = [(board, bot) for bout in bouts for board in bout.boards for bot in bout.lineup]
        assert len(seats) == len(set(seats)), "nobody plays a board twice"
        for bout in bouts:
            assert bout.round == number
            assert 1 <= len(bout.boards) <= chunk
            for board in bout.boards:
                of_board.setdefault(board, set()).add(number)
        played: dict[tuple[str, ...], int] = {}
        for bout in bouts:
            played[bout.lineup] = played.get(bout.lineup, 0) + len(bout.boards)
        assert set(played.values()) <= {boards}
    assert all(len(found) == 1 for found in of_board.values())
