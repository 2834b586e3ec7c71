"""The round robin as a pure schedule: balance, numbering, totals, resuming by asking again."""

import sys
from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.chance import Chance
from arena.core.errors import ConfigError
from arena.record.results import Bout, GameKey
from arena.tournament.entry import Entry, default_plan
from arena.tournament.fixed import FixedSchedule
from arena.tournament.round_robin import round_robin
from arena.tournament.schedule import Fixed, circular_order, keys_of, remaining

SECRET = b"\x01" * 32


def make(
    n: int, places: int, boards: int, plan: str | None = None, chunk: int = 25, secret: bytes = SECRET
) -> FixedSchedule:
    names = tuple(f"bot{index}" for index in range(n))
    return round_robin(Entry(names, places, boards, secret, plan, chunk))  # type: ignore[arg-type]


def all_bouts(schedule: Fixed) -> list[Bout]:
    return [bout for number in range(1, schedule.rounds() + 1) for bout in schedule.round(number)]


@st.composite
def schedules(draw: st.DrawFn) -> FixedSchedule:
    places = draw(st.integers(2, 4))
    n = draw(st.integers(places, 11))
    plan = draw(st.sampled_from(["shared", "per_round", None]))
    return make(n, places, draw(st.integers(1, 60)), plan, draw(st.integers(1, 25)))


@settings(max_examples=40, deadline=None)
@given(schedules())
def test_totals_are_those_of_the_bouts(schedule: FixedSchedule) -> None:
    bouts = all_bouts(schedule)
    totals = schedule.totals()
    blocks = [(board, bout.table) for bout in bouts for board in bout.boards]
    assert totals.rounds == schedule.rounds() == max(bout.round for bout in bouts)
    assert totals.bouts == len(bouts)
    assert totals.blocks == len(blocks) == len(set(blocks))
    assert totals.games == sum(len(list(keys_of(bout))) for bout in bouts)
    assert totals.pairings == len({bout.lineup for bout in bouts})
    assert {board for board, _ in blocks} == set(range(1, totals.boards + 1))


@settings(max_examples=40, deadline=None)
@given(schedules())
def test_asking_again_gives_the_same_bouts(schedule: FixedSchedule) -> None:
    again = round_robin(schedule.entry)
    for number in range(schedule.rounds(), 0, -1):
        assert list(again.round(number)) == list(schedule.round(number))


@settings(max_examples=40, deadline=None)
@given(schedules())
def test_every_lineup_plays_the_same_number_of_boards(schedule: FixedSchedule) -> None:
    played: Counter[tuple[str, ...]] = Counter()
    for bout in all_bouts(schedule):
        played[bout.lineup] += len(bout.boards)
    assert set(played.values()) == {schedule.entry.boards}


@settings(max_examples=40, deadline=None)
@given(schedules())
def test_a_board_belongs_to_one_round_and_its_games_are_counted(schedule: FixedSchedule) -> None:
    games: Counter[int] = Counter()
    rounds: dict[int, set[int]] = {}
    for bout in all_bouts(schedule):
        assert len(bout.boards) <= schedule.entry.chunk
        for key in keys_of(bout):
            games[key.board] += 1
            rounds.setdefault(key.board, set()).add(key.round)
    for board, count in games.items():
        assert schedule.games_on(board) == count
        assert rounds[board] == {schedule.round_of(board)}


@settings(max_examples=40, deadline=None)
@given(schedules())
def test_in_a_block_everybody_has_every_seat_once(schedule: FixedSchedule) -> None:
    for bout in schedule.round(1):
        for board in bout.boards:
            seats = [
                tuple(bout.side(board, seating, side) for side in range(bout.seatings))
                for seating in range(bout.seatings)
            ]
            assert all(sorted(seat) == sorted(bout.lineup) for seat in zip(*seats, strict=True))
            assert all(sorted(seating) == sorted(bout.lineup) for seating in seats)


def test_shared_boards_are_played_by_all_pairs() -> None:
    schedule = make(4, 2, 30, "shared")
    assert schedule.rounds() == 2
    assert [list(schedule.boards_of(number)) for number in (1, 2)] == [list(range(1, 16)), list(range(16, 31))]
    bouts = list(schedule.round(2))
    assert [bout.table for bout in bouts] == [1, 2, 3, 4, 5, 6]
    assert {bout.lineup for bout in bouts} == set(combinations(schedule.entry.competitors, 2))
    assert {bout.boards for bout in bouts} == {tuple(range(16, 31))}
    assert schedule.totals() == (2, 30, 6, 12, 180, 360, True)


def test_boards_per_round_are_new_in_every_circle_round() -> None:
    schedule = make(5, 2, 4, "per_round")
    assert schedule.rounds() == 5
    rounds = [list(schedule.round(number)) for number in range(1, 6)]
    assert [{bout.boards for bout in bouts} for bouts in rounds] == [
        {tuple(range(first, first + 4))} for first in (1, 5, 9, 13, 17)
    ]
    assert all(len(bouts) == 2 for bouts in rounds)


