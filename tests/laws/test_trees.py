"""Whole trees of tiny rulesets: their counts, and perfect recall in all of their nodes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from laws import trees
from laws.course import calm_move, match, seeded
from laws.rulesets import FULL, TINY, game_of

from arena.core.chance import Chance
from arena.core.drivers import expand
from arena.core.game import AnyGame


class RecallBroken(AssertionError):
    """A seat's view no longer tells two of its own pasts apart."""


@pytest.mark.parametrize("name", TINY)
def test_the_tree_has_the_stored_counts(name: str) -> None:
    for expected, found in zip(trees.stored()[name], trees.counted(name), strict=True):
        for depth, (left, right) in enumerate(zip(expected["nodes"], found["nodes"], strict=False)):
            assert left == right, f"{name}, board {expected['board']}: {right} nodes at depth {depth}, stored {left}"
        assert found == expected


def test_every_stored_tree_has_a_ruleset() -> None:
    assert list(trees.stored()) == list(TINY)


class Past:
    """What every seat saw and did in the running deal, and which past each view stood for so far."""

    def __init__(self) -> None:
        self.of_view: dict[Any, int] = {}

    def meet(self, game: AnyGame, state: Any, pasts: tuple[int, ...]) -> None:
        """Every seat's view of a position: it must not have stood for another past of that seat."""
        for seat, past in enumerate(pasts):
            view = game.view(state, seat)
            if self.of_view.setdefault(view, past) != past:
                raise RecallBroken(f"{game.id}: seat {seat} has forgotten: {game.view_data(view)}")


def longer(game: AnyGame, state: Any, after: Any, seat: int, move: Any, pasts: tuple[int, ...]) -> tuple[int, ...]:
    """Pasts after a move: the mover's own view and move are added; a new deal begins a new past."""
    if len(game.deals(after)) > len(game.deals(state)):
        return (0,) * game.seats
    added = hash((pasts[seat], game.view(state, seat), move.cards, move.number, move.kind.value))
    return (*pasts[:seat], added, *pasts[seat + 1 :])


def walk_for_recall(game: AnyGame, number: int, past: Past, eyes: AnyGame | None = None) -> None:
    """The whole tree of a board; `eyes` is the game whose views are judged."""
    start = game.start(seeded(number))
    stack = [(start, (0,) * game.seats)]
    while stack:
        state, pasts = stack.pop()
        past.meet(eyes or game, state, pasts)
        seat = game.to_move(state)
        if seat is None:
            continue
        for move in expand(game.legal_moves(game.view(state, seat))):
            after = game.apply(state, move)
            stack.append((after, longer(game, state, after, seat, move, pasts)))


ONE_DEAL_TREES = [name for name in TINY if "two" not in name]
"""In the others an earlier deal, of which only the result is kept, comes before."""


@pytest.mark.parametrize("name", ONE_DEAL_TREES)
def test_a_view_tells_all_that_its_seat_saw_and_did(name: str) -> None:
    past = Past()
    for number in trees.BOARDS:
        walk_for_recall(game_of(name), number, past)
    assert len(past.of_view) > 100


@pytest.mark.parametrize("name", FULL)
def test_a_view_tells_all_that_its_seat_saw_and_did_in_full_games(name: str) -> None:
    game = game_of(name).single_deal()
    past = Past()
    for number in range(24):
        chance = Chance(b"recall", number)
        pasts = (0,) * game.seats
        spots = list(match(game, seeded(number % 2), lambda legal, chance=chance: calm_move(chance, legal)))
        for spot, after in pairwise(spots):
            past.meet(game, spot.state, pasts)
            assert spot.seat is not None
            pasts = longer(game, spot.state, after.state, spot.seat, spot.move, pasts)
            if after.deal > 0:
                break


class Forgetful:
    """A game whose views lack a field."""

    def __init__(self, game: AnyGame, field: str) -> None:
        self._game = game
        self._field = field

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def view(self, state: Any, seat: int | None) -> Any:
        view = self._game.view(state, seat)
        return view._replace(**{self._field: ()})


FORGETFUL = [
    ("crowsnest-tiny", "bid_points"),
    ("crowsnest-tiny", "played"),
    ("crow-tiny", "played"),
    ("goat-tiny", "acts"),
]


@pytest.mark.parametrize(("name", "field"), FORGETFUL)
def test_a_forgetful_view_is_found(name: str, field: str) -> None:
    eyes: Any = Forgetful(game_of(name), field)
    with pytest.raises(RecallBroken, match="has forgotten"):
        walk_for_recall(game_of(name), 2, Past(), eyes)
