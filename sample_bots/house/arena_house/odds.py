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
