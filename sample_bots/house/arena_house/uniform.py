"""The bot `random`: every legal move is equally likely, except that it does not bid uniformly.

Uniform bidding would end at the highest bid in nearly nine auctions of ten, so it passes or makes the lowest bid.
"""

from __future__ import annotations

from arena_bot import Answer, Bot, Choose, Move, RookTurn, Turn


class Random(Bot):
    """Plays at random."""

    def bid(self, turn: RookTurn) -> Answer:
        """Pass or the lowest bid, each half of the time."""
        first_two: list[Move] = turn.legal[:2]
        return turn.random.choice(first_two)

    def any_move(self, turn: Turn) -> Answer:
        """Any legal move; of a choice of n cards any set."""
        legal = turn.legal
        if isinstance(legal, Choose):
            return turn.random.sample(legal.cards, legal.size)
        move: Move = turn.random.choice(legal)
        return move
