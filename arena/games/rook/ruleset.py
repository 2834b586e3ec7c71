"""The ruleset of the Rook family: every difference between its games as one field, and which combinations can work.

Knows which cards a pack has and what a ruleset must satisfy to be playable; knows no variant by name, no state and no
moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.core.cards import Card, card
from arena.core.errors import ConfigError
from arena.core.options import Counts, option

SEATS = 4
COLOURS = ("black", "green", "red", "yellow")
ROOK: Card = 65
RED_ONE: Card = 66
MOST_POINTS = 1_000
"""Limit of every count, bonus and bid."""
FIRST_SPECIAL: Card = 64
"""Cards above this number, the Rook and the Red 1, belong to no colour but to trump."""


@dataclass(frozen=True)
class Ruleset:
    """One game of the family with every option fixed. The defaults written here are those of CrowsNest."""

    ranks: tuple[int, ...] = option(tuple(range(5, 15)), "ranks of a colour, low to high, each 1 to 14")
    rook: bool = option(True, "whether the pack has the Rook (in CrowsNest: the Crow)")
    rook_rank: str = option(
        "lowest",
        "place of the Rook among the trumps; highest is above every numbered card, but below the Red 1",
        choices=("lowest", "highest"),
    )
    red_one: bool = option(False, "whether the pack has the Red 1 that is always the highest trump")
    hand: int = option(9, "cards dealt to each seat", low=1)
    nest: int = option(5, "cards of the nest, which the declarer takes and discards as many", low=0)
    points: Counts = option(
        ((5, 5), (10, 10), (14, 10), (ROOK, 20)),
        "counters: points by rank; the Rook as 65 or ROOK, the Red 1 as 66 or RED1",
    )
    trick_bonus: int = option(
        0, "points for the team with the most tricks, for nobody when level", low=0, high=MOST_POINTS
    )
    last_bonus: int = option(0, "points for the team that wins the last trick", low=0, high=MOST_POINTS)
    lowest_bid: int = option(70, "no bid is below this", low=1, high=MOST_POINTS)
    bid_step: int = option(5, "bids are multiples of this", low=1, high=MOST_POINTS)
    highest_bid: int = option(
        120, "no bid is above this; the highest possible bid ends the auction", low=1, high=MOST_POINTS
    )
    made: str = option("bid", "what declarers who make their bid score", choices=("bid", "captured"))
    target: int = option(300, "the match ends after a hand in which a team has this many points", low=1, high=1_000_000)
    max_hands: int = option(30, "the match ends after this many hands at the latest", low=1, high=1_000)
    all_pass: str = option(
        "redeal",
        "when all four pass: the same dealer deals again, or the hand ends 0-0",
        choices=("redeal", "zero"),
    )


def pack(ruleset: Ruleset) -> tuple[Card, ...]:
    """All cards, in ascending order of their numbers."""
    plain = [card(colour, rank) for colour in range(len(COLOURS)) for rank in sorted(ruleset.ranks)]
    return (*plain, *special_cards(ruleset))


def special_cards(ruleset: Ruleset) -> tuple[Card, ...]:
    """The cards of no colour, in ascending order of their numbers."""
    return (ROOK,) * ruleset.rook + (RED_ONE,) * ruleset.red_one


def bids(ruleset: Ruleset) -> tuple[int, ...]:
    """All bids the auction knows, ascending: the multiples of the step from the lowest to the highest bid."""
    step = ruleset.bid_step
    first = -(-ruleset.lowest_bid // step) * step
    return tuple(range(first, ruleset.highest_bid + 1, step))


def points_of(ruleset: Ruleset, card: Card) -> int:
    """What a card counts."""
    key = card if card > FIRST_SPECIAL else card & 15
    return dict(ruleset.points).get(key, 0)


def counted(ruleset: Ruleset) -> set[int]:
    """The keys of `points` that stand for cards of the pack."""
    return {*ruleset.ranks, *special_cards(ruleset)}


def check(ruleset: Ruleset, game: str) -> None:
    """Refuse combinations that cannot work. `game` is the ruleset's id.

    Raises ConfigError with the fields and the reason.
    """
    for problem, fix in _problems(ruleset):
        raise ConfigError(f"{game}: {problem}", fix=fix, code="BAD_OPTION")


def _problems(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """What cannot work and how to mend it, most basic first."""
    ranks = ruleset.ranks
    if not ranks or len(set(ranks)) != len(ranks) or not all(1 <= rank <= 14 for rank in ranks):
        yield (
            f"option 'ranks' cannot be {list(ranks)!r}",
            "list different ranks from 1 to 14, low to high, like [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]",
        )
    if ruleset.red_one and 1 in ranks:
        yield (
            "option 'red_one' adds the Red 1, but 'ranks' has a red 1 already",
            "leave 1 out of ranks, or set red_one to false",
        )
    cards = len(pack(ruleset))
    dealt = SEATS * ruleset.hand + ruleset.nest
    if dealt != cards:
        yield (
            f"the pack does not deal out: 'hand' {ruleset.hand} for {SEATS} seats and 'nest' {ruleset.nest} take "
            f"{dealt} cards, the pack of 'ranks', 'rook' and 'red_one' has {cards}",
            f"with hand {cards // SEATS} the nest is {cards % SEATS}" if cards >= SEATS else "add ranks",
        )
    yield from _points_problems(ruleset)
    yield from _bid_problems(ruleset)


def _points_problems(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    keys = [key for key, _ in ruleset.points]
    absent = sorted(set(keys) - counted(ruleset))
    if absent:
        yield (
            f"option 'points' counts cards that are not in the pack: {', '.join(map(str, absent))}",
            f"keys are ranks, {ROOK} for the Rook and {RED_ONE} for the Red 1; here: {sorted(counted(ruleset))}",
        )
    if len(set(keys)) != len(keys):
        yield f"option 'points' has a card twice: {list(ruleset.points)!r}", "give each card once"
    if not all(0 <= count <= MOST_POINTS for _, count in ruleset.points):
        yield (
            f"option 'points' has an impossible count: {dict(ruleset.points)!r}",
            f"counts are whole numbers from 0 to {MOST_POINTS}",
        )


def _bid_problems(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    low, high, step = ruleset.lowest_bid, ruleset.highest_bid, ruleset.bid_step
    if high < low:
        yield (
            f"'highest_bid' {high} is below 'lowest_bid' {low}",
            f"set highest_bid to at least {low} or lowest_bid to at most {high}",
        )
    elif not bids(ruleset):
        yield (
            f"no bid is possible: no multiple of 'bid_step' {step} from 'lowest_bid' {low} to 'highest_bid' {high}",
            "choose a smaller step, or limits that are multiples of it",
        )
