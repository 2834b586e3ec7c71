"""What an author writes: a class with one method for each kind of decision. Every method has a legal default."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from arena_bot.cards import Card
from arena_bot.game import Game, Result
from arena_bot.moves import Choose, Move
from arena_bot.turn import Turn
from arena_bot.turns import GoatTurn, RookTurn

Answer = Move | Card | str | Iterable[Card | str] | bool | None
"""What a method may return. See `arena_bot.answers` for how each is read."""


class Bot:
    """A player. Every game gets an object of its own, so `self` may remember what it likes during a game.

    Each method gets a turn and returns a move of `turn.legal`, or, more briefly, the card, cards, points or suit it is
    about. A method that is not written plays `any_move`, so that an empty subclass plays every game.
    """

    concurrent_games = 64
    """How many games one process is ready to play at once; `concurrent_games` of bot.toml decides below that."""
    strict = True
    """Whether an exception or an illegal answer ends the process with status 1, so that you see it. False: it is
    logged with its traceback, and `any_move` is played."""

    def started(self, game: Game) -> None:
        """A game begins."""

    def over(self, game: Game, result: Result) -> None:
        """The game is over."""

    def rejected(self, turn: int, reason: str) -> None:
        """The answer to a turn was not taken, and the default move was played: too late, or illegal."""
        log(f"turn {turn}: not taken: {reason}")

    def bid(self, turn: RookTurn) -> Answer:
        """Rook: bid or pass. Return points, or None to pass."""
        return self.any_move(turn)

    def discard(self, turn: RookTurn) -> Answer:
        """Rook: discard `turn.choose.size` of the cards in hand. Return the cards."""
        return self.any_move(turn)

    def trump(self, turn: RookTurn) -> Answer:
        """Rook: name trump. Return the suit number."""
        return self.any_move(turn)

    def play(self, turn: Any) -> Answer:  # Any: RookTurn or CrowTurn; a bot for one game may say which
        """Rook and The Crow and the Pitcher: play one of `turn.cards`. Return the card."""
        return self.any_move(turn)

    def molodka(self, turn: GoatTurn) -> Answer:
        """Goat with `molodka` = before_trick: call it or decline. Return True or False."""
        return self.any_move(turn)

    def lead(self, turn: GoatTurn) -> Answer:
        """Goat: lead cards of one suit. Return a move, or the cards."""
        return self.any_move(turn)

    def answer(self, turn: GoatTurn) -> Answer:
        """Goat: beat, drop or call molodka. Return a move, or the cards: they beat if they can, else are dropped."""
        return self.any_move(turn)

    def any_move(self, turn: Turn) -> Answer:
        """Any decision for which no method is written: the first legal move."""
        legal = turn.legal
        return legal.cards[: legal.size] if isinstance(legal, Choose) else legal[0]


def log(text: str) -> None:
    """A line on stderr, which the arena keeps for you. stdout is kept too; neither is part of the protocol."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201
