"""Deals of Goat: made from a board's chance, written as JSON data, read back."""

from __future__ import annotations

from typing import Any

from arena.core.chance import Chances
from arena.core.errors import TranscriptError
from arena.core.game import DealData
from arena.games.goat.ruleset import NAMES, SEATS, GoatRuleset
from arena.games.goat.state import GoatDeal


def shuffle(ruleset: GoatRuleset, chances: Chances, number: int, redeal: int) -> GoatDeal:
    """Deal `number`: hands seat by seat, the rest is the stock, one card of which is shown where it lies."""
    cards = chances.stream("cards", number, redeal).shuffled(ruleset.pack())
    size = ruleset.hand
    hands = tuple(tuple(sorted(cards[size * seat : size * (seat + 1)])) for seat in range(SEATS))
    stock = tuple(cards[size * SEATS :])
    shown = chances.stream("trump", number, 0).below(len(stock))
    dealer = (chances.stream("dealer").below(SEATS) + number) % SEATS
    return GoatDeal(hands, dealer, stock, stock[shown])


def deal_data(deal: GoatDeal) -> dict[str, Any]:
    """A deal as JSON data."""
    return {
        "hands": [NAMES.list(hand) for hand in deal.hands],
        "dealer": deal.dealer,
        "stock": NAMES.list(deal.stock),
        "trump_card": NAMES.text(deal.trump_card),
    }


def read_deal(ruleset: GoatRuleset, data: DealData) -> GoatDeal:
    """The deal in JSON data. Raises TranscriptError unless it is a deal of this ruleset."""
    try:
        hands = tuple(tuple(sorted([NAMES.parse(text) for text in hand])) for hand in data["hands"])
        stock = tuple([NAMES.parse(text) for text in data["stock"]])
        deal = GoatDeal(hands, data["dealer"], stock, NAMES.parse(data["trump_card"]))
    except Exception as error:
        raise TranscriptError(
            f"{data!r} is no deal: {error}",
            fix='write {"hands": [["6S", ...], ...], "dealer": 0, "stock": ["10H", ...], "trump_card": "AD"}',
        ) from error
    sizes = [len(hand) for hand in hands]
    if sizes != [ruleset.hand] * SEATS:
        raise TranscriptError(f"hands of {sizes} cards", fix=f"{SEATS} hands of {ruleset.hand}")
    if sorted([*stock, *[card for hand in hands for card in hand]]) != ruleset.pack():
        raise TranscriptError(
            "hands and stock are not the whole pack, each card once", fix=f"deal {NAMES.join(ruleset.pack())}"
        )
    if type(deal.dealer) is not int or not 0 <= deal.dealer < SEATS:
        raise TranscriptError(f"dealer {deal.dealer!r} is no seat", fix=f"0 to {SEATS - 1}")
    if deal.trump_card not in stock:
        raise TranscriptError(
            f"trump card {data['trump_card']!r} is not in the stock", fix=f"one of {NAMES.join(stock)}"
        )
    return deal
