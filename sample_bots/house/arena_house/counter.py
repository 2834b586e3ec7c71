"""The bot `counter`: counts the cards it has seen and weighs what the others may hold."""

from __future__ import annotations

from arena_bot import Answer, CrowTurn, GoatTurn, RookTurn

from arena_house import crow_play, goat_play, rook_bid, rook_play
from arena_house.simple import Basic


class Counter(Basic):
    """Plays on what it has seen."""

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
            return crow_play.play(turn)
        return rook_play.play(turn)

    def lead(self, turn: GoatTurn) -> Answer:
        """Leads what the others can hardly beat."""
        return goat_play.play(turn)

    def answer(self, turn: GoatTurn) -> Answer:
        """Beats, feeds or drops by what the trick should bring."""
        return goat_play.play(turn)

    def molodka(self, turn: GoatTurn) -> Answer:
        """Calls it whenever it can."""
        return turn.moves[-1]
