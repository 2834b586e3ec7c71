"""The Rook family: hidden are the other hands, the nest and the discard of another seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laws.redeal import Known, permutation, swapped_hand

from arena.core.chance import Chance
from arena.core.moves import Kind


def seen(known: Known) -> set[str]:
    """Own cards, the nest if the viewer took it, all cards played."""
    text = known.game.notation.names.text
    cards = {text(move.cards[0]) for _, move in known.moves if move.kind is Kind.PLAY}
    if known.viewer is not None:
        cards.update(known.deal["hands"][known.viewer])
        if known.viewer == known.public["bidder"] and known.public["phase"] != "auction":
            cards.update(known.deal["nest"])
    return cards


def swaps(known: Known, chance: Chance) -> dict[str, str]:
    pack = {card for hand in known.deal["hands"] for card in hand} | set(known.deal["nest"])
    return permutation(pack - seen(known), chance)


def other_deal(known: Known, swap: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    return {
        "hands": [swapped_hand(known.game, hand, swap) for hand in known.deal["hands"]],
        "dealer": known.deal["dealer"],
        "nest": swapped_hand(known.game, known.deal["nest"], swap),
    }