def test_many_boards_per_round_are_cut_into_chunks_after_each_full_circle() -> None:
    schedule = make(4, 2, 26, "per_round")
    assert schedule.rounds() == 6
    assert schedule.totals().boards == 78
    first = {bout.lineup for number in (1, 2, 3) for bout in schedule.round(number)}
    assert len(first) == 6
    assert list(schedule.boards_of(4)) == list(range(40, 53))


def test_two_sides_keep_their_order_and_swap_by_seating() -> None:
    bout = next(make(2, 2, 3).round(1))
    assert bout.orders == ((0, 1),) * 3
    assert [bout.side(2, seating, 0) for seating in (0, 1)] == ["bot0", "bot1"]


def test_the_circular_order_is_the_documented_stream() -> None:
    bout = list(make(5, 4, 3).round(1))[2]
    for board, order in zip(bout.boards, bout.orders, strict=True):
        assert (
            order == tuple(Chance(SECRET, "order", board, 3).shuffled(range(4))) == circular_order(SECRET, board, 3, 4)
        )
    assert circular_order(SECRET, 1, 1, 4) == (0, 3, 2, 1)


def test_circular_orders_differ_between_boards_tables_and_secrets() -> None:
    def ring(order: tuple[int, ...]) -> tuple[int, ...]:
        start = order.index(0)
        return order[start:] + order[:start]

    rings = Counter(ring(circular_order(SECRET, board, table, 4)) for board in range(60) for table in range(10))
    assert len(rings) == 6
    assert min(rings.values()) > 60
    one, other = ([bout.orders for bout in make(5, 3, 25, secret=secret).round(1)] for secret in (SECRET, b"\x02" * 32))
    assert one != other


def test_default_plan_is_shared_up_to_twenty() -> None:
    assert default_plan(20) == "shared"
    assert make(20, 2, 1).design.board_plan == "shared"
    assert make(21, 2, 1).design.board_plan == "per_round"


def test_a_huge_schedule_costs_nothing_until_asked() -> None:
    schedule = make(2000, 2, 1_000_000)
    assert schedule.totals().games == 2000 * 1999 // 2 * 1_000_000 * 2
    last = next(schedule.round(schedule.rounds()))
    assert last.boards[-1] == schedule.totals().boards
    assert schedule.round_of(last.boards[0]) == schedule.rounds()
    bouts = schedule.round(1)
    assert len(list(islice(bouts, 3))) == 3
    assert sys.getsizeof(bouts) < 1000


@pytest.mark.parametrize(("n", "places"), [(1, 2), (0, 2), (2, 3), (3, 4)])
def test_too_few_bots_are_refused(n: int, places: int) -> None:
    with pytest.raises(ConfigError, match=f"{n} bots cannot fill a table of {places}") as refused:
        make(n, places, 5)
    assert refused.value.fix == f"name at least {places} different bots"


def test_a_bot_named_twice_is_refused_without_regard_to_case() -> None:
    with pytest.raises(ConfigError, match="bot 'Fox' is named twice \\(first as 'fox'\\)"):
        round_robin(Entry(("fox", "owl", "Fox"), 2, 5, SECRET))


@pytest.mark.parametrize(("boards", "chunk"), [(0, 25), (-1, 25), (5, 0), (5, 26)])
def test_impossible_numbers_of_boards_are_refused(boards: int, chunk: int) -> None:
    with pytest.raises(ConfigError, match="boards"):
        make(3, 2, boards, chunk=chunk)


def test_a_table_of_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="no contest"):
        make(3, 1, 5)


def test_rounds_and_boards_that_do_not_exist_are_refused() -> None:
    schedule = make(3, 2, 5)
    with pytest.raises(ValueError, match="numbered 1 to 1"):
        schedule.round(0)
    assert schedule.round(2) is None  # the event is over before it
    for board in (0, 6):
        with pytest.raises(ValueError, match="numbered 1 to 5"):
            schedule.round_of(board)


def test_the_secret_is_not_shown() -> None:
    assert "secret" not in repr(make(3, 2, 5))


def test_remaining_is_everything_at_first_and_nothing_at_the_end() -> None:
    bout = next(make(3, 3, 4).round(1))
    assert remaining(bout, set()) == tuple((seating, bout.boards) for seating in range(3))
    assert remaining(bout, set(keys_of(bout))) == ()


def test_remaining_leaves_out_what_is_stored() -> None:
    bout = next(make(2, 2, 3).round(1))
    done = {GameKey(1, 1, 1, 0), GameKey(1, 2, 1, 0), GameKey(1, 3, 1, 0), GameKey(1, 2, 1, 1), GameKey(1, 1, 9, 1)}
    assert remaining(bout, done) == ((1, (1, 3)),)
