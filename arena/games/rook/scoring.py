"""Points: who wins a trick, what a hand scores, when a match ends. Pure functions of what was played."""

from __future__ import annotations

from typing import NamedTuple

from arena.core.cards import Card, Suit
from arena.core.game import Seat
from arena.games.rook.lookup import Lookup
from arena.games.rook.ruleset import Ruleset
from arena.games.rook.state import Cards, Pair


def trick_winner(lookup: Lookup, named: Suit, leader: Seat, trick: Cards) -> Seat:
    """The seat that wins four cards, given in the order of play from the leader."""
    strength = lookup.strength[named][lookup.suits[named][trick[0]]]
    best: Card = max(trick, key=strength.__getitem__)
    return (leader + trick.index(best)) & 3


def add_to(team: int, pair: Pair, points: int) -> Pair:
    """A pair with points added for one team."""
    return (pair[0], pair[1] + points) if team else (pair[0] + points, pair[1])


class HandScore(NamedTuple):
    """What a played hand comes to, by team."""

    captured: Pair
    """Counters of the tricks and the discard, and the bonus."""
    gained: Pair
    """What is added to the match scores."""


def tricks_of(winners: tuple[Seat, ...]) -> Pair:
    """Tricks by team, from the winner of each trick."""
    odd = sum(seat & 1 for seat in winners)
    return len(winners) - odd, odd


def score_hand(
    ruleset: Ruleset, declarer: Seat, bid: int, counters: Pair, discard_points: int, winners: tuple[Seat, ...]
) -> HandScore:
    """The score of a hand; `counters` are the points in tricks by team, `winners` the winner of each trick."""
    captured = add_to(winners[-1] & 1, counters, discard_points + ruleset.last_bonus)
    tricks = tricks_of(winners)
    if tricks[0] != tricks[1]:
        captured = add_to(int(tricks[1] > tricks[0]), captured, ruleset.trick_bonus)
    team = declarer & 1
    made = bid if ruleset.made == "bid" else captured[team]
    gain = made if captured[team] >= bid else -bid
    others = captured[1 - team]
    return HandScore(captured, (others, gain) if team else (gain, others))


class Ending(NamedTuple):
    """Whether the match is over after a hand, and whether it is in sudden death."""

    over: bool
    sudden: bool


def ending(ruleset: Ruleset, scores: Pair, hands_over: int, sudden: bool) -> Ending:
    """What follows after a completed hand. `sudden`: a hand before this one left equal totals at the target."""
    decided = sudden or max(scores) >= ruleset.target
    over = hands_over >= ruleset.max_hands or (decided and scores[0] != scores[1])
    return Ending(over, decided and not over)
