"""The values of the game: a deal, the state of a match, what a seat sees. No rules."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.core.cards import Card
from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import Board, DealData
from arena.games.crow.ruleset import NAMES, CrowRuleset


class CrowDeal(NamedTuple):
    """What the shuffle of one round fixes."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat, ascending."""
    dealer: int
    pitchers: tuple[int, ...]
    """The whole pitcher pack in the order in which it would be turned up."""


class RoundFacts(NamedTuple):
    """What a finished round came to."""

    dealer: int
    scores: tuple[int, ...]
    """Points of the round by seat."""
    full: int
    """Tricks led by a stone whose pitcher was full."""
    taken_pitchers: int
    """Tricks led by a stone whose pitcher was not full."""
    thirst_led: int
    lost_points: int
    """Points of the stones that scored for nobody."""


class CrowState(NamedTuple):
    """A match between two moves."""

    board: Board
    dealt: tuple[CrowDeal, ...]
    """The deals of the rounds begun; the last one is being played."""
    turn: int
    """The seat to move, -1 when the match is over."""
    hands: tuple[tuple[Card, ...], ...]
    pitchers: tuple[int, ...]
    """Turned up in this round; the last one is this trick's."""
    played: tuple[Card, ...]
    """In this round, in order of play."""
    leaders: tuple[int, ...]
    """By trick of this round, also of the trick about to be led."""
    round_scores: tuple[int, ...]
    scores: tuple[int, ...]
    """Of the match by seat, this round included."""
    finished: tuple[RoundFacts, ...]
    results: tuple[int, ...]
    """Points of the finished rounds, by seat, one round after the other."""


class CrowView(NamedTuple):
    """All that one seat may know; the fields of the message `CrowView`, in its order."""

    seat: int
    """-1 for spectators."""
    round: int
    dealer: int
    hand: tuple[Card, ...]
    """Ascending; empty for spectators."""
    pitchers: tuple[int, ...]
    played: tuple[Card, ...]
    leaders: tuple[int, ...]
    round_scores: tuple[int, ...]
    scores: tuple[int, ...]
    results: tuple[int, ...]


def shuffle(ruleset: CrowRuleset, chances: Chances, number: int, redeal: int) -> CrowDeal:
    """The cards of round `number`, dealt seat by seat; every round has a fresh pitcher pack."""
    seats = ruleset.players
    cards = chances.stream("cards", number, redeal).shuffled(ruleset.pack())
    size = ruleset.tricks
    hands = tuple(tuple(sorted(cards[size * seat : size * (seat + 1)])) for seat in range(seats))
    pitchers = chances.stream("pitchers", number, 0).shuffled(ruleset.pitcher_pack())
    return CrowDeal(hands, (chances.stream("dealer").below(seats) + number) % seats, tuple(pitchers))


def deal_data(deal: CrowDeal) -> dict[str, Any]:
    """A deal as JSON data."""
    return {
        "hands": [NAMES.list(hand) for hand in deal.hands],
        "dealer": deal.dealer,
        "pitchers": list(deal.pitchers),
    }


def read_deal(ruleset: CrowRuleset, data: DealData) -> CrowDeal:
    """The deal in JSON data. Raises TranscriptError unless it is a deal of this ruleset."""
    try:
        hands = tuple(tuple(sorted([NAMES.parse(text) for text in hand])) for hand in data["hands"])
        deal = CrowDeal(hands, data["dealer"], tuple(data["pitchers"]))
    except Exception as error:
        raise TranscriptError(
            f"{data!r} is no deal: {error}",
            fix='write {"hands": [["R4", ...], ...], "dealer": 0, "pitchers": [9, ...]}',
        ) from error
    seats = ruleset.players
    if len(hands) != seats or any(len(hand) != ruleset.tricks for hand in hands):
        raise TranscriptError(
            f"hands of {[len(hand) for hand in hands]} cards", fix=f"{seats} hands of {ruleset.tricks}"
        )
    if sorted([card for hand in hands for card in hand]) != ruleset.pack():
        raise TranscriptError(
            "the hands are not the whole pack, each card once", fix=f"deal {NAMES.join(ruleset.pack())}"
        )
    if type(deal.dealer) is not int or not 0 <= deal.dealer < seats:
        raise TranscriptError(f"dealer {deal.dealer!r} is no seat", fix=f"0 to {seats - 1}")
    if any(type(value) is not int for value in deal.pitchers) or sorted(deal.pitchers) != ruleset.pitcher_pack():
        raise TranscriptError(
            f"pitchers {list(deal.pitchers)!r} are not the pitcher pack", fix=f"an order of {ruleset.pitcher_pack()}"
        )
    return deal


def view_data(view: CrowView) -> dict[str, Any]:
    """A view as JSON data, cards as texts; `seat` is null for spectators."""
    return {
        "seat": None if view.seat < 0 else view.seat,
        "round": view.round,
        "dealer": view.dealer,
        "hand": NAMES.list(view.hand),
        "pitchers": list(view.pitchers),
        "played": NAMES.list(view.played),
        "leaders": list(view.leaders),
        "round_scores": list(view.round_scores),
        "scores": list(view.scores),
        "results": list(view.results),
    }
