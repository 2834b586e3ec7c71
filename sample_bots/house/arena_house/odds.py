"""Chances of what a hidden hand holds, when every unseen card is equally likely to be in it."""

from __future__ import annotations

from functools import cache
from math import comb


@cache
def holds(wanted: int, hand: int, unseen: int) -> float:
    """The chance that a hand of `hand` of `unseen` cards has at least one of `wanted` of them."""
    if wanted <= 0 or hand <= 0:
        return 0.0
    if wanted + hand > unseen:
        return 1.0
    return 1.0 - comb(unseen - wanted, hand) / comb(unseen, hand)


@cache
def holds_many(wanted: int, least: int, hand: int, unseen: int) -> float:
    """The chance that a hand of `hand` of `unseen` cards has at least `least` of `wanted` of them."""
    if least <= 0:
        return 1.0
    total = comb(unseen, hand)
    most = min(wanted, hand)
    ways = sum(comb(wanted, some) * comb(unseen - wanted, hand - some) for some in range(least, most + 1))
    return ways / total if total else 0.0
