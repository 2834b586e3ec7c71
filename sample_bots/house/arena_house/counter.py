"""The bot `counter`: counts the cards it has seen and weighs what the others may hold."""

from __future__ import annotations

from arena_bot import Answer, CrowTurn, RookTurn

from arena_house import rook_play
from arena_house.simple import Basic


class Counter(Basic):
    """Stub."""

    def play(self, turn: RookTurn | CrowTurn) -> Answer:
        """A card to a trick."""
        if isinstance(turn, CrowTurn):
            return super().play(turn)
        return rook_play.play(turn)
