"""Line-ups of a free for all in rounds in which everybody plays, as far as tables of k hold everybody.

Knows numbers 0..n-1 instead of competitors. *Affine planes*, for k^2 competitors and a prime k or 4: in k + 1 rounds
everyone meets everyone once. *Whist rounds*, for tables of 4 and every n with an exact design (see `whist`): who sits
there as partner or as opponent, everyone meets everyone three times.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

from arena.tournament.lineups import ALL_UP_TO, Lineup
from arena.tournament.whist import is_exact, whist_round, whist_rounds

Rounds = tuple[tuple[Lineup, ...], ...]
PLANES = (3, 4, 5)
"""Places at a table."""
TIMES_IN_FOUR = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
"""Products in the field of four elements; its sums are those of the digits, modulo 2."""
MOST = 40
"""Competitors of whist rounds: beyond, three meetings are more than anybody would wait for."""


@lru_cache(maxsize=8)
def full_rounds(n: int, k: int) -> Rounds | None:
    """All rounds; the line-ups are ascending and all different. None: no such design is known for n at tables of k."""
    if n == k * k and k in PLANES:
        return tuple(_parallels(k, slope) for slope in range(k + 1))
    if k == 4 and n <= MOST and n % 4 <= 1 and comb(n, k) > ALL_UP_TO and is_exact(n):
        return tuple(
            tuple(sorted(tuple(sorted(table)) for table in whist_round(n, number))) for number in range(whist_rounds(n))
        )
    return None


def _parallels(k: int, slope: int) -> tuple[Lineup, ...]:
    """The lines y = slope x + b through the points k x + y, one for each b; of slope k the lines x = b."""
    if slope == k:
        return tuple(tuple(k * b + y for y in range(k)) for b in range(k))
    return tuple(tuple(k * x + _line(k, slope, x, b) for x in range(k)) for b in range(k))


def _line(k: int, slope: int, x: int, b: int) -> int:
    return TIMES_IN_FOUR[slope][x] ^ b if k == 4 else (slope * x + b) % k
