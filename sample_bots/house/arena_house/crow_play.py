"""How `counter` plays The Crow and the Pitcher: it deals the unseen cards at random a few times and finishes the trick.

The others are taken to play the card that scores best for them now, with some carelessness. Random numbers come from
the generator of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from arena_bot import Card, CrowTurn
from arena_bot.crow import PACK, THIRST, take


class Weights(NamedTuple):
    """How a play is weighed; found by play against itself."""

    samples: int = 10
    """How often the unseen cards are dealt."""
    others: float = 0.6
    """What a point of another seat costs."""
    high_stone: float = 0.2
    """Worth of each rank kept of a stone."""
    thirst: float = 0.25
    """What each rank of a thirst card in hand costs."""
    lone: float = 0.5
    """Worth of a short suit: it will soon be empty, and thirst can go to others."""
    careless: float = 0.1
    """How often another seat is taken to play any card."""


WEIGHTS = Weights()


def play(turn: CrowTurn, weights: Weights = WEIGHTS) -> Card:
    """The card with the best prospect."""
    cards = turn.cards
    if len(cards) == 1:
        return cards[0]
    table = Unseen(turn)
    trick = [played.card for played in turn.trick]
    seats = turn.game.seats
    worth, pitcher = turn.worth, turn.pitcher
    later = [(turn.seat + step) % seats for step in range(1, seats - len(trick))]
    totals = [0.0] * len(cards)
    if later:
        samples = weights.samples
        for _ in range(samples):
            hands = table.deal(later, turn.random)
            for place, card in enumerate(cards):
                totals[place] += finish([*trick, card], hands, pitcher, worth, len(trick), weights, turn.random)
    else:
        samples = 1
        for place, card in enumerate(cards):
            totals[place] = finish([*trick, card], [], pitcher, worth, len(trick), weights, turn.random)
    return max(zip(cards, totals, strict=True), key=lambda pair: pair[1] / samples - keep(turn, pair[0], weights))[0]


def finish(
    trick: list[Card],
    hands: Sequence[Sequence[Card]],
    pitcher: int,
    worth: Sequence[int],
    own: int,
    weights: Weights,
    random: Random,
) -> float:
    """What a trick brings to the seat whose card is in place `own`, less what others get of it."""
    for hand in hands:
        led = trick[0] >> 4
        legal = [card for card in hand if card >> 4 == led] or hand
        if random.random() < weights.careless:
            trick.append(legal[int(random.random() * len(legal))])
        else:
            trick.append(greedy(trick, legal, pitcher, worth))
    taken = take(trick, pitcher, worth)
    return taken.points if taken.place == own else -weights.others * taken.points


def greedy(trick: list[Card], legal: Sequence[Card], pitcher: int, worth: Sequence[int]) -> Card:
    """The card that scores best if the trick ended now; where none takes it, the worst to keep."""
    if len(legal) == 1:
        return legal[0]
    best, choice = -1000.0, legal[0]
    place = len(trick)
    for card in legal:
        taken = take([*trick, card], pitcher, worth)
        value = taken.points if taken.place == place else -0.3 * taken.points
        if value > best:
            best, choice = value, card
    return choice


def keep(turn: CrowTurn, card: Card, weights: Weights) -> float:
    """What the card is worth in hand."""
    suit, rank = card >> 4, card & 15
    if len(turn.hand) <= 1:
        return 0.0
    length = sum(1 for other in turn.hand if other >> 4 == suit)
    value = -weights.lone / length
    if suit == THIRST:
        return value - weights.thirst * rank
    return value + weights.high_stone * rank


class Unseen:
    """Cards in other hands, with what each seat is known not to have."""

    def __init__(self, turn: CrowTurn) -> None:
        view = turn.view
        seats = turn.game.seats
        gone = {*view.played, *turn.hand}
        ranks = set(turn.game.options["ranks"])
        self.cards = [card for card in PACK if card not in gone and card & 15 in ranks]
        self.void = [[False] * 4 for _ in range(seats)]
        for trick in turn.tricks:
            if trick:
                led = trick[0].card >> 4
                for played in trick[1:]:
                    if played.card >> 4 != led:
                        self.void[played.seat][led] = True
        self.size = len(turn.hand)
        """Cards in the hand of a seat that is still to play."""

    def deal(self, later: Sequence[int], random: Random) -> list[list[Card]]:
        """A random hand for each of these seats; voids are kept where that is easily done."""
        cards = self.cards[:]
        random.shuffle(cards)
        hands = []
        for seat in later:
            void = self.void[seat]
            hand = [card for card in cards if not void[card >> 4]][: self.size]
            taken = set(hand)
            cards = [card for card in cards if card not in taken]
            hands.append(hand if hand else cards[: self.size])
        return hands
