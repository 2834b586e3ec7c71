"""Written-out tables of The Crow and the Pitcher for its tests: a deal in a line, moves in a line."""

from __future__ import annotations

from typing import Any

from arena.core.game import DealtBoard, checked_apply
from arena.games import make
from arena.games.crow.game import Crow
from arena.games.crow.state import CrowState

PACK = [f"{suit}{rank}" for suit in "RGBT" for rank in range(2, 11)]


def crow(**options: object) -> Crow:
    game = make("crow_and_pitcher", options)
    assert isinstance(game, Crow)
    return game


def dealt(
    hands: list[str], *, dealer: int | None = None, pitchers: tuple[int, ...] = (), **options: object
) -> dict[str, Any]:
    """A deal in which the seats hold at least these cards; the rest of the pack fills the hands up in order.

    Without a dealer seat 0 leads. The pitchers given are turned up first.
    """
    game = crow(**options)
    size = game.ruleset.tricks
    pack = [game.notation.names.text(card) for card in game.ruleset.pack()]
    full = [hand.split() for hand in hands] + [[] for _ in range(game.seats - len(hands))]
    rest = [text for text in pack if text not in {text for hand in full for text in hand}]
    for hand in full:
        while len(hand) < size:
            hand.append(rest.pop(0))
    left = game.ruleset.pitcher_pack()
    for value in pitchers:
        left.remove(value)
    return {
        "hands": full,
        "dealer": game.seats - 1 if dealer is None else dealer,
        "pitchers": [*pitchers, *left],
    }


def at(game: Crow, *deals: dict[str, Any], moves: str = "") -> CrowState:
    """The state after the moves, each checked against the rules."""
    return on(game, game.start(DealtBoard(deals)), moves)


def on(game: Crow, state: CrowState, moves: str) -> CrowState:
    for text in moves.split():
        seat = game.to_move(state)
        assert seat is not None
        state = checked_apply(game, state, seat, game.notation.parse(text))
    return state


def legal(game: Crow, state: CrowState) -> str:
    """The legal moves of the seat to move, in one line."""
    seat = game.to_move(state)
    assert seat is not None
    texts = game.notation.legal_data(game.legal_moves(game.view(state, seat)))
    assert isinstance(texts, list)
    return " ".join(texts)


def cards(texts: str) -> list[int]:
    """Card numbers of texts."""
    return [crow().notation.names.parse(text) for text in texts.split()]


def defaults_to_the_end(game: Crow, state: CrowState) -> CrowState:
    """The rest of the match in default moves."""
    while (seat := game.to_move(state)) is not None:
        state = checked_apply(game, state, seat, game.default_move(game.view(state, seat)))
    return state
