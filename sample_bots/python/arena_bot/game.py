"""What a bot is told once for each game: its seat, the ruleset, a generator of its own; and how the game ended."""

from __future__ import annotations

import json
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from arena_bot.v1 import arena_pb2

Family = Literal["rook", "crow", "goat"]
_FAMILIES: dict[str, Family] = {"crow_and_pitcher": "crow", "goat": "goat"}


class Game:
    """One game at the table, from its first message to its last. A bot has one of its own for every game."""

    def __init__(self, start: arena_pb2.GameStart) -> None:
        self.start = start
        """The message as it came."""
        self.number: int = start.game
        """Number of the game on this connection, from 1: the `game` of logs."""
        self.ruleset: str = start.ruleset
        """Id of the ruleset, "crowsnest"."""
        self.seat: int = start.seat
        """The bot's seat, from 0, clockwise."""
        self.seats: int = start.seats
        """How many seats the table has."""
        self.partner: int | None = start.partner if start.HasField("partner") else None
        """The partner's seat; None where each seat plays for itself."""

    @property
    def family(self) -> Family:
        """ "rook", "crow" or "goat": which view and which decisions the game has."""
        return _FAMILIES.get(self.ruleset, "rook")

    @cached_property
    def options(self) -> dict[str, Any]:  # Any: JSON values
        """Every field of the ruleset: numbers, texts, true or false, lists, objects."""
        return {name: json.loads(value) for name, value in self.start.options.items()}

    @cached_property
    def random(self) -> Random:
        """A generator seeded by the arena, the same whenever this seat of this board is played.

        A bot that draws from it alone plays the same game again.
        """
        return Random(self.start.seed)


class Result(NamedTuple):
    """How a game ended."""

    verdict: Literal["finished", "forfeit", "void", "unknown"]
    scores: tuple[int, ...]
    """Points by seat, higher is better; empty when the game is void."""
    ranks: tuple[int, ...]
    """Places by seat, 0 is best, equal means tied; empty when the game is void."""
    forfeit_seat: int | None
    """The seat that forfeited."""
    reason: str
    """Why, as a fault code; empty when the game was finished."""


_VERDICTS: dict[int, Literal["finished", "forfeit", "void"]] = {1: "finished", 2: "forfeit", 3: "void"}


def read_result(message: arena_pb2.GameOver) -> Result:
    """The result in a GameOver message."""
    return Result(
        _VERDICTS.get(message.verdict, "unknown"),
        tuple(message.scores),
        tuple(message.ranks),
        message.forfeit_seat if message.HasField("forfeit_seat") else None,
        message.reason,
    )
