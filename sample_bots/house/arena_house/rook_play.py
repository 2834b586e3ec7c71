"""How `counter` plays a card in the Rook family: the points a card may win now, less what it may win later."""

from __future__ import annotations

from typing import NamedTuple

from arena_bot import Card, RookTurn

from arena_house.rook_seen import Seen


class Weights(NamedTuple):
    """How the terms of a play are weighed; found by play against itself."""

    keep_top: float = 1.5
    """Worth of a card that wins by itself later, as a share of a trick."""
    keep_trump: float = 1.0
    """Worth of any trump, likewise."""
    draw: float = 16.0
    """Points for leading trump on the declarer's side, for each trump expected in opponents' hands, at most two."""
    feed: float = -0.2
    """What others add to a trick beyond the average of unseen cards, as a share of it."""


WEIGHTS = Weights()


def play(turn: RookTurn, weights: Weights = WEIGHTS) -> Card:
    """The card with the best prospect."""
    cards = turn.cards
    if len(cards) == 1:
        return cards[0]
    seen = Seen(turn)
    table = Trick(turn, seen, weights)
    return max(cards, key=lambda card: (table.worth(card), -seen.power[card]))


class Trick:
    """The trick that a card is played to."""

    def __init__(self, turn: RookTurn, seen: Seen, weights: Weights) -> None:
        self.seen = seen
        self.weights = weights
        rules = seen.rules
        cards = [played.card for played in turn.trick]
        self.led = rules.colour(cards[0], seen.trump) if cards else -1
        self.pot = sum([rules.points[card] for card in cards])
        self.best = 0
        self.ours = False
        if cards:
            place = rules.winner(cards, seen.trump)
            self.best = seen.power[cards[place]]
            self.ours = turn.trick[place].seat == seen.partner
        self.after = [(seen.seat + step) % 4 for step in range(1, 4 - len(cards))]
        """Seats still to play."""
        tricks_left = len(turn.hand)
        own = sum([rules.points[card] for card in turn.hand])
        options = turn.game.options
        self.end = 0.0
        """Points that go with the last trick."""
        if tricks_left == 1:
            self.end = float(options["last_bonus"]) + self._discarded(turn)
        everything: float = seen.points_left + own + self.pot + options["last_bonus"] + options["trick_bonus"]
        self.a_trick: float = everything / tricks_left
        """Points of a trick on average from here on."""
        self.each = seen.points_left / max(seen.size, 1)
        self.bonus = float(options["trick_bonus"]) / max(int(options["hand"]), 1)
        self.declares = seen.declarer % 2 == seen.seat % 2
        hidden = sum(
            [seen.hands[seat] for seat in range(4) if (seat - seen.seat) % 2 and not seen.void[seat][seen.trump]]
        )
        self.enemy_trumps = hidden * len(seen.trumps) / max(seen.size, 1)
        """How many trumps the opponents hold, on average."""

    def _discarded(self, turn: RookTurn) -> float:
        """Points in the discard, as far as this seat can know."""
        seen = self.seen
        if turn.view.discard:
            return float(sum([turn.rules.points[card] for card in turn.view.discard]))
        nest = int(turn.game.options["nest"])
        return nest * seen.points_left / max(seen.size, 1) * 0.5

    def worth(self, card: Card) -> float:
        """Points that playing this card should bring, ours less theirs."""
        seen, weights = self.seen, self.weights
        power, points = seen.power[card], seen.rules.points[card]
        colour = seen.rules.colour(card, seen.trump)
        led = self.led if self.led >= 0 else colour
        takes = power > self.best and (power >= 100 or colour == led)
        best = power if takes else self.best
        ours = 1.0 if takes or self.ours else 0.0
        for seat in self.after:
            chance = seen.beats(seat, led, best)
            if seat == seen.partner:
                ours += (1.0 - ours) * chance * 0.8
            else:
                ours *= 1.0 - chance
        more = self.each * len(self.after) * (1.0 + weights.feed)
        value = (2.0 * ours - 1.0) * (self.pot + points + more + self.end + self.bonus)
        value -= self._keep(card, power, colour)
        if self.led < 0 and colour == seen.trump and self.declares:
            value += weights.draw * min(self.enemy_trumps, 2.0)
        return value

    def _keep(self, card: Card, power: int, colour: int) -> float:
        """What the card is worth in hand for later."""
        seen, weights = self.seen, self.weights
        above = seen.higher(card)
        if power >= 100:
            share = weights.keep_top / (1 + above) + weights.keep_trump
            return self.a_trick * share
        length = len(seen.colours[colour])
        alone = 1.0 / (1 + 2 * above) if length else 1.0
        ruffed = min(1.0, len(seen.trumps) / 8)
        return self.a_trick * weights.keep_top * alone * (1.0 - 0.5 * ruffed)
