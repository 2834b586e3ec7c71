"""Random games as data: what `arena simulate` writes, one JSON object a line, and reading it back.

Every legal move is equally likely, a choice of n cards equally likely among all. A seed fixes every line; line i
depends on the seed, the ruleset and i only. Format: docs/formats.md, schemas/simulate.schema.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from typing import Any

from arena import games as catalog
from arena.core import options
from arena.core.chance import Chance, board_seed
from arena.core.drivers import random_move
from arena.core.errors import ArenaError, TranscriptError
from arena.core.game import AnyGame, DealtBoard, SeededBoard, checked_apply


def seed_of(game: AnyGame, seed: str | int, number: int) -> bytes:
    """The board seed of line `number`, from 0."""
    secret = sha256(b"arena simulate " + str(seed).encode()).digest()
    return board_seed(secret, game.id, game.describe(), number)


def simulate(game: AnyGame, seed: str | int, games: int, views: bool = False) -> Iterator[dict[str, Any]]:
    """Random matches as JSON data, one after the other; with `views` each move has the mover's view before it."""
    for number in range(games):
        yield _one(game, seed_of(game, seed, number), views)


def _one(game: AnyGame, seed: bytes, views: bool) -> dict[str, Any]:
    chance = Chance(seed, "moves")
    notation = game.notation
    state = game.start(SeededBoard(seed))
    moves = []
    while (seat := game.to_move(state)) is not None:
        view = game.view(state, seat)
        legal = game.legal_moves(view)
        move = random_move(chance, legal)
        entry: dict[str, Any] = {"seat": seat, "move": notation.text(move), "legal": notation.legal_data(legal)}
        if views:
            entry["view"] = game.view_data(view)
        moves.append(entry)
        state = game.apply(state, move)
    return {
        "game": game.id,
        "ruleset": options.to_data(game.ruleset),
        "seed": seed.hex(),
        "deals": [game.deal_data(deal) for deal in game.deals(state)],
        "moves": moves,
        "scores": list(game.scores(state)),
        "ranks": list(game.ranks(state)),
    }


def line(data: dict[str, Any]) -> str:
    """One game as a line of the file, without its line break."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True)


def check_line(text: str, *, where: str = "") -> tuple[AnyGame, Any]:
    """Read a line back and play it again; the game and its last state.

    Raises TranscriptError where the line is no simulated game, or the rules give other legal moves, views, cards,
    scores or ranks than it says.
    """
    try:
        data = json.loads(text)
        game = catalog.make(data["game"], data["ruleset"])
        deals, entries = data["deals"], data["moves"]
        told = {"scores": data["scores"], "ranks": data["ranks"], "deals": deals}
        state = game.start(DealtBoard(tuple(deals)))
        for number, entry in enumerate(entries):
            state = _follow(game, state, entry, f"{where} moves[{number}]".strip())
        given = {
            "scores": list(game.scores(state)),
            "ranks": list(game.ranks(state)),
            "deals": [game.deal_data(deal) for deal in game.deals(state)],
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TranscriptError(f"no simulated game: {error!r}", where=where, fix="see docs/formats.md") from None
    except TranscriptError:
        raise
    except ArenaError as error:
        raise TranscriptError(error.message, where=where, fix=error.fix) from None
    if game.to_move(state) is not None:
        raise TranscriptError("the moves stop before the match is over", where=where)
    for name, value in told.items():
        if value != given[name]:
            raise TranscriptError(f"line says {value}, rules give {given[name]}", where=f"{where} {name}".strip())
    return game, state


def _follow(game: AnyGame, state: Any, entry: dict[str, Any], where: str) -> Any:  # Any: states and JSON
    seat = game.to_move(state)
    if seat is None or seat != entry["seat"]:
        raise TranscriptError(f"line says seat {entry['seat']} moved, by the rules it is {seat}", where=where)
    view = game.view(state, seat)
    legal = game.notation.legal_data(game.legal_moves(view))
    if legal != entry["legal"]:
        raise TranscriptError(f"line says {entry['legal']} were legal, rules give {legal}", where=where)
    if "view" in entry and entry["view"] != game.view_data(view):
        raise TranscriptError(f"line says {entry['view']} was seen, rules give {game.view_data(view)}", where=where)
    return checked_apply(game, state, seat, game.notation.parse(entry["move"]))


def schema() -> dict[str, Any]:
    """The JSON schema of a line."""
    text = (files("arena.record") / "schemas" / "simulate.schema.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
