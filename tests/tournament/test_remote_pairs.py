"""The schedule of remote bots: every board once, sides and seats in balance, nobody at two tables of a round."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.core.errors import ConfigError
from arena.record.results import Bout
from arena.tournament.entry import Entry
from arena.tournament.remote_pairs import RemoteRoundRobin, remote_round_robin
from arena.tournament.schedule import Fixed

SECRET = bytes(range(32))
CASES = [(2, 2, 1), (2, 2, 3), (5, 2, 1), (6, 2, 3), (9, 2, 4), (20, 2, 7), (4, 3, 2), (5, 4, 3), (9, 4, 1), (12, 3, 5)]


def schedule(n: int, places: int, games: int, secret: bytes = SECRET, chunk: int = 3) -> RemoteRoundRobin:
    names = tuple(f"bot{number}" for number in range(n))
    return remote_round_robin(Entry(names, places, games, secret, chunk=chunk))


def bouts_of(made: RemoteRoundRobin) -> list[Bout]:
    return [bout for number in range(1, made.rounds() + 1) for bout in made.round(number) or ()]


def tables_of(bouts: list[Bout]) -> list[tuple[str, ...]]:
    """By game who sits on each side."""
    return [
        tuple(bout.side(board, 0, side) for side in range(len(bout.lineup))) for bout in bouts for board in bout.boards
    ]


@pytest.mark.parametrize(("n", "places", "games"), CASES)
def test_sides_are_in_balance(n: int, places: int, games: int) -> None:
    tables = tables_of(bouts_of(schedule(n, places, games)))
    seats = Counter((name, side) for table in tables for side, name in enumerate(table))
    for name in {name for name, _ in seats}:
        counts = [seats[name, side] for side in range(places)]
        assert max(counts) - min(counts) <= 1, (name, counts)
    played = Counter(name for table in tables for name in table)
    assert set(played) == {f"bot{number}" for number in range(n)}
    assert len(set(played.values())) == 1


@pytest.mark.parametrize(("n", "places", "games"), CASES)
def test_every_line_up_plays_its_games_each_on_a_board_of_its_own(n: int, places: int, games: int) -> None:
    made = schedule(n, places, games)
    bouts = bouts_of(made)
    boards = [board for bout in bouts for board in bout.boards]
    totals = made.totals()
    assert boards == list(range(1, totals.boards + 1))
    assert totals.games == totals.blocks == len(boards)
    assert totals.bouts == len(bouts)
    assert totals.rounds == max(bout.round for bout in bouts)
    played = Counter(tuple(sorted(table)) for table in tables_of(bouts))
    assert set(played.values()) == {games}
    assert totals.pairings == len(played)
    met = Counter(pair for lineup in played for pair in combinations(lineup, 2))
    assert len(met) == n * (n - 1) // 2
    assert max(met.values()) - min(met.values()) <= 1
    assert all(len(bout.boards) <= 3 for bout in bouts)


@pytest.mark.parametrize(("n", "places", "games"), CASES)
def test_nobody_sits_at_two_tables_of_a_round(n: int, places: int, games: int) -> None:
    made = schedule(n, places, games)
    assert isinstance(made, Fixed)
    for number in range(1, made.rounds() + 1):
        bouts = list(made.round(number) or ())
        seated = [name for bout in bouts for name in bout.lineup]
        assert len(set(seated)) == len(seated)
        assert [bout.table for bout in bouts] == list(range(1, len(bouts) + 1))
        for board in made.boards_of(number):
            assert made.round_of(board) == number
            assert made.games_on(board) == 1
    assert made.round(made.rounds() + 1) is None


def test_both_orders_of_a_pair_follow_each_other() -> None:
    made = schedule(4, 2, 6, chunk=6)
    for bout in bouts_of(made):
        for one, other in zip(bout.orders[::2], bout.orders[1::2], strict=True):
            assert sorted([one, other]) == [(0, 1), (1, 0)]


def test_the_secret_draws_and_nothing_else() -> None:
    assert bouts_of(schedule(6, 2, 3)) == bouts_of(schedule(6, 2, 3))
    assert bouts_of(schedule(6, 2, 3)) != bouts_of(schedule(6, 2, 3, bytes(32)))
    first = {next(iter(schedule(6, 2, 1, bytes([each]) * 32).round(1) or ())).lineup for each in range(20)}
    assert len(first) > 5


def test_what_is_asked_outside_is_refused() -> None:
    made = schedule(4, 2, 2)
    with pytest.raises(ValueError, match="no board 13"):
        made.games_on(13)
    with pytest.raises(ValueError, match="no round 0"):
        made.round(0)
    with pytest.raises(ConfigError, match="cannot fill a table"):
        schedule(2, 3, 1)
