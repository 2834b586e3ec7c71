"""The bot `random`: every legal move is equally likely, except that it does not bid uniformly.

Uniform bidding would end at the highest bid in nearly nine auctions of ten, so it passes or makes the lowest bid.
"""

from __future__ import annotations

from arena_bot import Answer, Bot, Choose, RookTurn, Turn


class Random(Bot):
    """Plays at random."""

    def bid(self, turn: RookTurn) -> Answer:
        """Pass or the lowest bid, each half of the time."""
        return turn.random.choice(turn.moves[:2])

    def any_move(self, turn: Turn) -> Answer:
        """Any legal move; of a choice of n cards any set."""
        legal = turn.legal
        if isinstance(legal, Choose):
            return turn.random.sample(legal.cards, legal.size)
        return turn.random.choice(legal)
