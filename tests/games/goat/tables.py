"""Written-out tables of Goat for its tests: a deal in a few lines, moves in a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.game import DealtBoard, checked_apply
from arena.games import make
from arena.games.goat.game import Goat
from arena.games.goat.state import GoatState


def goat(**options: object) -> Goat:
    game = make("goat", options)
    assert isinstance(game, Goat)
    return game


def dealt(
    hands: Sequence[str], *, trump: str, stock: str = "", dealer: int = 3, ranks: Sequence[int] = (), hand: int = 4
) -> dict[str, Any]:
    """A deal in which the seats hold these cards and `trump` is shown; the stock is drawn in the order given.

    What is not named fills hands and stock up in the order of the cards' numbers. Without a dealer seat 0 leads.
    """
    game = goat(hand=hand, **({"ranks": list(ranks)} if ranks else {}))
    names = game.notation.names
    full = [held.split() for held in hands] + [[] for _ in range(4 - len(hands))]
    drawn = stock.split()
    taken = {trump, *drawn, *[text for held in full for text in held]}
    rest = [text for text in names.list(game.ruleset.pack()) if text not in taken]
    for held in full:
        while len(held) < hand:
            held.append(rest.pop(0))
    left = sorted([*rest, trump] if trump not in drawn else rest, key=names.parse)
    return {
        "hands": [sorted(held, key=names.parse) for held in full],
        "dealer": dealer,
        "stock": drawn + left,
        "trump_card": trump,
    }


def at(game: Goat, *deals: dict[str, Any], moves: str = "") -> GoatState:
    """The state after the moves, each checked against the rules."""
    return on(game, game.start(DealtBoard(deals)), moves)


def on(game: Goat, state: GoatState, moves: str) -> GoatState:
    """The state after more moves, "lead 6S 9S / beat 7S JS / drop 6C 6D"."""
    for text in moves.split(" / ") if moves else ():
        seat = game.to_move(state)
        assert seat is not None
        state = checked_apply(game, state, seat, game.notation.parse(text))
    return state


def legal(game: Goat, state: GoatState) -> list[str]:
    """The legal moves of the seat to move, as texts."""
    seat = game.to_move(state)
    assert seat is not None
    texts = game.notation.legal_data(game.legal_moves(game.view(state, seat)))
    assert isinstance(texts, list)
    return texts


def cards(texts: str) -> tuple[int, ...]:
    """Card numbers of texts."""
    names = goat().notation.names
    return tuple([names.parse(text) for text in texts.split()])


def defaults_to_the_end(game: Goat, state: GoatState) -> GoatState:
    """The rest of the match in default moves."""
    while (seat := game.to_move(state)) is not None:
        state = checked_apply(game, state, seat, game.default_move(game.view(state, seat)))
    return state


def defaults(game: Goat, state: GoatState, count: int) -> GoatState:
    """The state after `count` default moves."""
    for _ in range(count):
        seat = game.to_move(state)
        assert seat is not None
        state = checked_apply(game, state, seat, game.default_move(game.view(state, seat)))
    return state


def balls() -> dict[str, Any]:
    """A deal of 60 points in the hands and 60 in the stock, for `BALLS`."""
    return dealt(["QC KC 10C AC", "QD KD 10D AD", "6C 7C JH JS", "8C 9C 6D 7D"], trump="6H", stock="JC AH 8D 9D")


BALLS = (
    "lead QC KC 10C AC / drop QD KD 10D AD / drop 6C 7C JH JS / drop 8C 9C 6D 7D"
    " / lead JC / beat AH / drop 8D / drop 9D"
)
"""Seat 0 takes the hands; seat 1 takes the lead from it, and with default moves the rest: 60-60."""
