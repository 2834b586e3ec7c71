"""Goat: what cards are worth and which beats which."""

from __future__ import annotations

from collections.abc import Sequence

from arena_bot.cards import Card

PACK: tuple[Card, ...] = tuple(suit << 4 | rank for suit in range(4) for rank in range(6, 15))
POINTS = [{10: 2, 11: 3, 12: 4, 13: 10, 14: 11}.get(card & 15, 0) if card in PACK else 0 for card in range(64)]
"""What a card counts in a trick, by card; 120 in the pack."""


def beats(card: Card, other: Card, trump: int) -> bool:
    """Whether one card beats another: higher of the same suit, or a trump against a plain card."""
    if card >> 4 == other >> 4:
        return card > other
    return card >> 4 == trump


def set_beats(cards: Sequence[Card], others: Sequence[Card], trump: int) -> bool:
    """Whether as many cards can be paired so that each of `cards` beats its partner in `others`."""
    spare = sorted(cards, key=lambda card: (card >> 4 == trump, card))
    for other in sorted(others, key=lambda card: (card >> 4 == trump, card)):
        fit = [card for card in spare if card >> 4 == other >> 4 and card > other]
        if not fit and other >> 4 != trump:
            fit = [card for card in spare if card >> 4 == trump]
        if not fit:
            return False
        spare.remove(fit[0])
    return True
