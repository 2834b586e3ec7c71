"""A bot to start from: what you leave out is played for you, legally."""

from arena_bot import Bot, run


class MyBot(Bot):
    """Bids low, and plays the card that counts most."""

    def bid(self, turn):
        """Points, None to pass, or one of the moves of turn.legal: the first is to pass, or the lowest bid allowed."""
        return 70 if "bid 70" in map(turn.text, turn.legal) else turn.legal[0]

    def play(self, turn):
        """One of the cards that may be played."""
        return max(turn.cards, key=turn.points)


if __name__ == "__main__":
    run(MyBot)
