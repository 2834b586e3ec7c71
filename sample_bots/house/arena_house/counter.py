"""The bot `counter`: counts the cards it has seen and weighs what the others may hold."""

from __future__ import annotations

from arena_bot import Answer, CrowTurn, RookTurn

from arena_house import rook_bid, rook_play
from arena_house.simple import Basic


class Counter(Basic):
    """Stub."""

    def bid(self, turn: RookTurn) -> Answer:
        """Bids on what its hand should capture."""
        return rook_bid.bid(turn)

    def discard(self, turn: RookTurn) -> Answer:
        """Keeps what wins."""
        return rook_bid.discard(turn)

    def trump(self, turn: RookTurn) -> Answer:
        """The suit with which the hand should capture most."""
        return rook_bid.guess(turn, turn.hand)[1]

    def play(self, turn: RookTurn | CrowTurn) -> Answer:
        """A card to a trick."""
        if isinstance(turn, CrowTurn):
            return super().play(turn)
        return rook_play.play(turn)
