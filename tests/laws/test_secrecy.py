"""Secrecy over every ruleset and seat, and that the test of it would notice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import redeal, secrecy
from laws.course import random_match, seeded
from laws.rulesets import FULL, TINY, game_of

from arena.core.chance import Chance
from arena.core.game import AnyGame

POSITIONS = 8
"""Positions tried in each match."""


@pytest.mark.parametrize("name", [*FULL, *TINY])
@settings(max_examples=5, deadline=None, derandomize=True)
@given(number=st.integers(0, 2**63))
def test_no_view_and_no_legal_move_depends_on_hidden_cards(name: str, number: int) -> None:
    game = game_of(name)
    look(game, game, [number])


def look(game: AnyGame, cards: AnyGame, numbers: Iterable[int]) -> None:
    for number in numbers:
        board = seeded(number)
        spots = random_match(cards, number, board)
        chance = Chance(number.to_bytes(8, "big"), "redeal")
        for _ in range(POSITIONS):
            secrecy.check(game, board, spots, chance.below(len(spots) - 1), chance, cards)


@pytest.mark.parametrize("name", FULL)
def test_redeals_move_cards_and_keep_what_was_seen(name: str) -> None:
    game = game_of(name)
    moved = 0
    for number in range(4):
        spots = random_match(game, number)
        chance = Chance(b"seen", number)
        position = chance.below(len(spots) - 1)
        index = spots[position].deal
        deal = game.deal_data(game.deals(spots[position].state)[index])
        moves = [(spot.seat, spot.move) for spot in spots[:position] if spot.deal == index]
        public = game.view_data(game.view(spots[position].state, None))
        for viewer in range(game.seats):
            known = redeal.Known(game, deal, moves, viewer, public)  # type: ignore[arg-type]
            module = redeal.module_of(game)
            swap = module.swaps(known, chance)
            other = module.other_deal(known, swap, chance)
            assert game.deal_data(game.read_deal(other)) == other
            assert sorted(swap) == sorted(swap.values())
            own = set(game.view_data(game.view(spots[position].state, viewer))["hand"])
            assert not own & set(swap)
            moved += sum(left != right for left, right in swap.items())
    assert moved > 20


class Leaky:
    """A game whose views say something they must not, in the place of the dealer."""

    def __init__(self, game: AnyGame, leak: Callable[[AnyGame, Any, int], int]) -> None:
        self._game = game
        self._leak = leak

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def view(self, state: Any, seat: int | None) -> Any:
        view = self._game.view(state, seat)
        return view if seat is None else view._replace(dealer=self._leak(self._game, state, seat))


def next_hand(game: AnyGame, state: Any, seat: int) -> tuple[int, ...]:
    hand: tuple[int, ...] = game.view(state, (seat + 1) % game.seats).hand
    return hand


def a_card(game: AnyGame, state: Any, seat: int) -> int:
    return max(next_hand(game, state, seat), default=0)


def a_count(game: AnyGame, state: Any, seat: int) -> int:
    return sum(card >> 4 == 1 for card in next_hand(game, state, seat))


def how_many_moves(game: AnyGame, state: Any, seat: int) -> int:
    turn = game.to_move(state)
    return game.legal_moves(game.view(state, turn)).total() if turn is not None else 0


def what_comes(game: AnyGame, state: Any, seat: int) -> int:
    """The nest, the pitcher after this one, the next card of the stock."""
    data = game.deal_data(game.deals(state)[-1])
    match data:
        case {"nest": nest}:
            return sum(map(game.notation.names.parse, nest))
        case {"pitchers": pitchers}:
            return int(pitchers[-1])
        case {"stock": stock}:
            return game.notation.names.parse(stock[-1])
    raise AssertionError(data)


def the_next_deal(game: AnyGame, state: Any, seat: int) -> int:
    board = state.board if hasattr(state, "board") else state[0].board
    index = len(game.deals(state))
    return hash(board.deal(game, index, index, 0))


LEAKS = [a_card, a_count, how_many_moves, what_comes, the_next_deal]


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("name", ["crowsnest", "crow", "crow-of-three", "goat", "goat-before-trick"])
def test_a_planted_leak_is_found(name: str, leak: Callable[[AnyGame, Any, int], int]) -> None:
    game: Any = Leaky(game_of(name), leak)
    with pytest.raises(secrecy.SecrecyBroken, match="dealer tells"):
        look(game, game_of(name), range(20))


def test_a_turn_that_depends_on_hidden_cards_is_found() -> None:
    plain = game_of("goat-before-trick")

    class SkipsTheForced(Leaky):
        def to_move(self, state: Any) -> int | None:
            turn = self._game.to_move(state)
            if turn is None or self._game.legal_moves(self._game.view(state, turn)).total() > 1:
                return turn
            return (turn + 1) % 4

    game: Any = SkipsTheForced(plain, lambda _game, state, _seat: state.match.dealt[-1].dealer)
    with pytest.raises(secrecy.SecrecyBroken):
        look(game, plain, range(60))
