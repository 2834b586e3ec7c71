"""View keys: equal exactly where a seat knew the same."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from arena.record.keys import view_key


class Result(NamedTuple):
    declarer: int
    captured: tuple[int, ...]


class View(NamedTuple):
    seat: int
    hand: tuple[int, ...]
    results: tuple[Result, ...]


VIEWS = st.builds(
    View,
    st.integers(-1, 3),
    st.lists(st.integers(-500, 70), max_size=4).map(tuple),
    st.lists(st.builds(Result, st.integers(-1, 3), st.tuples(st.integers(0, 9), st.integers(0, 9))), max_size=2).map(
        tuple
    ),
)


@given(VIEWS, VIEWS)
def test_keys_are_equal_exactly_where_views_are(left: View, right: View) -> None:
    assert (view_key(left) == view_key(right)) == (left == right)
    copied = View(int(str(left.seat)), (*left.hand,), tuple(Result(*result) for result in left.results))
    assert view_key(copied) == view_key(left)


def test_a_key_never_changes_between_versions() -> None:
    view = View(2, (5, 65), (Result(-1, (120, 0)),))
    assert view_key(view) == "1a1d4615d091c5e1"
    assert view_key(View(2, (), ())) == view_key((2, (), ()))


def test_places_of_values_count() -> None:
    assert view_key((1, (2, 3), ())) != view_key((1, (2,), (3,)))
