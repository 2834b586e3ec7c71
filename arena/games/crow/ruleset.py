"""The options of The Crow and the Pitcher, and the packs they make.

Knows what may be chosen and which choices cannot work together. Knows no rule of play.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.cards import Card, CardNames, card
from arena.core.errors import ConfigError
from arena.core.options import Counts, build, option

ID = "crow_and_pitcher"
SUITS = ("red", "green", "blue", "thirst")
THIRST = 3
"""The suit number of thirst; the suits below it are stones."""
LOWEST, HIGHEST = 2, 10
PITCHER_LOW, PITCHER_HIGH = 6, 13
PITCHER_POINTS = -5
"""What a taken pitcher scores."""
LARGEST_PITCHER_PACK = 1000

NAMES = CardNames(
    {card(suit, rank): f"{SUITS[suit][0].upper()}{rank}" for suit in range(4) for rank in range(LOWEST, HIGHEST + 1)},
    SUITS,
)
"""R2 ... R10, G2 ..., B2 ..., T2 ... T10."""


@dataclass(frozen=True)
class CrowRuleset:
    """Every option of the game; the defaults are the rules as published."""

    players: int = option(4, "seats at the table, each for itself", low=3, high=4)
    rounds: int = option(3, "rounds of a match", low=1, high=100)
    pitchers: Counts = option(
        ((6, 1), (7, 1), (8, 2), (9, 2), (10, 2), (11, 2), (12, 1), (13, 1)),
        "the pitcher pack: how many cards of each value 6 to 13",
    )
    thirst_lead: str = option(
        "broken",
        "when thirst may be led: after a trick with thirst in it, or in any trick but the first",
        choices=("broken", "after_first_trick"),
    )
    void_play: str = option(
        "any",
        "what a hand without the led suit plays: any card, or thirst if it has any",
        choices=("any", "must_thirst"),
    )
    card_points: str = option(
        "face",
        "what a card scores: its rank, one, or twelve minus its rank; thirst the same below zero",
        choices=("face", "flat", "inverse"),
    )
    ranks: tuple[int, ...] = option(
        tuple(range(LOWEST, HIGHEST + 1)),
        "the ranks in each suit, ascending, within 2 to 10; fewer make a tiny game whose whole tree can be walked",
    )

    @property
    def tricks(self) -> int:
        """Tricks in a round: the cards of a hand."""
        return 4 * len(self.ranks) // self.players

    def pack(self) -> list[Card]:
        """All play cards in the order of their numbers."""
        return [card(suit, rank) for suit in range(4) for rank in self.ranks]

    def pitcher_pack(self) -> list[int]:
        """All pitcher values, ascending."""
        return [value for value, count in self.pitchers for _ in range(count)]


def make_ruleset(options: Mapping[str, object]) -> CrowRuleset:
    """The ruleset with these options; pitcher values with count 0 are left out.

    Raises ConfigError naming the field.
    """
    ruleset = build(CrowRuleset, options, ruleset=ID)
    _check_ranks(ruleset)
    _check_pitchers(ruleset)
    return dataclasses.replace(ruleset, pitchers=tuple((value, count) for value, count in ruleset.pitchers if count))


def _check_ranks(ruleset: CrowRuleset) -> None:
    ranks = ruleset.ranks
    if not ranks or list(ranks) != sorted(set(ranks)) or ranks[0] < LOWEST or ranks[-1] > HIGHEST:
        raise _refuse("ranks", list(ranks), f"different ranks within {LOWEST} to {HIGHEST}, ascending")
    if 4 * len(ranks) % ruleset.players:
        raise _refuse(
            "ranks", list(ranks), f"a number of ranks by which the pack deals out evenly to players = {ruleset.players}"
        )


def _check_pitchers(ruleset: CrowRuleset) -> None:
    shown = dict(ruleset.pitchers)
    if len(shown) < len(ruleset.pitchers):
        raise _refuse("pitchers", list(ruleset.pitchers), "each value once")
    if any(not PITCHER_LOW <= value <= PITCHER_HIGH or count < 0 for value, count in ruleset.pitchers):
        raise _refuse("pitchers", shown, f"counts of 0 or more for values from {PITCHER_LOW} to {PITCHER_HIGH}")
    total = sum(shown.values())
    if not ruleset.tricks <= total <= LARGEST_PITCHER_PACK:
        raise _refuse(
            "pitchers",
            shown,
            f"at least {ruleset.tricks} cards, one for each trick of a round, and at most {LARGEST_PITCHER_PACK}"
            f" (these are {total})",
        )


def _refuse(field: str, value: object, accepted: str) -> ConfigError:
    return ConfigError(f"{ID} option {field!r} cannot be {value!r}", fix=f"accepted: {accepted}", code="BAD_OPTION")
