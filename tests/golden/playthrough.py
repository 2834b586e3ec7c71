"""Golden transcripts: files that hold their own inputs and what must come of them, line by line.

A file is text. Up to the line `--` it holds the inputs (lines `game`, `ruleset`, `deal`, `move`); after it what the
rules say at every turn: legal moves, and the fields of the mover's view that changed since its last turn. See
docs/formats.md. `read` takes the inputs from a file, `played` follows them, `text` writes the whole file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from arena import games
from arena.core import options
from arena.core.game import AnyGame, Board, DealtBoard, checked_apply

FOLDER = Path(__file__).parent / "transcripts"
DIVIDER = "--"


class Inputs(NamedTuple):
    """What a file holds of its own."""

    title: str
    game: str
    ruleset: dict[str, Any]
    deals: tuple[dict[str, Any], ...]
    moves: tuple[tuple[int, str], ...]


class Turn(NamedTuple):
    """One turn as texts."""

    seat: int
    view: dict[str, Any]
    legal: Any
    move: str


class Course(NamedTuple):
    """A match that was followed."""

    inputs: Inputs
    turns: list[Turn]
    last: dict[str, Any]
    """The spectators' view at the end."""
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    tiebreaks: tuple[int, ...]
    facts: list[dict[str, Any]]


def played(title: str, game: AnyGame, board: Board, choose: Any) -> Course:
    """A match, each move chosen by `choose(seat, view data, legal)`; checked as a referee would."""
    state = game.start(board)
    turns: list[Turn] = []
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        legal = game.legal_moves(view)
        data = game.view_data(view)
        move = choose(seat, data, legal)
        turns.append(Turn(seat, data, game.notation.legal_data(legal), game.notation.text(move)))
        state = checked_apply(game, state, seat, move)
    deals = tuple(game.deal_data(deal) for deal in game.deals(state))
    moves = tuple((turn.seat, turn.move) for turn in turns)
    inputs = Inputs(title, game.id, options.to_data(game.ruleset), deals, moves)
    last = game.view_data(game.view(state, None))
    return Course(inputs, turns, last, game.scores(state), game.ranks(state), game.tiebreaks(state), game.facts(state))


def followed(inputs: Inputs) -> Course:
    """The match that the inputs describe, played again."""
    game = games.make(inputs.game, inputs.ruleset)
    moves = iter(inputs.moves)

    def next_move(seat: int, _view: Any, _legal: Any) -> Any:
        told, text = next(moves)
        assert told == seat, f"the file says seat {told} moves, by the rules it is seat {seat}"
        return game.notation.parse(text)

    return played(inputs.title, game, DealtBoard(inputs.deals), next_move)


def text(course: Course) -> str:
    """The whole file."""
    return "".join(line + "\n" for line in [*input_lines(course.inputs), DIVIDER, *expected_lines(course)])


def input_lines(inputs: Inputs) -> Iterable[str]:
    yield f"# {inputs.title}"
    yield f"game {inputs.game}"
    yield f"ruleset {compact(inputs.ruleset)}"
    for deal in inputs.deals:
        yield f"deal {compact(deal)}"
    for seat, move in inputs.moves:
        yield f"move {seat} {move}"


def expected_lines(course: Course) -> Iterable[str]:
    before: dict[int, dict[str, Any]] = {}
    for number, turn in enumerate(course.turns):
        known = before.get(turn.seat, {})
        changed = {key: value for key, value in turn.view.items() if known.get(key, ...) != value}
        before[turn.seat] = turn.view
        yield f"turn {number} seat {turn.seat}"
        yield f"  sees {compact(changed)}"
        yield f"  legal {compact(turn.legal)}"
        yield f"  moves {turn.move}"
    yield f"end {compact(course.last)}"
    for index, facts in enumerate(course.facts):
        yield f"facts {index} {compact(facts)}"
    yield f"scores {compact(list(course.scores))}"
    yield f"ranks {compact(list(course.ranks))}"
    yield f"tiebreaks {compact(list(course.tiebreaks))}"


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True)


def read(lines: Iterable[str]) -> Inputs:
    """The inputs of a file."""
    title, game, ruleset = "", "", {}
    deals: list[dict[str, Any]] = []
    moves: list[tuple[int, str]] = []
    for line in lines:
        word, _, rest = line.rstrip("\n").partition(" ")
        match word:
            case "#":
                title = rest
            case "game":
                game = rest
            case "ruleset":
                ruleset = json.loads(rest)
            case "deal":
                deals.append(json.loads(rest))
            case "move":
                seat, _, move = rest.partition(" ")
                moves.append((int(seat), move))
            case _:
                assert word == DIVIDER, f"no line of a golden file: {line!r}"
                break
    return Inputs(title, game, ruleset, tuple(deals), tuple(moves))
