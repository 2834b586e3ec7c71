"""The Crow and the Pitcher: hidden are the other hands and the order of the pitchers that were not turned up yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laws.redeal import Known, permutation, swapped_hand

from arena.core.chance import Chance


def seen(known: Known) -> set[str]:
    """Own cards and all cards played."""
    text = known.game.notation.names.text
    own = known.deal["hands"][known.viewer] if known.viewer is not None else []
    return {*own, *(text(move.cards[0]) for _, move in known.moves)}


def swaps(known: Known, chance: Chance) -> dict[str, str]:
    return permutation({card for hand in known.deal["hands"] for card in hand} - seen(known), chance)


def other_deal(known: Known, swap: Mapping[str, str], chance: Chance) -> dict[str, Any]:
    turned_up = len(known.moves) // known.game.seats + 1
    pitchers = known.deal["pitchers"]
    return {
        "hands": [swapped_hand(known.game, hand, swap) for hand in known.deal["hands"]],
        "dealer": known.deal["dealer"],
        "pitchers": pitchers[:turned_up] + chance.shuffled(pitchers[turned_up:]),
    }
