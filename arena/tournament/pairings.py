"""Pairings for two sides: the circle method.

Knows numbers 0..n-1 instead of competitors. n - 1 rounds for an even n, n for an odd n (each sits out once); in a round
nobody plays twice, and over all rounds every pair meets exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator


def circle_rounds(n: int) -> int:
    """How many rounds the circle method needs for n >= 2."""
    return n - 1 if n % 2 == 0 else n


def circle_round(n: int, number: int) -> Iterator[tuple[int, int]]:
    """The pairs of round `number` (from 0), smaller number first.

    One place of the circle is fixed, the others turn by one each round, and those facing each other play. With an odd
    n the fixed place is empty, and who faces it sits out.
    """
    turning = circle_rounds(n)
    if n % 2 == 0:
        yield number % turning, n - 1
    for step in range(1, (turning + 1) // 2):
        one, other = (number + step) % turning, (number - step) % turning
        yield min(one, other), max(one, other)


def all_pairs(n: int) -> Iterator[tuple[int, int]]:
    """Every pair once, circle round after circle round, so that neighbours in the list rarely share a competitor."""
    for number in range(circle_rounds(n)):
        yield from circle_round(n, number)
