"""What a game counts once forfeits are taken into account."""

from __future__ import annotations

from typing import Any

import pytest

from arena import games
from arena.core.drivers import final_state
from arena.core.game import AnyGame, SeededBoard
from arena.record.settle import settle


def finished(game_id: str, **options: Any) -> tuple[AnyGame, Any]:
    game = games.make(game_id, options)
    return game, final_state(game, SeededBoard(b"7" * 32), lambda _view, legal: legal.moves[-1])


def test_without_forfeits_the_rules_decide() -> None:
    game, state = finished("goat", max_deals=1)
    assert settle(game, state, []) == (game.scores(state), game.ranks(state), game.tiebreaks(state))


@pytest.mark.parametrize("seat", range(4))
def test_a_side_that_forfeits_has_the_worst_score_no_tiebreak_and_the_last_place(seat: int) -> None:
    game, state = finished("goat", max_deals=1)
    settled = settle(game, state, [seat])
    for other in range(4):
        if other % 2 == seat % 2:
            assert (settled.scores[other], settled.ranks[other], settled.tiebreaks[other]) == (-6, 1, 0)
        else:
            assert settled.scores[other] == game.scores(state)[other]
            assert settled.tiebreaks[other] == game.tiebreaks(state)[other]
            assert settled.ranks[other] == 0


def test_when_all_sides_forfeit_they_share_the_place() -> None:
    game, state = finished("goat", max_deals=1)
    assert settle(game, state, [0, 1]) == ((-6,) * 4, (0,) * 4, (0,) * 4)


def test_in_a_free_for_all_only_the_seat_itself_pays() -> None:
    game, state = finished("crow_and_pitcher")
    settled = settle(game, state, [2])
    assert settled.scores[2] == game.worst_score == 3 * (-54 - 5 * 9)
    assert settled.ranks[2] == 3
    assert [settled.scores[seat] for seat in (0, 1, 3)] == [game.scores(state)[seat] for seat in (0, 1, 3)]


def test_a_forfeit_is_behind_an_honest_seat_with_the_same_score() -> None:
    game, state = finished("crow_and_pitcher")

    class Low:
        sides = game.sides
        worst_score = 0

        def scores(self, _state: Any) -> tuple[int, ...]:
            return (0, 5, 0, -3)

        def tiebreaks(self, _state: Any) -> tuple[int, ...]:
            return (0,) * 4

    low: Any = Low()
    settled = settle(low, state, [0])
    assert settled.scores == (-3, 5, 0, -3)
    assert settled.ranks == (3, 0, 1, 2)
