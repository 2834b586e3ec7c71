"""How `counter` plays Goat: it deals the unseen cards at random a few times and finishes the trick.

The others are taken to beat opponents where it pays, to feed partners that are winning, and else to drop what is
cheapest. Random numbers come from the generator of the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from arena_bot import Card, GoatTurn, Move
from arena_bot.goat import PACK, POINTS, beats, set_beats


class Weights(NamedTuple):
    """How a play is weighed; found by play against itself."""

    samples: int = 7
    """How often the unseen cards are dealt."""
    trump: float = 7.0
    """Worth of a trump in hand, in card points."""
    trump_rank: float = 1.2
    """Worth of each rank of it."""
    plain_rank: float = 0.2
    """Worth of each rank of a plain card."""
    price: int = 7
    """Card points for which the others spend a trump."""


WEIGHTS = Weights()


def play(turn: GoatTurn, weights: Weights = WEIGHTS) -> Move:
    """The lead, or the answer to one, with the best prospect."""
    if len(turn.moves) == 1:
        return turn.moves[0]
    worth = worth_of(turn.trump, weights)
    moves = candidates(turn, worth)
    trick, unseen = Trick(turn), hidden(turn)
    fade = 1.0 if turn.view.stock else min(1.0, len(turn.hand) / 4)
    gains = [0.0] * len(moves)
    for _ in range(weights.samples):
        hands = deal(unseen, len(turn.hand), 3, turn.random)
        for place, move in enumerate(moves):
            gains[place] += trick.outcome(move, turn.hand, hands, weights)

    def prospect(place: int) -> float:
        price = sum([worth[card] for card in moves[place].cards])
        return gains[place] / weights.samples - fade * price

    return moves[max(range(len(moves)), key=prospect)]


def candidates(turn: GoatTurn, worth: Sequence[float]) -> list[Move]:
    """Moves worth a closer look: all leads, the cheapest beats, the cheapest drops and the richest ones."""
    legal = list(turn.moves)
    beating = [move for move in legal if move.kind == "beat"]
    drops = [move for move in legal if move.kind == "drop"]

    def cheap(move: Move) -> float:
        return sum([worth[card] for card in move.cards])

    def rich(move: Move) -> float:
        return sum([POINTS[card] + 0.9 * worth[card] for card in move.cards])

    def poor(move: Move) -> float:
        return -sum([POINTS[card] - worth[card] for card in move.cards])

    beating.sort(key=cheap)
    drops.sort(key=rich)
    found = beating[:4]
    if drops:
        found += list(dict.fromkeys([drops[0], min(drops, key=cheap), max(drops, key=poor), drops[-1]]))
    return found + [move for move in legal if move.kind not in ("beat", "drop")]


@cache
def worth_of(trump: int, weights: Weights) -> list[float]:
    """By card: what it is worth in hand, in card points."""
    return [
        weights.trump + weights.trump_rank * ((card & 15) - 6)
        if card >> 4 == trump
        else weights.plain_rank * ((card & 15) - 6)
        for card in range(64)
    ]


def hidden(turn: GoatTurn) -> list[Card]:
    """Cards that may be in other hands: not in ours, not seen to be gone. Others' drops are still among them."""
    ranks = set(turn.game.options["ranks"])
    pack = [card for card in PACK if card & 15 in ranks]
    gone = set(turn.hand)
    trick: list[Card] = []
    for act in turn.acts:
        if act.kind == "lead":
            trick = []
        elif act.kind == "molodka":
            gone.difference_update(trick)
            gone.update(turn.hand)
            trick = []
        trick.extend(act.cards)
        gone.update(act.cards)
    if turn.view.stock == len(pack) - 4 * int(turn.game.options["hand"]):
        gone.add(turn.view.trump_card)
    return [card for card in pack if card not in gone]


def deal(unseen: list[Card], size: int, hands: int, random: Random) -> list[list[Card]]:
    """Random hands."""
    cards = random.sample(unseen, min(len(unseen), size * hands))
    return [cards[size * place : size * place + size] for place in range(hands)]


class Trick:
    """The trick as it lies."""

    def __init__(self, turn: GoatTurn) -> None:
        self.trump = turn.trump
        self.seat = turn.seat
        acts = turn.trick
        self.pot = sum([POINTS[card] for act in acts for card in act.cards])
        unknown = sum([act.size - len(act.cards) for act in acts])
        self.pot += unknown * 2
        winning = turn.winning
        self.best: Sequence[Card] = winning.cards if winning else ()
        self.winner = winning.seat if winning else turn.seat
        self.answers = 3 - len(acts) if acts else 3
        """How many seats answer after ours."""

    def outcome(self, move: Move, hand: Sequence[Card], hands: Sequence[list[Card]], weights: Weights) -> float:
        """Card points that the trick brings our team, less what it brings the other."""
        cards = hand if move.kind == "molodka" else move.cards
        fresh = move.kind in ("lead", "molodka")
        pot = (0 if fresh else self.pot) + sum([POINTS[card] for card in cards])
        winner, best = (self.seat, cards) if fresh or move.kind == "beat" else (self.winner, self.best)
        size, trump = len(cards), self.trump
        for place in range(3 if fresh else self.answers):
            held = hands[place]
            if len(held) < size:
                continue
            seat = (self.seat + 1 + place) % 4
            friend = (winner - seat) % 2 == 0
            spent = None if friend else beating(held, best, trump, pot, weights.price)
            if spent is not None:
                winner, best = seat, spent
            else:
                spent = dropping(held, size, trump, friend)
            pot += sum([POINTS[card] for card in spent])
        return float(pot if (winner - self.seat) % 2 == 0 else -pot)


def beating(hand: list[Card], best: Sequence[Card], trump: int, pot: int, price: int) -> Sequence[Card] | None:
    """The cheapest cards that beat, if the trick is worth them."""
    costs = cost_of(trump)
    if len(best) == 1:
        other = best[0]
        single = [card for card in hand if beats(card, other, trump)]
        if not single:
            return None
        card = min(single, key=costs.__getitem__)
        return (card,) if pot + POINTS[card] >= price or card >> 4 != trump else None
    found: Sequence[Card] | None = None
    least = 1000
    for some in combinations(hand, len(best)):
        if set_beats(some, best, trump):
            cost = sum([costs[card] for card in some])
            if cost < least:
                found, least = some, cost
    return found


def dropping(hand: list[Card], size: int, trump: int, friend: bool) -> Sequence[Card]:
    """What a seat throws away: points to a partner that is winning, else the cheapest."""
    if friend:
        return sorted(hand, key=lambda card: (card >> 4 == trump, -POINTS[card]))[:size]
    costs = cost_of(trump)
    return sorted(hand, key=costs.__getitem__)[:size]


@cache
def cost_of(trump: int) -> list[int]:
    """By card: how unwilling a seat is to part with it."""
    return [POINTS[card] + (8 if card >> 4 == trump else 0) for card in range(64)]
