"""Practice in process: house bots play whole games, and every turn reaches them as the message the arena would send.

    python tests/bots_python/practice.py crowsnest counter basic --blocks 200

prints the share of duplicate blocks that the first bot wins against the second, and the time of its decisions.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from arena_bot import Bot, Table
from arena_bot.v1 import arena_pb2
from arena_house import BOTS

from arena.core import options as rule_options
from arena.core.chance import board_seed, bot_seed
from arena.core.game import AnyGame, SeededBoard
from arena.games import catalog, make
from arena.wire.moves import LegalEncoder, decode_move
from arena.wire.views import ENCODERS

TWO_SIDED = ("crowsnest", "tournament", "partnership", "one_high", "red_one", "buckeye", "goat")
RULESETS: dict[str, tuple[str, dict[str, object]]] = {
    **{name: (name, {}) for name in TWO_SIDED},
    "crow_and_pitcher": ("crow_and_pitcher", {"players": 4}),
    "crow_of_three": ("crow_and_pitcher", {"players": 3}),
}
"""What house bots are measured in: by name the game's id and options."""

Maker = Callable[[], Bot]


class Step(NamedTuple):
    """One decision of a game played here."""

    seat: int
    message: arena_pb2.Turn
    reply: arena_pb2.Reply
    legal: bool


def game_start(game: AnyGame, number: int, seat: int, seed: int) -> arena_pb2.GameStart:
    """What a seat is told at the start."""
    message = arena_pb2.GameStart(game=number, ruleset=game.id, seat=seat, seats=game.seats, seed=seed)
    for name, value in rule_options.to_data(game.ruleset).items():
        message.options[name] = json.dumps(value)
    partners = [other for other in game.sides[game.side_of(seat)] if other != seat]
    if partners:
        message.partner = partners[0]
    return message


class Practice:
    """Games of one ruleset, one after the other."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._encode = ENCODERS[catalog()[game.id].family]
        self._legal = LegalEncoder()
        self.elapsed: dict[Any, list[float]] = {}
        """Seconds of each decision, by what made the bots."""

    def turn(self, state: Any, number: int, game: int) -> arena_pb2.Turn:
        """The message for the seat to move."""
        view = self.game.view(state, self.game.to_move(state))
        message = arena_pb2.Turn(game=game, turn=number)
        self._encode(message, view)
        self._legal.encode(message.legal, self.game.legal_moves(view))
        return message

    def play(self, seed: bytes, bots: Sequence[Maker], steps: list[Step] | None = None) -> Any:
        """A game of these bots by seat; returns the last state. With `steps` each move is checked and noted there."""
        game = self.game
        tables = [Table(bot) for bot in bots]
        for seat, table in enumerate(tables):
            table.start(game_start(game, 1, seat, bot_seed(seed, seat)))
        state, number = game.start(SeededBoard(seed)), 0
        while (seat := game.to_move(state)) is not None:
            message = self.turn(state, number, 1)
            began = time.perf_counter()
            reply = tables[seat].turn(message)
            self.elapsed.setdefault(bots[seat], []).append(time.perf_counter() - began)
            legal = game.legal_moves(game.view(state, seat)) if steps is not None or reply.HasField("move") else None
            chosen = reply.move if reply.HasField("move") else message.legal.moves[reply.choice]
            move = decode_move(chosen)
            if steps is not None and legal is not None:
                steps.append(Step(seat, message, reply, legal.allows(move)))
            state, number = game.apply(state, move), number + 1
        for table in tables:
            table.over(arena_pb2.GameOver(game=1, verdict=1, scores=game.scores(state), ranks=game.ranks(state)))
        return state


def block(practice: Practice, seed: bytes, first: Maker, second: Maker) -> tuple[float, float]:
    """One board in all its seatings: what the first wins (1, 1/2, 0) and its swing in points a game.

    Two sides: both seatings. Free for all: the bots sit in alternate seats, and then the other way round.
    """
    game = practice.game
    swing = tie = 0.0
    lineups: list[list[Maker]]
    if len(game.sides) == 2:
        lineups = [[first, second, first, second], [second, first, second, first]]
    else:
        lineups = [[(first, second)[(seat + turn) % 2] for seat in range(game.seats)] for turn in range(2)]
    for lineup in lineups:
        state = practice.play(seed, lineup)
        for total, values in enumerate((game.scores(state), game.tiebreaks(state))):
            own = [value for seat, value in enumerate(values) if lineup[seat] is first]
            other = [value for seat, value in enumerate(values) if lineup[seat] is second]
            difference = sum(own) / len(own) - sum(other) / len(other)
            swing, tie = (swing + difference, tie) if total == 0 else (swing, tie + difference)
    decided = swing or tie
    return (1.0 if decided > 0 else 0.0 if decided < 0 else 0.5), swing / len(lineups)


class Measure(NamedTuple):
    """How one bot did against another."""

    share: float
    """Blocks won, draws a half."""
    swing: float
    """Points a game."""
    first_us: float
    second_us: float
    """Mean time of a decision, SDK included."""


def measure(name: str, first: Maker, second: Maker, blocks: int, secret: bytes = b"practice") -> Measure:
    """Play blocks of single deals (of whole matches in The Crow and the Pitcher)."""
    game_id, options = RULESETS[name]
    practice = Practice(make(game_id, options).single_deal())
    results = [block(practice, board_seed(secret, game_id, name, number), first, second) for number in range(blocks)]
    mean_us = [1e6 * sum(spent) / len(spent) for spent in (practice.elapsed[bot] for bot in (first, second))]
    return Measure(
        sum(won for won, _ in results) / blocks, sum(swing for _, swing in results) / blocks, mean_us[0], mean_us[1]
    )


def main(arguments: Mapping[str, Any]) -> None:
    """Print one line a ruleset."""
    names = list(RULESETS) if arguments["ruleset"] == "all" else arguments["ruleset"].split(",")
    for name in names:
        found = measure(
            name, BOTS[arguments["first"]], BOTS[arguments["second"]], arguments["blocks"], arguments["secret"].encode()
        )
        print(  # noqa: T201
            f"{name:17} {arguments['first']} beats {arguments['second']} in {found.share:6.1%} of "
            f"{arguments['blocks']} blocks, {found.swing:+7.2f} a game; {found.first_us:.0f} and "
            f"{found.second_us:.0f} us a decision",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ruleset", help="a name of RULESETS, several with commas, or all")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--secret", default="practice")
    main(vars(parser.parse_args()))
