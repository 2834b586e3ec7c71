"""Generic drivers: play any game to its end in process, replay a list of moves, walk a whole tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from arena.core.chance import Chance
from arena.core.game import AnyGame, Board, Seat, checked_apply
from arena.core.moves import Choose, Legal, LegalList, Move, of_set


class Step(NamedTuple):
    """One decision of a match played in process, and the state after it."""

    seat: Seat
    view: Any  # Any: a view of whichever game is played
    legal: Legal
    move: Move
    state: Any  # Any: likewise


Chooser = Callable[[Any, Legal], Move]


def random_move(chance: Chance, legal: Legal) -> Move:
    """A legal move, each equally likely; of a choice of n cards every set equally likely."""
    match legal:
        case LegalList(moves):
            return moves[chance.below(len(moves))] if len(moves) > 1 else moves[0]
        case Choose(kind, size, cards):
            return of_set(kind, chance.sample(cards, size))


def play_out(game: AnyGame, state: Any, choose: Chooser) -> Iterator[Step]:
    """Play a match to its end, each move chosen from (view, legal) of the seat to move. Trusts the chooser."""
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        legal = game.legal_moves(view)
        move = choose(view, legal)
        state = game.apply(state, move)
        yield Step(seat, view, legal, move, state)


def play_random(game: AnyGame, board: Board, chance: Chance) -> Iterator[Step]:
    """A match of uniformly random moves."""
    return play_out(game, game.start(board), lambda _view, legal: random_move(chance, legal))


def replay(game: AnyGame, board: Board, moves: Iterable[tuple[Seat, Move]]) -> Any:
    """The state after the moves, each checked. Raises IllegalMove."""
    state = game.start(board)
    for seat, move in moves:
        state = checked_apply(game, state, seat, move)
    return state


def final_state(game: AnyGame, board: Board, choose: Chooser) -> Any:
    """The state at the end of a match."""
    state = game.start(board)
    for step in play_out(game, state, choose):
        state = step.state
    return state


def expand(legal: Legal) -> Iterator[Move]:
    """Every legal move, choices written out."""
    match legal:
        case LegalList(moves):
            yield from moves
        case Choose(kind, size, cards):
            for chosen in combinations(cards, size):
                yield Move(kind, chosen)


def walk(game: AnyGame, board: Board) -> dict[str, Any]:
    """Counts over the whole tree of a tiny ruleset: nodes by depth, finished matches, and their scores by text."""
    depths: Counter[int] = Counter()
    scores: Counter[str] = Counter()
    stack = [(game.start(board), 0)]
    while stack:
        state, depth = stack.pop()
        depths[depth] += 1
        seat = game.to_move(state)
        if seat is None:
            scores[",".join(map(str, game.scores(state)))] += 1
            continue
        for move in expand(game.legal_moves(game.view(state, seat))):
            stack.append((game.apply(state, move), depth + 1))
    return {
        "nodes": [depths[depth] for depth in range(len(depths))],
        "finished": sum(scores.values()),
        "scores": dict(sorted(scores.items())),
    }
