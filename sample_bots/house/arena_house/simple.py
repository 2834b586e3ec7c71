"""The bots `basic` and `cautious`: legal and simple, the same rules of thumb with other parameters.

They look at their hand and at the trick, never at what was played before.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from arena_bot import Answer, Bot, Card, CrowTurn, GoatTurn, Move, Played, RookTurn


class Style(NamedTuple):
    """What tells the simple bots apart."""

    bid_margin: float
    """Share of a hand's points by which bids stay below the guess of what it captures."""
    feeds: bool
    """Whether it throws counters to tricks that its partner is winning."""
    goat_price: int
    """Card points a trick must hold before it is beaten in Goat."""
    crow_risk: int
    """Points a trick must be worth above 0 to be wanted while seats are still to play."""


BASIC = Style(bid_margin=0.02, feeds=True, goat_price=6, crow_risk=0)
CAUTIOUS = Style(bid_margin=0.08, feeds=False, goat_price=10, crow_risk=6)


class Basic(Bot):
    """Simple rules of thumb."""

    style: ClassVar[Style] = BASIC

    # Rook

    def bid(self, turn: RookTurn) -> Answer:
        """The lowest bid while it is below what the hand may capture; never over the partner."""
        bids = [move for move in turn.moves if move.kind == "bid"]
        if not bids or (turn.bidder == turn.partner and len(bids) < len(turn.moves)):
            return turn.moves[0]
        suit = _best_suit(turn, turn.hand)
        return bids[0] if bids[0].number <= self.guess(turn, suit) else turn.moves[0]

    def guess(self, turn: RookTurn, suit: int) -> float:
        """Points the team may capture with this trump: by the length of trump and the high cards."""
        rules, options = turn.rules, turn.game.options
        power = rules.power(suit)
        long = sum(1 for card in turn.hand if power[card] >= 100) / len(turn.hand)
        top = len(rules.ranks) - 1
        high = sum(1 for card in turn.hand if rules.place[card] >= top) / len(turn.hand)
        share = 0.33 + 0.45 * long + 0.55 * high - self.style.bid_margin
        return share * float(options["highest_bid"])

    def discard(self, turn: RookTurn) -> Answer:
        """The lowest cards outside the longest suit."""
        assert turn.choose is not None
        power = turn.rules.power(_best_suit(turn, turn.hand))
        return sorted(turn.choose.cards, key=lambda card: (power[card], card))[: turn.choose.size]

    def trump(self, turn: RookTurn) -> Answer:
        """The longest suit."""
        return _best_suit(turn, turn.hand)

    def play(self, turn: RookTurn | CrowTurn) -> Answer:
        """A card to a trick."""
        return self._crow(turn) if isinstance(turn, CrowTurn) else self._rook(turn)

    def _rook(self, turn: RookTurn) -> Card:
        assert turn.trump is not None
        cards, points, power = turn.cards, turn.rules.points, turn.rules.power(turn.trump)
        winning = turn.winning
        if winning is None:
            tops = [card for card in cards if turn.rules.place[card] == len(turn.rules.ranks) and card < 64]
            return tops[0] if tops else min(cards, key=lambda card: (points[card], power[card]))
        trick = turn.trick
        last = len(trick) == 3
        if winning.seat == turn.partner and self.style.feeds and last:
            return max(cards, key=lambda card: (points[card], -power[card]))
        if winning.seat != turn.partner:
            beating = [card for card in cards if _takes(turn, trick, card)]
            if beating:
                return (min if last else max)(beating, key=lambda card: power[card])
        return min(cards, key=lambda card: (points[card], power[card]))

    # The Crow and the Pitcher

    def _crow(self, turn: CrowTurn) -> Card:
        """Takes what is worth taking now, ducks what is not."""
        trick = [played.card for played in turn.trick]
        left = turn.game.seats - 1 - len(trick)

        def worth(card: Card) -> tuple[int, int]:
            taken = turn.take([*trick, card])
            if taken.place != len(trick):
                return 0, -(card & 15)
            return taken.points - (self.style.crow_risk if left else 0), -(card & 15)

        return max(turn.cards, key=worth)

    # Goat

    def lead(self, turn: GoatTurn) -> Answer:
        """The cheapest card, trumps last."""
        singles = [move for move in turn.moves if len(move.cards) == 1]
        trump = turn.trump
        return min(singles, key=lambda move: (move.card >> 4 == trump, turn.points(move.card), move.card & 15))

    def answer(self, turn: GoatTurn) -> Answer:
        """Beats an opponent as cheaply as it can where it is worth it, else drops the cheapest cards."""
        trump, winning = turn.trump, turn.winning
        assert winning is not None

        def cost(move: Move) -> tuple[int, int]:
            return (
                sum(turn.points(card) + (8 if card >> 4 == trump else 0) for card in move.cards),
                sum(card & 15 for card in move.cards),
            )

        beats = [move for move in turn.moves if move.kind == "beat"]
        drops = [move for move in turn.moves if move.kind == "drop"]
        pot = sum(turn.points(card) for act in turn.trick for card in act.cards)
        if beats and winning.seat != turn.partner:
            best = min(beats, key=cost)
            if pot + sum(turn.points(card) for card in best.cards) >= self.style.goat_price:
                return best
        if winning.seat == turn.partner and self.style.feeds and len(turn.trick) == 3:
            return max(drops, key=lambda move: sum(turn.points(card) for card in move.cards))
        return min(drops, key=cost)

    def molodka(self, turn: GoatTurn) -> Answer:
        """Declines."""
        return turn.moves[0]


class Cautious(Basic):
    """The same, with less courage."""

    style = CAUTIOUS


def _best_suit(turn: RookTurn, hand: tuple[Card, ...]) -> int:
    """The longest suit, of equal ones the stronger, of equal ones the first."""
    place = turn.rules.place
    return max(
        range(4),
        key=lambda suit: (
            sum(1 for card in hand if card >> 4 == suit),
            sum(place[card] for card in hand if card >> 4 == suit),
            -suit,
        ),
    )


def _takes(turn: RookTurn, trick: list[Played], card: Card) -> bool:
    assert turn.trump is not None
    return turn.rules.winner([*[played.card for played in trick], card], turn.trump) == len(trick)
