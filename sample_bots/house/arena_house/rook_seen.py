"""What a seat of a Rook game can work out: which cards are unseen, who is void in what, and how likely a card holds.

It assumes that every unseen card is equally likely in every hidden place, and knows no more than the view says.
"""

from __future__ import annotations

from arena_bot import Card, RookTurn
from arena_bot.rook import ROOK, Rules

from arena_house.odds import holds


class Seen:
    """The cards and voids that the play so far shows, once trump is named."""

    def __init__(self, turn: RookTurn) -> None:
        view, rules = turn.view, turn.rules
        trump = turn.trump
        assert trump is not None
        self.rules: Rules = rules
        self.trump = trump
        self.power = rules.power(trump)
        self.seat = turn.seat
        self.partner = (turn.seat + 2) % 4
        self.declarer = view.bidder
        played = view.played
        gone = {*played, *turn.hand, *view.discard}
        self.unseen: list[Card] = [card for card in rules.cards if card not in gone]
        """Cards in other hands, and for all but the declarer in the discard."""
        self.size = len(self.unseen)
        self.trumps = sorted([self.power[card] for card in self.unseen if self.power[card] >= 100])
        """Powers of the unseen trumps."""
        self.colours: list[list[int]] = [[], [], [], []]
        """Powers of the unseen cards of each colour, trumps with trump."""
        for card in self.unseen:
            self.colours[rules.colour(card, trump)].append(self.power[card])
        self.loose = [self.power[card] for card in self.unseen if card >= ROOK]
        """Powers of the unseen special cards, which may be played at any time."""
        self.points_left = sum([rules.points[card] for card in self.unseen])
        self.void: list[list[bool]] = [[False] * 4 for _ in range(4)]
        """By seat and colour: known to have none."""
        self.hands = [0, 0, 0, 0]
        """Cards in each hand."""
        self._read(list(played), list(view.leaders), len(turn.hand))

    def _read(self, played: list[Card], leaders: list[int], own: int) -> None:
        """Voids and sizes from the tricks."""
        colour, trump = self.rules.colour, self.trump
        in_trick = len(played) - 4 * (len(leaders) - 1)
        for seat in range(4):
            self.hands[seat] = own - ((seat - leaders[-1]) % 4 < in_trick)
        for number, leader in enumerate(leaders):
            trick = played[4 * number : 4 * number + 4]
            if not trick:
                break
            led = colour(trick[0], trump)
            for place in range(1, len(trick)):
                card = trick[place]
                if colour(card, trump) != led and card < ROOK:
                    self.void[(leader + place) % 4][led] = True

    def beats(self, seat: int, led: int, power: int) -> float:
        """The chance that a seat can beat a card of this power when `led` is the colour to follow."""
        hand, size = self.hands[seat], self.size
        void = self.void[seat]
        over_trumps = 0 if void[self.trump] else sum([1 for other in self.trumps if other > power])
        if led == self.trump:
            return holds(over_trumps, hand, size)
        ruff = holds(over_trumps, hand, size)
        if void[led]:
            return ruff
        mine = self.colours[led]
        loose = 0 if void[self.trump] else sum([1 for other in self.loose if other > power])
        over = 0 if power >= 100 else sum([1 for other in mine if other > power])
        follow = holds(over + loose, hand, size)
        empty = 1.0 - holds(len(mine), hand, size)
        return follow + (1.0 - follow) * empty * ruff

    def higher(self, card: Card) -> int:
        """How many unseen cards of a card's colour are above it."""
        power = self.power[card]
        return sum([1 for other in self.colours[self.rules.colour(card, self.trump)] if other > power])
