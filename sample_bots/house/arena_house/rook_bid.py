"""How `counter` values a hand of the Rook family: what its team would capture as declarer, for bids, nest and trump.

The guess is linear in a few features of the hand. Its weights were fitted, ruleset by ruleset, to the points captured
in hands in which a seat was made to declare at the lowest bid and this bot held all four seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erf, sqrt
from typing import Any, NamedTuple

from arena_bot import Answer, Card, RookTurn
from arena_bot.rook import Rules

Features = tuple[float, float, float, float, float, float]


class Row(NamedTuple):
    """What was fitted for one ruleset. All are shares of the points of a hand."""

    constant: float
    weights: Features
    spread: float
    """Standard deviation of what is captured about the guess."""


ROWS: dict[str, Row] = {
    "crowsnest": Row(0.543, (0.0, 0.052, 0.033, 0.019, 0.131, 0.056), 0.164),
    "tournament": Row(0.474, (0.024, 0.04, 0.026, 0.002, 0.13, 0.084), 0.185),
    "partnership": Row(0.172, (0.029, 0.057, 0.061, 0.028, 0.18, 0.0), 0.172),
    "one_high": Row(0.345, (0.013, 0.045, 0.034, 0.03, 0.059, 0.045), 0.132),
    "red_one": Row(0.529, (0.008, 0.049, 0.021, 0.003, 0.068, 0.06), 0.192),
    "buckeye": Row(0.459, (0.02, 0.05, 0.039, 0.004, -0.001, 0.081), 0.179),
}


def features(rules: Rules, hand: Sequence[Card], suit: int) -> Features:
    """Of a hand with a trump suit: trumps, control of trump, side tops, short suits, points, specials."""
    power, place = rules.power(suit), rules.place
    held = set(hand)
    trumps = control = tops = points = specials = 0.0
    lengths = [0, 0, 0, 0]
    above = rules.above(suit)
    for card in hand:
        points += rules.points[card]
        missing = sum([1 for other in above[card] if other not in held])
        if power[card] >= 100:
            trumps += 1
            control += 1 / (1 + missing)
            specials += card >= 65
        else:
            lengths[card >> 4] += 1
            tops += 1 / (1 + missing) ** 2 if place[card] >= len(rules.ranks) - 3 else 0.0
    short = sum([max(0, 2 - lengths[side]) for side in range(4) if side != suit])
    return trumps, control, tops, short, points / 100, specials


def total_points(rules: Rules, options: Mapping[str, Any]) -> float:
    """Points of a hand, bonuses included."""
    return float(sum([rules.points[card] for card in rules.cards]) + options["trick_bonus"] + options["last_bonus"])


def guess(turn: RookTurn, hand: Sequence[Card]) -> tuple[float, int]:
    """The share of the points that the team should capture with the best trump, and that trump."""
    row = ROWS.get(turn.game.ruleset, ROWS["crowsnest"])
    best = (-1.0, 0)
    for suit in range(4):
        values = features(turn.rules, hand, suit)
        share = row.constant + sum([weight * value for weight, value in zip(row.weights, values, strict=True)])
        best = max(best, (share, -suit))
    return best[0], -best[1]


class Courage(NamedTuple):
    """How bids follow from the guess; found by play."""

    least: float = 0.54
    """A bid is made when its chance is at least this."""
    partner: float = 0.06
    """Share of the points that a bid of the partner adds to the guess."""
    opponent: float = 0.07
    """What a bid of an opponent takes from it."""


COURAGE = Courage()


def bid(turn: RookTurn, courage: Courage = COURAGE) -> Answer:
    """Bid while the contract is likely to be made; never over the partner."""
    bids = [move for move in turn.moves if move.kind == "bid"]
    may_pass = len(bids) < len(turn.moves)
    view = turn.view
    if not bids or (may_pass and turn.bidder == turn.partner):
        return turn.moves[0]
    row = ROWS.get(turn.game.ruleset, ROWS["crowsnest"])
    total = total_points(turn.rules, turn.game.options)
    share, _ = guess(turn, turn.hand)
    bidders = {seat for seat, points in zip(view.bid_seats, view.bid_points, strict=True) if points}
    share += courage.partner * (turn.partner in bidders) - courage.opponent * len(bidders - {turn.partner, turn.seat})
    mean, spread = share * total, row.spread * total
    chance = {move.number: 0.5 * (1 + erf((mean - move.number) / spread / sqrt(2))) for move in bids}
    if may_pass and chance[bids[0].number] < courage.least:
        return turn.moves[0]
    if turn.game.options["made"] == "bid":
        return max(bids, key=lambda move: move.number * (2 * chance[move.number] - 1))
    return bids[0]


def discard(turn: RookTurn) -> Answer:
    """Keep trumps and side cards that win; be rid of short suits, and of counters that would be lost."""
    choose = turn.choose
    assert choose is not None
    rules = turn.rules
    _, suit = guess(turn, choose.cards)
    power, above, held = rules.power(suit), rules.above(suit), set(choose.cards)
    lengths = [sum(1 for card in choose.cards if card >> 4 == side) for side in range(4)]

    def keep(card: Card) -> float:
        if power[card] >= 100:
            return 100.0 + power[card]
        missing = sum([1 for other in above[card] if other not in held])
        if missing == 0:
            return 50.0
        value = 2.0 * lengths[card >> 4] + rules.place[card] * 0.3 - rules.points[card] * 0.4
        return value + (8.0 if missing == 1 and lengths[card >> 4] >= 3 else 0.0)

    return sorted(choose.cards, key=lambda card: (keep(card), card))[: choose.size]
