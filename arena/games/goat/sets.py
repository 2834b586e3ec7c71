"""Which cards beat which, and which sets a hand can make: pure functions of cards.

Knows nothing of seats or of whose turn it is. Sets are tuples in ascending order of the card numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, groupby

from arena.core.cards import Card, Suit, suit_of

Beaten = Mapping[Card, Collection[Card]]
"""By card, all cards that it beats."""


def beats(x: Card, y: Card, trump: Suit) -> bool:
    """Whether card x beats card y: higher in the same suit, or a trump against a plain suit."""
    if suit_of(x) == suit_of(y):
        return x > y
    return suit_of(x) == trump


def beaten_by(pack: Sequence[Card], trump: Suit) -> dict[Card, frozenset[Card]]:
    """The table of `beats` for a whole pack."""
    return {x: frozenset([y for y in pack if beats(x, y, trump)]) for x in pack}


def set_beats(xs: Sequence[Card], ys: Sequence[Card], beaten: Beaten) -> bool:
    """Whether the sets, equally large, can be paired so that each card of xs beats its partner in ys."""
    if not ys:
        return True
    first, rest = ys[0], ys[1:]
    for place, x in enumerate(xs):
        if first in beaten[x] and set_beats((*xs[:place], *xs[place + 1 :]), rest, beaten):
            return True
    return False


def beating_sets(hand: Sequence[Card], best: Sequence[Card], beaten: Beaten) -> list[tuple[Card, ...]]:
    """All sets of the hand that beat `best`, in ascending order; `hand` is ascending."""
    match len(best):
        case 1:
            target = best[0]
            return [(x,) for x in hand if target in beaten[x]]
        case 2:
            low, high = best
            return [
                pair
                for pair in combinations(hand, 2)
                if (low in beaten[pair[0]] and high in beaten[pair[1]])
                or (high in beaten[pair[0]] and low in beaten[pair[1]])
            ]
        case size:
            return [chosen for chosen in combinations(hand, size) if set_beats(chosen, best, beaten)]


def one_suit(hand: Sequence[Card]) -> bool:
    """Whether all cards of an ascending, not empty hand are of one suit."""
    return hand[0] >> 4 == hand[-1] >> 4


def leading_sets(hand: Sequence[Card], largest: int) -> Iterator[tuple[Card, ...]]:
    """All sets of one suit of at most `largest` cards, small sets first, then ascending; `hand` is ascending."""
    suits = [list(cards) for _, cards in groupby(hand, suit_of)]
    for size in range(1, largest + 1):
        for cards in suits:
            if len(cards) >= size:
                yield from combinations(cards, size)
