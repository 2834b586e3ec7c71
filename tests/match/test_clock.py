"""Bank, increment and cap."""

from hypothesis import given
from hypothesis import strategies as st

from arena.match.clock import FLOOR_MS, Clock, SeatClock, wall_cap_ms


def test_limit_is_the_smaller_of_cap_and_bank():
    assert SeatClock(Clock(10_000, 100, 5_000), 10_000).limit_ms() == 5_000
    assert SeatClock(Clock(10_000, 100, 5_000), 700).limit_ms() == 700


def test_an_empty_bank_still_gives_the_floor():
    assert SeatClock(Clock(10_000, 0, 5_000), 0).limit_ms() == FLOOR_MS


def test_a_move_is_charged_and_the_increment_added():
    clock = SeatClock.new(Clock(10_000, 100, 5_000))
    clock.spend(1_500)
    assert clock.bank_ms == 8_600


def test_the_bank_never_goes_below_zero():
    clock = SeatClock.new(Clock(100, 10, 5_000))
    clock.spend(150)
    assert clock.bank_ms == 10


@given(st.lists(st.floats(0, 6_000), max_size=30))
def test_the_limit_is_always_positive_and_never_above_the_cap(moves):
    clock = SeatClock.new(Clock(2_000, 100, 1_000))
    for elapsed in moves:
        assert FLOOR_MS <= clock.limit_ms() <= 1_000
        clock.spend(elapsed)


def test_wall_cap_adds_start_banks_increments_floors_and_ten_seconds():
    assert wall_cap_ms(Clock(10_000, 100, 5_000), 4, 50, 10_000) == 10_000 + 40_000 + 5_000 + 2_500 + 10_000


def test_no_clock_no_wall_cap():
    assert wall_cap_ms(None, 4, 50, 10_000) is None
