"""What a seat may do, and what it does when it stays silent; both from its view alone.

Knows the rules of bidding, discarding, naming trump and following suit; knows nothing of hidden cards.
"""

from __future__ import annotations

from arena.core.moves import PASS, Choose, Kind, Legal, LegalList, Move, of_set, trump
from arena.games.rook.lookup import Lookup
from arena.games.rook.ruleset import COLOURS, FIRST_SPECIAL, SEATS, Ruleset
from arena.games.rook.state import AUCTION, DISCARD, PLAY, TRUMP, RookView

DEALS_IN_A_ROW = 11
"""How often a dealer deals one hand at most; on the last deal somebody must bid."""


def legal_moves(ruleset: Ruleset, lookup: Lookup, view: RookView) -> Legal:
    """The moves of the seat to move."""
    phase = view.phase
    if phase == PLAY:
        return _plays(lookup, view)
    if phase == AUCTION:
        return lookup.forced if _must_bid(ruleset, view) else lookup.auction[view.bid]
    if phase == DISCARD:
        return Choose(Kind.DISCARD, ruleset.nest, view.hand)
    assert phase == TRUMP, f"nothing to decide in phase {phase}"
    return lookup.trumps


def _must_bid(ruleset: Ruleset, view: RookView) -> bool:
    """On the eleventh deal in a row, after three passes, the dealer must make the lowest bid."""
    return (
        view.redeals == DEALS_IN_A_ROW - 1
        and ruleset.all_pass == "redeal"
        and view.bid == 0
        and len(view.bid_points) == SEATS - 1
    )


def _plays(lookup: Lookup, view: RookView) -> LegalList:
    """All cards of the hand, unless it must follow.

    Cards ascend, so the Rook and the Red 1 come last: when a plain colour is led and the first card that may follow
    is one of those two, the hand is void in the colour.
    """
    hand, played, plays = view.hand, view.played, lookup.plays
    in_trick = len(played) & 3
    if in_trick:
        named = view.trump
        led = lookup.suits[named][played[-in_trick]]
        following = lookup.following[named][led]
        cards = [card for card in hand if card in following]
        if cards and (led == named or cards[0] < FIRST_SPECIAL):
            return LegalList(tuple([plays[card] for card in cards]))
    return LegalList(tuple([plays[card] for card in hand]))


def default_move(ruleset: Ruleset, lookup: Lookup, view: RookView) -> Move:
    """Pass, or the forced bid; discard and play the cheapest cards; name the longest colour trump."""
    legal = legal_moves(ruleset, lookup, view)
    if isinstance(legal, Choose):
        cheapest = sorted(legal.cards, key=lookup.order.__getitem__)
        return of_set(Kind.DISCARD, cheapest[: legal.size])
    if view.phase == PLAY:
        return min(legal.moves, key=lambda move: lookup.order[move.cards[0]])
    if view.phase == TRUMP:
        lengths = [sum(card >> 4 == colour for card in view.hand) for colour in range(len(COLOURS))]
        return trump(lengths.index(max(lengths)))
    return PASS if PASS in legal.moves else legal.moves[0]
